//! The thesis on bulk-synchronous schedules (its chapter 3).

/// Task graphs that stand in for the Jacobi program, which the thesis does not print.
pub mod jacobi;
mod programs;
mod ties;

use std::error::Error;

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Costs, Placement, Schedule};
use superstep_scheduler::Scheduler;
use superstep_search::Bcsh;

pub(crate) use self::programs::{figure_3_7, figure_3_8, figure_3_9, figure_3_10};
use self::ties::{exchanged, shuffled};
use crate::{Effort, Findings, Row};

/// Choice on which schedules depend.
const TIES: &str =
    "the order of groups of one size, their processors, and whether empty messages count";

/// Choice on which schedules of the Jacobi program depend.
const PROGRAM: &str = "the program, and whether empty messages count";

/// Part by which mean words of a message, and figures of a single layer, may be off. Which
/// processor takes which groups moves the words by as much: of LU 32 on 4 from 52 to 64.
const NEAR: f64 = 0.25;

/// A published row: processors, tau, duplication rate, layers, and mean words of a message, if
/// there are any.
type Published = (u32, f64, f64, f64, Option<f64>);

/// Rows of table 3.1.
const JACOBI_128: [Published; 5] = [
    (2, 200.0, 1.01493, 2.0, Some(64.0)),
    (4, 300.0, 1.01493, 2.0, Some(32.0)),
    (8, 480.0, 1.01493, 2.0, Some(16.0)),
    (16, 870.0, 1.02985, 2.0, Some(8.0)),
    (32, 1670.0, 1.07464, 2.0, Some(4.0)),
];

/// Repeats table 3.1.
pub(crate) fn table_3_1(_: Effort) -> Result<Findings, Box<dyn Error>> {
    table(&programs(128), PROGRAM, &JACOBI_128, true)
}

/// Repeats table 3.2.
pub(crate) fn table_3_2(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = lu_128([616.0, 231.0, 159.0, 121.0, 96.0]);
    table(&orders(128, effort)?, TIES, &rows, true)
}

/// Repeats table 3.3.
pub(crate) fn table_3_3(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = lu_128([394.0, 259.0, 128.0, 116.0, 87.0]);
    table(&orders(128, effort)?, TIES, &rows, false)
}

fn lu_128(words: [f64; 5]) -> [Published; 5] {
    [
        (2, 120.0, 1.00786, 24.0, Some(words[0])),
        (4, 250.0, 1.0138, 20.0, Some(words[1])),
        (8, 500.0, 1.05362, 20.0, Some(words[2])),
        (16, 1070.0, 1.15299, 19.0, Some(words[3])),
        (32, 2270.0, 1.28581, 15.0, Some(words[4])),
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

/// Schedules a graph by BCSH, and with its lists exchanged.
fn schedules<'g>(
    graph: &'g Dag,
    machine: &Machine,
    saves: bool,
    seed: u64,
) -> Result<[CheckedSchedule<'g>; 2], Box<dyn Error>> {
    let bcsh = Bcsh {
        processor_saving: saves,
    };
    let schedule = bcsh.schedule(graph, machine)?;
    let other = exchanged(&schedule, seed);
    let checked = |schedule: Schedule| CheckedSchedule::new(graph, schedule);
    Ok([checked(schedule)?, checked(other)?])
}

/// Repeats table 3.4: processors of each layer of LU 128 on 32, from the input on.
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
        let mut means = vec![(0.0, 0.0); checked.schedule().supersteps() - 1];
        for message in Communication::new(checked, Placement::Eager).messages() {
            let (words, messages) = &mut means[message[0].superstep as usize];
            *words += message.len() as f64;
            *messages += 1.0;
        }
        let means = means.into_iter();
        means.map(|(words, messages)| words / messages).collect()
    })
}

/// Compares a figure of each layer of LU 128 on 32 processors, with processors saved and not.
///
/// The source labels its layers from the output on. Its own numbers say that they go from the input
/// on, or that the labels are exchanged. In them the layer of one processor is that of the output.
fn layers<const N: usize>(
    what: &str,
    published: [[u32; N]; 2],
    effort: Effort,
    of: impl Fn(&CheckedSchedule<'_>) -> Vec<f64>,
) -> Result<Findings, Box<dyn Error>> {
    let machine = Machine {
        tau: Some(2270.0),
        ..Machine::new(32)
    };
    let graphs = orders(128, effort)?;
    let mut rows = Vec::new();
    for (published, saves) in published.iter().zip([true, false]) {
        let mut lists: Vec<Vec<f64>> = Vec::new();
        for (seed, graph) in (0..).zip(&graphs) {
            for checked in schedules(graph, &machine, saves, seed)? {
                // The last layer, of the output, comes first.
                lists.push(of(&checked).into_iter().rev().collect());
            }
        }
        let name = if saves { "saved" } else { "not saved" };
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
    Ok(Findings {
        rows,
        ..Findings::default()
    })
}

/// Repeats table 3.6.
pub(crate) fn table_3_6(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        (2, 120.0, 1.10759, 5.0, Some(125.0)),
        (4, 250.0, 1.30361, 5.0, Some(38.0)),
        (8, 500.0, 2.35466, 4.0, Some(29.0)),
        (16, 1070.0, 6.6403, 2.0, Some(10.0)),
    ];
    table(&orders(32, effort)?, TIES, &rows, true)
}

/// Repeats table 3.7.
pub(crate) fn table_3_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        (2, 330.0, 1.02564, 1.0, None),
        (4, 480.0, 1.15385, 1.0, None),
        (8, 800.0, 1.48718, 1.0, None),
        (16, 1400.0, 2.23077, 1.0, None),
        (32, 2700.0, 3.79487, 1.0, None),
    ];
    table(&[generate::fft(8192)?], TIES, &rows, true)
}

/// Repeats table 3.8.
pub(crate) fn table_3_8(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        (2, 200.0, 1.99422, 1.0, None),
        (4, 300.0, 1.0, 2.0, Some(128.0)),
        (8, 480.0, 1.0, 2.0, Some(64.0)),
        (16, 870.0, 1.0, 2.0, Some(32.0)),
        (32, 1670.0, 1.0, 2.0, Some(16.0)),
    ];
    let note = "Of 8 processors the table prints tau = 300, which is that of 4: here it is 480, as in table 3.1.";
    Ok(Findings {
        notes: vec![note.into()],
        ..table(&programs(512), PROGRAM, &rows, true)?
    })
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

/// Compares schedules of BCSH for the first graph with published ones; ranges are of all.
fn table(
    graphs: &[Dag],
    open: &'static str,
    rows: &[Published],
    saves: bool,
) -> Result<Findings, Box<dyn Error>> {
    let mut findings = Findings::default();
    for &(processors, tau, rate, layers, words) in rows {
        let machine = Machine {
            tau: Some(tau),
            ..Machine::new(processors)
        };
        let mut all = Vec::new();
        for (seed, graph) in (0..).zip(graphs) {
            let schedules = schedules(graph, &machine, saves, seed)?;
            all.extend(schedules.map(|checked| figures(&checked, &machine)));
        }
        let figures = [
            ("duplication rate", Some(rate), 5, 0.05, 0..1),
            ("layers", Some(layers), 0, 0.1, 1..2),
            ("words of a message", words, 0, NEAR, 2..4),
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
