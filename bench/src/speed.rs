//! Forms of the examples' kernels in [`ROWS`], beside each other and beside the figures that this
//! project aims at.
//!
//! Each row is measured in a process of its own. Where the allocator puts the arrays of one depends
//! on what the rows before have freed. That alone makes a product of matrices take 1.03 or 1.34 ms.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, hint, thread};

use clap::Args;

use crate::contest::Standing;
use crate::{fft, jacobi, jacobi_solve, lcs, lu, matmul, sptrsv};

/// Threads that rayon gets.
const THREADS: usize = 2;

/// Compare the forms of seven examples' kernels
#[derive(Args)]
pub(crate) struct Options {
    /// Only this kernel
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Only the row of this number, in this process
    #[arg(long, hide = true)]
    row: Option<usize>,
    /// Rounds for each kernel: every form runs twice in each, and the second time counts
    #[arg(long, default_value_t = 101, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Keep every core busy with another thread, and let calls fall back that do not insist on
    /// their processors
    #[arg(long)]
    busy: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One kernel at one size.
struct Row {
    kernel: &'static str,
    aims: Aims,
    size: usize,
    /// Runs the contest for a size and a number of rounds, beside busy threads or not.
    contest: fn(usize, usize, bool) -> Standing,
}

/// The ratios to reach on two cores, where any were set: P = 1 and P = 2 to the slice form, P = 2
/// to rayon.
type Aims = Option<[f64; 3]>;

const fn row(
    kernel: &'static str,
    aims: Aims,
    size: usize,
    contest: fn(usize, usize, bool) -> Standing,
) -> Row {
    Row {
        kernel,
        aims,
        size,
        contest,
    }
}

const ROWS: &[Row] = &[
    row("lu", Some([0.8, 1.0 / 1.7, 0.5]), 128, lu::contest),
    row("lu", Some([0.7, 1.0 / 2.4, 0.5]), 256, lu::contest),
    #[cfg(feature = "large")]
    row("lu", Some([0.6, 1.0 / 3.0, 0.5]), 512, lu::contest),
    row(
        "fft",
        Some([1.05, 1.0 / 1.5, 1.0 / 1.5]),
        8192,
        fft::contest,
    ),
    row("jacobi", Some([1.0, 0.5, 1.0]), 512, jacobi::contest),
    row("jacobi_solve", None, 512, jacobi_solve::contest),
    row(
        "sptrsv",
        Some([0.95, 1.0 / 1.75, 0.5]),
        300,
        sptrsv::contest,
    ),
    row("lcs", Some([1.0, 1.0 / 1.8, 1.0]), 2000, lcs::contest),
    row("matmul", Some([0.6, 1.0 / 3.0, 0.5]), 256, matmul::contest),
];

/// Runs the contests and prints the table.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let is_wanted = |&(number, row): &(usize, &Row)| {
        let kernel = options.kernel.as_ref();
        kernel.is_none_or(|name| name == row.kernel) && options.row.is_none_or(|one| one == number)
    };
    let rows: Vec<(usize, &Row)> = ROWS.iter().enumerate().filter(is_wanted).collect();
    if rows.is_empty() {
        let mut kernels: Vec<&str> = ROWS.iter().map(|row| row.kernel).collect();
        kernels.dedup();
        return Err(format!("no such kernel; there are {}", kernels.join(", ")).into());
    }
    let standings = match rows[..] {
        [(_, row)] => vec![here(row, options)?],
        _ => {
            let each = rows.iter().map(|&(number, _)| elsewhere(number, options));
            each.collect::<Result<Vec<Standing>, _>>()?
        }
    };
    if options.json {
        println!("{}", serde_json::to_string_pretty(&standings)?);
    } else {
        print(&standings, &rows, options);
    }
    match standings.iter().find(|standing| !standing.identical) {
        Some(Standing { kernel, size, .. }) => {
            Err(format!("{kernel}, {size}: a form gave another result").into())
        }
        None => Ok(()),
    }
}

