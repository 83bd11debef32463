//! Times of programs in a model of the machine (figures 3.7 to 3.10).
//!
//! The thesis gives figures without their parameters. Ours, in units of one task: the thesis's
//! boundary costs for BCSH, which grow by about 70 for each processor more. So a message of one
//! word takes 70, half of it on either side, and a further word 0.3 on either side. DSH is given a
//! delay of 70. A program whose messages are packed runs in supersteps: each takes as long as the
//! processor with the most work and messages. One that sends each value by itself runs without
//! them: a processor waits for a value where it first uses it.

use std::array;
use std::error::Error;

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Sending};
use superstep_search::Bcsh;
use superstep_search::rivals::Dsh;

use super::{JACOBI_128, Published, checked, jacobi, machine};
use crate::{Effort, Findings, Row};

/// Choice on which times depend.
const COSTS: &str = "what a message and a word cost";

/// Choice on which the speed-up of a program without messages depends.
const MEMORY: &str = "how long programs wait for memory: its times are of an AP1000";

/// Cost of a message.
#[derive(Clone, Copy)]
struct Cost {
    /// Time that a message takes its sender, and its receiver, in tasks.
    message: f64,
    /// Time that a word takes on either side, in tasks.
    word: f64,
}

/// Plausible costs, those of the findings first.
///
/// A message takes at least a quarter of what a further processor adds to the boundary costs. It
/// takes at most half of the boundary cost of two, which is 200 for Jacobi. A word takes 0.3, or
/// half of that. In section 3.6.1 it is 0.02 ms of an exchange of 16, of which 4.5 ms are 1070
/// tasks.
const PLAUSIBLE: [Cost; 5] = [
    Cost::new(35.0, 0.3),
    Cost::new(17.5, 0.15),
    Cost::new(26.0, 0.15),
    Cost::new(60.0, 0.3),
    Cost::new(100.0, 0.3),
];

/// Returns the least and the largest.
fn ends(values: &[f64]) -> [f64; 2] {
    [f64::min, f64::max].map(|of| values.iter().copied().reduce(of).unwrap_or(0.0))
}

/// Compares a number with that of the first costs; the range is of all.
fn row(of: &str, published: f64, digits: usize, within: f64, found: impl Fn(Cost) -> f64) -> Row {
    let found = PLAUSIBLE.map(found);
    Row::number(of, published, found[0], digits, within).open(COSTS, found)
}

/// Compares the least and the largest of some factors, each by the plausible costs.
fn of_ends(factors: &[[f64; PLAUSIBLE.len()]], named: [&str; 2], published: [f64; 2]) -> [Row; 2] {
    let of_cost = |at: usize| -> Vec<f64> { factors.iter().map(|each| each[at]).collect() };
    let found: [_; PLAUSIBLE.len()] = array::from_fn(|at| ends(&of_cost(at)));
    [0, 1].map(|end| {
        let found = found.map(|ends| ends[end]);
        Row::number(named[end], published[end], found[0], 0, 0.1).open(COSTS, found)
    })
}

/// Repeats figure 3.7: the gain of packing messages, for Jacobi 128, by the model.
pub(crate) fn figure_3_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let graph = jacobi::thesis(128);
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    for Published {
        processors, tau, ..
    } in JACOBI_128
    {
        let checked = checked(&Bcsh::default(), &graph, &machine(processors, tau))?;
        let gain = |cost: Cost| cost.single(&checked) / cost.packed(&checked);
        notes.push(format!(
            "p = {processors}: packed programs are {:.2} times as fast.",
            gain(PLAUSIBLE[0])
        ));
        // Our schedule of two processors has no messages.
        if checked.schedule().supersteps() > 1 {
            all.push(PLAUSIBLE.map(gain));
        }
    }
    let named = ["least gain of a program with messages", "largest gain"];
    let rows = of_ends(&all, named, [2.0, 8.0]);
    Ok(Findings::of(rows.into()).noted(notes))
}

/// Repeats figure 3.8: the gain of saving processors, for LU 128, by the model.
pub(crate) fn figure_3_8(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let graph = generate::lu(128)?;
    let machine = machine(32, 2270.0);
    let by = |processor_saving| checked(&Bcsh { processor_saving }, &graph, &machine);
    let (saved, whole) = (by(true)?, by(false)?);
    let of = "part of the time with processors saved, p = 32";
    let part = |cost: Cost| cost.packed(&saved) / cost.packed(&whole);
    Ok(Findings::of(vec![row(of, 0.5, 1, 0.1, part)]))
}

