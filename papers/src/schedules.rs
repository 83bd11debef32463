//! Chapter 3 of N. Fujimoto's thesis (2000), repeated: schedules by BCSH, tables 3.1 to 3.8.

/// Task graphs that stand in for the Jacobi program, which the thesis does not print.
pub mod jacobi;
mod programs;
mod ties;

use std::error::Error;

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Costs, Sending};
use superstep_scheduler::Scheduler;
use superstep_search::Bcsh;

pub(crate) use self::programs::{figure_3_7, figure_3_8, figure_3_9, figure_3_10};
use self::ties::{exchanged, shuffled};
use crate::{Effort, Findings, Row};

/// Choices that the thesis leaves open, on which schedules of LU and FFT depend.
const TIES: &str =
    "the order of groups of one size, their processors, and whether empty messages count";

/// Choices that the thesis leaves open, on which schedules of the Jacobi program depend.
const PROGRAM: &str = "the program, and whether empty messages count";

/// Tolerance, as a part, for mean words of a message and figures of one layer. Which processor
/// takes which groups moves them as far: LU 32 on 4 processors has means from 52 to 64.
const NEAR: f64 = 0.25;

/// A published row of a table.
struct Published {
    processors: u32,
    tau: f64,
    duplication_rate: f64,
    layers: f64,
    /// Mean words of a message, if there are any.
    words: Option<f64>,
}

const fn row(
    processors: u32,
    tau: f64,
    duplication_rate: f64,
    layers: f64,
    words: Option<f64>,
) -> Published {
    Published {
        processors,
        tau,
        duplication_rate,
        layers,
        words,
    }
}

/// Processors that BCSH may use.
#[derive(Clone, Copy)]
enum Processors {
    /// The fewest of each superstep that reach the best makespan.
    Saved,
    /// All that there are.
    All,
}

/// Rows of table 3.1.
const JACOBI_128: [Published; 5] = [
    row(2, 200.0, 1.01493, 2.0, Some(64.0)),
    row(4, 300.0, 1.01493, 2.0, Some(32.0)),
    row(8, 480.0, 1.01493, 2.0, Some(16.0)),
    row(16, 870.0, 1.02985, 2.0, Some(8.0)),
    row(32, 1670.0, 1.07464, 2.0, Some(4.0)),
];

/// Repeats table 3.1.
pub(crate) fn table_3_1(_: Effort) -> Result<Findings, Box<dyn Error>> {
    table(&programs(128), PROGRAM, &JACOBI_128, Processors::Saved)
}

/// Repeats table 3.2.
pub(crate) fn table_3_2(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = lu_128([616.0, 231.0, 159.0, 121.0, 96.0]);
    table(&orders(128, effort)?, TIES, &rows, Processors::Saved)
}

/// Repeats table 3.3.
pub(crate) fn table_3_3(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = lu_128([394.0, 259.0, 128.0, 116.0, 87.0]);
    table(&orders(128, effort)?, TIES, &rows, Processors::All)
}

fn lu_128(words: [f64; 5]) -> [Published; 5] {
    [
        row(2, 120.0, 1.00786, 24.0, Some(words[0])),
        row(4, 250.0, 1.0138, 20.0, Some(words[1])),
        row(8, 500.0, 1.05362, 20.0, Some(words[2])),
        row(16, 1070.0, 1.15299, 19.0, Some(words[3])),
        row(32, 2270.0, 1.28581, 15.0, Some(words[4])),
    ]
}

/// Returns the graphs that stand in for the Jacobi program.
fn programs(n: usize) -> Vec<Dag> {
    vec![jacobi::thesis(n), jacobi::simple(n), jacobi::copying(n)]
}

/// Returns the graph of an LU factorisation in its own order, and in random ones.
fn orders(n: usize, effort: Effort) -> Result<Vec<Dag>, Box<dyn Error>> {
    let seeds = match (effort, n) {
        (Effort::Full, 32) => 300,
        (Effort::Full, _) => 20,
        (Effort::Quick, 32) => 30,
        (Effort::Quick, _) => 4,
    };
    let mut graphs = vec![generate::lu(n)?];
    for seed in 1..=seeds {
        graphs.push(shuffled(&graphs[0], seed)?);
    }
    Ok(graphs)
}

