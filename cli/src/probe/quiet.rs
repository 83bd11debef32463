//! Other programs on the machine: a loop whose time is known, on every core, before, between and
//! after what is measured.
//!
//! A core that has nothing else to do runs the loop again and again in the same time. Where another
//! program has the core for some of the time, that time is missing between the runs. Where another
//! guest of the host shares it, or its clock is slow, every run takes longer.

use std::fmt;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

/// Share of a core's time that may be missing, in the median over looks of each look's worst core.
///
/// Sixty attempts of nine looks on two virtual cores:
///
/// | beside | share |
/// |---|---|
/// | nothing | 0.013 to 0.075 |
/// | a program that computes a tenth of the time | 0.10 and more |
/// | one that does so half of the time | 0.23 and more |
/// | one that always computes | 0.51 |
///
/// The worst of nine looks on the idle machine is 0.02 to 0.51. Its host takes a core for
/// milliseconds now and then, which minima and medians of times bear.
const MISSING: f64 = 0.1;

/// Time of the loop, in times of its shortest, that a look may take at its best. Clocks alone move
/// by 1.15; the best of sixty looks on two virtual cores differed by 1.004, busy or not.
const SLOWER: f64 = 1.25;

/// Runs of the loop in a look: together 11 ms, several times as long as the system leaves a program
/// on a core.
const RUNS: u32 = 400;

/// Steps of the loop: 27 us on a server of 2023, far more than reading the clock takes.
const STEPS: u32 = 50_000;

/// The time of a look, beside what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Before,
    Between,
    After,
}

/// A look: the loop on all cores at one time.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) when: When,
    pub(crate) cores: Vec<Core>,
}

/// The loop on one core; times in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core {
    pub(crate) runs: u32,
    /// The fastest run.
    pub(crate) fastest: f64,
    /// The time of all runs, and of what came between.
    pub(crate) elapsed: f64,
}

impl Core {
    /// Returns the share of the time in which the loop did not run.
    fn missing(&self) -> f64 {
        (1.0 - f64::from(self.runs) * self.fastest / self.elapsed).max(0.0)
    }
}

/// A disturbance by others while something was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Disturbance {
    /// Others had a core.
    Taken {
        /// The largest share of a core's time.
        share: f64,
        /// Cores of which they had more than may be.
        cores: usize,
        /// Number of all cores.
        of: usize,
        when: When,
    },
    /// A core was slower than at other times.
    Slower {
        /// Time of the loop, in times of its best.
        times: f64,
        when: When,
    },
}

impl Disturbance {
    /// Returns how many times as much it is as may be.
    pub(crate) fn severity(&self) -> f64 {
        match self {
            Self::Taken { share, .. } => share / MISSING,
            Self::Slower { times, .. } => times / SLOWER,
        }
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "before the measurement",
            Self::Between => "during the measurement",
            Self::After => "after the measurement",
        })
    }
}

impl fmt::Display for Disturbance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken {
                share,
                cores,
                of,
                when,
            } => write!(
                f,
                "other programs had {cores} of {of} cores {when}, one of them for {:.0} % of the time",
                100.0 * share
            ),
            Self::Slower { times, when } => write!(
                f,
                "a core took {times:.2} times as long for the same work {when} as at its best: something shares it, or its clock changes"
            ),
        }
    }
}

/// Finds the worst disturbance of those that are more than may be.
pub(crate) fn judge(looks: &[Look]) -> Option<Disturbance> {
    let worst = |look: &Look| look.cores.iter().map(Core::missing).fold(0.0, f64::max);
    let mut ascending: Vec<&Look> = looks.iter().collect();
    ascending.sort_by(|one, other| worst(one).total_cmp(&worst(other)));
    let median = ascending.get(looks.len() / 2);
    let missing = median.filter(|look| worst(look) > MISSING).map(|look| {
        let taken = look.cores.iter().filter(|core| core.missing() > MISSING);
        Disturbance::Taken {
            share: worst(look),
            cores: taken.count(),
            of: look.cores.len(),
            when: look.when,
        }
    });
    // Cores may differ, and threads move between them: the fastest that ran is compared.
    let fastest = |look: &Look| {
        let times = look.cores.iter().map(|core| core.fastest);
        times.fold(f64::INFINITY, f64::min)
    };
    let best = looks.iter().map(fastest).fold(f64::INFINITY, f64::min);
    let slower = looks.iter().filter_map(|look| {
        let times = fastest(look) / best;
        (times > SLOWER).then_some(Disturbance::Slower {
            times,
            when: look.when,
        })
    });
    missing
        .into_iter()
        .chain(slower)
        .max_by(|one, other| one.severity().total_cmp(&other.severity()))
}

