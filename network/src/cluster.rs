//! Clusters: the table `[network]` of machine files.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, de};

use superstep_machine::{InvalidValue, MachineFileError};

use crate::MachineFile;
use crate::topology::Tree;

/// Cluster: hosts that run the processors of a machine file, and the tree of the network between
/// them.
///
/// ```
/// use std::path::Path;
/// use superstep_network::MachineFile;
///
/// let file = "
///     processors = 8
///     [network]
///     tree = '(a:10,b:10,(c:10,d:10):500);' # one-way latencies in us
///     processors = 2                        # of each host, in the order of their names
///     setup = 45.0                          # us of opening a connection to a host
///     [[network.links]]
///     hosts = ['c', 'd']                    # behind the link, as seen from the first host
///     bandwidth = 100.0                     # Mbit/s
/// ";
/// let file = MachineFile::from_toml(file, Path::new("machine.toml"))?;
/// let cluster = file.cluster().expect("it has one");
/// assert_eq!(cluster.bandwidth(0, 3), 100.0);
/// // Links that were not measured are taken to be wide.
/// assert_eq!(cluster.bandwidth(0, 1), f64::INFINITY);
/// # Ok::<(), superstep_machine::MachineFileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    #[serde(deserialize_with = "newick")]
    tree: Tree,
    /// Processors of each host.
    #[serde(default = "one")]
    processors: u32,
    /// Time that a connection to a host takes until its first byte leaves, in microseconds.
    #[serde(default)]
    setup: f64,
    #[serde(default)]
    links: Vec<ClusterLink>,
}

/// Link of a cluster whose bandwidth was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterLink {
    /// Names of the hosts behind it, as seen from the first host.
    pub hosts: Vec<String>,
    /// Bandwidth in Mbit/s, above 0.
    pub bandwidth: f64,
}

/// Reason for which a machine file gives no cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The file could not be read, or has a defect.
    #[error(transparent)]
    File(#[from] MachineFileError),
    /// The machine was not measured from a cluster.
    #[error("{}: the machine file has no tree of hosts: a table `[network]`, as `cargo superstep measure` writes it", .0.display())]
    None(PathBuf),
}

fn one() -> u32 {
    1
}

fn newick<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(de::Error::custom)
}

impl Cluster {
    /// Makes a cluster of hosts with so many processors each; `setup` is in microseconds, and
    /// bandwidths, in Mbit/s, stand by the far end of their link as seen from host 0.
    pub fn new(tree: Tree, processors: u32, setup: f64, bandwidths: &[f64]) -> Self {
        let name = |&host: &u32| tree.names()[host as usize].clone();
        let link = |(link, hosts): (u32, Vec<u32>)| ClusterLink {
            hosts: hosts.iter().map(name).collect(),
            bandwidth: bandwidths[link as usize],
        };
        let links = tree.splits().map(link).collect();
        Self {
            tree,
            processors,
            setup,
            links,
        }
    }

