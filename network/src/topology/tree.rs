//! The tree: hosts at its leaves, switches inside, and latencies on its links.

mod draw;
mod file;
mod newick;
mod splits;

use std::collections::HashSet;

pub use newick::NewickError;
pub use splits::Difference;

/// Logical tree of a network: hosts are leaves, switches have three links or more, and each link
/// has a latency.
///
/// A switch between two links is never seen, as nothing but the sum of both latencies can be
/// measured. Latencies are one-way, in microseconds; a round trip between two hosts takes twice the
/// sum over the links of their path.
///
/// Hosts have the numbers from 0, in the order of their names, and switches the numbers after. The
/// tree is rooted at host 0. So each other host and switch has one link towards it, its own link,
/// by whose far end a link is named.
///
/// ```
/// use superstep_network::topology::Tree;
///
/// let tree: Tree = "(a:10,b:10,(c:12,d:12):7);".parse()?;
/// assert_eq!((tree.hosts(), tree.switches()), (4, 2));
/// assert_eq!(tree.distance(0, 1), 20.0);
/// assert_eq!(tree.distance(1, 2), 29.0);
/// assert_eq!(tree.newick(), "(a:10,b:10,(c:12,d:12):7);");
/// # Ok::<(), superstep_network::topology::NewickError>(())
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(into = "file::Listed", try_from = "file::Listed")]
pub struct Tree {
    names: Vec<String>,
    /// Towards host 0; host 0 has itself.
    parents: Vec<u32>,
    /// Latency of the link to the parent.
    latencies: Vec<f64>,
    /// All hosts and switches, each before what hangs on it; children by their smallest host.
    order: Vec<u32>,
}

/// Link between two vertices of a tree, which are hosts or switches.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Hosts or switches that it joins: hosts have the numbers from 0, switches those after the
    /// hosts.
    pub between: [u32; 2],
    /// One-way latency in microseconds.
    pub latency: f64,
}

/// Reason for which hosts and links are no tree.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// Nothing lies between fewer than two hosts.
    #[error("a tree has at least 2 hosts, not {0}")]
    Hosts(usize),
    /// Two hosts have one name, or a host has none.
    #[error("host {host} is called {name:?}: each host needs a name of its own")]
    Name {
        /// The later of the two.
        host: usize,
        /// Name of both.
        name: String,
    },
    /// A link that leads to nothing.
    #[error("link {link} leads to {vertex}, but hosts and switches are numbered from 0 to {last}")]
    Vertex {
        /// Position in the list, from 0.
        link: usize,
        /// Number of the host or switch that is missing.
        vertex: u32,
        /// Largest number that a host or switch has.
        last: usize,
    },
    /// A latency that is negative, infinite or no number.
    #[error("link {link} has latency {latency}: it must be a finite number, at least 0")]
    Latency {
        /// Position in the list, from 0.
        link: usize,
        /// One-way latency in microseconds.
        latency: f64,
    },
    /// Too many or too few links.
    #[error("{vertices} hosts and switches are joined by {} links, not {links}", vertices - 1)]
    Links {
        /// Number of hosts and switches.
        vertices: usize,
        /// Number of links.
        links: usize,
    },
    /// A host or a switch that host 0 does not reach, as others are joined twice.
    #[error("host 0 does not reach {0}, and some links make a ring")]
    Ring(Vertex),
    /// A host with more than one link.
    #[error("{0} has {1} links: hosts have one")]
    Inner(Vertex, usize),
    /// A switch with fewer than three links.
    #[error("{0} has {1} links: switches have three or more")]
    Outer(Vertex, usize),
}

/// Host or switch, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A host, by its name.
    Host(String),
    /// A switch, by its number.
    Switch(usize),
}

impl std::fmt::Display for Vertex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Host(name) => write!(f, "host {name}"),
            Self::Switch(number) => write!(f, "switch {number}"),
        }
    }
}

