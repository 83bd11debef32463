//! Trees of bandwidths, and broadcasts (figures 6.2 to 6.4).

use std::convert::Infallible;
use std::error::Error;

use superstep_network::topology::{
    Setting, Tree, bandwidth, broadcast::pipeline_bandwidth, simulated::Network,
};
use superstep_random::SplitMix64;

use super::{HOSTS, SEEDS, four, fourth, inference};
use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Choice on which the seconds depend.
const SECONDS: &str = "how long a measurement of a bandwidth takes";

/// Plausible seconds of a measurement: that of the findings first.
const MEASUREMENTS: [f64; 3] = [2.0, 1.0, 10.0];

/// Bits of a window of TCP: 64 KiB, the largest without scaling. With it two hosts that are 5 ms
/// from each other get 105 Mb/s, of the 100 that the thesis has.
const TCP_WINDOW: f64 = 65_536.0 * 8.0;

/// Megabits a second of a link.
const LINK: f64 = 1000.0;

/// Links of a trunk between switches of a cluster.
const TRUNK: f64 = 4.0;

/// Pairs of hosts that are asked about.
const PAIRS: usize = 10_000;

/// Returns the capacities of the true tree: trunks lie between switches.
fn capacities(tree: &Tree) -> Vec<f64> {
    let hosts = tree.hosts() as u32;
    let first = tree.links().next().map(|link| link.between[1]);
    let vertices = 0..tree.preorder().len() as u32;
    let is_host = |vertex: u32| vertex < hosts || Some(vertex) == first;
    vertices
        .map(|vertex| if is_host(vertex) { LINK } else { TRUNK * LINK })
        .collect()
}

/// Bandwidths of pairs that are used at once, in megabits a second.
fn at_once(tree: &Tree, capacities: &[f64], pairs: &[(u32, u32)]) -> Vec<f64> {
    let mut uses = vec![0.0; tree.preorder().len()];
    let paths: Vec<Vec<u32>> = pairs.iter().map(|&(a, b)| tree.path(a, b)).collect();
    paths
        .iter()
        .flatten()
        .for_each(|&link| uses[link as usize] += 1.0);
    let bandwidth = |(path, &(a, b)): (&Vec<u32>, &(u32, u32))| {
        let link = |&link: &u32| capacities[link as usize] / uses[link as usize];
        // Bits over microseconds are megabits a second.
        let window = TCP_WINDOW / (2.0 * tree.distance(a, b));
        path.iter().map(link).fold(window, f64::min)
    };
    paths.iter().zip(pairs).map(bandwidth).collect()
}

/// Repeats figure 6.2: time of measuring the bandwidths of all links.
pub(crate) fn figure_6_2(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let counts = [64, 128, 192, 256];
    let mut rounds = Vec::new();
    for hosts in counts {
        let network = four(hosts / 4, 1);
        let inferred = inference(&network, &Setting::published(), 1)?;
        let stages = bandwidth::schedule(&inferred.tree);
        rounds.push(stages.iter().map(Vec::len).sum::<usize>() as f64);
    }
    let (first, last) = (rounds[0], rounds[counts.len() - 1]);
    let rows = vec![
        Row::number("256 hosts, seconds", 30.0, MEASUREMENTS[0] * last, 0, 0.1)
            .open(SECONDS, MEASUREMENTS.map(|seconds| seconds * last)),
        Row::statement(
            "with more hosts the time grows little",
            format!("{first} rounds of 64 hosts, {last} of 256"),
            last < 2.0 * first,
        ),
    ];
    let points = counts.iter().zip(&rounds);
    let points = points.map(|(&hosts, rounds)| (hosts as f64, MEASUREMENTS[0] * rounds));
    let each = MEASUREMENTS[0];
    let drawing = Drawing {
        name: "figure-6.2".into(),
        title: format!("Time of a tree of bandwidths, {each} s a measurement"),
        over: "hosts",
        value: "s",
        scales: [Scale::Linear; 2],
        curves: vec![Curve::new("four clusters", points.collect())],
    };
    let note = format!("With {:.1} s a measurement it is 30 s.", 30.0 / last);
    Ok(Findings::of(rows).drawn([drawing]).noted([note]))
}

