//! Search: how many rounds, groups of how many workers, and how many workers at all.

use std::collections::BTreeSet;

use crate::{
    Invalid, Platform, dispatch::Clock, error::check_quantity, last_round, rounds::Groups,
};

/// Algorithm that looks for rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One round, in groups of any size.
    Single,
    /// Rounds that are sent to one worker at a time (Yang and Casanova).
    Umr,
    /// Rounds that are sent to groups of any size (the PTUMR paper).
    Ptumr,
    /// The simplest of these that is as good as the best.
    Auto,
}

impl Algorithm {
    /// All algorithms, the simplest first.
    pub const ALL: [Self; 4] = [Self::Single, Self::Umr, Self::Ptumr, Self::Auto];

    /// Returns the name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Umr => "umr",
            Self::Ptumr => "ptumr",
            Self::Auto => "auto",
        }
    }
}

/// Rounds of chunks, and when they are finished.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Algorithm that found them; never [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// The workers that take part, in groups.
    pub groups: Groups,
    /// Workers of a group, m; the last one may have fewer.
    pub group: usize,
    /// Chunks of all rounds but the last, in seconds of computing.
    pub uniform: Vec<f64>,
    /// Chunks of the last round for each group, in seconds of computing; zero for a group that gets
    /// none.
    pub last: Vec<f64>,
    /// Seconds until the last worker finishes.
    pub makespan: f64,
}

impl Rounds {
    /// Returns the number of rounds, M; none for no work.
    pub fn count(&self) -> usize {
        self.uniform.len() + usize::from(!self.last.is_empty())
    }

    /// Returns how many workers get work.
    pub fn workers(&self) -> usize {
        let sizes = self.groups.groups().iter().enumerate();
        let gets = |at: usize| !self.uniform.is_empty() || self.last.get(at) > Some(&0.0);
        sizes
            .filter(|&(at, _)| gets(at))
            .map(|(_, group)| group.members.len())
            .sum()
    }

    /// Returns the seconds of computing of each group's chunk in a round.
    pub fn round(&self, round: usize) -> Vec<f64> {
        match self.uniform.get(round) {
            Some(&chunk) => vec![chunk; self.groups.groups().len()],
            None => self.last.clone(),
        }
    }
}

/// Makespans that differ by less are equal: it is above what rounding does to them.
const TIE: f64 = 1e-9;

/// Further numbers of rounds that are tried after the best one: of 3000 random platforms none had a
/// better one behind so many.
const PATIENCE: usize = 12;

/// Numbers of rounds that are tried: all up to 32, then each an eighth more than the one before.
///
/// Without latencies each further round gains a little. On table 1 of the PTUMR paper the best
/// number is below 10. What is gained beyond 256 is below 1 / 256 of the sending.
fn counts() -> impl Iterator<Item = usize> {
    let next = |&count: &usize| Some(count + 1.max(count / 8 * usize::from(count >= 32)));
    std::iter::successors(Some(1), next).take_while(|&count| count <= 256)
}

/// Numbers of workers that are tried, from all down: each if there are few, else each a 64th less.
fn workers_down(fewest: usize, all: usize) -> impl Iterator<Item = usize> {
    let next = move |&workers: &usize| {
        let step = if all <= EVERY_SIZE {
            1
        } else {
            (workers / 64).max(1)
        };
        (workers > fewest).then(|| (workers - step).max(fewest))
    };
    std::iter::successors(Some(all), next)
}

/// Most workers for which every size of groups and every smaller number of workers is tried.
///
/// With more, only the sizes at which links saturate are tried, and fractions of all. They are
/// within 0.2 % of the best, on 48 platforms like those of the PTUMR paper's table 1.
const EVERY_SIZE: usize = 128;

/// Computes M rounds over these groups, with the last one equalised; none if a chunk would be
/// negative.
pub fn rounds(groups: &Groups, size: usize, work: f64, count: usize) -> Option<Rounds> {
    let mut uniform = groups.chunks(work, count)?;
    let last = uniform.pop()?;
    let mut clock = Clock::new(groups);
    for &chunk in &uniform {
        clock.send(groups, |_| chunk);
    }
    let last = last_round::equalised(groups, &clock, last * groups.rate);
    clock.send(groups, |at| last[at]);
    let algorithm = match (count, size) {
        (1, _) => Algorithm::Single,
        (_, 1) => Algorithm::Umr,
        _ => Algorithm::Ptumr,
    };
    Some(Rounds {
        algorithm,
        groups: groups.clone(),
        group: size,
        uniform,
        last,
        makespan: clock.makespan(),
    })
}

/// Finds the number of rounds that is best with so many workers in groups of this size.
pub fn best_count(platform: &Platform, work: f64, workers: usize, size: usize) -> Option<Rounds> {
    best_up_to(platform, work, workers, size, usize::MAX)
}