impl Tree {
    /// Makes the tree of hosts with these names, and of their links to `switches` switches and to
    /// each other.
    ///
    /// Switches are numbered anew, as they are met from host 0 on: two trees that are equal have
    /// equal numbers.
    ///
    /// # Errors
    /// When the hosts are fewer than 2 or share a name, or the links make no tree whose leaves are
    /// the hosts.
    pub fn new(names: Vec<String>, switches: usize, links: &[Link]) -> Result<Self, TreeError> {
        let hosts = names.len();
        if hosts < 2 {
            return Err(TreeError::Hosts(hosts));
        }
        check_names(&names)?;
        let vertices = hosts + switches;
        check_links(vertices, links)?;
        let mut joined = vec![Vec::new(); vertices];
        for link in links {
            let [a, b] = link.between;
            joined[a as usize].push((b, link.latency));
            joined[b as usize].push((a, link.latency));
        }
        let vertex = |number: usize| match names.get(number) {
            Some(name) => Vertex::Host(name.clone()),
            None => Vertex::Switch(number),
        };
        for (number, links) in joined.iter().enumerate() {
            if number < hosts && links.len() > 1 {
                return Err(TreeError::Inner(vertex(number), links.len()));
            }
            if number >= hosts && links.len() < 3 {
                return Err(TreeError::Outer(vertex(number), links.len()));
            }
        }
        let (parents, latencies, order) = root(&joined);
        if let Some(lost) = parents.iter().position(|&parent| parent == UNREACHED) {
            return Err(TreeError::Ring(vertex(lost)));
        }
        Ok(Self {
            names,
            parents,
            latencies,
            order,
        }
        .canonical())
    }

    /// Orders children by their smallest host, and numbers switches in that order.
    fn canonical(self) -> Self {
        let (hosts, vertices) = (self.hosts(), self.order.len());
        let mut smallest: Vec<u32> = (0..vertices as u32).collect();
        for &v in self.order.iter().rev() {
            let parent = self.parents[v as usize] as usize;
            let below = smallest[v as usize];
            // A switch starts at its own number, which is larger than any host's.
            smallest[parent] = smallest[parent].min(below);
        }
        let mut children = self.children();
        for list in &mut children {
            list.sort_unstable_by_key(|&v| std::cmp::Reverse(smallest[v as usize]));
        }
        let mut renumbered: Vec<u32> = (0..vertices as u32).collect();
        let (mut stack, mut order) = (vec![0_u32], Vec::with_capacity(vertices));
        let (mut parents, mut latencies) = (vec![0; vertices], vec![0.0; vertices]);
        let mut next = hosts as u32;
        while let Some(v) = stack.pop() {
            if v as usize >= hosts {
                renumbered[v as usize] = next;
                next += 1;
            }
            let number = renumbered[v as usize];
            order.push(number);
            parents[number as usize] = renumbered[self.parents[v as usize] as usize];
            latencies[number as usize] = self.latencies[v as usize];
            stack.extend(&children[v as usize]);
        }
        Self {
            names: self.names,
            parents,
            latencies,
            order,
        }
    }

    /// Returns the number of hosts, at least 2.
    pub fn hosts(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of switches.
    pub fn switches(&self) -> usize {
        self.order.len() - self.hosts()
    }

    /// Names of the hosts, in the order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the links, each once, in depth-first order; the end that is nearer to host 0 stands
    /// first.
    pub fn links(&self) -> impl Iterator<Item = Link> {
        self.order[1..].iter().map(|&v| Link {
            between: [self.parents[v as usize], v],
            latency: self.latencies[v as usize],
        })
    }

    /// Returns the next host or switch on the way from `vertex` to host 0; `None` for host 0.
    pub fn parent(&self, vertex: u32) -> Option<u32> {
        (vertex > 0).then(|| self.parents[vertex as usize])
    }

    /// Returns the one-way latency in microseconds of the link from `vertex` towards host 0; 0 for
    /// host 0.
    pub fn latency(&self, vertex: u32) -> f64 {
        self.latencies[vertex as usize]
    }

    /// Hosts and switches in depth-first order from host 0, children by their smallest host.
    pub fn preorder(&self) -> &[u32] {
        &self.order
    }

    /// Hosts in depth-first order from host 0. Neighbours in this order are near each other in the
    /// tree, and a pipeline through them uses each direction of each link at most once.
    pub fn depth_first(&self) -> Vec<u32> {
        let hosts = self.hosts() as u32;
        let order = self.order.iter().copied();
        order.filter(|&v| v < hosts).collect()
    }

    /// Returns the one-way latency in microseconds between two hosts: the sum over the links of
    /// their path.
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        self.path(a, b).iter().map(|&link| self.latency(link)).sum()
    }

