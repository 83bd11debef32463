//! The walk of `docs/MEASURE_YOUR_MACHINE.md` over eight hosts: network namespaces of one machine,
//! on 2 sites with 2 switches each. Needs root, and is skipped elsewhere.
#![cfg(target_os = "linux")]

mod namespaces;
mod servers;

use std::{fs, path::PathBuf, process::Command, thread, time::Duration};

use superstep_machine::Machine;
use superstep_network::{Cluster, MachineFile, topology::Tree};

use self::{
    namespaces::{Cables, Network, address},
    servers::{Process, Servers, temporary, text},
};

/// Links of 40 us to switches, 150 us from there, and 1 ms between the sites.
const SITES: &str =
    "(((h0:40,h1:40):150,(h2:40,h3:40):150):1000,((h4:40,h5:40):150,(h6:40,h7:40):150):1000);";

/// One-way latency of whoever measures to all hosts.
const ASIDE: Duration = Duration::from_micros(20);

/// Mbit/s of hosts, switches, and the link between the sites.
const MBITS: [f64; 3] = [40.0, 20.0, 10.0];

/// Returns the tree, and the bandwidth of each link: the more hosts are behind it, the less.
fn cluster() -> (Tree, Vec<f64>) {
    let tree: Tree = SITES.parse().unwrap();
    let mut mbits = vec![MBITS[0]; tree.preorder().len()];
    for (link, behind) in tree.splits() {
        let fewer = behind.len().min(tree.hosts() - behind.len());
        mbits[link as usize] = match fewer {
            1 => MBITS[0],
            2 => MBITS[1],
            _ => MBITS[2],
        };
    }
    (tree, mbits)
}

fn network() -> Option<Network> {
    let (tree, mbits) = cluster();
    let hosts = tree.hosts();
    let mut cables = Cables::new(tree, mbits);
    Network::new(hosts, move |from, to, bytes| {
        if from.max(to) == hosts {
            return Some(ASIDE);
        }
        cables.send(from as u32, to as u32, bytes)
    })
}

#[test]
#[ignore = "needs root"]
fn a_cluster_is_measured() {
    let Some(network) = network() else {
        return;
    };
    let at = |host| (network.superstep(host), format!("{}:7000", address(host)));
    let servers = Servers::start("measure", (0..8).map(at).collect());
    let out = temporary("machine.toml");
    let arguments = [
        "measure",
        "--task",
        "2",
        "--samples",
        "40",
        "--stream",
        "0.5",
        "--at-a-time",
        "1",
        "--out",
    ];
    let arguments = [&arguments[..], &[out.to_str().unwrap()]].concat();
    let output = servers.measure(network.superstep(8), &arguments);
    eprintln!("{}\n{}", text(&output.stdout), text(&output.stderr));
    eprintln!("{}", fs::read_to_string(&out).unwrap());
    assert!(output.status.success());
}
