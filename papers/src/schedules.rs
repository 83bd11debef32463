//! The thesis on bulk-synchronous schedules (its chapter 3), in a model of the machine.
//!
//! The thesis gives figures without their parameters. Ours, in units of one task: the thesis's
//! boundary costs for BCSH, which grow by about 70 for each processor more. So a message of one
//! word takes 70, half of it on either side, and a further word 0.3 on either side. DSH is given a
//! delay of 70. A program whose messages are packed runs in supersteps: each takes as long as the
//! processor with the most work and messages. One that sends each value by itself runs without
//! them: a processor waits for a value where it first uses it.

/// Task graphs that stand in for the Jacobi program, which the thesis does not print.
pub mod jacobi;

use std::error::Error;

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Costs, Placement};
use superstep_scheduler::Scheduler;
use superstep_search::Bcsh;
use superstep_search::rivals::Dsh;

use crate::{Effort, Findings, Row};

/// Time that a message takes its sender, and its receiver, in tasks.
const MESSAGE: f64 = 35.0;

/// Time that a word takes on either side, in tasks.
const WORD: f64 = 0.3;

/// Choice on which schedules depend.
const TIES: &str = "in which order BCSH takes groups of one size";

/// Choice on which times depend.
const COSTS: &str = "what a message and a word cost";

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
    table(&jacobi::thesis(128), &JACOBI_128, true)
}

/// Repeats table 3.2.
pub(crate) fn table_3_2(_: Effort) -> Result<Findings, Box<dyn Error>> {
    table(
        &generate::lu(128)?,
        &lu_128([616.0, 231.0, 159.0, 121.0, 96.0]),
        true,
    )
}

/// Repeats table 3.3.
pub(crate) fn table_3_3(_: Effort) -> Result<Findings, Box<dyn Error>> {
    table(
        &generate::lu(128)?,
        &lu_128([394.0, 259.0, 128.0, 116.0, 87.0]),
        false,
    )
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

/// Repeats table 3.4: processors of each layer of LU 128 on 32, from the input on.
pub(crate) fn table_3_4(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let published = [
        [1, 20, 15, 18, 19, 21, 23, 21, 20, 21, 19, 18, 20, 18, 18],
        [1, 20, 15, 19, 20, 23, 23, 21, 23, 21, 19, 18, 20, 18, 18],
    ];
    layers(published, 0, |checked, superstep| {
        let lists = checked.schedule().superstep(superstep);
        lists.filter(|list| !list.is_empty()).count()
    })
}

/// Repeats table 3.5: mean words of a message after each layer of LU 128 on 32 processors.
pub(crate) fn table_3_5(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let published = [
        [
            14, 62, 82, 111, 112, 141, 136, 143, 123, 114, 103, 76, 65, 62,
        ],
        [12, 60, 69, 105, 106, 116, 134, 143, 91, 102, 93, 68, 63, 62],
    ];
    layers(published, 1, |checked, superstep| {
        let communication = Communication::new(checked, Placement::Eager);
        let own = communication.messages();
        let own = own.filter(|message| message[0].superstep as usize == superstep);
        let words: Vec<usize> = own.map(<[_]>::len).collect();
        let messages = words.len().max(1) as f64;
        (words.iter().sum::<usize>() as f64 / messages).round() as usize
    })
}

/// Compares a figure of each layer of LU 128 on 32 processors, with processors saved and not; so
/// many layers of the output are skipped.
///
/// The source labels its layers from the output on; its own numbers say that they go from the
/// input on, or that the labels are exchanged: the layer of one processor is that of the output.
fn layers<const N: usize>(
    published: [[usize; N]; 2],
    skipped: usize,
    of: impl Fn(&CheckedSchedule<'_>, usize) -> usize,
) -> Result<Findings, Box<dyn Error>> {
    let graph = generate::lu(128)?;
    let machine = Machine {
        tau: Some(2270.0),
        ..Machine::new(32)
    };
    let mut rows = Vec::new();
    for (published, saves) in published.iter().zip([true, false]) {
        let bcsh = Bcsh {
            processor_saving: saves,
        };
        let checked = CheckedSchedule::new(&graph, bcsh.schedule(&graph, &machine)?)?;
        // The last layer, of the output, comes first.
        let all = (0..checked.schedule().supersteps()).rev();
        let all = all.skip(skipped);
        let found: Vec<usize> = all.map(|superstep| of(&checked, superstep)).collect();
        let text = |values: &[usize]| {
            let values = values.iter().map(ToString::to_string);
            let name = if saves { "saved" } else { "not saved" };
            format!("{name}: {}", values.collect::<Vec<_>>().join(" "))
        };
        let row = Row::statement(&text(published), text(&found), found == *published);
        rows.push(row.open(TIES, []));
    }
    Ok(Findings {
        rows,
        ..Findings::default()
    })
}

/// Repeats table 3.6.
pub(crate) fn table_3_6(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        (2, 120.0, 1.10759, 5.0, Some(125.0)),
        (4, 250.0, 1.30361, 5.0, Some(38.0)),
        (8, 500.0, 2.35466, 4.0, Some(29.0)),
        (16, 1070.0, 6.6403, 2.0, Some(10.0)),
    ];
    table(&generate::lu(32)?, &rows, true)
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
    table(&generate::fft(8192)?, &rows, true)
}

/// Repeats table 3.8.
pub(crate) fn table_3_8(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = [
        (2, 200.0, 1.99422, 1.0, None),
        (4, 300.0, 1.0, 2.0, Some(128.0)),
        (8, 300.0, 1.0, 2.0, Some(64.0)),
        (16, 870.0, 1.0, 2.0, Some(32.0)),
        (32, 1670.0, 1.0, 2.0, Some(16.0)),
    ];
    table(&jacobi::thesis(512), &rows, true)
}

/// Compares schedules of BCSH with published ones.
fn table(graph: &Dag, rows: &[Published], saves: bool) -> Result<Findings, Box<dyn Error>> {
    let mut findings = Findings::default();
    for &(processors, tau, rate, layers, words) in rows {
        let machine = Machine {
            tau: Some(tau),
            ..Machine::new(processors)
        };
        let bcsh = Bcsh {
            processor_saving: saves,
        };
        let schedule = bcsh.schedule(graph, &machine)?;
        let costs = Costs::of(&CheckedSchedule::new(graph, schedule)?, &machine);
        let of = |what| format!("p = {processors}, {what}");
        let number = |what, published, found, digits| {
            Row::number(&of(what), published, found, digits, 0.05).open(TIES, [])
        };
        findings
            .rows
            .push(number("duplication rate", rate, costs.duplication_rate, 5));
        findings
            .rows
            .push(number("layers", layers, costs.supersteps as f64, 0));
        if let Some(words) = words {
            findings.rows.push(number(
                "words of a message",
                words,
                costs.mean_message_words,
                0,
            ));
        }
    }
    Ok(findings)
}

/// Repeats figure 3.7: the gain of packing messages, for Jacobi 128, by the model.
pub(crate) fn figure_3_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let graph = jacobi::thesis(128);
    let (mut gains, mut notes) = (Vec::new(), Vec::new());
    for (processors, tau, ..) in JACOBI_128 {
        let machine = Machine {
            tau: Some(tau),
            ..Machine::new(processors)
        };
        let schedule = Bcsh::default().schedule(&graph, &machine)?;
        let checked = CheckedSchedule::new(&graph, schedule)?;
        let gain = single(&checked) / packed(&checked);
        notes.push(format!(
            "p = {processors}: packed programs are {gain:.2} times as fast."
        ));
        gains.push(gain);
    }
    let [least, most] =
        [f64::min, f64::max].map(|of| gains.iter().copied().reduce(of).unwrap_or(0.0));
    let rows = vec![
        Row::number("least gain", 2.0, least, 0, 0.2).open(COSTS, []),
        Row::number("largest gain", 8.0, most, 0, 0.2).open(COSTS, []),
    ];
    Ok(Findings {
        rows,
        notes,
        ..Findings::default()
    })
}