/// Looks now, on every core that this process may use.
pub(crate) fn look(when: When) -> Look {
    let count = thread::available_parallelism().map_or(1, usize::from);
    let start = Barrier::new(count);
    let cores = thread::scope(|scope| {
        let run = || {
            start.wait();
            core()
        };
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(run)).collect();
        let cores = threads.into_iter().filter_map(|thread| thread.join().ok());
        cores.collect()
    });
    Look { when, cores }
}

fn core() -> Core {
    let begin = Instant::now();
    let mut fastest = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut value = black_box(1_u64);
        for _ in 0..STEPS {
            value = value.rotate_left(1) ^ 3;
        }
        black_box(value);
        fastest = fastest.min(start.elapsed().as_nanos() as f64);
    }
    Core {
        runs: RUNS,
        fastest,
        elapsed: begin.elapsed().as_nanos() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a look at cores of which each is given by its fastest run and the share that is
    /// missing.
    fn look(when: When, cores: &[(f64, f64)]) -> Look {
        let cores = cores.iter().map(|&(fastest, missing)| Core {
            runs: 100,
            fastest,
            elapsed: 100.0 * fastest / (1.0 - missing),
        });
        Look {
            when,
            cores: cores.collect(),
        }
    }

    #[test]
    fn a_quiet_machine_has_interrupts_and_a_clock_that_moves() {
        let looks = [
            look(When::Before, &[(5e4, 0.01), (5.2e4, 0.02)]),
            look(When::Between, &[(5.5e4, 0.005), (5.4e4, 0.0)]),
            look(When::After, &[(5.1e4, 0.03), (9e4, 0.01)]),
        ];
        assert_eq!(judge(&looks), None);
        assert_eq!(judge(&[]), None);
    }

    #[test]
    fn a_program_on_one_core_disturbs() {
        let looks = [
            look(When::Before, &[(5e4, 0.01), (5e4, 0.32)]),
            look(When::Between, &[(5e4, 0.01), (5e4, 0.42)]),
            look(When::After, &[(5e4, 0.35), (5e4, 0.48)]),
        ];
        let found = judge(&looks).expect("it disturbs");
        let Disturbance::Taken {
            share,
            cores: 1,
            of: 2,
            when: When::Between,
        } = found
        else {
            panic!("{found:?}");
        };
        assert!((share - 0.42).abs() < 1e-9);
        assert_eq!(
            found.to_string(),
            "other programs had 1 of 2 cores during the measurement, one of them for 42 % of the time"
        );
    }

    #[test]
    fn a_core_that_is_taken_for_a_moment_disturbs_little() {
        let looks = [
            look(When::Before, &[(5e4, 0.01), (5e4, 0.02)]),
            look(When::Between, &[(5e4, 0.5), (5e4, 0.02)]),
            look(When::After, &[(5e4, 0.01), (5e4, 0.03)]),
        ];
        assert_eq!(judge(&looks), None);
    }

    #[test]
    fn a_core_that_is_shared_is_slower_all_the_time() {
        let looks = [
            look(When::Before, &[(5e4, 0.0), (5e4, 0.0)]),
            look(When::After, &[(8e4, 0.0), (9e4, 0.0)]),
        ];
        let found = judge(&looks).expect("it disturbs");
        assert_eq!(
            found,
            Disturbance::Slower {
                times: 1.6,
                when: When::After
            }
        );
        assert!(found.to_string().contains("1.60 times as long"));
    }

    #[test]
    fn what_disturbs_most_is_told() {
        let looks = [
            look(When::Before, &[(5e4, 0.5)]),
            look(When::Between, &[(5e4, 0.6)]),
            look(When::After, &[(7e4, 0.0)]),
        ];
        assert!(matches!(
            judge(&looks),
            Some(Disturbance::Taken {
                when: When::Before,
                ..
            })
        ));
    }
}
