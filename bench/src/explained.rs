//! Compares what explanations promise with the clock: kernels with one trouble each beside the
//! same without it.

#[allow(unreachable_pub, reason = "the gallery has the file, too")]
#[path = "../../gallery/explained/src/kernels.rs"]
mod kernels;

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use superstep::RunError;
use superstep_timing::{Rounds, timed};

use self::kernels::{after, before, rows, sorted};

/// Compare kernels with one trouble each with what `cargo superstep explain` makes of them
///
/// Prints the gain by prediction, which is what the explanation promises, and by the clock: the
/// median over rounds in which both run in turn.
#[derive(Args)]
pub(crate) struct Options {
    /// Rounds
    #[arg(long, default_value_t = 201)]
    rounds: usize,
}

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let rounds = options.rounds;
    writeln!(
        io::stdout(),
        "| kernel | promised | by the clock |\n|---|---|---|"
    )?;
    let x = vec![1.0; 200_000];
    let (mut chain, mut tree) = (0.0, 0.0);
    let mut summed = || {
        before::total::with()
            .exactly(2)
            .run(x.len(), &x, &mut chain)
    };
    let mut reduced = || after::total::with().exactly(2).run(x.len(), &x, &mut tree);
    print("#[reduce]", rounds, &mut summed, &mut reduced)?;
    let n = 300;
    let (by, mut a) = (vec![1.0; n], vec![1.0; n * n]);
    let mut scaled = || before::scaled::with().exactly(1).run(n, &by, &mut a);
    let (by_after, mut a_after) = (vec![1.0; n], vec![1.0; n * n]);
    let mut exchanged = || {
        after::scaled::with()
            .exactly(1)
            .run(n, &by_after, &mut a_after)
    };
    print("loops exchanged", rounds, &mut scaled, &mut exchanged)?;
    let n = 40_000;
    let (x, mut y) = (vec![1.0; 3 * n + 1], vec![0.0; 3 * n]);
    let mut grains = || before::strips::with().exactly(2).run(n, &x, &mut y);
    let mut y_after = vec![0.0; 3 * n];
    let mut none = || after::strips::with().exactly(2).run(n, &x, &mut y_after);
    print("no grains", rounds, &mut grains, &mut none)?;
    let n = 3000;
    let (row, col) = rows(n);
    let (a, x, mut y) = (vec![1.0; col.len()], vec![1.0; n + 9], vec![0.0; n]);
    let mut uneven = || {
        before::rows::with()
            .exactly(1)
            .run(n, &row, &col, &a, &x, &mut y)
    };
    let (by_length, columns, order) = sorted(&row, &col);
    let mut y_after = vec![0.0; n];
    let mut even = || {
        after::rows::with()
            .exactly(1)
            .run(n, &order, &by_length, &columns, &a, &x, &mut y_after)
    };
    print("rows by length", rounds, &mut uneven, &mut even)
}

/// Times both forms in turn, and prints what the second gains over the first.
fn print(
    name: &str,
    rounds: usize,
    before: &mut dyn FnMut() -> Result<(), RunError>,
    after: &mut dyn FnMut() -> Result<(), RunError>,
) -> Result<(), Box<dyn Error>> {
    let predicted = |run: &mut dyn FnMut() -> Result<(), RunError>| {
        run()?;
        let ran = superstep::last_run().and_then(|ran| ran.predicted);
        Ok::<f64, RunError>(ran.map_or(f64::NAN, |predicted| predicted.as_secs_f64()))
    };
    let promised = 1.0 - predicted(after)? / predicted(before)?;
    let mut times = Rounds::new(2);
    for _ in 0..rounds {
        let (time, ran) = timed(&mut *before);
        ran?;
        times.push(0, time.as_secs_f64());
        let (time, ran) = timed(&mut *after);
        ran?;
        times.push(1, time.as_secs_f64());
    }
    let measured = 1.0 - times.ratio(1, 0);
    Ok(writeln!(
        io::stdout(),
        "| {name} | {promised:.2} | {measured:.2} |"
    )?)
}
