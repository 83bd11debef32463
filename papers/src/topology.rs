//! Inference of topologies in simulated clusters, beside what its thesis published (Shirai 2007,
//! chapter 5).
//!
//! Errors are the thesis's: they are of 100 000 random pairs of paths. False positives share a link
//! in the inferred tree and not in the true one, as a part of all that do not; false negatives are
//! the reverse; errors in all are both as a part of all. Milliseconds between sites are read as
//! round trips. Seconds are those of pings: as many at a time as the method has, and one after the
//! other.

use std::error::Error;
use std::io::Write;

use superstep_network::topology::{
    Setting, Tree, infer,
    simulated::{Cluster, Network, Noise, Simulator},
};
use superstep_random::SplitMix64;

/// Seeds of networks, noise and order: as many as the reference simulation has, with which rows
/// compare.
const SEEDS: u64 = 3;

/// Random pairs of paths: as many as the thesis takes (its section 5.2.4).
const QUADRUPLES: usize = 100_000;

/// Writes the table.
///
/// # Errors
/// When `out` can't be written.
pub fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    writeln!(
        out,
        "Published: 64 hosts of one cluster in 4 s, of cluster 1 from 38 % of the pairs; 256 hosts of four clusters in 15 s; errors up to 0.2.\n"
    )?;
    writeln!(
        out,
        "| network | method | pairs | % | false positives | false negatives | errors | extra splits | missing | s | s one by one |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|---|")?;
    let one = |number: usize, seed| Network::cluster(Cluster::ALL[number - 1], 64, seed);
    for number in 1..=4 {
        let name = format!("cluster {number}, 64 hosts");
        rows(out, &name, |seed| one(number, seed))?;
    }
    rows(out, "four clusters, 64 hosts", |seed| {
        Network::four_clusters(16, 1000.0, seed)
    })?;
    rows(out, "four clusters, 256 hosts", |seed| {
        Network::four_clusters(64, 1000.0, seed)
    })
}

/// Writes a row for the published method and one for ours, means over the seeds.
fn rows(
    out: &mut dyn Write,
    name: &str,
    network: impl Fn(u64) -> Network,
) -> Result<(), Box<dyn Error>> {
    for (method, setting) in [
        ("published", Setting::published()),
        ("ours", Setting::default()),
    ] {
        let mut sum = [0.0; 9];
        for seed in 1..=SEEDS {
            let network = network(seed);
            let setting = Setting {
                seed,
                ..setting.clone()
            };
            let figures = figures(&network, &setting)?;
            sum.iter_mut()
                .zip(figures)
                .for_each(|(sum, one)| *sum += one);
        }
        let [
            pairs,
            percent,
            positives,
            negatives,
            errors,
            extra,
            missing,
            time,
            alone,
        ] = sum.map(|sum| sum / SEEDS as f64);
        writeln!(
            out,
            "| {name} | {method} | {pairs:.0} | {percent:.1} | {positives:.3} | {negatives:.3} | {errors:.3} | {extra:.1} | {missing:.1} | {time:.1} | {alone:.1} |"
        )?;
    }
    Ok(())
}

fn figures(network: &Network, setting: &Setting) -> Result<[f64; 9], Box<dyn Error>> {
    let truth = &network.tree;
    let mut probe = Simulator::new(network, Noise::default(), setting.seed);
    let inference = infer(truth.names(), &mut probe, setting, |_| {})?;
    let hosts = truth.hosts() as f64;
    let pairs = inference.measurements.len() as f64;
    let percent = 200.0 * pairs / (hosts * (hosts - 1.0));
    let difference = inference.tree.difference(truth);
    let [positives, negatives, errors] = errors(&inference.tree, truth);
    Ok([
        pairs,
        percent,
        positives,
        negatives,
        errors,
        difference.extra.len() as f64,
        difference.missing.len() as f64,
        probe.elapsed(),
        probe.one_by_one(),
    ])
}

/// Returns the false positives, false negatives and errors in all of whether two paths share a
/// link.
fn errors(tree: &Tree, truth: &Tree) -> [f64; 3] {
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
    [
        part(apart[1], apart[0] + apart[1]),
        part(shared[0], shared[0] + shared[1]),
        part(apart[1] + shared[0], QUADRUPLES),
    ]
}
