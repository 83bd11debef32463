//! Solves a system on ranks and, on the first one, by as many blocks in one process: compares times
//! and every bit.
//!
//! With the feature `mpi` ranks are those of MPI: `mpirun -n 4 superstep-example-hybrid 60`.
//! Without it they are threads: the first argument is how many. Then an input: the points a side of
//! a grid, or a Matrix Market file, of which the pattern counts. Each rank has a team of as many
//! threads as it may use cores; `--threads` says otherwise.

use std::process::ExitCode;
use std::time::Instant;

use superstep::ranks::{Communicator, Ranges, receive_words, send_words};
use superstep_example_hybrid::{Block, Blocks};
use superstep_example_ilu_cg::{Solution, solve};
use superstep_example_matrices::{Input, System};
use superstep_matrix::Compressed;

/// The residual at which the iteration ends, as a part of the first.
const FACTOR: f64 = 1e-10;

/// Steps that are taken at most.
const MOST: usize = 2000;

/// Error of a rank.
type Failed = Box<dyn std::error::Error + Send + Sync>;

/// Arguments of the program.
struct Arguments {
    #[cfg_attr(
        feature = "mpi",
        expect(dead_code, reason = "MPI knows how many there are")
    )]
    ranks: usize,
    input: String,
    threads: usize,
}

impl Arguments {
    fn read(mut given: impl Iterator<Item = String>) -> Result<Self, Failed> {
        let mut threads = std::thread::available_parallelism()?.get();
        let mut others = Vec::new();
        while let Some(argument) = given.next() {
            match argument.as_str() {
                "--threads" => threads = given.next().ok_or("--threads: how many?")?.parse()?,
                _ => others.push(argument),
            }
        }
        let ranks = match cfg!(feature = "mpi") || others.is_empty() {
            true => 2,
            false => others.remove(0).parse()?,
        };
        Ok(Self {
            ranks,
            input: others.pop().unwrap_or_else(|| "30".to_owned()),
            threads,
        })
    }
}

#[cfg(feature = "mpi")]
fn main() -> ExitCode {
    let on_ranks = || -> Result<bool, Failed> {
        let arguments = Arguments::read(std::env::args().skip(1))?;
        run(&mut superstep_mpi::Mpi::world()?, &arguments)
    };
    exit(&[on_ranks()])
}

#[cfg(not(feature = "mpi"))]
fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) if arguments.ranks > 0 => arguments,
        Ok(_) => return exit(&[Err("no ranks".into())]),
        Err(error) => return exit(&[Err(error)]),
    };
    exit(&superstep::ranks::local::run(arguments.ranks, |ranks| {
        let done = run(ranks, &arguments);
        if let Err(error) = &done {
            ranks.fail(&error.to_string());
        }
        done
    }))
}

fn exit(done: &[Result<bool, Failed>]) -> ExitCode {
    for error in done.iter().filter_map(|it| it.as_ref().err()) {
        eprintln!("{error}");
    }
    match done.iter().all(|it| matches!(it, Ok(true))) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Solves the system on this rank's rows; returns whether the bits are those of one process.
fn run(ranks: &mut dyn Communicator, arguments: &Arguments) -> Result<bool, Failed> {
    let System { name, a, b } = System::new(Input::named(&arguments.input)?);
    let (rank, size) = (ranks.rank(), ranks.size());
    let ranges = Ranges::even(a.lines(), size);
    let own = ranges.of(rank);
    let rows = Compressed::from_lines(a.across, own.clone().map(|row| a.line(row)));
    let mut block = Block::new(ranks, &rows, arguments.threads)?;
    let begin = Instant::now();
    let Solution { x, steps, residual } = solve(&mut block, &b[own], FACTOR, MOST)?;
    let took = begin.elapsed();
    drop(block);
    if rank > 0 {
        send_words(ranks, 0, &x)?;
        ranks.flush()?;
        return Ok(true);
    }
    let mut all = x;
    for from in 1..size {
        all.extend(receive_words::<f64>(ranks, from)?);
    }
    let begin = Instant::now();
    let one = solve(&mut Blocks::new(&a, ranges), &b, FACTOR, MOST)?;
    let alone = begin.elapsed();
    let bits = |x: &[f64]| x.iter().map(|word| word.to_bits()).collect::<Vec<_>>();
    let identical = bits(&all) == bits(&one.x) && steps == one.steps;
    println!(
        "{name}: {} equations, {size} ranks x {} threads",
        a.lines(),
        arguments.threads
    );
    println!("{steps} steps, residual {residual:.1e}");
    println!(
        "ranks {:.3} s, as many blocks in one process {:.3} s",
        took.as_secs_f64(),
        alone.as_secs_f64()
    );
    println!("identical: {}", if identical { "yes" } else { "no" });
    Ok(identical)
}