fn best_up_to(
    platform: &Platform,
    work: f64,
    workers: usize,
    size: usize,
    most: usize,
) -> Option<Rounds> {
    let groups = Groups::new(platform, workers, size);
    let mut best: Option<Rounds> = None;
    let mut since = 0;
    for count in counts().take_while(|&count| count <= most) {
        let found = rounds(&groups, size, work, count);
        let makespan = |of: &Option<Rounds>| of.as_ref().map_or(f64::INFINITY, |of| of.makespan);
        if makespan(&found) < makespan(&best) * (1.0 - TIE) {
            best = found;
            since = 0;
        } else {
            since += 1;
        }
        if since >= PATIENCE {
            break;
        }
    }
    best
}

/// Sizes of groups that are tried with so many workers, in ascending order.
fn sizes(platform: &Platform, workers: usize) -> Vec<usize> {
    if workers <= EVERY_SIZE {
        return (1..=workers).collect();
    }
    likely_sizes(platform, workers)
}

/// Sizes of groups at which links saturate, and fractions of all workers, in ascending order.
pub(crate) fn likely_sizes(platform: &Platform, workers: usize) -> Vec<usize> {
    let saturating = platform.master_bandwidth / platform.worker_bandwidth;
    let saturating = if saturating.is_finite() {
        saturating as usize
    } else {
        1
    };
    let twice = saturating.saturating_mul(2);
    let sizes = [1, saturating, twice, workers / 4, workers / 2, workers];
    let sizes = BTreeSet::from(sizes.map(|size| size.clamp(1, workers)));
    sizes.into_iter().collect()
}

/// Finds the best rounds for this much work: their number, the size of groups and the number of
/// workers.
///
/// Of equal plans the one with the fewest workers, the smallest groups and the fewest rounds is
/// taken. It takes `O(M N)` for each number of workers and size of groups that is tried, with N
/// workers and up to M rounds.
///
/// ```
/// use superstep_farm::{Algorithm, Platform, search};
///
/// // Table 1 of the PTUMR paper.
/// let platform = Platform {
///     workers: 100,
///     speed: 1.0,
///     worker_bandwidth: 120.0,
///     master_bandwidth: 600.0,
///     setup: 0.01,
///     latency: 0.0,
///     overhead: 0.5,
///     weights: Vec::new(),
/// };
/// let rounds = search(&platform, 1000.0, Algorithm::Ptumr)?;
/// assert_eq!((rounds.group, rounds.count()), (28, 2));
/// assert!((rounds.makespan - 11.1319).abs() < 1e-4);
/// # Ok::<(), superstep_farm::Invalid>(())
/// ```
///
/// # Errors
///
/// [`Invalid`] names a quantity of the platform, or the work, that is out of its range.
pub fn search(platform: &Platform, work: f64, algorithm: Algorithm) -> Result<Rounds, Invalid> {
    search_workers(platform, work, algorithm, 1)
}

/// Finds the best rounds that all workers of the platform take part in.
///
/// # Errors
///
/// [`Invalid`] names a quantity of the platform, or the work, that is out of its range.
pub fn search_all_workers(
    platform: &Platform,
    work: f64,
    algorithm: Algorithm,
) -> Result<Rounds, Invalid> {
    search_workers(platform, work, algorithm, platform.workers)
}

fn search_workers(
    platform: &Platform,
    work: f64,
    algorithm: Algorithm,
    fewest: usize,
) -> Result<Rounds, Invalid> {
    platform.validate()?;
    check_quantity("work", work)?;
    if algorithm == Algorithm::Auto {
        let best = search_workers(platform, work, Algorithm::Ptumr, fewest)?;
        for algorithm in [Algorithm::Single, Algorithm::Umr] {
            let found = search_workers(platform, work, algorithm, fewest)?;
            if found.makespan <= best.makespan * (1.0 + TIE) {
                return Ok(found);
            }
        }
        return Ok(best);
    }
    let mut best = Rounds {
        algorithm,
        groups: Groups::new(platform, platform.workers, 1),
        group: 1,
        uniform: Vec::new(),
        last: Vec::new(),
        makespan: 0.0,
    };
    if work == 0.0 {
        return Ok(best);
    }
    best.makespan = f64::INFINITY;
    // From all workers down: soon what fewer can do at best is worse.
    for workers in workers_down(fewest, platform.workers) {
        if least(platform, workers, work) > best.makespan {
            break;
        }
        let (sizes, most) = match algorithm {
            Algorithm::Umr => (vec![1], usize::MAX),
            Algorithm::Single => (sizes(platform, workers), 1),
            _ => (sizes(platform, workers), usize::MAX),
        };
        let best_of = |size| best_up_to(platform, work, workers, size, most);
        let found = sizes.into_iter().filter_map(best_of);
        let found = found.reduce(|best, next| {
            if next.makespan < best.makespan * (1.0 - TIE) {
                next
            } else {
                best
            }
        });
        if let Some(found) = found
            && found.makespan <= best.makespan * (1.0 + TIE)
        {
            best = found;
        }
    }
    if !best.makespan.is_finite() {
        return Err(Invalid::Endless);
    }
    best.algorithm = algorithm;
    Ok(best)
}

/// Returns seconds that so many workers cannot undercut.
fn least(platform: &Platform, workers: usize, work: f64) -> f64 {
    let groups = Groups::new(platform, workers, workers);
    platform.overhead + work / groups.rate + platform.setup + platform.latency
}
