//! The tree while it grows: hosts that are not in it yet have no link.

use super::{Link, Tree, TreeError};

/// Hosts from 0 on, switches after them, and their links with one-way latencies in microseconds.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    hosts: usize,
    pub(super) links: Vec<Vec<(u32, f64)>>,
}

/// Point of a tree at which a host hangs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Location {
    /// A switch that the tree has.
    Switch(u32),
    /// A new switch on the link between two vertices, so far from the first.
    Link(u32, u32, f64),
}

/// A tree as seen from one vertex.
#[derive(Debug)]
pub(super) struct Rooted {
    pub(super) root: u32,
    pub(super) parents: Vec<u32>,
    /// Distances from the root, one-way; infinite for what is not in the tree.
    pub(super) distances: Vec<f64>,
    /// Positions in preorder: each subtree is from `entry` to before `exit`.
    entry: Vec<u32>,
    exit: Vec<u32>,
}

impl Growing {
    pub(super) fn new(hosts: usize) -> Self {
        Self {
            hosts,
            links: vec![Vec::new(); hosts],
        }
    }

    pub(super) fn is_host(&self, vertex: u32) -> bool {
        (vertex as usize) < self.hosts
    }

    /// Hosts that are in the tree.
    pub(super) fn present(&self) -> impl Iterator<Item = u32> {
        (0..self.hosts as u32).filter(|&host| !self.links[host as usize].is_empty())
    }

    /// Switches that have links.
    pub(super) fn switches(&self) -> impl Iterator<Item = u32> {
        let all = self.hosts as u32..self.links.len() as u32;
        all.filter(|&switch| !self.links[switch as usize].is_empty())
    }

    /// Returns the links, each once.
    pub(super) fn all_links(&self) -> impl Iterator<Item = (u32, u32, f64)> {
        let from = |v: usize| self.links[v].iter().map(move |&(to, w)| (v as u32, to, w));
        (0..self.links.len())
            .flat_map(from)
            .filter(|(a, b, _)| a < b)
    }

    pub(super) fn join(&mut self, a: u32, b: u32, latency: f64) {
        self.links[a as usize].push((b, latency));
        self.links[b as usize].push((a, latency));
    }

    /// Removes the link between two vertices; its latency.
    pub(super) fn part(&mut self, a: u32, b: u32) -> f64 {
        let mut latency = 0.0;
        for (from, to) in [(a, b), (b, a)] {
            self.links[from as usize].retain(|&(other, w)| {
                if other == to {
                    latency = w;
                }
                other != to
            });
        }
        latency
    }

    /// Sets the latency of a link.
    pub(super) fn set(&mut self, a: u32, b: u32, latency: f64) {
        for (from, to) in [(a, b), (b, a)] {
            for link in &mut self.links[from as usize] {
                if link.0 == to {
                    link.1 = latency;
                }
            }
        }
    }

    /// Rounds latencies to nanoseconds, which is as finely as times are measured.
    pub(super) fn round(&mut self) {
        for (_, latency) in self.links.iter_mut().flatten() {
            *latency = (*latency * 1000.0).round() / 1000.0;
        }
    }

    pub(super) fn add_switch(&mut self) -> u32 {
        self.links.push(Vec::new());
        self.links.len() as u32 - 1
    }

    /// Hangs a host at a point.
    pub(super) fn hang(&mut self, host: u32, at: Location, latency: f64) {
        let switch = match at {
            Location::Switch(switch) => switch,
            Location::Link(a, b, offset) => {
                let whole = self.part(a, b);
                let switch = self.add_switch();
                self.join(a, switch, offset.clamp(0.0, whole));
                self.join(switch, b, whole - offset.clamp(0.0, whole));
                switch
            }
        };
        self.join(host, switch, latency);
    }

    /// Takes a host out, and the switch that is left between two links.
    pub(super) fn remove(&mut self, host: u32) {
        let Some(&(switch, _)) = self.links[host as usize].first() else {
            return;
        };
        self.part(host, switch);
        self.pass(switch);
    }

    /// Replaces a switch between two links by one link.
    pub(super) fn pass(&mut self, switch: u32) {
        if self.is_host(switch) {
            return;
        }
        if let [(a, x), (b, y)] = self.links[switch as usize][..] {
            self.part(switch, a);
            self.part(switch, b);
            self.join(a, b, x + y);
        }
    }

    /// Makes one switch of two that a link joins.
    pub(super) fn contract(&mut self, keep: u32, gone: u32) {
        self.part(keep, gone);
        for (next, latency) in std::mem::take(&mut self.links[gone as usize]) {
            self.links[next as usize].retain(|&(other, _)| other != gone);
            self.join(keep, next, latency);
        }
    }

