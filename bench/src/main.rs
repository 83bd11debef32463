//! Prints, for every example, how long each form of its kernel takes beside the others.
//!
//! `cargo run --release -p superstep-bench` on an idle machine; `--json` for programs. With `peers`: costs of schedules beside those of other
//! schedulers; with `thesis`: BCSH beside DSH; with `scale`: times of tracing and scheduling.

mod contest;
mod fft;
mod jacobi;
mod jacobi_solve;
mod lcs;
mod lu;
mod peers;
mod reduce;
mod scale;
mod sptrsv;
mod thesis;

use clap::{Parser, Subcommand};
use contest::Standing;

/// Threads that rayon gets.
const THREADS: usize = 2;

/// Compares the forms of every example's kernel.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    /// Rounds for each kernel: every form runs twice in each, and the second time counts.
    #[arg(long, default_value_t = 101, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Only kernels whose name contains this.
    #[arg(default_value = "")]
    filter: String,
}

#[derive(Subcommand)]
enum Command {
    Peers(peers::Options),
    Scale(scale::Options),
    /// Compare BCSH with DSH on LU 32 as the thesis does, and speed-ups with its own
    Thesis,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    match &options.command {
        Some(Command::Peers(options)) => return peers::run(options),
        Some(Command::Scale(options)) => return scale::run(options),
        Some(Command::Thesis) => return thesis::run(),
        None => {}
    }
    // Within the pool, a parallel loop does not pay for entering it.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(THREADS)
        .build()?;
    let standings = pool.install(|| standings(&options.filter, options.rounds.into()));
    let reductions = reduce::standings(&options.filter, options.rounds.into())?;
    if options.json {
        let all = serde_json::json!({ "kernels": standings, "reductions": reductions });
        println!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(());
    }
    if !standings.is_empty() {
        print(&standings, options.rounds);
    }
    if !reductions.is_empty() {
        reduce::print(&reductions, options.rounds);
    }
    Ok(())
}

fn standings(filter: &str, rounds: usize) -> Vec<Standing> {
    let contests: [(&str, &dyn Fn() -> Standing); 7] = [
        ("lu 128", &|| lu::contest(128, rounds)),
        ("lu 256", &|| lu::contest(256, rounds)),
        ("fft", &|| fft::contest(8192, rounds)),
        ("jacobi", &|| jacobi::contest(512, 5, rounds)),
        ("jacobi_solve", &|| jacobi_solve::contest(512, rounds)),
        ("sptrsv", &|| sptrsv::contest(300, rounds)),
        ("lcs", &|| lcs::contest(2000, rounds)),
    ];
    contests
        .iter()
        .filter(|(name, _)| name.contains(filter))
        .map(|(_, contest)| contest())
        .collect()
}

fn print(standings: &[Standing], rounds: u16) {
    println!(
        "Time as a ratio to the sequential slice form: medians of {rounds} interleaved rounds, every result bit-identical.\n"
    );
    println!(
        "| kernel | slices | slices, ms | as written | P = 1 | P = 2 | rayon, {THREADS} threads |"
    );
    println!("|---|---|---|---|---|---|---|");
    for standing in standings {
        println!(
            "| {} | 1 | {:.3} | {:.2} | {:.2} | {:.2} | {:.2} ({}) |",
            standing.kernel,
            1e3 * standing.slices_seconds,
            standing.as_written,
            standing.generated_1,
            standing.generated_2,
            standing.rayon,
            standing.rayon_form,
        );
    }
}
