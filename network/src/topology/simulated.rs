//! Simulated clusters: a probe whose times come from a known tree, with noise and a clock of its
//! own.
//!
//! The four clusters are those of the thesis's section 5.1, as far as its text has their latencies;
//! host links and noise are ours.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    convert::Infallible,
};

use superstep_random::SplitMix64;

use super::{
    Finished, Measured, Probe, Protocol, RoundTrip, Tree,
    growing::{Growing, Location},
};

/// Noise of simulated round trips, in microseconds. Queues add to a time and never take away: only
/// their minimum comes near the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Mean that each host of a pair adds to a ping, gamma-distributed with shape 2.
    pub host: f64,
    /// Mean that each link between sites adds, by the same distribution.
    pub site: f64,
    /// Probability that a ping is disturbed by another program.
    pub spike: f64,
    /// Mean of such a disturbance, exponentially distributed.
    pub disturbance: f64,
    /// Standard deviation of the constant error of a pair.
    pub bias: f64,
    /// Resolution of the clock; 0: a nanosecond.
    pub quantum: f64,
}

impl Default for Noise {
    /// Returns the noise of a quiet cluster of the thesis's time: minima differ by 1 us inside, by
    /// 10 us between sites.
    fn default() -> Self {
        Self {
            host: 2.0,
            site: 22.5,
            spike: 0.02,
            disturbance: 300.0,
            bias: 0.3,
            quantum: 1.0,
        }
    }
}

impl Noise {
    /// Returns no noise at all: times are those of the tree.
    pub fn none() -> Self {
        Self {
            host: 0.0,
            site: 0.0,
            spike: 0.0,
            disturbance: 0.0,
            bias: 0.0,
            quantum: 0.0,
        }
    }
}

/// A network whose tree is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// The true tree.
    pub tree: Tree,
    /// Flag of each host and switch: set if its link towards host 0 goes between sites, where other
    /// traffic disturbs.
    between_sites: Vec<bool>,
}

/// Parts of a network, before it is a tree.
struct Builder {
    growing: Growing,
    /// Site of each host so far.
    sites: Vec<usize>,
    random: SplitMix64,
}

impl Builder {
    fn new(hosts: usize, seed: u64) -> Self {
        Self {
            growing: Growing::new(hosts),
            sites: Vec::new(),
            random: SplitMix64::new(seed),
        }
    }

    /// Adds a site of so many hosts, of which every leaf switch has its share, with links of about
    /// so many microseconds. Returns the switch by which others reach it.
    fn site(&mut self, cluster: Cluster, hosts: usize, link: f64) -> u32 {
        let tree = &mut self.growing;
        let root = tree.add_switch();
        let mut leaves = Vec::new();
        match cluster {
            Cluster::Star | Cluster::Cross => {
                let latency = if cluster == Cluster::Star { 7.0 } else { 4.0 };
                for _ in 0..4 {
                    let leaf = tree.add_switch();
                    tree.join(root, leaf, latency);
                    leaves.push(leaf);
                }
            }
            Cluster::Chain => {
                leaves.push(root);
                for at in 0..4 {
                    let switch = tree.add_switch();
                    tree.join(leaves[at], switch, 4.0);
                    leaves.push(switch);
                }
            }
            Cluster::Levels => {
                for _ in 0..2 {
                    let middle = tree.add_switch();
                    tree.join(root, middle, 7.0);
                    for _ in 0..2 {
                        let leaf = tree.add_switch();
                        tree.join(middle, leaf, 7.0);
                        leaves.push(leaf);
                    }
                }
            }
        }
        let site = self.sites.last().map_or(0, |&last| last + 1);
        for at in 0..hosts {
            let off = self.random.below(2001) as f64 / 1000.0 - 1.0;
            let host = self.sites.len() as u32;
            let leaf = leaves[at * leaves.len() / hosts];
            self.growing.join(host, leaf, link + off);
            self.sites.push(site);
        }
        root
    }

    fn network(mut self) -> Network {
        let switches: Vec<u32> = self.growing.switches().collect();
        switches
            .iter()
            .for_each(|&switch| self.growing.pass(switch));
        let names: Vec<String> = (0..self.sites.len())
            .map(|host| format!("h{host}"))
            .collect();
        let tree = self
            .growing
            .finish(&names)
            .expect("sites are trees, and joined as one");
        // A link between sites has no site's hosts on both sides.
        let mut between_sites = vec![false; tree.preorder().len()];
        for (link, side) in tree.splits() {
            let is_inside = |host: u32| side.binary_search(&host).is_ok();
            let mut hosts = self.sites.iter().enumerate().skip(1);
            between_sites[link as usize] = side.len() > 1
                && hosts.all(|(host, site)| {
                    let other = host as u32 - 1;
                    *site != self.sites[host - 1] || is_inside(host as u32) == is_inside(other)
                });
        }
        Network {
            tree,
            between_sites,
        }
    }
}