    /// Returns the switch, or in a tree of two the host, that a host hangs on.
    pub(super) fn neighbour(&self, host: u32) -> Option<(u32, f64)> {
        self.links[host as usize].first().copied()
    }

    /// Returns the tree as seen from a vertex in it.
    pub(super) fn rooted(&self, root: u32) -> Rooted {
        let count = self.links.len();
        let mut rooted = Rooted {
            root,
            parents: vec![root; count],
            distances: vec![f64::INFINITY; count],
            entry: vec![u32::MAX; count],
            exit: vec![0; count],
        };
        let (mut stack, mut order) = (vec![root], Vec::with_capacity(count));
        rooted.distances[root as usize] = 0.0;
        while let Some(v) = stack.pop() {
            rooted.entry[v as usize] = order.len() as u32;
            order.push(v);
            for &(next, latency) in &self.links[v as usize] {
                if next != rooted.parents[v as usize] {
                    rooted.parents[next as usize] = v;
                    rooted.distances[next as usize] = rooted.distances[v as usize] + latency;
                    stack.push(next);
                }
            }
        }
        for &v in order.iter().rev() {
            let exit = rooted.exit[v as usize].max(rooted.entry[v as usize] + 1);
            rooted.exit[v as usize] = exit;
            let parent = rooted.parents[v as usize] as usize;
            rooted.exit[parent] = rooted.exit[parent].max(exit);
        }
        rooted
    }

    /// Returns the finished tree of the hosts that are in it; `names` are those of all hosts.
    pub(super) fn finish(&self, names: &[String]) -> Result<Tree, TreeError> {
        let hosts: Vec<u32> = self.present().collect();
        let mut numbers = vec![0_u32; self.links.len()];
        for (number, v) in hosts.iter().copied().chain(self.switches()).enumerate() {
            numbers[v as usize] = number as u32;
        }
        let links: Vec<Link> = self
            .all_links()
            .map(|(a, b, latency)| Link {
                between: [numbers[a as usize], numbers[b as usize]],
                latency,
            })
            .collect();
        let names = hosts.iter().map(|&host| names[host as usize].clone());
        Tree::new(names.collect(), self.switches().count(), &links)
    }
}

impl Rooted {
    /// Returns whether `vertex` is `top` or lies behind it.
    pub(super) fn is_below(&self, vertex: u32, top: u32) -> bool {
        let at = self.entry[vertex as usize];
        (self.entry[top as usize]..self.exit[top as usize]).contains(&at)
    }

    /// Vertices from `vertex` to the root.
    pub(super) fn to_root(&self, vertex: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(vertex), |&v| {
            (v != self.root).then(|| self.parents[v as usize])
        })
    }

    /// Links of the path between two vertices, each by its end away from the root.
    pub(super) fn path(&self, mut a: u32, mut b: u32) -> Vec<u32> {
        let mut path = Vec::new();
        // A vertex comes after those above it in preorder, so the later of two is not above the
        // other.
        while a != b {
            let later = if self.entry[a as usize] > self.entry[b as usize] {
                &mut a
            } else {
                &mut b
            };
            path.push(*later);
            *later = self.parents[*later as usize];
        }
        path
    }

    /// Vertices of the path between two, both included.
    pub(super) fn vertices(&self, mut a: u32, mut b: u32) -> Vec<u32> {
        let (mut from_a, mut from_b) = (vec![a], vec![b]);
        while a != b {
            if self.entry[a as usize] > self.entry[b as usize] {
                a = self.parents[a as usize];
                from_a.push(a);
            } else {
                b = self.parents[b as usize];
                from_b.push(b);
            }
        }
        from_b.pop();
        from_a.extend(from_b.into_iter().rev());
        from_a
    }

    /// Returns the one-way distance between two vertices.
    pub(super) fn between(&self, a: u32, b: u32) -> f64 {
        let own = |v: &u32| {
            self.distances[*v as usize] - self.distances[self.parents[*v as usize] as usize]
        };
        self.path(a, b).iter().map(own).sum()
    }

    /// Returns the number of vertices behind `top`, seen from its neighbour `at`.
    pub(super) fn behind(&self, at: u32, top: u32) -> u32 {
        let size = |v: u32| self.exit[v as usize] - self.entry[v as usize];
        if self.parents[top as usize] == at {
            size(top)
        } else {
            size(self.root) - size(at)
        }
    }
}