    /// Returns the one-way latencies between all hosts, row after row: [`distance`](Self::distance)
    /// of every pair, in quadratic time.
    pub fn distances(&self) -> Vec<f64> {
        let (hosts, vertices) = (self.hosts(), self.order.len());
        let mut all = vec![0.0; hosts * hosts];
        let children = self.children();
        let mut from = vec![0.0; vertices];
        let mut stack = Vec::new();
        for host in 0..hosts {
            from[host] = 0.0;
            stack.push((host as u32, host as u32));
            while let Some((v, previous)) = stack.pop() {
                if (v as usize) < hosts {
                    all[host * hosts + v as usize] = from[v as usize];
                }
                let parent = self.parent(v).map(|parent| (parent, self.latency(v)));
                let below = children[v as usize].iter().map(|&c| (c, self.latency(c)));
                for (next, latency) in parent.into_iter().chain(below) {
                    if next != previous {
                        from[next as usize] = from[v as usize] + latency;
                        stack.push((next, v));
                    }
                }
            }
        }
        all
    }

    /// Links of the path between two hosts or switches, each by its far end as seen from host 0.
    pub fn path(&self, a: u32, b: u32) -> Vec<u32> {
        let [mut up, mut down] = [a, b].map(|v| self.to_root(v).collect::<Vec<u32>>());
        while let (Some(x), Some(y)) = (up.last(), down.last())
            && x == y
        {
            up.pop();
            down.pop();
        }
        up.extend(down.into_iter().rev());
        up
    }

    /// Links of the path from a host or switch to host 0, each by its far end as seen from there.
    pub(crate) fn to_root(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let up = std::iter::successors(Some(vertex), |&v| self.parent(v));
        up.take_while(|&v| v > 0)
    }

    /// Returns the least of some capacities over the links between two hosts. Capacities stand, as
    /// latencies do, by the far end of their link as seen from host 0.
    pub fn narrowest(&self, capacities: &[f64], a: u32, b: u32) -> f64 {
        let links = self.path(a, b).into_iter();
        links
            .map(|link| capacities[link as usize])
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns whether the paths between `a` and `b` and between `c` and `d` have a link in common,
    /// where messages slow each other down.
    pub fn shares_link(&self, [a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
        let one = self.path(a, b);
        self.path(c, d).iter().any(|link| one.contains(link))
    }

    /// Lists of the hosts and switches that hang on each, towards the leaves.
    pub(crate) fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.order.len()];
        for &v in &self.order[1..] {
            children[self.parents[v as usize] as usize].push(v);
        }
        children
    }
}

pub(crate) fn check_names(names: &[String]) -> Result<(), TreeError> {
    let mut seen = HashSet::new();
    match names
        .iter()
        .position(|name| name.is_empty() || !seen.insert(name))
    {
        Some(host) => Err(TreeError::Name {
            host,
            name: names[host].clone(),
        }),
        None => Ok(()),
    }
}

fn check_links(vertices: usize, links: &[Link]) -> Result<(), TreeError> {
    for (position, link) in links.iter().enumerate() {
        if let Some(&vertex) = link.between.iter().find(|&&v| v as usize >= vertices) {
            return Err(TreeError::Vertex {
                link: position,
                vertex,
                last: vertices - 1,
            });
        }
        if !(link.latency.is_finite() && link.latency >= 0.0) {
            return Err(TreeError::Latency {
                link: position,
                latency: link.latency,
            });
        }
    }
    if links.len() + 1 != vertices {
        return Err(TreeError::Links {
            vertices,
            links: links.len(),
        });
    }
    Ok(())
}

/// Parent of what vertex 0 does not reach.
const UNREACHED: u32 = u32::MAX;

/// Returns parents, latencies to them and a preorder of what vertex 0 reaches.
fn root(joined: &[Vec<(u32, f64)>]) -> (Vec<u32>, Vec<f64>, Vec<u32>) {
    let mut parents = vec![UNREACHED; joined.len()];
    let mut latencies = vec![0.0; joined.len()];
    let (mut order, mut stack) = (Vec::new(), vec![0_u32]);
    parents[0] = 0;
    while let Some(v) = stack.pop() {
        order.push(v);
        for &(next, latency) in &joined[v as usize] {
            if parents[next as usize] == UNREACHED {
                parents[next as usize] = v;
                latencies[next as usize] = latency;
                stack.push(next);
            }
        }
    }
    (parents, latencies, order)
}
