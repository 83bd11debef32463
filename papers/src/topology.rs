//! Inference of topologies in simulated clusters, beside what its thesis published (Shirai 2007,
//! chapters 5 and 6).
//!
//! Errors are the thesis's, of 100 000 random pairs of paths:
//!
//! * false positives share a link in the inferred tree and not in the true one, as a part of all
//!   that do not;
//! * false negatives are the reverse;
//! * errors are both, as a part of all.
//!
//! Milliseconds between sites are read as round trips. Seconds are those of pings, as many at a
//! time as the method has.

mod accuracy;
mod bandwidths;
mod effort;

use std::error::Error;

use superstep_network::topology::{
    Inference, Setting, Tree, infer,
    simulated::{Cluster, Network, Noise, Simulator},
};
use superstep_random::SplitMix64;

pub(crate) use self::accuracy::{figure_5_4, figure_5_5, figure_5_6};
pub(crate) use self::bandwidths::{figure_6_2, figure_6_3, figure_6_4};
pub(crate) use self::effort::{figure_5_7, figure_5_8};

/// Seeds of networks, noise and order: as many as the reference simulation has, with which rows
/// compare.
const SEEDS: u64 = 3;

/// Random pairs of paths: as many as the thesis takes (its section 5.2.4).
const QUADRUPLES: usize = 100_000;

/// Hosts of each cluster.
const HOSTS: usize = 64;

/// One-way latency of cluster 1's link, in microseconds: 2 ms are a round trip.
const WAN: f64 = 1000.0;

/// Makes all four clusters, with so many hosts each.
fn four(hosts: usize, seed: u64) -> Network {
    Network::four_clusters(hosts, WAN, seed)
}

/// Makes cluster 4.
fn fourth(seed: u64) -> Network {
    Network::cluster(Cluster::Levels, HOSTS, seed)
}

/// Infers the tree of a network by a probe, in the order that a seed gives; returns the seconds,
/// too.
fn inferred(
    network: &Network,
    setting: &Setting,
    seed: u64,
    mut probe: Simulator<'_>,
) -> Result<(Inference, f64), Box<dyn Error>> {
    let setting = Setting {
        seed,
        ..setting.clone()
    };
    let inference = infer(network.tree.names(), &mut probe, &setting, |_| {})?;
    Ok((inference, probe.elapsed()))
}

/// Infers the tree of a network with the default noise.
fn inference(network: &Network, setting: &Setting, seed: u64) -> Result<Inference, Box<dyn Error>> {
    let probe = Simulator::new(network, Noise::default(), seed);
    Ok(inferred(network, setting, seed, probe)?.0)
}

/// Wrong answers of whether two paths share a link, as parts.
#[derive(Clone, Copy, Debug, Default)]
struct Wrong {
    /// Part of the pairs that share none of which the tree says that they do.
    positives: f64,
    /// Part of the pairs that share one of which the tree says that they do not.
    negatives: f64,
    /// Part of all pairs of which the tree says the one or the other.
    all: f64,
}

impl Wrong {
    /// Asks of random pairs of paths.
    fn of(tree: &Tree, truth: &Tree) -> Self {
        let mut random = SplitMix64::new(1);
        let mut host = move || (random.bits() % truth.hosts() as u64) as u32;
        // Pairs of paths by what is true and what is inferred.
        let mut counts = [[0_usize; 2]; 2];
        while counts.iter().flatten().sum::<usize>() < QUADRUPLES {
            let [a, b, c, d] = [(); 4].map(|()| host());
            let differ = a != b && c != d && ![c, d].contains(&a) && ![c, d].contains(&b);
            if differ {
                let of = |tree: &Tree| usize::from(tree.shares_link([a, b], [c, d]));
                counts[of(truth)][of(tree)] += 1;
            }
        }
        let part = |wrong: usize, all: usize| wrong as f64 / all.max(1) as f64;
        let [apart, shared] = counts;
        Self {
            positives: part(apart[1], apart[0] + apart[1]),
            negatives: part(shared[0], shared[0] + shared[1]),
            all: part(apart[1] + shared[0], QUADRUPLES),
        }
    }
}
