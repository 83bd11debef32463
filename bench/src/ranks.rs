//! Schedules for ranks: which algorithm wins over private memory, by prediction, and what it
//! computes and sends. Nothing is run.
//!
//! The thesis compares packed messages with single ones, and layers that save processors with
//! others: so does this, by its model. A message takes half of its way on either side, as does each
//! word. Each superstep takes as long as the processor with the most work and messages.

use std::path::PathBuf;

use clap::Args;
use superstep_bench_kernels::{cg::cg_step, fft::fft, jacobi::jacobi, lu::lu};
use superstep_compiler::{Compiled, Options as Compiling, Request, Road};
use superstep_machine::{Machine, Memory, RankTimes, Times};
use superstep_scheduler::{Algorithm, Row};
use superstep_search::{ALL, Bcsh};

use crate::cases::{self, Case, case, of_grid};

/// Print which algorithm wins for ranks, and its work, words, messages and supersteps
#[derive(Args)]
pub(crate) struct Options {
    /// Only this kernel
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Numbers of ranks
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8])]
    ranks: Vec<usize>,
    /// Machine file that `superstep-probe` has written; else two ranks of one host with 1 us a
    /// message and 1 ns a word
    #[arg(long, value_name = "FILE")]
    machine: Option<PathBuf>,
    /// Sizes of tests
    #[arg(long)]
    small: bool,
}

const LARGE: [Case; 5] = [
    case("lu", "128", || lu::instance(128)),
    case("fft", "4096", || fft::instance(4096)),
    case("jacobi", "256, 10 sweeps", || jacobi::instance(256, 5)),
    case("cg_step", "256", || cg_step::instance(256)),
    case("sptrsv", "200 x 200", || of_grid(200)),
];

const SMALL: [Case; 5] = [
    case("lu", "24", || lu::instance(24)),
    case("fft", "64", || fft::instance(64)),
    case("jacobi", "16, 4 sweeps", || jacobi::instance(16, 2)),
    case("cg_step", "16", || cg_step::instance(16)),
    case("sptrsv", "16 x 16", || of_grid(16)),
];

/// BCSH whose layers use all processors: what the thesis compares saving with.
static WHOLE: Row = Row::new("bcsh, whole", "BCSH without saving processors", |_| {
    Box::new(Bcsh {
        processor_saving: false,
    })
});

/// Prints a line for each kernel and number of ranks.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let all = if options.small { SMALL } else { LARGE };
    let cases = cases::named(&all, options.kernel.as_deref())?;
    let times = Times::default();
    let (ranks, machine) = match &options.machine {
        Some(file) => {
            let missing = || format!("{}: no table `[ranks]`", file.display());
            let ranks = RankTimes::read(file)?.ok_or_else(missing)?;
            (ranks.times(&times), Some(Machine::read(file)?))
        }
        None => {
            let ranks = Times {
                barrier: 1e3,
                gap: 1.0,
                claim: 0.0,
                call: 5e3,
                ..times.clone()
            };
            (ranks, None)
        }
    };
    let compiling = Compiling {
        times,
        ranks: Some(ranks.clone()),
        machine,
        algorithms: ALL,
        ..Compiling::default()
    };
    println!(
        "Predicted, not measured: programs over private memory, where a message takes {:.0} ns and a word {:.2}. Ranks have their data. Least work and BSP costs are of any schedule;\n\
         work and costs are in tasks, and work is that of the longest lists of all supersteps.\n\n\
         | kernel | size | ranks | used | wins | work | least | words | received by one | messages | supersteps | BSP cost, of the least | us | one rank, us | unpacked, of packed | bcsh, us | not saving, us |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        ranks.barrier,
        ranks.exchanged()
    );
    for case in cases {
        of_case(case, options, &compiling, &ranks)?;
    }
    Ok(())
}

fn of_case(
    case: &Case,
    options: &Options,
    compiling: &Compiling,
    times: &Times,
) -> Result<(), Box<dyn std::error::Error>> {
    let trace = (case.instance)().record()?;
    let road = Road::new(&trace, compiling);
    let alone = road.program(Request::new(1))?.report.predicted();
    let road = road.with_task(alone / trace.tasks().max(1) as f64);
    for &ranks in &options.ranks {
        let program = |algorithm| {
            road.program(Request {
                memory: Memory::Private,
                algorithm: Some(algorithm),
                ..Request::new(ranks)
            })
        };
        let best = program(Algorithm::Auto)?;
        let [saving, whole] = [Algorithm::Bcsh, Algorithm::new(&WHOLE)]
            .map(|algorithm| program(algorithm).map(|bcsh| bcsh.report.predicted()));
        let report = &best.report;
        let figures = report.program.as_ref().ok_or("a program has figures")?;
        let [packed, unpacked] = [true, false].map(|packs| modelled(&best, times, packs));
        println!(
            "| {} | {} | {ranks} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {:.1} | {:.1} | {:.2} | {:.1} | {:.1} |",
            case.kernel,
            case.size,
            report.processors_used,
            report.algorithm,
            figures.longest,
            report.lower_bound,
            figures.words,
            received(&best),
            figures.messages,
            figures.supersteps,
            report.bsp_cost / report.bsp_bound,
            1e-3 * report.predicted(),
            1e-3 * alone,
            unpacked / packed,
            1e-3 * saving?,
            1e-3 * whole?,
        );
    }
    Ok(())
}

/// Returns the words that the rank receives that receives the most.
fn received(compiled: &Compiled) -> u64 {
    let mut words = vec![0; compiled.report.processors];
    for traffic in &compiled.details.traffic {
        words[traffic.to as usize] += traffic.words;
    }
    words.into_iter().max().unwrap_or(0)
}

/// Returns the nanoseconds of a program by the thesis's model, its messages packed or each word
/// sent by itself.
fn modelled(compiled: &Compiled, times: &Times, packs: bool) -> f64 {
    let Some(predicted) = compiled.details.timelines.first() else {
        return 0.0;
    };
    let processors = predicted.processors();
    let works = |processor| {
        predicted
            .steps_of(processor)
            .iter()
            .map(|step| step.work as f64)
    };
    let mut supersteps: Vec<Vec<f64>> = (0..processors).map(|each| works(each).collect()).collect();
    for traffic in &compiled.details.traffic {
        let words = traffic.words as f64;
        let messages = if packs { 1.0 } else { words };
        let side = (messages * times.barrier + words * times.exchanged()) / 2.0;
        for processor in [traffic.from, traffic.to] {
            supersteps[processor as usize][traffic.superstep as usize] += side;
        }
    }
    let count = supersteps.first().map_or(0, Vec::len);
    let longest = |superstep: usize| {
        supersteps
            .iter()
            .map(|each| each[superstep])
            .fold(0.0, f64::max)
    };
    (0..count).map(longest).sum()
}