/// Returns the schedule by BCSH, and one whose lists are dealt to other busy processors.
fn schedules<'g>(
    graph: &'g Dag,
    machine: &Machine,
    used: Processors,
    seed: u64,
) -> Result<[CheckedSchedule<'g>; 2], Box<dyn Error>> {
    let bcsh = Bcsh {
        processor_saving: matches!(used, Processors::Saved),
    };
    let checked = checked(&bcsh, graph, machine)?;
    let other = exchanged(checked.schedule(), seed);
    Ok([checked, CheckedSchedule::new(graph, other)?])
}

/// Returns the schedule by an algorithm.
fn checked<'g>(
    scheduler: &dyn Scheduler,
    graph: &'g Dag,
    machine: &Machine,
) -> Result<CheckedSchedule<'g>, Box<dyn Error>> {
    let schedule = scheduler.schedule(graph, machine)?;
    Ok(CheckedSchedule::new(graph, schedule)?)
}

/// Makes a machine with so large a tau.
fn machine(processors: u32, tau: f64) -> Machine {
    Machine {
        tau: Some(tau),
        ..Machine::new(processors)
    }
}

/// Repeats table 3.4: processors of each layer of LU 128 on 32, from the output on.
pub(crate) fn table_3_4(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let published = [
        [1, 20, 15, 18, 19, 21, 23, 21, 20, 21, 19, 18, 20, 18, 18],
        [1, 20, 15, 19, 20, 23, 23, 21, 23, 21, 19, 18, 20, 18, 18],
    ];
    layers("processors", published, effort, |checked| {
        let lists = checked.schedule();
        let busy = (0..lists.supersteps()).map(|superstep| {
            let lists = lists.superstep(superstep);
            lists.filter(|list| !list.is_empty()).count() as f64
        });
        busy.collect()
    })
}

/// Repeats table 3.5: mean words of a message after each layer of LU 128 on 32 processors.
pub(crate) fn table_3_5(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let published = [
        [
            14, 62, 82, 111, 112, 141, 136, 143, 123, 114, 103, 76, 65, 62,
        ],
        [12, 60, 69, 105, 106, 116, 134, 143, 91, 102, 93, 68, 63, 62],
    ];
    layers("words of a message", published, effort, |checked| {
        let mut means = vec![(0.0, 0.0_f64); checked.schedule().supersteps() - 1];
        for message in Communication::new(checked, Sending::Eager).messages() {
            let (words, messages) = &mut means[message[0].superstep as usize];
            let counts = message.iter().map(|t| checked.graph().words(t.task));
            *words += counts.map(f64::from).sum::<f64>();
            *messages += 1.0;
        }
        let means = means.into_iter();
        means
            .map(|(words, messages)| words / messages.max(1.0))
            .collect()
    })
}

/// Compares a figure of each layer of LU 128 on 32 processors, with processors saved and not.
///
/// Layers are numbered from the output on, as published rows list them: the first one, which has
/// one processor, is the output's.
fn layers<const N: usize>(
    what: &str,
    published: [[u32; N]; 2],
    effort: Effort,
    of: impl Fn(&CheckedSchedule<'_>) -> Vec<f64>,
) -> Result<Findings, Box<dyn Error>> {
    let machine = machine(32, 2270.0);
    let graphs = orders(128, effort)?;
    let mut rows = Vec::new();
    for (published, used) in published.iter().zip([Processors::Saved, Processors::All]) {
        let mut lists: Vec<Vec<f64>> = Vec::new();
        for (seed, graph) in (0..).zip(&graphs) {
            for checked in schedules(graph, &machine, used, seed)? {
                // Published rows begin with the output's layer.
                lists.push(of(&checked).into_iter().rev().collect());
            }
        }
        let name = match used {
            Processors::Saved => "saved",
            Processors::All => "not saved",
        };
        let count = |list: &Vec<f64>| list.len() as f64;
        let of = format!("{name}, layers with {what}");
        let row = Row::number(&of, N as f64, count(&lists[0]), 0, 0.1);
        rows.push(row.open(TIES, lists.iter().map(count)));
        for (at, (&published, &found)) in published.iter().zip(&lists[0]).enumerate() {
            let of = format!("{name}, {what}, layer {at}");
            let row = Row::number(&of, f64::from(published), found, 0, NEAR);
            let others = lists.iter().filter_map(|list| list.get(at).copied());
            rows.push(row.open(TIES, others));
        }
    }
    Ok(Findings::of(rows))
}

/// Repeats table 3.6.
pub(crate) fn table_3_6(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        row(2, 120.0, 1.10759, 5.0, Some(125.0)),
        row(4, 250.0, 1.30361, 5.0, Some(38.0)),
        row(8, 500.0, 2.35466, 4.0, Some(29.0)),
        row(16, 1070.0, 6.6403, 2.0, Some(10.0)),
    ];
    table(&orders(32, effort)?, TIES, &rows, Processors::Saved)
}

