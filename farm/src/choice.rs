//! Choice of a policy: each candidate is simulated on costs as they are predicted, and on costs as they may be.

use rand_pcg::{Pcg64, rand_core::Rng};

use crate::{
    Algorithm, Deal, Invalid, Items, Key, Platform, Policy, Technique, likely_sizes,
    platform::quantity, simulate,
};

/// How far costs may be from their predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertainty {
    /// Root of the mean square of the errors, by the mean cost.
    pub error: f64,
    /// Neighbouring items whose errors are the same.
    pub together: usize,
}

impl Uncertainty {
    /// Costs that are known.
    pub const NONE: Self = Self {
        error: 0.0,
        together: 1,
    };
}

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
    /// How it deals the items.
    pub deal: Deal,
    /// Its mean makespan over what costs may be, in seconds.
    pub makespan: f64,
    /// Its shortest and longest makespan over what costs may be, in seconds.
    pub interval: [f64; 2],
    /// All that were tried, the fastest first.
    pub candidates: Vec<Candidate>,
}

/// Cost vectors that are drawn, half of them with the opposite errors of the others.
const DRAWS: usize = 8;

/// Ratio to the best makespan on predicted costs up to which a candidate is tried on drawn ones.
const HOPE: f64 = 1.3;

/// Parts of all work that are pulled behind rounds.
const TAILS: [f64; 6] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.5];

/// Least times of chunks in factoring, by the time that a chunk costs beside its work.
const LEAST: [f64; 3] = [0.0, 1.0, 5.0];

/// Chunks for each worker into which self-scheduling cuts at most.
const PULLS: usize = 1024;

/// Returns the policies that may be fastest for some items.
pub fn candidates(platform: &Platform, items: &Items) -> Vec<Policy> {
    let sizes = likely_sizes(platform, platform.workers);
    let coarse = items.len().div_ceil(PULLS * platform.workers);
    let mut policies = Vec::new();
    for &open in &sizes {
        let policy = |technique| Policy::new(technique, Key::Cost).with_open(open);
        policies.push(policy(Technique::Static));
        let factoring = match platform.weights.is_empty() {
            true => Technique::Factoring,
            false => Technique::WeightedFactoring,
        };
        let mut pulled = vec![
            policy(Technique::SelfScheduling(coarse)),
            policy(Technique::SelfScheduling(4 * coarse)),
            policy(Technique::Guided),
        ];
        pulled.extend(LEAST.map(|least| policy(factoring).with_least(least)));
        for policy in pulled {
            policies.extend([policy, policy.with_prefetch()]);
        }
    }
    for algorithm in [Algorithm::Umr, Algorithm::Ptumr] {
        for tail in TAILS {
            let policy = Policy::new(Technique::Rounds { algorithm, tail }, Key::Cost);
            policies.push(policy);
            if tail > 0.0 {
                for least in LEAST {
                    policies.extend([
                        policy.with_least(least),
                        policy.with_least(least).with_prefetch(),
                    ]);
                }
            }
        }
    }
    policies
}

/// Chooses the policy whose mean makespan is shortest over what the costs may be.
///
/// # Errors
///
/// [`Invalid`] names a quantity of the platform, or of the uncertainty, that is out of its range.
pub fn choose(
    platform: &Platform,
    items: &Items,
    uncertainty: Uncertainty,
) -> Result<Choice, Invalid> {
    quantity("error", uncertainty.error)?;
    let mut tried = Vec::new();
    for policy in candidates(platform, items) {
        let deal = policy.deal(platform, items)?;
        let makespan = simulate(platform, items, &deal)?.makespan;
        tried.push((policy, deal, vec![makespan]));
    }
    if uncertainty.error > 0.0 {
        let best = tried
            .iter()
            .map(|(.., times)| times[0])
            .fold(f64::INFINITY, f64::min);
        tried.retain(|(.., times)| times[0] <= HOPE * best);
        tried.iter_mut().for_each(|(.., times)| times.clear());
        for draw in 0..DRAWS {
            let drawn = items.with_costs(&drawn(items, uncertainty, draw))?;
            for (_, deal, times) in &mut tried {
                times.push(simulate(platform, &drawn, deal)?.makespan);
            }
        }
    }
    let candidate = |(policy, _, times): &(Policy, Deal, Vec<f64>)| Candidate {
        policy: *policy,
        makespan: times.iter().sum::<f64>() / times.len() as f64,
        interval: [
            times.iter().copied().fold(f64::INFINITY, f64::min),
            times.iter().copied().fold(0.0, f64::max),
        ],
    };
    tried.sort_by(|a, b| candidate(a).makespan.total_cmp(&candidate(b).makespan));
    let candidates: Vec<Candidate> = tried.iter().map(candidate).collect();
    let Some((policy, deal, _)) = tried.into_iter().next() else {
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

/// Draws costs: blocks of items are multiplied with factors that are normal, cut at 0 and 2.
fn drawn(items: &Items, uncertainty: Uncertainty, draw: usize) -> Vec<f64> {
    let costs = |at: usize| items.cost(&(at..at + 1));
    let squares = (0..items.len()).map(|at| costs(at).powi(2)).sum::<f64>();
    let count = items.len() as f64;
    let mean = items.total_cost() / count;
    // The error is by the mean, and a factor is by the item's own cost.
    let deviation = if squares > 0.0 {
        uncertainty.error * mean / (squares / count).sqrt()
    } else {
        0.0
    };
    let mut random = Pcg64::new(draw as u128 / 2, 1);
    let sign = if draw.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut factor = 1.0;
    (0..items.len())
        .map(|at| {
            if at.is_multiple_of(uncertainty.together.max(1)) {
                // Sum of 12 uniform numbers: mean 6, variance 1.
                let uniform =
                    (0..12).map(|_| (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64);
                let normal = uniform.sum::<f64>() - 6.0;
                factor = (1.0 + sign * deviation * normal).clamp(0.0, 2.0);
            }
            costs(at) * factor
        })
        .collect()
}
