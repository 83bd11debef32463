//! Compares predicted gains with measured ones, for kernels with one performance problem each and
//! the same kernels without it.

#[allow(unreachable_pub, reason = "the gallery has the file, too")]
#[path = "../../gallery/explained/src/kernels.rs"]
mod kernels;

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use superstep::RunError;
use superstep_timing::{Rounds, timed};

use self::kernels::{after, before, gathers, renumbered, rows, sorted};

/// Compare kernels with one trouble each with what `cargo superstep explain` makes of them
///
/// Prints the gain by prediction, which is what the explanation promises, and by the clock: the
/// median over rounds in which both run in turn.
#[derive(Args)]
pub(crate) struct Options {
    /// Rounds
    #[arg(long, default_value_t = 201, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
}

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let rounds = options.rounds.into();
    writeln!(
        io::stdout(),
        "| kernel | promised | by the clock |\n|---|---|---|"
    )?;
    sums(rounds)?;
    columns(rounds, 300)?;
    columns(rounds, 512)?;
    strips(rounds)?;
    sparse_rows(rounds)?;
    gathers_and_sweeps(rounds)
}

/// Measures a tree (`#[reduce]`) beside a chain, and two processors beside one.
fn sums(rounds: usize) -> Result<(), Box<dyn Error>> {
    let x = vec![1.0; 200_000];
    let [mut chain, mut tree, mut alone, mut shared] = [0.0; 4];
    let n = x.len();
    let mut summed = || before::total::with().exactly(2).run(n, &x, &mut chain);
    let mut reduced = || after::total::with().exactly(2).run(n, &x, &mut tree);
    print("`#[reduce]`", rounds, &mut summed, &mut reduced)?;
    let mut one = || after::total::with().exactly(1).run(n, &x, &mut alone);
    let mut two = || after::total::with().exactly(2).run(n, &x, &mut shared);
    print("two processors", rounds, &mut one, &mut two)
}

/// Measures column-wise loops beside exchanged loops and beside a transposed matrix, with rows of
/// `n` words.
fn columns(rounds: usize, n: usize) -> Result<(), Box<dyn Error>> {
    let by = vec![1.0; n];
    let [mut a, mut by_rows, mut transposed] = [(); 3].map(|()| vec![1.0; n * n]);
    let mut scaled = || before::scaled::with().exactly(1).run(n, &by, &mut a);
    let mut exchanged = || after::scaled::with().exactly(1).run(n, &by, &mut by_rows);
    let name = format!("loops exchanged, rows of {n} words");
    print(&name, rounds, &mut scaled, &mut exchanged)?;
    let mut kept = || {
        after::transposed::with()
            .exactly(1)
            .run(n, &by, &mut transposed)
    };
    let name = format!("kept transposed, rows of {n} words");
    print(&name, rounds, &mut scaled, &mut kept)
}

/// Measures strips without `#[grain]` beside strips with it.
fn strips(rounds: usize) -> Result<(), Box<dyn Error>> {
    let n = 40_000;
    let x = vec![1.0; 3 * n + 1];
    let [mut y, mut y_after] = [(); 2].map(|()| vec![0.0; 3 * n]);
    let mut grains = || before::strips::with().exactly(2).run(n, &x, &mut y);
    let mut none = || after::strips::with().exactly(2).run(n, &x, &mut y_after);
    print("no grains", rounds, &mut grains, &mut none)
}

/// Measures sparse rows sorted by length beside unsorted ones, and two processors beside one.
fn sparse_rows(rounds: usize) -> Result<(), Box<dyn Error>> {
    let n = 3000;
    let (row, col) = rows(n);
    let (a, x) = (vec![1.0; col.len()], vec![1.0; n + 9]);
    let [mut y, mut y_after, mut y_shared] = [(); 3].map(|()| vec![0.0; n]);
    let rows = before::rows::with;
    let mut uneven = || rows().exactly(1).run(n, &row, &col, &a, &x, &mut y);
    let (by_length, columns, order) = sorted(&row, &col);
    let mut even = || {
        after::rows::with()
            .exactly(1)
            .run(n, &order, &by_length, &columns, &a, &x, &mut y_after)
    };
    print("rows by length", rounds, &mut uneven, &mut even)?;
    let mut two = || rows().exactly(2).run(n, &row, &col, &a, &x, &mut y_shared);
    print("rows on two processors", rounds, &mut uneven, &mut two)
}

/// Measures gathers renumbered by first use, a result apart from its input, and one processor for
/// a kernel too small for two.
fn gathers_and_sweeps(rounds: usize) -> Result<(), Box<dyn Error>> {
    let n = 20_000;
    let col = gathers(n);
    let numbers = renumbered(&col);
    let x = vec![1.0; 2_000_003];
    let [mut y, mut y_after] = [(); 2].map(|()| vec![0.0; n]);
    let gathered = before::gathered::with;
    let mut far = || gathered().exactly(2).run(n, &col, &x, &mut y);
    let mut near = || gathered().exactly(2).run(n, &numbers, &x, &mut y_after);
    print("words by their use", rounds, &mut far, &mut near)?;
    let n = 200_000;
    let (given, mut x, mut y) = (vec![1.0; n + 2], vec![1.0; n + 2], vec![0.0; n]);
    let mut in_place = || before::shifted::with().exactly(2).run(n, &mut x);
    let mut apart = || after::shifted::with().exactly(2).run(n, &given, &mut y);
    print("another array", rounds, &mut in_place, &mut apart)?;
    let n = 200;
    let [mut x, mut x_after] = [(); 2].map(|()| vec![0.0; n]);
    let mut two = || before::few::with().exactly(2).run(n, &mut x);
    let mut one = || before::few::with().exactly(1).run(n, &mut x_after);
    print("one processor", rounds, &mut two, &mut one)
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
