//! Comparisons for people: tables.

use std::fmt::Write as _;

use super::steps::StepChanges;
use super::{Change, Comparison, Measure, Pair, ProgramRow, ScheduleRow};
use crate::text::columns::{Cell, table};

impl Comparison {
    /// Writes the tables; a star marks the best of a column.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.of);
        let machine = |row: &ScheduleRow| (row.machine.clone(), row.processors);
        for rows in self.schedules.chunk_by(|a, b| machine(a) == machine(b)) {
            text += &schedules(rows);
        }
        for each in &self.left_out {
            let (algorithm, processors) = (&each.algorithm, each.processors);
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "\n{algorithm} is left out for P = {processors}: {}",
                each.reason
            );
        }
        if !self.programs.is_empty() {
            text.push('\n');
            text += &programs(&self.programs);
        }
        if let Some(pair) = &self.pair {
            text += &pair.text();
        }
        text
    }
}

fn schedules(rows: &[ScheduleRow]) -> String {
    let first = &rows[0];
    let bounds = format!(
        "no makespan is below {}, no BSP cost below {}",
        tenths(first.makespan_bound),
        tenths(first.bsp_bound)
    );
    let headings = [
        "algorithm ",
        "makespan",
        "x best",
        "x bound",
        "BSP cost",
        "x best",
        "x bound",
        "supersteps",
        "words",
        "time",
    ];
    let cost = |Measure {
                    value,
                    is_best,
                    over_best,
                    over_bound,
                }: Measure| {
        [
            Cell::best(tenths(value), is_best),
            ratio(over_best).into(),
            ratio(over_bound).into(),
        ]
    };
    let row = |row: &ScheduleRow| {
        let mut cells = vec![Cell::from(&row.algorithm)];
        cells.extend(cost(row.makespan));
        cells.extend(cost(row.bsp_cost));
        for Measure { value, is_best, .. } in [row.supersteps, row.words] {
            cells.push(Cell::best(value, is_best));
        }
        let seconds = format!("{:.3} s", row.seconds.value);
        cells.push(Cell::best(seconds, row.seconds.is_best));
        cells
    };
    let rows: Vec<Vec<Cell>> = rows.iter().map(row).collect();
    format!("\n{}\n{bounds}\n{}", first.machine, table(&headings, &rows))
}

fn programs(rows: &[ProgramRow]) -> String {
    let mut headings = vec![
        "P",
        "algorithm ",
        "memory ",
        "predicted",
        "x function",
        "x P = 1",
        "efficiency",
        "balance",
        "serialisation",
        "transfer",
        "supersteps",
        "words",
    ];
    let has_measured = rows.iter().any(|row| row.measured_ns.is_some());
    if has_measured {
        headings.insert(4, "measured");
    }
    let least = |of: &dyn Fn(&ProgramRow) -> u64| rows.iter().map(of).min().unwrap_or(0);
    let most = rows
        .iter()
        .filter_map(|row| row.efficiency)
        .fold(0.0, f64::max);
    let row = |row: &ProgramRow| {
        let memory = if row.private_memory {
            "private"
        } else {
            "shared"
        };
        let mut cells = vec![
            row.processors.into(),
            Cell::from(&row.algorithm),
            memory.into(),
            match row.predicted_ns {
                0 => "-".into(),
                ns => Cell::best(ms(ns), ns == least(&|row| row.predicted_ns)),
            },
            ratio(row.over_function).into(),
            ratio(row.over_one).into(),
            Cell::best(
                share(row.efficiency),
                row.efficiency.is_some_and(|own| own >= most),
            ),
            share(row.load_balance).into(),
            share(row.serialisation).into(),
            share(row.transfer).into(),
            Cell::best(
                row.supersteps,
                row.supersteps as u64 == least(&|row| row.supersteps as u64),
            ),
            Cell::best(row.words, row.words == least(&|row| row.words)),
        ];
        if has_measured {
            let is_best = row.measured_ns == rows.iter().filter_map(|row| row.measured_ns).min();
            let measured = row.measured_ns.map_or_else(|| "-".into(), ms);
            cells.insert(
                4,
                Cell::best(measured, is_best && row.measured_ns.is_some()),
            );
        }
        cells
    };
    table(&headings, &rows.iter().map(row).collect::<Vec<_>>())
}