/// Repeats figure 6.3: bandwidths that a tree of bandwidths tells, by those that two hosts get.
pub(crate) fn figure_6_3(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let one = ratios("one cluster", &fourth(1))?;
    let all = ratios("four clusters", &four(HOSTS, 1))?;
    let exact = |curve: &Curve| {
        let points = curve.points.iter();
        let near = points.filter(|point| (0.9..1.1).contains(&point.1));
        near.count() as f64 / curve.points.len() as f64
    };
    let rows = vec![
        Row::statement(
            "in one cluster the bandwidths are nearly exact",
            format!("{:.1} % of the pairs are within 10 %", 100.0 * exact(&one)),
            exact(&one) > 0.95,
        ),
        Row::statement(
            "of four clusters some are told larger than they are",
            format!(
                "{:.1} % of the pairs are within 10 %, the largest is {:.2} times as large",
                100.0 * exact(&all),
                all.range()[2]
            ),
            all.range()[2] > 1.1,
        ),
    ];
    let drawing = Drawing {
        name: "figure-6.3".into(),
        title: "Bandwidths of the tree by those that two hosts get, pairs in ascending order"
            .into(),
        over: "part of the pairs",
        value: "ratio",
        scales: [Scale::Linear; 2],
        curves: vec![one, all],
    };
    let note =
        "Two hosts get what their links have, and at most a window of 64 KiB in a round trip.";
    Ok(Findings::of(rows).drawn([drawing]).noted([note]))
}

/// Returns the ratios of random pairs, in ascending order.
fn ratios(name: &str, network: &Network) -> Result<Curve, Box<dyn Error>> {
    let truth = &network.tree;
    let capacities = capacities(truth);
    let inferred = inference(network, &Setting::published(), 1)?;
    let measured = bandwidth::measure(&inferred.tree, |pairs| {
        Ok::<_, Infallible>(at_once(truth, &capacities, pairs))
    });
    let Ok(measured) = measured;
    let mut random = SplitMix64::new(1);
    let mut ratios = Vec::new();
    while ratios.len() < PAIRS {
        let [a, b] = [(); 2].map(|()| random.below(truth.hosts()) as u32);
        if a != b {
            let real = at_once(truth, &capacities, &[(a, b)])[0];
            ratios.push(measured.between(&inferred.tree, a, b) / real);
        }
    }
    ratios.sort_unstable_by(f64::total_cmp);
    let points = ratios.into_iter().enumerate().step_by(PAIRS / 100);
    let points = points.map(|(at, ratio)| (at as f64 / PAIRS as f64, ratio));
    Ok(Curve::new(name, points.collect()))
}

/// Repeats figure 6.4: bandwidths of broadcasts in cluster 4, by that of the best order.
pub(crate) fn figure_6_4(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let mut sums = [0.0; 3];
    for seed in 1..=SEEDS {
        let network = fourth(seed);
        let truth = &network.tree;
        let capacities = capacities(truth);
        let inferred = inference(&network, &Setting::published(), seed)?;
        let mut order: Vec<u32> = (0..truth.hosts() as u32).collect();
        SplitMix64::new(seed).shuffle(&mut order);
        for (sum, order) in
            sums.iter_mut()
                .zip([truth.depth_first(), inferred.tree.depth_first(), order])
        {
            *sum += pipeline_bandwidth(truth, &capacities, &order) / SEEDS as f64;
        }
    }
    let [best, ours, random] = sums;
    let rows = vec![
        Row::number("inferred order, by the best", 0.88, ours / best, 2, 0.15),
        Row::number("random order, by the best", 0.23, random / best, 2, 0.15),
    ];
    let note = format!(
        "The best order has {best:.0} Mb/s: the 624 of the thesis are what programs reach on a real cluster."
    );
    Ok(Findings::of(rows).noted([note]))
}