/// One of the four clusters of the thesis's figure 5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cluster {
    /// Cluster 1: four switches around one, by links of 7 us.
    Star,
    /// Cluster 2: four switches around one, by links of 4 us.
    Cross,
    /// Cluster 3: a chain of five switches, by links of 4 us.
    Chain,
    /// Cluster 4: three levels of switches, by links of 7 us.
    Levels,
}

impl Cluster {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Star, Self::Cross, Self::Chain, Self::Levels];

    /// Returns the mean one-way latency, in microseconds, of a host's link.
    fn host_link(self) -> f64 {
        match self {
            Self::Star | Self::Cross => 19.0,
            Self::Chain => 18.0,
            Self::Levels => 20.0,
        }
    }
}

impl Network {
    /// Makes one cluster of so many hosts, at least 10; links of hosts differ by up to 1 us, as
    /// `seed` says.
    pub fn cluster(cluster: Cluster, hosts: usize, seed: u64) -> Self {
        Self::cluster_with_links(cluster, hosts, cluster.host_link(), seed)
    }

    /// Makes one cluster whose hosts have links of about so many microseconds, one-way and at
    /// least 1: the thesis tells nothing of theirs.
    ///
    /// ```
    /// use superstep_network::topology::simulated::{Cluster, Network};
    ///
    /// let network = Network::cluster_with_links(Cluster::Star, 12, 5.0, 1);
    /// assert!((8.0..12.0).contains(&network.tree.distance(0, 1)));
    /// ```
    pub fn cluster_with_links(cluster: Cluster, hosts: usize, link: f64, seed: u64) -> Self {
        let hosts = hosts.max(10);
        let mut builder = Builder::new(hosts, seed);
        builder.site(cluster, hosts, link.max(1.0));
        builder.network()
    }

    /// Makes all four clusters with so many hosts each, at least 10.
    ///
    /// `wan` is the one-way latency of cluster 1's link in microseconds, of which cluster 2's is
    /// half as much more. The thesis has 2 and 3 ms, and does not say whether these are round
    /// trips. Between them and the other two lie 5 us, which the large latencies hide.
    pub fn four_clusters(hosts: usize, wan: f64, seed: u64) -> Self {
        let hosts = hosts.max(10);
        let mut builder = Builder::new(4 * hosts, seed);
        let roots = Cluster::ALL.map(|cluster| builder.site(cluster, hosts, cluster.host_link()));
        let tree = &mut builder.growing;
        let (one, two) = (tree.add_switch(), tree.add_switch());
        for (router, root, latency) in [
            (one, roots[0], wan),
            (one, roots[1], 1.5 * wan),
            (two, roots[2], 30.0),
            (two, roots[3], 40.0),
            (one, two, 5.0),
        ] {
            tree.join(router, root, latency);
        }
        builder.network()
    }

    /// Makes a random tree of at least 2 hosts, whose links have latencies of 1 to 50 us in whole
    /// microseconds.
    pub fn random(hosts: usize, seed: u64) -> Self {
        let hosts = hosts.max(2);
        let mut builder = Builder::new(hosts, seed);
        let mut latency = {
            let mut random = SplitMix64::new(!seed);
            move || 1.0 + random.below(50) as f64
        };
        builder.growing.join(0, 1, latency() + latency());
        builder.sites = vec![0; hosts];
        for host in 2..hosts as u32 {
            let switches: Vec<u32> = builder.growing.switches().collect();
            // As often on a switch that is there as on a new one within a link.
            let old = (!switches.is_empty() && builder.random.below(2) == 0)
                .then(|| switches[builder.random.below(switches.len())]);
            let at = old.map(Location::Switch).unwrap_or_else(|| {
                let links: Vec<_> = builder.growing.all_links().collect();
                let (a, b, whole) = links[builder.random.below(links.len())];
                // Both halves have whole microseconds, if there are two.
                let offset = 1.0 + builder.random.below((whole as usize).max(2) - 1) as f64;
                if whole < 2.0 {
                    builder.growing.part(a, b);
                    builder.growing.join(a, b, 2.0);
                }
                Location::Link(a, b, offset)
            });
            builder.growing.hang(host, at, latency());
        }
        builder.network()
    }
}

/// Probe of a simulated network, with a clock of its own.
///
/// The time of a pair depends on the seed, the pair and how often it was measured before, and not
/// on other measurements.
#[derive(Debug)]
pub struct Simulator<'a> {
    network: &'a Network,
    noise: Noise,
    protocol: Protocol,
    seed: u64,
    /// Nanoseconds of a measurement beside its pings.
    overhead: u64,
    /// Measurements that go on: when each will be done, in nanoseconds, and its result.
    going_on: BinaryHeap<Reverse<(u64, usize, usize, RoundTrip)>>,
    times: BTreeMap<(usize, usize), u64>,
    now: u64,
    alone: u64,
}