/// Repeats figure 3.9: LU 32 by BCSH and DSH.
pub(crate) fn figure_3_9(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let graph = generate::lu(32)?;
    let work = graph.total_work() as f64;
    let mut notes = vec!["Parts of the sequential time, by BCSH with packed messages, with single ones, and by DSH with single ones:".to_owned()];
    let (mut factors, mut of_dsh, mut of_bcsh) = (Vec::new(), Vec::new(), Vec::new());
    for (processors, tau) in [(2, 120.0), (4, 250.0), (8, 500.0), (16, 1070.0)] {
        let machine = Machine {
            latency: 2.0 * PLAUSIBLE[0].message,
            gap: 0.0,
            ..machine(processors, tau)
        };
        let bcsh = checked(&Bcsh::default(), &graph, &machine)?;
        let dsh = checked(&Dsh, &graph, &machine)?;
        let cost = PLAUSIBLE[0];
        let times = [cost.packed(&bcsh), cost.single(&bcsh), cost.single(&dsh)];
        let [packed, single, of_single] = times.map(|time| time / work);
        notes.push(format!(
            "p = {processors}: {packed:.3}, {single:.3}, {of_single:.3}"
        ));
        factors.push(PLAUSIBLE.map(|cost| cost.single(&dsh) / cost.packed(&bcsh)));
        of_dsh.push(of_single);
        of_bcsh.push(packed);
    }
    let ([slowest, _], [fastest, _]) = (ends(&of_dsh), ends(&of_bcsh));
    let named = [
        "least factor of BCSH over DSH",
        "largest factor of BCSH over DSH",
    ];
    let mut rows = vec![
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
    ];
    rows.extend(of_ends(&factors, named, [7.0, 23.0]));
    Ok(Findings::of(rows).noted(notes))
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
        let checked = checked(&Bcsh::default(), &graph, &machine(32, tau))?;
        let work = graph.total_work() as f64;
        let of = format!("{name}, p = 32, speed-up by the model");
        let modelled = |cost: Cost| work / cost.packed(&checked);
        rows.push(match checked.schedule().supersteps() {
            1 => Row::number(&of, published, modelled(PLAUSIBLE[0]), 0, 0.1).open(MEMORY, []),
            _ => row(&of, published, 0, 0.1, modelled),
        });
    }
    Ok(Findings::of(rows))
}

impl Cost {
    const fn new(message: f64, word: f64) -> Self {
        Self { message, word }
    }

    /// Times a program that runs in supersteps, and packs what a processor sends another after
    /// each.
    fn packed(self, schedule: &CheckedSchedule<'_>) -> f64 {
        let (graph, lists) = (schedule.graph(), schedule.schedule());
        let processors = lists.processors();
        let mut times: Vec<f64> = (0..lists.supersteps())
            .flat_map(|superstep| lists.superstep(superstep))
            .map(|list| work(graph, list))
            .collect();
        for message in Communication::new(schedule, Sending::Eager).messages() {
            let words: u32 = message
                .iter()
                .map(|transfer| graph.words(transfer.task))
                .sum();
            let first = &message[0];
            for processor in [first.from, first.to] {
                let at = first.superstep as usize * processors + processor as usize;
                times[at] += self.message + self.word * f64::from(words);
            }
        }
        times
            .chunks(processors)
            .map(|times| times.iter().copied().fold(0.0, f64::max))
            .sum()
    }

    /// Times a program that sends each value by itself as soon as it is computed, and receives it
    /// where it is first used.
    fn single(self, schedule: &CheckedSchedule<'_>) -> f64 {
        let (graph, lists) = (schedule.graph(), schedule.schedule());
        let communication = Communication::new(schedule, Sending::Eager);
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
                            *clock = clock.max(sent[at]) + self.message + self.word;
                            sent[at] = 0.0;
                        }
                    }
                    *clock += f64::from(graph.weight(task));
                    for at in of(task) {
                        let transfer = &transfers[at];
                        if (transfer.from as usize, transfer.computed as usize)
                            == (processor, superstep)
                        {
                            *clock += self.message + self.word;
                            sent[at] = *clock;
                        }
                    }
                }
            }
        }
        clocks.into_iter().fold(0.0, f64::max)
    }
}

fn work(graph: &Dag, list: &[u32]) -> f64 {
    list.iter().map(|&task| f64::from(graph.weight(task))).sum()
}