/// Measures a row in this process.
fn here(row: &Row, options: &Options) -> Result<Standing, Box<dyn std::error::Error>> {
    // Within the pool, a parallel loop does not pay for entering it.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(THREADS)
        .build()?;
    let contest = || pool.install(|| (row.contest)(row.size, options.rounds.into(), options.busy));
    Ok(if options.busy {
        beside_busy_threads(contest)?
    } else {
        contest()
    })
}

/// Measures the row of that number in another process.
fn elsewhere(number: usize, options: &Options) -> Result<Standing, Box<dyn std::error::Error>> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["speed", "--json", "--row", &number.to_string()]);
    command.args(["--rounds", &options.rounds.to_string()]);
    command.args(options.busy.then_some("--busy"));
    let output = command.stderr(Stdio::inherit()).output()?;
    let mut standings: Vec<Standing> = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("row {number} was not measured ({}): {error}", output.status))?;
    standings
        .pop()
        .ok_or_else(|| format!("row {number} was not measured").into())
}

/// Calls `f` while one thread for each core does nothing but spin.
fn beside_busy_threads<R>(f: impl FnOnce() -> R) -> std::io::Result<R> {
    let cores = thread::available_parallelism()?.get();
    let over = AtomicBool::new(false);
    let spin = || {
        while !over.load(Ordering::Relaxed) {
            hint::spin_loop();
        }
    };
    thread::scope(|scope| {
        let _over = SetOnDrop(&over);
        for _ in 0..cores {
            thread::Builder::new().spawn_scoped(scope, spin)?;
        }
        Ok(f())
    })
}

/// Flag that is set in any case, after errors and panics too: nobody waits for ever.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn print(standings: &[Standing], rows: &[(usize, &Row)], options: &Options) {
    println!(
        "Ratios of times, below 1 the first is faster: medians of {} interleaved rounds{}. In brackets: the figure to reach on two idle cores.\n",
        options.rounds,
        if options.busy {
            ", beside a busy thread for each core"
        } else {
            ""
        },
    );
    println!(
        "| kernel | size | slices, ms | as written / slices | plan, P = 2 / slices | P = 1 / slices | P = 2 / slices | P = 2 / rayon, {THREADS} threads | P = 1 / as written | predicted / measured, P = 1, 2 | identical | disturbed |{}",
        if options.busy {
            " fell back | exactly P = 2 / slices | P = 4 / slices |"
        } else {
            ""
        },
    );
    println!(
        "|---|---|---|---|---|---|---|---|---|---|---|---|{}",
        if options.busy { "---|---|---|" } else { "" }
    );
    for (standing, (_, row)) in standings.iter().zip(rows) {
        let aim = |at: usize| {
            row.aims
                .map_or(String::new(), |aims| format!(" [{:.2}]", aims[at]))
        };
        let calls = standing.calls.as_ref().map_or(String::new(), |calls| {
            format!(
                " {:.0} % | {:.2} | {:.2} |",
                100.0 * calls.p2_fell_back,
                calls.p2_exactly_vs_slice,
                calls.p4_vs_slice
            )
        });
        println!(
            "| {} | {} | {:.3} | {:.2} | {} | {:.2}{} | {:.2}{} | {:.2}{} ({}) | {:.2} | {:.2}, {:.2} | {} | {:.0} % |{calls}",
            standing.kernel,
            standing.size,
            1e3 * standing.slice_seconds,
            standing.written_vs_slice,
            standing
                .plan_vs_slice
                .map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
            standing.p1_vs_slice,
            aim(0),
            standing.p2_vs_slice,
            aim(1),
            standing.p2_vs_rayon,
            aim(2),
            standing.rayon_form,
            standing.p1_vs_written,
            standing.predicted_seconds[0] / standing.measured_seconds[0],
            standing.predicted_seconds[1] / standing.measured_seconds[1],
            if standing.identical { "yes" } else { "no" },
            100.0 * standing.disturbed,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_threads_end_with_the_call() {
        assert_eq!(beside_busy_threads(|| 5).unwrap(), 5);
        let panics = std::panic::catch_unwind(|| beside_busy_threads(|| panic!("in the call")));
        assert!(panics.is_err());
    }
}
