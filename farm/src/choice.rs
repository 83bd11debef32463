//! Choice of a policy: each candidate is simulated on costs as they are predicted, and on costs as
//! they may be.

use rand_pcg::{Pcg64, rand_core::Rng};

use crate::{
    Algorithm, Deal, Invalid, Items, Key, Platform, Policy, Technique, error::check_quantity,
    search::likely_sizes, simulate,
};

/// A policy that was tried; times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The policy.
    pub policy: Policy,
    /// Mean makespan.
    pub makespan: f64,
    /// Shortest and longest makespan.
    pub interval: [f64; 2],
}

/// The policy that is predicted to be fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The policy.
    pub policy: Policy,
    /// Deal of the items.
    pub deal: Deal,
    /// Its mean makespan over what costs may be, in seconds.
    pub makespan: f64,
    /// Its shortest and longest makespan over what costs may be, in seconds.
    pub interval: [f64; 2],
    /// Candidates of the last comparison, the fastest first: all if costs are known exactly, else
    /// the finalists.
    pub candidates: Vec<Candidate>,
}

/// Block lengths of drawn errors, one for each kind of draw: items of a block have the same error.
///
/// Errors of interpolated costs lie between both: those of neighbours are correlated by 0.6, of
/// every fourth item by 0. The experiment is the 18 workloads of the tests with errors. In one of
/// four series the policy chosen was so far behind the best:
///
/// | draws | behind |
/// |---|---|
/// | independent alone | 2.9 % |
/// | blocks of four alone | 2.2 % |
/// | blocks of eight alone | 4.0 % |
/// | independent and blocks of four | 0.8 % |
const ALIKE: [usize; 2] = [1, 4];

/// Ratio to the best makespan on predicted costs up to which a candidate is tried on drawn ones.
///
/// On these workloads, predicted from 17, 33 or 65 tiles a side, the one that was chosen was at
/// most 6.3 % behind on predicted costs.
const HOPE: f64 = 1.12;

/// Draws of each kind up to the end of the first series, and of the second. Both numbers are even,
/// as draws come in pairs.
const DRAWS: [usize; 2] = [2, 6];

/// Ratio to the best mean makespan of the first series up to which a candidate is tried in the
/// second.
///
/// On the same workloads the one that was chosen was at most 0.6 % behind after the first series.
const HOPE_AFTER: f64 = 1.03;

/// Candidates of the second series at most: on these workloads the one that is chosen was among the
/// first ten after the first series.
const FINALISTS: usize = 24;

/// Parts of all work that are pulled behind rounds: up to half, as what factoring begins with.
const TAILS: [f64; 6] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.5];

/// Least chunks in factoring: ratios of their computing time to the overhead of a chunk.
const LEAST: [f64; 3] = [0.0, 1.0, 5.0];

/// Chunks into which self-scheduling cuts at most: they are simulated in some 25 ms.
const PULLS: usize = 1 << 16;

/// Returns the policies that may be fastest for some items.
pub fn candidates(platform: &Platform, items: &Items) -> Vec<Policy> {
    let sizes = likely_sizes(platform, platform.workers);
    let coarse = items.len().div_ceil(PULLS);
    let mut policies = Vec::new();
    for &open in &sizes {
        let policy = |technique| Policy::new(technique, Key::Cost).with_open(open);
        policies.push(policy(Technique::Static));
        let mut factoring = vec![Technique::Factoring];
        if !platform.weights.is_empty() {
            factoring.push(Technique::WeightedFactoring);
        }
        let mut pulled = vec![
            policy(Technique::SelfScheduling(coarse)),
            policy(Technique::SelfScheduling(4 * coarse)),
            policy(Technique::Guided),
        ];
        for technique in factoring {
            pulled.extend(LEAST.map(|least| policy(technique).with_least(least)));
        }
        for policy in pulled {
            policies.extend([policy, policy.with_prefetch()]);
        }
    }
    for algorithm in [Algorithm::Umr, Algorithm::Ptumr] {
        for tail in TAILS {
            let policy = Policy::new(Technique::Rounds { algorithm, tail }, Key::Cost);
            if tail == 0.0 {
                policies.push(policy);
                continue;
            }
            for policy in LEAST.map(|least| policy.with_least(least)) {
                policies.extend([policy, policy.with_prefetch()]);
            }
        }
    }
    policies
}

