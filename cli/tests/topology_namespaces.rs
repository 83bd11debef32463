//! Hosts in network namespaces of one machine, with known delays between them. Needs root, and is
//! skipped elsewhere.
#![cfg(target_os = "linux")]

mod namespaces;
mod servers;

use std::{env, process::Command, time::Duration};

use superstep_network::{
    latency::{Distribution, Maximum, Samples, fit},
    topology::Tree,
};
use superstep_random::SplitMix64;

use self::{
    namespaces::{Network, address},
    servers::{Servers, temporary, text},
};

/// 14 hosts on 3 sites with two switches each: links of 40 and 50 us, and 300 to 600 us between the
/// sites.
const SITES: &str = "(((h0:40,h1:40,h2:40):50,(h3:40,h4:40):50):300,\
    ((h5:40,h6:40):50,(h7:40,h8:40):50):400,\
    ((h9:40,h10:40,h11:40):50,(h12:40,h13:40):50):600);";

/// The splits of hosts that the links between the sites make.
const BETWEEN_SITES: [&[u32]; 3] = [
    &[5, 6, 7, 8],
    &[9, 10, 11, 12, 13],
    &[5, 6, 7, 8, 9, 10, 11, 12, 13],
];

/// One-way latency of whoever measures to all hosts.
const ASIDE: Duration = Duration::from_micros(20);

/// Draws a number from 0 to 1, without 0.
fn unit(random: &mut SplitMix64) -> f64 {
    ((random.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

fn servers(network: &Network, test: &str, hosts: usize) -> Servers {
    let at = |host| (network.superstep(host), format!("{}:7000", address(host)));
    Servers::start(test, (0..hosts).map(at).collect())
}

/// Infers the tree; none if noise was too large.
fn infer(servers: &Servers, command: Command, seed: u64) -> Option<Tree> {
    let out = temporary("namespaces.json");
    let seed = seed.to_string();
    let arguments = [
        "topology",
        "infer",
        "--at-a-time",
        "1",
        "--seed",
        &seed,
        "--out",
        out.to_str().unwrap(),
    ];
    let output = servers.measure(command, &arguments);
    let errors = text(&output.stderr);
    if output.status.success() {
        return Some(Tree::read(out).unwrap());
    }
    eprintln!("{errors}");
    let noise = ["noise too large to tell", "contradicts the others"];
    assert!(noise.iter().any(|noise| errors.contains(noise)), "{errors}");
    None
}

#[test]
#[ignore = "needs root and an idle machine"]
fn three_sites_are_found() {
    let truth: Tree = SITES.parse().unwrap();
    let hosts = truth.hosts();
    let tree = truth.clone();
    let mut random = SplitMix64::new(1);
    let delay = move |from: usize, to: usize, _: usize| {
        if from.max(to) == hosts {
            return Some(ASIDE);
        }
        // Queues add some microseconds.
        let jitter = -5.0 * unit(&mut random).ln();
        let latency = tree.distance(from as u32, to as u32) + jitter;
        Some(Duration::from_secs_f64(latency / 1e6))
    };
    let Some(network) = Network::new(hosts, delay) else {
        return;
    };
    let servers = servers(&network, "sites", hosts);
    // For those who want to know how often.
    let orders = env::var("SUPERSTEP_HOST_ORDERS").map(|orders| orders.parse().unwrap());
    let (mut exact, mut coarse, mut noisy, mut wrong) = (0, 0, 0, 0);
    for seed in 1..=orders.clone().unwrap_or(3) {
        match infer(&servers, network.superstep(hosts), seed) {
            Some(tree) => {
                // Beside other work the noise hides links of 50 us, never those of hundreds.
                let difference = tree.difference(&truth);
                let lost = |site: &&[u32]| difference.missing.iter().any(|split| split == site);
                if difference.is_empty() {
                    exact += 1;
                } else {
                    eprintln!("order {seed}: {difference:?}: {}", tree.newick());
                    if difference.extra.is_empty() && !BETWEEN_SITES.iter().any(lost) {
                        coarse += 1;
                    } else {
                        wrong += 1;
                    }
                }
            }
            None => noisy += 1,
        }
        if orders.is_err() && exact + coarse > 0 {
            break;
        }
    }
    eprintln!("{exact} exact, {coarse} without switches, {wrong} wrong, {noisy} refused for noise");
    assert!(exact + coarse > 0 || wrong < noisy);
}

/// Hosts with which the first exchanges pings, their shortest round trips in microseconds, and the
/// shapes.
const TAILS: [(f64, f64); 8] = [
    (3000.0, 6.0),
    (2500.0, 5.0),
    (3200.0, 9.0),
    (2800.0, 7.0),
    (3100.0, 6.5),
    (2000.0, 4.0),
    (3300.0, 12.0),
    (2900.0, 8.0),
];

#[test]
#[ignore = "needs root"]
fn the_slowest_of_many_pings_is_as_late_as_their_tails_say() {
    let hosts = TAILS.len() + 1;
    let mut random = SplitMix64::new(7);
    let delay = move |from: usize, to: usize, _: usize| {
        let (Some(&(least, shape)), true) =
            (TAILS.get((from + to).wrapping_sub(1)), from.min(to) == 0)
        else {
            return Some(ASIDE);
        };
        let tail = match to {
            0 => least * (unit(&mut random).powf(-1.0 / shape) - 1.0),
            _ => 0.0,
        };
        Some(Duration::from_secs_f64((least / 2.0 + tail) / 1e6))
    };
    let Some(network) = Network::new(hosts, delay) else {
        return;
    };
    let servers = servers(&network, "tails", hosts);
    // Other work on the machine adds to tails of its own: a quiet minute in three is enough.
    let is_quiet = (0..3).any(|_| {
        let [seen, expected, largest] = tails(&servers, network.superstep(hosts));
        eprintln!("mean maximum {seen:.3} ms, expected {expected:.3}, largest mean {largest:.3}");
        // No mean of one path comes near it.
        (seen / expected - 1.0).abs() < 0.1 && seen > 1.15 * largest
    });
    assert!(
        is_quiet,
        "the slowest pings are not as late as their tails say"
    );
}

/// Records pings. Returns the mean of their maxima, that of the maximum of the paths' fitted tails,
/// and that of the slowest path, in milliseconds.
fn tails(servers: &Servers, superstep: Command) -> [f64; 3] {
    let out = temporary("tails.csv");
    let recording = ["topology", "record", "--samples", "500", "--out"];
    let arguments = [&recording[..], &[out.to_str().unwrap()]].concat();
    let output = servers.measure(superstep, &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let samples = Samples::read(&out).unwrap();
    assert_eq!((samples.paths(), samples.periods()), (TAILS.len(), 500));
    let fits: Vec<Distribution> = (0..samples.paths())
        .map(|path| fit::guarded_pareto(samples.path(path)).unwrap())
        .collect();
    eprintln!("{fits:?}");
    let seen = (0..500).map(|period| samples.maximum(period)).sum::<f64>() / 500.0;
    let largest = fits.iter().map(Distribution::mean).fold(0.0, f64::max);
    [seen, Maximum::of(&fits).mean(), largest]
}