/// Repeats table 3.7.
pub(crate) fn table_3_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        row(2, 330.0, 1.02564, 1.0, None),
        row(4, 480.0, 1.15385, 1.0, None),
        row(8, 800.0, 1.48718, 1.0, None),
        row(16, 1400.0, 2.23077, 1.0, None),
        row(32, 2700.0, 3.79487, 1.0, None),
    ];
    table(&[generate::fft(8192)?], TIES, &rows, Processors::Saved)
}

/// Repeats table 3.8.
pub(crate) fn table_3_8(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        row(2, 200.0, 1.99422, 1.0, None),
        row(4, 300.0, 1.0, 2.0, Some(128.0)),
        row(8, 480.0, 1.0, 2.0, Some(64.0)),
        row(16, 870.0, 1.0, 2.0, Some(32.0)),
        row(32, 1670.0, 1.0, 2.0, Some(16.0)),
    ];
    let note = "Of 8 processors the table prints tau = 300, which is that of 4: here it is 480, as in table 3.1.";
    Ok(table(&programs(512), PROGRAM, &rows, Processors::Saved)?.noted([note]))
}

/// Figures of a schedule: its duplication rate, layers, and mean words of a message, of those that
/// have words and of all pairs of processors.
fn figures(checked: &CheckedSchedule<'_>, machine: &Machine) -> [f64; 4] {
    let costs = Costs::of(checked, machine);
    let layers = costs.supersteps as f64;
    let words = costs.mean_message_words;
    let processors = costs.processors_used as f64;
    let pairs = processors * (processors - 1.0) * (layers - 1.0);
    let of_all = words * costs.messages as f64 / pairs;
    [costs.duplication_rate, layers, words, of_all]
}

/// Compares BCSH's schedule of the first graph with published rows. Schedules of all graphs give
/// the range of what `open` leaves open.
fn table(
    graphs: &[Dag],
    open: &'static str,
    rows: &[Published],
    used: Processors,
) -> Result<Findings, Box<dyn Error>> {
    let mut findings = Findings::default();
    for expected in rows {
        let processors = expected.processors;
        let machine = machine(processors, expected.tau);
        let mut all = Vec::new();
        for (seed, graph) in (0..).zip(graphs) {
            let schedules = schedules(graph, &machine, used, seed)?;
            all.extend(schedules.map(|checked| figures(&checked, &machine)));
        }
        let rate = Some(expected.duplication_rate);
        let figures = [
            ("duplication rate", rate, 5, 0.05, 0..1),
            ("layers", Some(expected.layers), 0, 0.1, 1..2),
            ("words of a message", expected.words, 0, NEAR, 2..4),
        ];
        for (what, published, digits, within, columns) in figures {
            let Some(published) = published else { continue };
            let of = format!("p = {processors}, {what}");
            let row = Row::number(&of, published, all[0][columns.start], digits, within);
            let others = all
                .iter()
                .flat_map(|figures| figures[columns.clone()].to_vec());
            findings.rows.push(row.open(open, others));
        }
    }
    Ok(findings)
}