impl Pair {
    fn text(&self) -> String {
        let [before, after] = &self.names;
        let times = &self.times;
        let mut text = format!("\nbefore: {before}, after: {after}; times are {times}\n");
        if self.same_program {
            text += "both are runs of one program: no task has moved\n";
        }
        let rows = [
            ("run", self.run_ns, true),
            ("of it work", self.work_ns, true),
            ("communication", self.communication_ns, true),
            ("synchronisation", self.synchronisation_ns, true),
            ("supersteps", self.supersteps, false),
            ("words that cross", self.words, false),
        ];
        let rows = rows.map(|(name, change, is_time)| {
            let [before, after, difference] = if is_time {
                times_of(change)
            } else {
                counts_of(change)
            };
            vec![
                Cell::from(name),
                before.into(),
                after.into(),
                difference.into(),
                percent(change).into(),
            ]
        });
        text += &table(&[" ", "before", "after", "difference", " "], &rows);
        text += &self.statements();
        if let Some(why) = &self.unmatched {
            let _ = writeln!(text, "{why}");
        }
        if let Some(steps) = &self.steps {
            text += &steps.text();
        }
        text
    }

    fn statements(&self) -> String {
        let headings = [
            "line ",
            "tasks",
            "after",
            "difference",
            "work",
            "after",
            "difference",
            "words",
            "after",
            "difference",
            "other processor",
            "other superstep",
            "statement ",
        ];
        let row = |each: &super::StatementChange| {
            let moved = |of: fn(&super::Moved) -> u64| match &each.moved {
                Some(moved) if moved.matched > 0 => share_of(of(moved), moved.matched),
                _ => "-".into(),
            };
            let file = each
                .file
                .as_deref()
                .and_then(|file| file.rsplit('/').next());
            // Chunks of a run stand in no line.
            let mut cells = vec![Cell::from(match (file.unwrap_or(""), each.line) {
                (_, 0) => "-".into(),
                (file, line) => format!("{file}:{line}"),
            })];
            for change in [
                counts_of(each.tasks),
                times_of(each.work_ns),
                counts_of(each.words),
            ] {
                cells.extend(change.map(Cell::from));
            }
            cells.extend(
                [
                    moved(|moved| moved.processor),
                    moved(|moved| moved.superstep),
                ]
                .map(Cell::from),
            );
            cells.push(Cell::from(&each.text));
            cells
        };
        let rows: Vec<Vec<Cell>> = self.statements.iter().map(row).collect();
        let about =
            "\nstatements: tasks, work, words sent, and the share of tasks that run elsewhere\n";
        about.to_owned() + &table(&headings, &rows)
    }
}

impl StepChanges {
    fn text(&self) -> String {
        let Self {
            slower,
            faster,
            rows,
        } = self;
        let mut text = format!(
            "\nsupersteps, by the longest work and copies of a processor: {} took {} longer, {} took {} less\n",
            slower.count,
            us(slower.ns),
            faster.count,
            us(faster.ns)
        );
        if rows.is_empty() {
            return text;
        }
        let headings = [
            "superstep",
            "processor",
            "longest",
            "after",
            "difference",
            "waits",
            "after",
        ];
        let row = |row: &super::StepChange| {
            let difference = format!("{:+.1} us", 1e-3 * row.difference_ns as f64);
            vec![
                Cell::from(row.step),
                row.processor.into(),
                us(row.before_ns).into(),
                us(row.after_ns).into(),
                difference.into(),
                us(row.wait_before_ns).into(),
                us(row.wait_after_ns).into(),
            ]
        };
        text += &table(&headings, &rows.iter().map(row).collect::<Vec<_>>());
        text
    }
}

fn tenths(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}"))
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "-".into(), |share| format!("{share:.3}"))
}

fn share_of(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}

fn ms(ns: u64) -> String {
    format!("{:.3} ms", 1e-6 * ns as f64)
}

fn us(ns: u64) -> String {
    format!("{:.1} us", 1e-3 * ns as f64)
}

fn times_of(change: Change) -> [String; 3] {
    [
        ms(change.before),
        ms(change.after),
        format!("{:+.3} ms", 1e-6 * change.difference as f64),
    ]
}

fn counts_of(change: Change) -> [String; 3] {
    [
        change.before.to_string(),
        change.after.to_string(),
        format!("{:+}", change.difference),
    ]
}

fn percent(change: Change) -> String {
    match change.before {
        0 => String::new(),
        before => format!("{:+.1} %", 100.0 * change.difference as f64 / before as f64),
    }
}
