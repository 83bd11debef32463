//! Placement of ranks on hosts, so that those that send each other much are near.

use std::iter::repeat_n;

use superstep_random::SplitMix64;

use super::{Matrix, Tree};

/// Steps of the search, each of which looks at the traffic between a pair of ranks: a fraction of a
/// second. It is enough for all starts of 64 hosts, and for two or three of 256.
const EFFORT: usize = 1 << 28;

/// Most starts of the search, of which the first is the depth-first order. For 60 random matrices
/// of up to 7 ranks a hundred starts find the best placement of all, and ten miss one.
const STARTS: usize = 100;

/// Assignment of ranks to hosts, and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Host of each rank.
    pub hosts: Vec<u32>,
    /// Sum of the traffic of each pair of ranks times the one-way latency in microseconds between
    /// their hosts.
    pub cost: f64,
}

/// Reason for which ranks have no placement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{ranks} ranks do not fit on {hosts} hosts, {processors} on each")]
pub struct TooManyRanks {
    /// Number of ranks.
    pub ranks: usize,
    /// Number of hosts.
    pub hosts: usize,
    /// Most ranks of a host.
    pub processors: u32,
}

impl Placement {
    /// Places ranks in depth-first order over the tree, as many on each host as it has processors.
    /// That suits ranks that send to their neighbours (the thesis's section 6.3).
    ///
    /// # Errors
    /// When there are more ranks than processors of all hosts.
    pub fn depth_first(
        tree: &Tree,
        processors: u32,
        traffic: &Matrix,
    ) -> Result<Self, TooManyRanks> {
        let mut hosts = places(tree, processors, traffic)?;
        hosts.truncate(traffic.size());
        let cost = Search::new(tree, traffic).cost(&hosts);
        Ok(Self { hosts, cost })
    }

    /// Places ranks for this traffic: from the depth-first order, and from random ones, ranks swap
    /// their hosts as long as that costs less.
    ///
    /// The traffic from rank i to rank j stands in row i and column j, in any unit; on one host it
    /// costs nothing. Each host has at most `processors` ranks. The same `seed` gives the same
    /// placement.
    ///
    /// # Errors
    /// When there are more ranks than processors of all hosts.
    ///
    /// ```
    /// use superstep_network::topology::{Matrix, Placement, Tree};
    ///
    /// let tree: Tree = "(a:10,b:10);".parse()?;
    /// let ranks = (0..4).map(|rank| rank.to_string()).collect();
    /// // Ranks of even numbers send each other much, and so do those of odd numbers.
    /// let traffic = Matrix::from_fn(ranks, |i, j| if i % 2 == j % 2 { 100.0 } else { 1.0 });
    /// let placement = Placement::of_traffic(&tree, 2, &traffic, 1)?;
    /// assert_eq!(placement.host_file(&tree), "a\nb\na\nb\n");
    /// assert_eq!(placement.cost, 4.0 * 2.0 * 20.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_traffic(
        tree: &Tree,
        processors: u32,
        traffic: &Matrix,
        seed: u64,
    ) -> Result<Self, TooManyRanks> {
        let first = Self::depth_first(tree, processors, traffic)?;
        let mut search = Search::new(tree, traffic);
        let mut order = places(tree, processors, traffic)?;
        let mut random = SplitMix64::new(seed);
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

    /// Returns the text of a host file for `mpirun`: the name of each rank's host, one a line, in
    /// the order of the ranks.
    pub fn host_file(&self, tree: &Tree) -> String {
        let names = self.hosts.iter().map(|&host| &tree.names()[host as usize]);
        names.map(|name| format!("{name}\n")).collect()
    }
}

/// Returns hosts in depth-first order, each as often as it has processors, but no more often than
/// there are ranks.
fn places(tree: &Tree, processors: u32, traffic: &Matrix) -> Result<Vec<u32>, TooManyRanks> {
    let (ranks, hosts) = (traffic.size(), tree.hosts());
    let each = ranks.min(processors as usize);
    if ranks > hosts * each {
        return Err(TooManyRanks {
            ranks,
            hosts,
            processors,
        });
    }
    let order = tree.depth_first().into_iter();
    Ok(order.flat_map(|host| repeat_n(host, each)).collect())
}

/// Least gain of a swap, as a part of the cost at which a descent begins. Less may be rounding,
/// which would swap for ever. Traffic is in any unit. A cost has some 10^4 terms of 10^-16.
const ROUNDING: f64 = 1e-12;

/// Local search by swaps. Places are slots of hosts: ranks have the first, and the rest are empty.
struct Search {
    hosts: usize,
    ranks: usize,
    distances: Vec<f64>,
    /// Traffic of both directions of ranks.
    traffic: Vec<f64>,
    /// Traffic of a place without a rank.
    nothing: Vec<f64>,
    effort: usize,
}

impl Search {
    fn new(tree: &Tree, traffic: &Matrix) -> Self {
        let ranks = traffic.size();
        let of = |at: usize| match (at / ranks, at % ranks) {
            (i, j) if i == j => 0.0,
            (i, j) => traffic.get(i, j) + traffic.get(j, i),
        };
        Self {
            hosts: tree.hosts(),
            ranks,
            distances: tree.distances(),
            traffic: (0..ranks * ranks).map(of).collect(),
            nothing: vec![0.0; ranks],
            effort: EFFORT,
        }
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        self.distances[a as usize * self.hosts + b as usize]
    }

    /// Returns the traffic between a place and each rank: nothing if the place is empty.
    fn row(&self, place: usize) -> &[f64] {
        match place < self.ranks {
            true => &self.traffic[place * self.ranks..][..self.ranks],
            false => &self.nothing,
        }
    }

    fn cost(&self, hosts: &[u32]) -> f64 {
        let mut cost = 0.0;
        for i in 0..hosts.len() {
            for j in 0..i {
                cost += self.traffic[i * self.ranks + j] * self.distance(hosts[i], hosts[j]);
            }
        }
        cost
    }

    /// Returns how much more it costs if two places swap their hosts.
    fn difference(&self, hosts: &[u32], i: usize, j: usize) -> f64 {
        let (a, b) = (hosts[i], hosts[j]);
        let others = self.row(i).iter().zip(self.row(j)).zip(hosts).enumerate();
        others
            .filter(|&(rank, _)| rank != i && rank != j)
            .map(|(_, ((of_i, of_j), &host))| {
                (of_i - of_j) * (self.distance(b, host) - self.distance(a, host))
            })
            .sum()
    }

    /// Swaps hosts as long as that costs less, or the effort lasts.
    fn descend(&mut self, hosts: &mut [u32]) {
        let least = ROUNDING * self.cost(&hosts[..self.ranks]);
        let mut is_better = true;
        while is_better {
            is_better = false;
            for i in 1..hosts.len() {
                for j in 0..i.min(self.ranks) {
                    let Some(left) = self.effort.checked_sub(self.ranks) else {
                        self.effort = 0;
                        return;
                    };
                    self.effort = left;
                    if self.difference(hosts, i, j) < -least {
                        hosts.swap(i, j);
                        is_better = true;
                    }
                }
            }
        }
    }
}
