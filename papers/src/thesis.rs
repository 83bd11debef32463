//! The thesis's comparison of BCSH with DSH on LU 32 (its section 3.6.6), and its speed-ups on 32
//! processors, in a model of the machine.
//!
//! The thesis gives figures without their parameters. Ours are in units of one task. The thesis's
//! boundary costs for BCSH grow by about 70 for each processor more; so a message of one word
//! takes 70, half of it on either side, and a further word 0.3 on either side. DSH is given a delay
//! of 70. A program whose messages are packed runs in supersteps: each takes as long as the
//! processor with the most work and messages. One that sends each value by itself runs without
//! them: a processor waits for a value where it first uses it.

pub mod jacobi;

use std::error::Error;
use std::io::Write;

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Placement};
use superstep_scheduler::Scheduler;
use superstep_search::Bcsh;
use superstep_search::rivals::Dsh;

/// Cost of a message to its sender, and to its receiver.
const MESSAGE: f64 = 35.0;
/// Cost of a word on either side.
const WORD: f64 = 0.3;

/// Writes the tables.
///
/// # Errors
/// When `out` can't be written.
pub fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    writeln!(
        out,
        "LU 32: time of the program as a part of the sequential one's, by BCSH and DSH. Factor: how much faster BCSH is with packed messages \
         than DSH with single ones.\n"
    )?;
    writeln!(
        out,
        "| P | tau | BCSH packed | without saving | BCSH single | without saving | DSH single | DSH packed | factor | without saving |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    let graph = generate::lu(32)?;
    let work = graph.total_work() as f64;
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
        let saving = times(&Bcsh::default())?;
        let plain = times(&Bcsh {
            processor_saving: false,
        })?;
        let dsh = times(&Dsh)?;
        writeln!(
            out,
            "| {processors} | {tau} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} | {:.1} |",
            saving[0],
            plain[0],
            saving[1],
            plain[1],
            dsh[1],
            dsh[0],
            dsh[1] / saving[0],
            dsh[1] / plain[0],
        )?;
    }
    speed_ups(out)
}

/// Writes speed-ups of the programs of BCSH on 32 processors beside those that the thesis measured.
fn speed_ups(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\nSpeed-up on 32 processors, messages packed.\n")?;
    writeln!(out, "| program | tau | makespan | modelled | published |")?;
    writeln!(out, "|---|---|---|---|---|")?;
    let programs = [
        ("LU 128", generate::lu(128)?, 2270.0, 8),
        ("FFT 8192", generate::fft(8192)?, 2700.0, 12),
        ("Jacobi 512", jacobi::thesis(512), 1670.0, 18),
    ];
    for (name, graph, tau, published) in programs {
        let machine = Machine {
            tau: Some(tau),
            ..Machine::new(32)
        };
        let schedule = Bcsh::default().schedule(&graph, &machine)?;
        let checked = CheckedSchedule::new(&graph, schedule)?;
        let makespan = superstep_schedule::cost::speedup(&graph, checked.schedule(), tau);
        let modelled = graph.total_work() as f64 / packed(&checked);
        writeln!(
            out,
            "| {name} | {tau} | {makespan:.1} | {modelled:.1} | {published} |"
        )?;
    }
    Ok(())
}

/// Returns the time of a program that runs in supersteps and packs what one processor sends another
/// after each.
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

/// Returns the time of a program that sends each value by itself as soon as it is computed, and
/// receives it where it is first used.
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
