//! Clusters: the table `[network]` of machine files.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, de};

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
///     hosts = ['c', 'd']                    # on one side of the link
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
#[serde(try_from = "Table")]
pub struct Cluster {
    tree: Tree,
    processors: u32,
    setup: Option<f64>,
    /// Bandwidth of each link, by its far end as seen from host 0; infinite where it is not known.
    bandwidths: Vec<f64>,
}

/// Cluster as it stands in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(deserialize_with = "newick")]
    tree: Tree,
    /// Processors of each host.
    #[serde(default = "one")]
    processors: u32,
    /// Time in which a connection is opened and its first byte leaves, in microseconds.
    #[serde(default, deserialize_with = "time")]
    setup: Option<f64>,
    #[serde(default)]
    links: Vec<Link>,
}

/// Link whose bandwidth is known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    /// Names of the hosts on one side of it.
    hosts: Vec<String>,
    /// Bandwidth in Mbit/s.
    #[serde(deserialize_with = "bandwidth")]
    bandwidth: f64,
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

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let time = f64::deserialize(deserializer)?;
    match time.is_finite() && time >= 0.0 {
        true => Ok(Some(time)),
        false => Err(de::Error::custom("a time is a finite number, at least 0")),
    }
}

fn bandwidth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let bandwidth = f64::deserialize(deserializer)?;
    match bandwidth.is_finite() && bandwidth > 0.0 {
        true => Ok(bandwidth),
        false => Err(de::Error::custom(
            "a bandwidth is a number above 0, in Mbit/s",
        )),
    }
}

impl TryFrom<Table> for Cluster {
    type Error = String;

    fn try_from(table: Table) -> Result<Self, String> {
        let tree = table.tree;
        // Hosts that are behind a link are next to each other in depth-first order.
        let (first, after) = tree.spans();
        let places: HashMap<_, _> = tree.names().iter().zip(first.iter().copied()).collect();
        let spans = first.iter().zip(after).map(|(&first, after)| first..after);
        let links: HashMap<_, _> = spans.zip(0..).skip(1).collect();
        let mut bandwidths = vec![f64::INFINITY; tree.preorder().len()];
        for Link { hosts, bandwidth } in table.links {
            let place = |name: &String| {
                let place = places.get(name).copied();
                place.ok_or_else(|| format!("the tree has no host `{name}`"))
            };
            let side = hosts.iter().map(place).collect::<Result<_, _>>()?;
            let behind = behind(side, tree.hosts());
            let link = behind
                .and_then(|behind| links.get(&behind))
                .ok_or_else(|| {
                    let hosts = hosts.join(", ");
                    format!("no link of the tree has just these hosts on one side: {hosts}")
                })?;
            let known = &mut bandwidths[*link];
            if known.is_finite() {
                let hosts = hosts.join(", ");
                return Err(format!("two bandwidths of the link to {hosts}"));
            }
            *known = bandwidth;
        }
        Ok(Self {
            tree,
            processors: table.processors,
            setup: table.setup,
            bandwidths,
        })
    }
}

/// Returns the places behind a link, by those of the hosts on either side of it. The first place is
/// never behind, and those behind are next to each other; `None` where they are not.
fn behind(side: BTreeSet<usize>, hosts: usize) -> Option<Range<usize>> {
    let first = *side.first()?;
    let has_first = first == 0;
    let span = if has_first {
        let before = (0..).zip(&side).take_while(|(at, place)| at == *place);
        let start = before.count();
        start..start + hosts - side.len()
    } else {
        first..first + side.len()
    };
    let is_one_side = side.iter().all(|place| span.contains(place) != has_first);
    is_one_side.then_some(span)
}