/// Repeats figure 3.8: the gain of saving processors, for LU 128, by the model.
pub(crate) fn figure_3_8(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let graph = generate::lu(128)?;
    let machine = Machine {
        tau: Some(2270.0),
        ..Machine::new(32)
    };
    let time = |saves| -> Result<f64, Box<dyn Error>> {
        let bcsh = Bcsh {
            processor_saving: saves,
        };
        let schedule = bcsh.schedule(&graph, &machine)?;
        Ok(packed(&CheckedSchedule::new(&graph, schedule)?))
    };
    let part = time(true)? / time(false)?;
    let row = Row::number(
        "part of the time with processors saved, p = 32",
        0.5,
        part,
        1,
        0.1,
    );
    Ok(Findings {
        rows: vec![row.open(COSTS, [])],
        ..Findings::default()
    })
}

/// Repeats figure 3.9: LU 32 by BCSH and DSH.
pub(crate) fn figure_3_9(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let graph = generate::lu(32)?;
    let work = graph.total_work() as f64;
    let mut notes = vec!["Parts of the sequential time, by BCSH with packed messages, with single ones, and by DSH with single ones:".to_owned()];
    let (mut factors, mut of_dsh, mut of_bcsh) = (Vec::new(), Vec::new(), Vec::new());
    for (processors, tau) in [(2, 120.0), (4, 250.0), (8, 500.0), (16, 1070.0)] {
        let machine = Machine {
            tau: Some(tau),
            latency: 2.0 * MESSAGE,
            gap: 0.0,
            ..Machine::new(processors)
        };
        let times = |scheduler: &dyn Scheduler| -> Result<[f64; 2], Box<dyn Error>> {
            let checked = CheckedSchedule::new(&graph, scheduler.schedule(&graph, &machine)?)?;
            Ok([packed(&checked), single(&checked)].map(|time| time / work))
        };
        let (bcsh, [_, dsh]) = (times(&Bcsh::default())?, times(&Dsh)?);
        notes.push(format!(
            "p = {processors}: {:.3}, {:.3}, {dsh:.3}",
            bcsh[0], bcsh[1]
        ));
        factors.push(dsh / bcsh[0]);
        of_dsh.push(dsh);
        of_bcsh.push(bcsh[0]);
    }
    let [least, most] =
        [f64::min, f64::max].map(|of| factors.iter().copied().reduce(of).unwrap_or(0.0));
    let slowest = of_dsh.iter().copied().fold(f64::INFINITY, f64::min);
    let fastest = of_bcsh.iter().copied().fold(f64::INFINITY, f64::min);
    let rows = vec![
        Row::statement(
            "programs of DSH are far slower than the sequential one",
            format!("they take {slowest:.1} of its time at least"),
            slowest > 1.5,
        ),
        Row::statement(
            "programs of BCSH are faster than the sequential one",
            format!("the fastest takes {fastest:.2} of its time"),
            fastest < 1.0,
        ),
        Row::number("least factor of BCSH over DSH", 7.0, least, 0, 0.2).open(COSTS, []),
        Row::number("largest factor of BCSH over DSH", 23.0, most, 0, 0.2).open(COSTS, []),
    ];
    Ok(Findings {
        rows,
        notes,
        ..Findings::default()
    })
}

