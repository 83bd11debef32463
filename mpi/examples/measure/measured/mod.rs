//! Forms of kernels and sums over ranks, run in turn and compared.

mod jacobi;
mod lu;
mod others;
mod sums;

use std::cell::RefCell;
use std::error::Error;
use std::thread;
use std::time::Duration;

use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _};
use superstep::ranks::{Inputs, Over, Results};
use superstep_mpi::Mpi;
use superstep_timing::{Rounds, timed};

/// Result of a rank.
pub(crate) type Done = Result<(), Box<dyn Error + Send + Sync>>;

/// Sizes of what is measured.
pub(crate) struct Sizes {
    lu: usize,
    jacobi: (usize, usize),
    /// Numbers of the transform, sides of the grids of a step of CG and of a solve.
    others: (usize, usize, usize),
    sums: &'static [usize],
    /// Rounds of the kernels, and words that all rounds of a sum add up together.
    rounds: usize,
    added: usize,
}

impl Sizes {
    /// Sizes of tests: the programs that are always there.
    pub(crate) const SMALL: Self = Self {
        lu: 40,
        jacobi: (32, 2),
        others: (512, 16, 24),
        sums: &[10_000],
        rounds: 3,
        added: 30_000,
    };

    /// Sizes of use: the programs of the kernels' feature `large`. Sums in caches, and beyond them.
    #[allow(dead_code, reason = "tests take the small ones")]
    pub(crate) const LARGE: Self = Self {
        lu: 512,
        jacobi: (1024, 5),
        others: (65536, 512, 300),
        sums: &[1_000_000, 32_000_000],
        rounds: 30,
        added: 200_000_000,
    };
}

/// Measures on all ranks (collective), and prints on the first.
pub(crate) fn run(sizes: &Sizes) -> Done {
    let ranks = Ranks {
        ranks: RefCell::new(Mpi::world()?),
        world: SimpleCommunicator::world(),
    };
    if ranks.size() < 2 {
        return Err("two ranks are measured, or more".into());
    }
    for &words in sizes.sums {
        sums::measure(words, (sizes.added / words).max(11), &ranks)?;
    }
    lu::measure(sizes.lu, sizes.rounds, &ranks)?;
    let (n, rounds) = sizes.jacobi;
    jacobi::measure(n, rounds, sizes.rounds, &ranks)?;
    others::measure(sizes.others, sizes.rounds, &ranks)
}

/// Ranks, by superstep and by hand.
struct Ranks {
    ranks: RefCell<Mpi>,
    world: SimpleCommunicator,
}

/// Pause between two looks of a rank that waits for another's threads, which may need its core.
const REST: Duration = Duration::from_millis(1);

impl Ranks {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// Times what all ranks do together.
    fn together(
        &self,
        run: impl FnOnce() -> Done,
    ) -> Result<Duration, Box<dyn Error + Send + Sync>> {
        self.world.barrier();
        let (time, done) = timed(|| run().map(|()| self.world.barrier()));
        done.map(|()| time)
    }

    /// Times what the first rank does while the others rest.
    fn alone(&self, run: impl FnOnce() -> Done) -> Result<Duration, Box<dyn Error + Send + Sync>> {
        self.world.barrier();
        let (time, done) = match self.is_first() {
            true => timed(run),
            false => (Duration::ZERO, Ok(())),
        };
        let mut barrier = self.world.immediate_barrier();
        while let Err(pending) = barrier.test() {
            barrier = pending;
            thread::sleep(REST);
        }
        done.map(|()| time)
    }

    /// Runs a program over the ranks.
    fn over(&self, inputs: Inputs, results: Results, run: impl FnOnce(Over<'_>) -> Done) -> Done {
        let mut ranks = self.ranks.borrow_mut();
        run(Over::new(&mut *ranks).inputs(inputs).results(results))
    }
}

/// Form of a kernel: its name, and a run that tells its time.
struct Form<'f> {
    name: &'static str,
    run: Box<dyn FnMut() -> Result<Duration, Box<dyn Error + Send + Sync>> + 'f>,
}

impl<'f> Form<'f> {
    fn new(
        name: &'static str,
        run: impl FnMut() -> Result<Duration, Box<dyn Error + Send + Sync>> + 'f,
    ) -> Self {
        Self {
            name,
            run: Box::new(run),
        }
    }
}

/// Names of the forms that others are compared with.
const ALONE: &str = "one process, by hand";
const THREADS: &str = "threads over private memory";
const BY_HAND: &str = "ranks, by hand";

/// Name of the form whose ranks have their inputs before, and their results behind it: that is
/// predicted.
const IN_PARTS: &str = "ranks, superstep, data where they are";

/// Measures the forms of a kernel in turn, which does so many operations; `predicted` is a run of
/// its program.
fn contest(
    kernel: &str,
    operations: f64,
    rounds: usize,
    ranks: &Ranks,
    predicted: Option<Duration>,
    mut forms: Vec<Form<'_>>,
) -> Done {
    let mut times = Rounds::new(forms.len());
    for _ in 0..rounds {
        for (number, form) in forms.iter_mut().enumerate() {
            times.push(number, (form.run)()?.as_secs_f64());
        }
    }
    if !ranks.is_first() {
        return Ok(());
    }
    let base = |name| forms.iter().position(|form| form.name == name);
    let bases = [ALONE, THREADS, BY_HAND];
    println!(
        "\n| {kernel}, {} ranks | us | Gop/s | of {} | predicted, of it |\n|---|---|---|---|---|---|---|",
        ranks.size(),
        bases.join(" | of ")
    );
    for (number, form) in forms.iter().enumerate() {
        let seconds = times.median(number);
        let ratios = bases.map(|name| match base(name) {
            Some(base) => format!("{:.2}", times.ratio(number, base)),
            None => "-".to_owned(),
        });
        let predicted = match predicted {
            Some(predicted) if form.name == IN_PARTS => {
                format!("{:.2}", predicted.as_secs_f64() / seconds)
            }
            _ => "-".to_owned(),
        };
        println!(
            "| {} | {:.1} | {:.2} | {} | {predicted} |",
            form.name,
            1e6 * seconds,
            1e-9 * operations / seconds,
            ratios.join(" | ")
        );
    }
    Ok(())
}

/// Fails if some words have other bits than expected.
fn compare(name: &str, words: &[f64], expected: &[f64]) -> Done {
    let is_same = |(word, expected): (&f64, &f64)| word.to_bits() == expected.to_bits();
    let all = words.len() == expected.len() && words.iter().zip(expected).all(is_same);
    match all {
        true => Ok(()),
        false => Err(format!("{name}: other bits than the function").into()),
    }
}
