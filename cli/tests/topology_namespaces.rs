//! Hosts in network namespaces of one machine, with known delays between them. Needs root, and is skipped elsewhere.
#![cfg(target_os = "linux")]

mod namespaces;
mod servers;

use std::{env, process::Command, time::Duration};

use superstep_machine::topology::Tree;

use self::{
    namespaces::{Network, address},
    servers::{Servers, temporary, text},
};

/// 14 hosts on 3 sites with two switches each: links of 40 and 50 us, and 300 to 600 us between the sites.
const SITES: &str = "(((h0:40,h1:40,h2:40):50,(h3:40,h4:40):50):300,\
    ((h5:40,h6:40):50,(h7:40,h8:40):50):400,\
    ((h9:40,h10:40,h11:40):50,(h12:40,h13:40):50):600);";

/// One-way latency of whoever measures to all hosts.
const ASIDE: Duration = Duration::from_micros(20);

/// Uniform in (0, 1], by SplitMix64.
fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (((z ^ (z >> 31)) >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// The network, or a message why there is none.
fn network(
    hosts: usize,
    delay: impl FnMut(usize, usize) -> Duration + Send + 'static,
) -> Option<Network> {
    Network::new(hosts, delay)
        .map_err(|error| eprintln!("skipped, as there are no namespaces: {error}"))
        .ok()
}

fn servers(network: &Network, test: &str, hosts: usize) -> Servers {
    let at = |host| (network.superstep(host), format!("{}:7000", address(host)));
    Servers::start(test, (0..hosts).map(at).collect())
}

/// Result of an inference: the tree, or that noise was too large.
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
    let mut random = 1;
    let delay = move |from: usize, to: usize| {
        if from.max(to) == hosts {
            return ASIDE;
        }
        // Queues add some microseconds.
        let jitter = -5.0 * unit(&mut random).ln();
        Duration::from_secs_f64((tree.distance(from as u32, to as u32) + jitter) / 1e6)
    };
    let Some(network) = network(hosts, delay) else {
        return;
    };
    let servers = servers(&network, "sites", hosts);
    // For those who want to know how often.
    let orders = env::var("SUPERSTEP_HOST_ORDERS").map_or(3, |orders| orders.parse().unwrap());
    let (mut exact, mut noisy) = (0, 0);
    for seed in 1..=orders {
        match infer(&servers, network.superstep(hosts), seed) {
            Some(tree) => {
                let difference = tree.difference(&truth);
                exact += usize::from(difference.is_empty());
                eprintln!("order {seed}: {difference:?}: {}", tree.newick());
            }
            None => noisy += 1,
        }
    }
    eprintln!("{exact} of {orders} orders exact, {noisy} refused for noise");
    assert!(exact > 0 || noisy > 0);
}