impl Cluster {
    /// Makes a cluster of hosts with so many processors each; `setup` is in microseconds, and
    /// bandwidths, in Mbit/s, stand by the far end of their link as seen from host 0.
    pub fn new(tree: Tree, processors: u32, setup: Option<f64>, bandwidths: &[f64]) -> Self {
        let mut bandwidths = bandwidths.to_vec();
        // Nothing lies above host 0.
        bandwidths[0] = f64::INFINITY;
        Self {
            tree,
            processors,
            setup,
            bandwidths,
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

    /// Checks that the cluster has the processors of the machine.
    pub(crate) fn validate(&self, processors: u32) -> Result<(), InvalidValue> {
        let (count, all) = (self.tree.hosts() as u64, f64::from(processors));
        if count * u64::from(self.processors) == u64::from(processors) {
            return Ok(());
        }
        let wanted = "those of the hosts of the `tree` in all";
        Err(InvalidValue::new("processors", all, wanted))
    }

    /// Returns the tree of the hosts; latencies are in microseconds.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the number of processors of each host.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// Returns the microseconds in which a connection is opened and its first byte leaves, where
    /// that was measured.
    pub fn setup(&self) -> Option<f64> {
        self.setup
    }

    /// Returns the bandwidth of each link in Mbit/s, by its far end as seen from host 0. It is
    /// infinite where it was not measured, and of host 0.
    pub fn bandwidths(&self) -> &[f64] {
        &self.bandwidths
    }

    /// Returns the bandwidth between two hosts in Mbit/s: the least of their path.
    pub fn bandwidth(&self, a: u32, b: u32) -> f64 {
        self.tree.narrowest(&self.bandwidths, a, b)
    }

    /// Returns the bandwidth of a host's own link in Mbit/s: that to its switch.
    pub fn own_bandwidth(&self, host: u32) -> f64 {
        let is_own = |link: &u32| *link == host || self.tree.parent(*link) == Some(host);
        let own = (1..self.bandwidths.len() as u32).filter(is_own);
        own.map(|link| self.bandwidths[link as usize])
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the table as it stands in a machine file.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "# Hosts, in the order of their processors; one-way latencies in us.\n\
             [network]\ntree = {}\nprocessors = {}\n",
            quoted(&self.tree.newick()),
            self.processors,
        );
        // Writing to a string does not fail, here and below.
        if let Some(setup) = self.setup {
            let _ = write!(
                text,
                "# Microseconds in which a connection is opened, and its first byte leaves.\n\
                 setup = {setup:?}\n"
            );
        }
        for (link, behind) in self.tree.splits() {
            let bandwidth = self.bandwidths[link as usize];
            if bandwidth.is_finite() {
                let names = behind
                    .iter()
                    .map(|&host| quoted(&self.tree.names()[host as usize]));
                let hosts = names.collect::<Vec<_>>().join(", ");
                let _ = write!(
                    text,
                    "\n[[network.links]]\nhosts = [{hosts}]\nbandwidth = {bandwidth:?} # Mbit/s\n"
                );
            }
        }
        text
    }
}

/// Returns a text as TOML has it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MachineFile, MachineFileError> {
        MachineFile::from_toml(text, Path::new("m.toml"))
    }

    #[test]
    fn a_cluster_is_read_as_it_was_written() {
        // A name in two code points, which Rust's own quotes would escape.
        let text = "(a:10,'e\u{301}':10,(c:12,d:12):7);";
        let tree: Tree = text.parse().expect("it is a tree");
        let bandwidths: Vec<f64> = (0..6).map(|link| 100.0 + f64::from(link)).collect();
        let cluster = Cluster::new(tree, 2, Some(41.5), &bandwidths);
        let text = format!("processors = 8\n{}", cluster.to_toml());
        let file = parse(&text).expect("it is valid");
        assert_eq!(file.cluster(), Some(&cluster));
        assert_eq!(cluster.bandwidths()[1..], bandwidths[1..]);
        let least = |a, b| {
            let path = cluster.tree().path(a, b);
            let links = path.iter().map(|&link| bandwidths[link as usize]);
            links.fold(f64::MAX, f64::min)
        };
        for (a, b) in [(0, 1), (0, 2), (2, 3)] {
            assert_eq!(cluster.bandwidth(a, b), least(a, b));
        }
        // Host 0 has no link of its own number.
        assert_eq!(cluster.own_bandwidth(2), 102.0);
        assert_eq!(cluster.own_bandwidth(0), least(0, 1).max(104.0));
    }

    #[test]
    fn links_are_named_by_either_side() {
        let text = "processors = 3\n[network]\ntree = '(a:1,b:1,c:1);'\n[[network.links]]\nhosts = ['a']\nbandwidth = 5.0";
        let file = parse(text).expect("it is valid");
        let cluster = file.cluster().expect("it has one");
        assert_eq!(cluster.own_bandwidth(0), 5.0);
        assert_eq!(
            [cluster.bandwidth(0, 2), cluster.bandwidth(1, 2)],
            [5.0, f64::INFINITY]
        );
        assert_eq!(cluster.setup(), None);
    }

    #[test]
    fn each_link_of_a_tree_is_named_by_either_side_alone() {
        let text = "(a:1,(b:1,(c:1,d:1):1):1,(e:1,f:1):1,g:1);";
        let tree: Tree = text.parse().expect("it is a tree");
        let links_of = |side: &[u32]| {
            let names = side
                .iter()
                .map(|&host| quoted(&tree.names()[host as usize]));
            let names = names.rev().collect::<Vec<_>>().join(", ");
            let file = parse(&format!(
                "processors = 7\n[network]\ntree = '{text}'\n[[network.links]]\nhosts = [{names}]\nbandwidth = 5.0"
            ));
            let file = file.ok()?;
            let bandwidths = file.cluster().expect("it has one").bandwidths().to_vec();
            let links = (0..).zip(bandwidths).filter(|(_, known)| known.is_finite());
            Some(links.map(|(link, _)| link).collect::<Vec<u32>>())
        };
        for (link, behind) in tree.splits() {
            let others: Vec<u32> = (0..7).filter(|host| !behind.contains(host)).collect();
            assert_eq!(links_of(&behind), Some(vec![link]));
            assert_eq!(links_of(&others), Some(vec![link]));
        }
        for none in [
            &[][..],
            &[0, 2],
            &[1, 3],
            &[1, 2],
            &[0, 1, 2, 3],
            &[0, 1, 2, 3, 4, 5, 6],
        ] {
            assert_eq!(links_of(none), None, "{none:?}");
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
        let link = |hosts: &str, bandwidth: &str| {
            format!("[[network.links]]\nhosts = [{hosts}]\nbandwidth = {bandwidth}\n")
        };
        let good = link("'b'", "1.0");
        for (defect, told) in [
            (
                "setup = -1.0".to_owned(),
                "m.toml:5: a time is a finite number, at least 0",
            ),
            (
                link("'b'", "0.0"),
                "m.toml:7: a bandwidth is a number above 0, in Mbit/s",
            ),
            (
                link("'b'", "nan"),
                "m.toml:7: a bandwidth is a number above 0, in Mbit/s",
            ),
            (
                link("'b'", "inf"),
                "m.toml:7: a bandwidth is a number above 0, in Mbit/s",
            ),
            (link("'x'", "1.0"), "m.toml:2: the tree has no host `x`"),
            (
                link("'a', 'b'", "1.0"),
                "m.toml:2: no link of the tree has just these hosts on one side: a, b",
            ),
            (
                format!("{good}{good}"),
                "m.toml:2: two bandwidths of the link to b",
            ),
        ] {
            assert_eq!(error(&format!("{tree}{defect}")), told);
        }
        assert!(error("tree = '(a:10'").starts_with("m.toml:3: "));
        assert!(error(&format!("{tree}colour = 1")).contains("unknown field `colour`"));
    }
}