impl<'a> Simulator<'a> {
    /// Makes a probe whose noise is random as `seed` says.
    pub fn new(network: &'a Network, noise: Noise, seed: u64) -> Self {
        Self {
            network,
            noise,
            protocol: Protocol::default(),
            seed,
            overhead: 0,
            going_on: BinaryHeap::new(),
            times: BTreeMap::new(),
            now: 0,
            alone: 0,
        }
    }

    /// Adds so many milliseconds to each measurement, which hosts take to agree on it and to
    /// connect.
    ///
    /// ```
    /// use superstep_network::topology::Probe;
    /// use superstep_network::topology::simulated::{Cluster, Network, Noise, Simulator};
    ///
    /// let network = Network::cluster(Cluster::Star, 10, 1);
    /// let mut probe = Simulator::new(&network, Noise::none(), 1).with_overhead(50.0);
    /// probe.begin(0, 1);
    /// probe.finish();
    /// assert!((0.05..0.06).contains(&probe.elapsed()));
    /// ```
    #[must_use]
    pub fn with_overhead(self, milliseconds: f64) -> Self {
        Self {
            overhead: (milliseconds * 1e6) as u64,
            ..self
        }
    }

    /// Seconds that measurements have taken, as many at a time as went on.
    pub fn elapsed(&self) -> f64 {
        self.now as f64 / 1e9
    }

    /// Seconds that the measurements would have taken one after the other.
    pub fn one_by_one(&self) -> f64 {
        self.alone as f64 / 1e9
    }

    /// Measures a pair for the `time`th time; the round trip and how long its pings took.
    fn measure(&self, a: usize, b: usize, time: u64) -> Measured {
        let (a, b) = (a.min(b) as u64, a.max(b) as u64);
        let pair = SplitMix64::new(self.seed ^ (a << 32 | b)).bits();
        let mut random = SplitMix64::new(pair);
        let noise = &self.noise;
        let path = self.network.tree.path(a as u32, b as u32);
        let length: f64 = path
            .iter()
            .map(|&link| self.network.tree.latency(link))
            .sum();
        let sites = path
            .iter()
            .filter(|&&link| self.network.between_sites[link as usize]);
        let sites = sites.count();
        let constant = 2.0 * length + noise.bias * normal(&mut random);
        let mut random = SplitMix64::new(pair.wrapping_add(time + 1));
        let ping = || {
            let mut ping = constant;
            ping += noise.host / 2.0 * (gamma2(&mut random) + gamma2(&mut random));
            for _ in 0..sites {
                ping += noise.site / 2.0 * gamma2(&mut random);
            }
            if positive(&mut random) < noise.spike {
                ping += noise.disturbance * exponential(&mut random);
            }
            let quantum = if noise.quantum > 0.0 {
                noise.quantum
            } else {
                0.001
            };
            let nanoseconds = (ping / quantum).round() * quantum * 1000.0;
            Ok::<_, Infallible>(nanoseconds.round() as u64)
        };
        match self.protocol.measure(ping) {
            Ok(measured) => measured,
        }
    }
}

impl Probe for Simulator<'_> {
    type Error = Infallible;

    fn begin(&mut self, a: usize, b: usize) {
        let time = self.times.entry((a.min(b), a.max(b))).or_default();
        *time += 1;
        let time = *time;
        let measured = self.measure(a, b, time);
        let elapsed = measured.elapsed + self.overhead;
        self.alone += elapsed;
        let done = self.now + elapsed;
        self.going_on
            .push(Reverse((done, a, b, measured.round_trip)));
    }

    fn finish(&mut self) -> Finished<Infallible> {
        let Reverse((done, a, b, round_trip)) = self
            .going_on
            .pop()
            .expect("a measurement is waited for only after it is begun");
        self.now = done;
        Finished {
            pair: (a, b),
            result: Ok(round_trip),
        }
    }
}

/// Draws a number from 0 to 1, without 0.
fn positive(random: &mut SplitMix64) -> f64 {
    ((random.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// Draws from the exponential distribution of mean 1.
fn exponential(random: &mut SplitMix64) -> f64 {
    -positive(random).ln()
}

/// Draws from the gamma distribution of shape 2 and scale 1, whose mean is 2.
fn gamma2(random: &mut SplitMix64) -> f64 {
    -(positive(random) * positive(random)).ln()
}

/// Draws from the normal distribution of standard deviation 1 (Box and Muller 1958).
fn normal(random: &mut SplitMix64) -> f64 {
    let radius = (2.0 * exponential(random)).sqrt();
    radius * (std::f64::consts::TAU * positive(random)).cos()
}
