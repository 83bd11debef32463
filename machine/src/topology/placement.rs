//! Placement of ranks on hosts, so that those that send each other much are near.

use super::{Matrix, Tree, random::Random};

/// Steps of the search, each of which looks at the traffic between a pair of ranks: a fraction of a
/// second. It is enough for all starts of 64 hosts, and for two or three of 256.
const EFFORT: usize = 1 << 28;

/// Most starts of the search, of which the first is the depth-first order. For 60 random matrices
/// of up to 7 ranks a hundred starts find the best placement of all, and ten miss one.
const STARTS: usize = 100;

/// Hosts of ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// For each rank its host.
    pub hosts: Vec<u32>,
    /// Sum of the traffic of each pair of ranks times the one-way latency in microseconds between
    /// their hosts.
    pub cost: f64,
}

/// Why ranks have no placement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{ranks} ranks do not fit on {hosts} hosts, one on each")]
pub struct TooManyRanks {
    /// Number of ranks.
    pub ranks: usize,
    /// Number of hosts.
    pub hosts: usize,
}

impl Placement {
    /// Places ranks in depth-first order over the tree, which suits ranks that send to their
    /// neighbours (the thesis's section 6.3).
    ///
    /// # Errors
    /// When there are more ranks than hosts.
    pub fn depth_first(tree: &Tree, traffic: &Matrix) -> Result<Self, TooManyRanks> {
        let mut hosts = tree.depth_first();
        let ranks = traffic.size();
        if ranks > hosts.len() {
            return Err(TooManyRanks {
                ranks,
                hosts: hosts.len(),
            });
        }
        hosts.truncate(ranks);
        let cost = Search::new(tree, traffic).cost(&hosts);
        Ok(Self { hosts, cost })
    }

    /// Places ranks for this traffic: from the depth-first order, and from random ones, ranks swap
    /// their hosts as long as that costs less.
    ///
    /// The traffic from rank i to rank j stands in row i and column j, in any unit. Hosts that are
    /// left over have no rank. The same `seed` gives the same placement.
    ///
    /// # Errors
    /// When there are more ranks than hosts.
    pub fn of_traffic(tree: &Tree, traffic: &Matrix, seed: u64) -> Result<Self, TooManyRanks> {
        let first = Self::depth_first(tree, traffic)?;
        let mut search = Search::new(tree, traffic);
        let mut order = tree.depth_first();
        let mut random = Random::new(seed);
        let mut best = first;
        for start in 0..STARTS {
            if start > 0 {
                random.shuffle(&mut order);
            }
            let mut hosts = order.clone();
            search.descend(&mut hosts);
            hosts.truncate(traffic.size());
            let cost = search.cost(&hosts);
            if cost < best.cost {
                best = Self { hosts, cost };
            }
            if search.effort == 0 {
                break;
            }
        }
        Ok(best)
    }

    /// The text of a host file for `mpirun`: the name of each rank's host, one a line, in the order
    /// of the ranks.
    pub fn host_file(&self, tree: &Tree) -> String {
        let names = self.hosts.iter().map(|&host| &tree.names()[host as usize]);
        names.map(|name| format!("{name}\n")).collect()
    }
}

struct Search {
    hosts: usize,
    distances: Vec<f64>,
    /// Traffic of both directions of ranks, padded with ranks that send nothing to as many as there
    /// are hosts.
    traffic: Vec<f64>,
    effort: usize,
}

impl Search {
    fn new(tree: &Tree, traffic: &Matrix) -> Self {
        let hosts = tree.hosts();
        let ranks = traffic.size();
        let of = |at: usize| {
            let (i, j) = (at / hosts, at % hosts);
            if i == j || i >= ranks || j >= ranks {
                0.0
            } else {
                traffic.get(i, j) + traffic.get(j, i)
            }
        };
        Self {
            hosts,
            distances: tree.distances(),
            traffic: (0..hosts * hosts).map(of).collect(),
            effort: EFFORT,
        }
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        self.distances[a as usize * self.hosts + b as usize]
    }

    fn cost(&self, hosts: &[u32]) -> f64 {
        let mut cost = 0.0;
        for i in 0..hosts.len() {
            for j in 0..i {
                cost += self.traffic[i * self.hosts + j] * self.distance(hosts[i], hosts[j]);
            }
        }
        cost
    }

    /// How much more it costs if two ranks swap their hosts.
    fn difference(&self, hosts: &[u32], i: usize, j: usize) -> f64 {
        let (a, b) = (hosts[i], hosts[j]);
        let rows = |rank: usize| &self.traffic[rank * self.hosts..][..self.hosts];
        let others = rows(i).iter().zip(rows(j)).enumerate();
        others
            .filter(|&(rank, _)| rank != i && rank != j)
            .map(|(rank, (of_i, of_j))| {
                let host = hosts[rank];
                (of_i - of_j) * (self.distance(b, host) - self.distance(a, host))
            })
            .sum()
    }

    /// Swaps hosts as long as that costs less, or the effort lasts.
    fn descend(&mut self, hosts: &mut [u32]) {
        let mut is_better = true;
        while is_better {
            is_better = false;
            for i in 1..hosts.len() {
                for j in 0..i {
                    let Some(left) = self.effort.checked_sub(hosts.len()) else {
                        self.effort = 0;
                        return;
                    };
                    self.effort = left;
                    // Rounding errors are no gain.
                    if self.difference(hosts, i, j) < -1e-9 {
                        hosts.swap(i, j);
                        is_better = true;
                    }
                }
            }
        }
    }
}
