//! Time and measurements of an inference (figures 5.7 and 5.8).

use std::error::Error;

use superstep_network::topology::{
    Probe, Pruning, Setting,
    simulated::{Cluster, Network, Noise, Simulator},
};

use super::{HOSTS, SEEDS, WAN, four, inference, inferred};
use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Choice on which seconds depend.
const TIMES: &str =
    "what a measurement takes beside its pings, and whether its milliseconds are round trips";

/// Plausible values: milliseconds of a measurement beside its pings, and the one-way latency of
/// cluster 1's link in microseconds. Findings are of the first.
const PLAUSIBLE: [(f64, f64); 4] = [(0.0, WAN), (5.0, WAN), (20.0, WAN), (0.0, 2.0 * WAN)];

/// Choice on which the part of the pairs of two clusters depends.
const WHOLE: &str = "of how many pairs it is a part: it names half of those that there are";

/// Choice on which the part of the pairs depends.
const RULE: &str =
    "the latency of a host's link, and whether the rule compares round trips with sums of links";

/// Repeats figure 5.7: seconds of an inference, and of measuring all pairs, over the hosts.
pub(crate) fn figure_5_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let counts = [64_usize, 128, 192, 256];
    // By choice and hosts: of an inference, and of all pairs.
    let mut times = Vec::new();
    for (overhead, wan) in PLAUSIBLE {
        let network = |hosts, seed| Network::four_clusters(hosts, wan, seed);
        let of = |hosts: usize| seconds(&|seed| network(hosts / 4, seed), overhead);
        times.push(counts.into_iter().map(of).collect::<Result<Vec<_>, _>>()?);
    }
    let cluster = |seed| Network::cluster(Cluster::Star, HOSTS, seed);
    let single = PLAUSIBLE.map(|(overhead, _)| seconds(&cluster, overhead));
    let single = single.into_iter().collect::<Result<Vec<_>, _>>()?;
    let more = |times: &[[f64; 2]], at: usize| 100.0 * (times[at][1] / times[at][0] - 1.0);
    let row = |of: &str, published: f64, found: &dyn Fn(usize) -> f64| {
        let others = (0..PLAUSIBLE.len()).map(found);
        Row::number(of, published, found(0), 0, 0.2).open(TIMES, others)
    };
    let rows = vec![
        row("cluster 1, 64 hosts, seconds", 5.0, &|at| single[at][0]),
        row("four clusters, 256 hosts, seconds", 15.0, &|at| {
            times[at][3][0]
        }),
        row("192 hosts, all pairs, per cent more", 20.0, &|at| {
            more(&times[at], 2)
        }),
        row("256 hosts, all pairs, per cent more", 50.0, &|at| {
            more(&times[at], 3)
        }),
    ];
    let curve = |(of, name): (usize, &str)| {
        let points = counts.iter().zip(&times[0]);
        let points = points.map(|(&hosts, times)| (hosts as f64, times[of]));
        Curve::new(name, points.collect())
    };
    Ok(Findings::of(rows).drawn([Drawing {
        name: "figure-5.7".into(),
        title: "Time of an inference, and of measuring all pairs, four clusters".into(),
        over: "hosts",
        value: "s",
        scales: [Scale::Linear; 2],
        curves: [(0, "inference"), (1, "all pairs")].map(curve).into(),
    }]))
}

/// Returns seconds of an inference, and of measuring all pairs: means over the seeds.
///
/// For all pairs each host measures those before it one after the other from the start. It answers
/// any number at a time (the thesis's section 5.3).
fn seconds(network: &dyn Fn(u64) -> Network, overhead: f64) -> Result<[f64; 2], Box<dyn Error>> {
    let mut sums = [0.0; 2];
    for seed in 1..=SEEDS {
        let network = network(seed);
        let simulator = || Simulator::new(&network, Noise::default(), seed).with_overhead(overhead);
        let (_, inferring) = inferred(&network, &Setting::published(), seed, simulator())?;
        let last = |host: usize| {
            let mut probe = simulator();
            for other in 0..host {
                probe.begin(host, other);
                probe.finish();
            }
            probe.elapsed()
        };
        let all = (1..network.tree.hosts()).map(last).fold(0.0, f64::max);
        sums[0] += inferring / SEEDS as f64;
        sums[1] += all / SEEDS as f64;
    }
    Ok(sums)
}

/// Repeats figure 5.8: pairs that are measured, inside cluster 1 and from there to others.
pub(crate) fn figure_5_8(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let settings = [
        Setting::published(),
        Setting {
            pruning: Pruning::Printed,
            ..Setting::published()
        },
    ];
    let mut inside = Vec::new();
    for setting in &settings {
        for link in [19.0, 10.0, 5.0] {
            let cluster = |seed| Network::cluster_with_links(Cluster::Star, HOSTS, link, seed);
            inside.push(mean(cluster, setting, [true, false])?);
        }
    }
    let whole = |seed| four(HOSTS, seed);
    let outside = mean(whole, &settings[0], [false, true])?;
    let cluster = |seed| Network::cluster(Cluster::Star, HOSTS, seed);
    let ours = mean(cluster, &Setting::default(), [true, false])?;
    let of = "per cent of the pairs inside cluster 1";
    let of_others = "per cent of the pairs of cluster 1 and others";
    let rows = vec![
        Row::number(of, 38.0, inside[0], 0, 0.1).open(RULE, inside),
        Row::number(of_others, 2.0, outside, 0, 0.2).open(WHOLE, [2.0 * outside]),
    ];
    let note = format!("Inside cluster 1, {ours:.1} % by our method.");
    Ok(Findings::of(rows).noted([note]))
}

/// Returns the per cent of pairs of the first hosts, or of these and others, that are measured: a
/// mean over the seeds.
fn mean(
    network: impl Fn(u64) -> Network,
    setting: &Setting,
    [inside, outside]: [bool; 2],
) -> Result<f64, Box<dyn Error>> {
    let mut sum = 0.0;
    for seed in 1..=SEEDS {
        let network = network(seed);
        let inference = inference(&network, setting, seed)?;
        let is_first = |host: u32| (host as usize) < HOSTS;
        let counted = inference.measurements.iter().filter(|measurement| {
            let (a, b) = measurement.pair;
            match (is_first(a), is_first(b)) {
                (true, true) => inside,
                (false, false) => false,
                _ => outside,
            }
        });
        let others = network.tree.hosts() - HOSTS;
        let pairs =
            usize::from(inside) * HOSTS * (HOSTS - 1) / 2 + usize::from(outside) * HOSTS * others;
        sum += 100.0 * counted.count() as f64 / pairs as f64;
    }
    Ok(sum / SEEDS as f64)
}