/// Chooses the policy whose mean makespan is shortest over what the costs may be.
///
/// `error` is the root mean square error of the predicted costs, divided by the mean cost; with 0
/// the costs are known. The mean makespan is nearer to that on the true costs than the longest is,
/// which a single draw decides. Draws are the same in each call.
///
/// ```
/// use superstep_farm::{Items, Platform, choose};
///
/// let items = Items::new(&[1.0; 1000])?;
/// let choice = choose(&Platform::threads(8), &items, 0.5)?;
/// assert!(choice.makespan < 1.05 * 125.0);
/// # Ok::<(), superstep_farm::Invalid>(())
/// ```
///
/// # Errors
///
/// [`Invalid`] names a quantity of the platform, or the error, that is out of its range.
pub fn choose(platform: &Platform, items: &Items, error: f64) -> Result<Choice, Invalid> {
    check_quantity("error", error)?;
    let mut tried = Vec::new();
    let mut rounds = Vec::new();
    for policy in candidates(platform, items) {
        let deal = policy.deal_with(platform, items, &mut rounds)?;
        let times = vec![simulate(platform, items, &deal)?.makespan];
        tried.push(Tried {
            policy,
            deal,
            times,
        });
    }
    if error > 0.0 {
        retain(&mut tried, HOPE);
        tried.iter_mut().for_each(|tried| tried.times.clear());
        let mut first = 0;
        for draws in DRAWS {
            for (draw, alike) in (first..draws).flat_map(|draw| ALIKE.map(|alike| (draw, alike))) {
                let drawn = drawn(items, error, alike, draw);
                let drawn = items.clone().with_costs(&drawn)?;
                for Tried { deal, times, .. } in &mut tried {
                    times.push(simulate(platform, &drawn, deal)?.makespan);
                }
            }
            retain(&mut tried, HOPE_AFTER);
            tried.truncate(FINALISTS);
            first = draws;
        }
    } else {
        sort(&mut tried);
    }
    let candidates: Vec<Candidate> = tried.iter().map(Tried::candidate).collect();
    let Some(Tried { policy, deal, .. }) = tried.into_iter().next() else {
        return Err(Invalid::NoItems);
    };
    Ok(Choice {
        policy,
        deal,
        makespan: candidates[0].makespan,
        interval: candidates[0].interval,
        candidates,
    })
}

/// A policy, its deal, and its makespans.
struct Tried {
    policy: Policy,
    deal: Deal,
    times: Vec<f64>,
}

impl Tried {
    fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len() as f64
    }

    fn candidate(&self) -> Candidate {
        let times = || self.times.iter().copied();
        Candidate {
            policy: self.policy,
            makespan: self.mean(),
            interval: [
                times().fold(f64::INFINITY, f64::min),
                times().fold(0.0, f64::max),
            ],
        }
    }
}

/// Sorts by the mean makespan, the best first.
fn sort(tried: &mut [Tried]) {
    tried.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
}

/// Keeps what is within a ratio of the best, the best first.
fn retain(tried: &mut Vec<Tried>, ratio: f64) {
    sort(tried);
    let best = tried.first().map_or(0.0, Tried::mean);
    tried.retain(|tried| tried.mean() <= ratio * best);
}

/// Draws costs: blocks of items are multiplied with normal factors of mean 1, cut at 0 and 2.
///
/// Draws come in pairs whose errors have opposite signs, so that they add no work in all.
fn drawn(items: &Items, error: f64, alike: usize, draw: usize) -> Vec<f64> {
    let cost = |at: usize| items.cost(&(at..at + 1));
    let count = items.len() as f64;
    let squares: f64 = (0..items.len()).map(|at| cost(at).powi(2)).sum();
    // The error is by the mean cost, and a factor by the item's own.
    let deviation = if squares > 0.0 {
        error * items.total_cost() / count / (squares / count).sqrt()
    } else {
        0.0
    };
    let mut random = Pcg64::new(draw as u128 / 2, alike as u128);
    let sign = if draw.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut factor = 1.0;
    (0..items.len())
        .map(|at| {
            if at.is_multiple_of(alike) {
                factor = (1.0 + sign * deviation * normal(&mut random)).clamp(0.0, 2.0);
            }
            cost(at) * factor
        })
        .collect()
}

/// Draws a number that is nearly normal: of 12 uniform numbers the sum has mean 6 and variance 1.
fn normal(random: &mut Pcg64) -> f64 {
    let uniform = (0..12).map(|_| f64::from(random.next_u32()) / f64::from(u32::MAX));
    uniform.sum::<f64>() - 6.0
}