    /// Reads the cluster of a machine file.
    ///
    /// # Errors
    /// As [`MachineFile::read`], and when the file has no cluster.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ClusterError> {
        let path = path.as_ref();
        let file = MachineFile::read(path)?;
        let cluster = file.cluster().cloned();
        cluster.ok_or_else(|| ClusterError::None(path.into()))
    }

    /// Checks that the cluster has the processors of the machine, and its numbers are in range.
    pub(crate) fn validate(&self, processors: u32) -> Result<(), InvalidValue> {
        let count = self.tree.hosts() as f64 * f64::from(self.processors);
        if count != f64::from(processors) {
            let wanted = "those of the hosts of the `tree` in all";
            return Err(InvalidValue::new(
                "processors",
                f64::from(processors),
                wanted,
            ));
        }
        if !(self.setup.is_finite() && self.setup >= 0.0) {
            let wanted = "a finite number, at least 0";
            return Err(InvalidValue::new("setup", self.setup, wanted));
        }
        let is_wide = |link: &&ClusterLink| link.bandwidth > 0.0;
        match self.links.iter().find(|link| !is_wide(link)) {
            Some(link) => {
                let wanted = "a number above 0";
                Err(InvalidValue::new("bandwidth", link.bandwidth, wanted))
            }
            None => Ok(()),
        }
    }

    /// Returns the tree of the hosts; latencies are in microseconds.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the number of processors of each host.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// Returns the microseconds that a connection to a host takes until its first byte leaves.
    pub fn setup(&self) -> f64 {
        self.setup
    }

    /// Returns the bandwidth of each link in Mbit/s, by its far end as seen from host 0; it is
    /// infinite where it was not measured.
    pub fn bandwidths(&self) -> Vec<f64> {
        let mut bandwidths = vec![f64::INFINITY; self.tree.preorder().len()];
        for (link, behind) in self.tree.splits() {
            let is_of = |hosts: &[String]| {
                let name = |&host: &u32| &self.tree.names()[host as usize];
                hosts.len() == behind.len() && behind.iter().map(name).all(|n| hosts.contains(n))
            };
            let found = self.links.iter().find(|link| is_of(&link.hosts));
            bandwidths[link as usize] = found.map_or(f64::INFINITY, |found| found.bandwidth);
        }
        bandwidths
    }

    /// Returns the bandwidth between two hosts in Mbit/s: the least of their path.
    pub fn bandwidth(&self, a: u32, b: u32) -> f64 {
        let bandwidths = self.bandwidths();
        let path = self.tree.path(a, b).into_iter();
        path.map(|link| bandwidths[link as usize])
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the bandwidth of a host's own link in Mbit/s: that to its switch.
    pub fn own_bandwidth(&self, host: u32) -> f64 {
        let is_of_host = |link: &u32| *link == host || self.tree.parent(*link) == Some(host);
        let links = 1..self.tree.preorder().len() as u32;
        let bandwidths = self.bandwidths();
        let own = links
            .filter(is_of_host)
            .map(|link| bandwidths[link as usize]);
        own.fold(f64::INFINITY, f64::min)
    }

    /// Returns the table as it stands in a machine file.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "# Hosts, in the order of their processors; one-way latencies in us.\n\
             [network]\ntree = {:?}\nprocessors = {}\n\
             # Microseconds of opening a connection, until its first byte leaves.\nsetup = {:?}\n",
            self.tree.newick(),
            self.processors,
            self.setup
        );
        for ClusterLink { hosts, bandwidth } in &self.links {
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "\n[[network.links]]\nhosts = {hosts:?}\nbandwidth = {bandwidth:?} # Mbit/s\n"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MachineFile, MachineFileError> {
        MachineFile::from_toml(text, Path::new("m.toml"))
    }

    #[test]
    fn a_cluster_is_read_as_it_was_written() {
        let tree: Tree = "(a:10,b:10,(c:12,d:12):7);".parse().expect("it is a tree");
        let bandwidths: Vec<f64> = (0..6).map(|link| 100.0 + f64::from(link)).collect();
        let cluster = Cluster::new(tree, 2, 41.5, &bandwidths);
        let text = format!("processors = 8\n{}", cluster.to_toml());
        let file = parse(&text).expect("it is valid");
        assert_eq!(file.cluster(), Some(&cluster));
        assert_eq!(cluster.bandwidths()[1..], bandwidths[1..]);
        let least = |a, b| {
            let path = cluster.tree().path(a, b);
            path.iter()
                .map(|&link| bandwidths[link as usize])
                .fold(f64::MAX, f64::min)
        };
        for (a, b) in [(0, 1), (0, 2), (2, 3)] {
            assert_eq!(cluster.bandwidth(a, b), least(a, b));
        }
    }

    #[test]
    fn clusters_are_checked() {
        let error = |network: &str| {
            let text = format!("processors = 4\n[network]\n{network}");
            parse(&text).expect_err("it has a defect").to_string()
        };
        let tree = "tree = '(a:10,b:10);'\n";
        assert_eq!(
            error(tree),
            "m.toml:1: `processors` must be those of the hosts of the `tree` in all, not 4"
        );
        let tree = &format!("{tree}processors = 2\n");
        assert_eq!(
            error(&format!("{tree}setup = -1")),
            "m.toml:5: `setup` must be a finite number, at least 0, not -1"
        );
        let link = "[[network.links]]\nhosts = ['b']\nbandwidth = 0.0";
        assert_eq!(
            error(&format!("{tree}{link}")),
            "m.toml:7: `bandwidth` must be a number above 0, not 0"
        );
        assert!(error("tree = '(a:10'").starts_with("m.toml:3: "));
        assert!(error(&format!("{tree}colour = 1")).contains("unknown field `colour`"));
    }
}