/// Repeats figure 3.10 at 32 processors: speed-ups of packed programs.
pub(crate) fn figure_3_10(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let programs = [
        ("LU 128", generate::lu(128)?, 2270.0, 8.0),
        ("FFT 8192", generate::fft(8192)?, 2700.0, 12.0),
        ("Jacobi 512", jacobi::thesis(512), 1670.0, 18.0),
    ];
    let mut rows = Vec::new();
    for (name, graph, tau, published) in programs {
        let machine = Machine {
            tau: Some(tau),
            ..Machine::new(32)
        };
        let schedule = Bcsh::default().schedule(&graph, &machine)?;
        let checked = CheckedSchedule::new(&graph, schedule)?;
        let modelled = graph.total_work() as f64 / packed(&checked);
        let of = format!("{name}, p = 32, speed-up by the model");
        rows.push(Row::number(&of, published, modelled, 0, 0.1).open(COSTS, []));
    }
    Ok(Findings {
        rows,
        ..Findings::default()
    })
}

/// Time of a program that runs in supersteps and packs what one processor sends another after each.
fn packed(schedule: &CheckedSchedule<'_>) -> f64 {
    let (graph, lists) = (schedule.graph(), schedule.schedule());
    let processors = lists.processors();
    let mut times: Vec<f64> = (0..lists.supersteps())
        .flat_map(|superstep| lists.superstep(superstep))
        .map(|list| work(graph, list))
        .collect();
    for message in Communication::new(schedule, Placement::Eager).messages() {
        let words: u32 = message
            .iter()
            .map(|transfer| graph.words(transfer.task))
            .sum();
        let first = &message[0];
        for processor in [first.from, first.to] {
            let at = first.superstep as usize * processors + processor as usize;
            times[at] += MESSAGE + WORD * f64::from(words);
        }
    }
    times
        .chunks(processors)
        .map(|times| times.iter().copied().fold(0.0, f64::max))
        .sum()
}

fn work(graph: &Dag, list: &[u32]) -> f64 {
    list.iter().map(|&task| f64::from(graph.weight(task))).sum()
}

/// Times a program that sends each value by itself as soon as it is computed, and receives it
/// where it is first used.
fn single(schedule: &CheckedSchedule<'_>) -> f64 {
    let (graph, lists) = (schedule.graph(), schedule.schedule());
    let communication = Communication::new(schedule, Placement::Eager);
    let mut transfers = communication.transfers().to_vec();
    transfers.sort_unstable_by_key(|transfer| (transfer.task, transfer.to));
    // When each of them has left its sender; infinite before that, 0 when it is received.
    let mut sent = vec![f64::INFINITY; transfers.len()];
    let of = |task: u32| {
        let start = transfers.partition_point(|transfer| transfer.task < task);
        let count = transfers[start..]
            .iter()
            .take_while(|transfer| transfer.task == task);
        start..start + count.count()
    };
    let mut clocks = vec![0.0f64; lists.processors()];
    for superstep in 0..lists.supersteps() {
        for (processor, list) in lists.superstep(superstep).enumerate() {
            let clock = &mut clocks[processor];
            for &task in list {
                for &value in graph.predecessors(task) {
                    let mut to_here =
                        of(value).filter(|&at| transfers[at].to as usize == processor);
                    if let Some(at) = to_here.next()
                        && transfers[at].first_use as usize == superstep
                        && sent[at] > 0.0
                    {
                        *clock = clock.max(sent[at]) + MESSAGE + WORD;
                        sent[at] = 0.0;
                    }
                }
                *clock += f64::from(graph.weight(task));
                for at in of(task) {
                    let transfer = &transfers[at];
                    if (transfer.from as usize, transfer.computed as usize)
                        == (processor, superstep)
                    {
                        *clock += MESSAGE + WORD;
                        sent[at] = *clock;
                    }
                }
            }
        }
    }
    clocks.into_iter().fold(0.0, f64::max)
}
