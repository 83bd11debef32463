//! Bandwidths of all links, from few measurements that go on at once without a link in common (the
//! thesis's section 6.1).

mod recorded;

use std::collections::BTreeMap;

pub use self::recorded::read;

use super::Tree;

/// Pairs of hosts that are measured at once: no link is used by two of them.
pub type Round = Vec<(u32, u32)>;

/// The tree as it is measured: from a switch in its middle, from which no host is more hops away
/// than need be.
struct Middle {
    /// Switches by their depth, the deepest first.
    stages: Vec<Vec<u32>>,
    /// Parts of the tree that hang on each, by the smallest host.
    children: Vec<Vec<u32>>,
    parents: Vec<u32>,
}

impl Middle {
    fn new(tree: &Tree) -> Self {
        let mut joined = tree.children();
        for &v in tree.preorder() {
            if let Some(parent) = tree.parent(v) {
                joined[v as usize].push(parent);
            }
        }
        let switches = tree.hosts() as u32..tree.preorder().len() as u32;
        let root = switches
            .map(|v| (depths(&joined, v).iter().copied().max().unwrap_or(0), v))
            .min()
            .map_or(0, |(_, v)| v);
        let depth = depths(&joined, root);
        let parents: Vec<u32> = (0..joined.len())
            .map(|v| {
                let mut up = joined[v].iter().copied();
                up.find(|&u| depth[u as usize] < depth[v]).unwrap_or(root)
            })
            .collect();
        let deepest = depth.iter().copied().max().unwrap_or(0);
        let mut stages = vec![Vec::new(); deepest as usize];
        for v in tree.hosts()..joined.len() {
            stages[(deepest - 1 - depth[v]) as usize].push(v as u32);
        }
        let mut middle = Self {
            stages,
            children: vec![Vec::new(); joined.len()],
            parents,
        };
        let mut smallest: Vec<u32> = (0..joined.len() as u32).collect();
        for v in middle.stages.iter().flatten().map(|&v| v as usize) {
            let mut below: Vec<u32> = joined[v].clone();
            below.retain(|&u| depth[u as usize] > depth[v]);
            below.sort_unstable_by_key(|&u| smallest[u as usize]);
            smallest[v] = below.first().map_or(v as u32, |&u| smallest[u as usize]);
            middle.children[v] = below;
        }
        middle
            .stages
            .iter_mut()
            .for_each(|stage| stage.sort_unstable_by_key(|&v| smallest[v as usize]));
        middle
    }

    /// Returns the link above a vertex, by its far end as seen from host 0.
    fn link(&self, tree: &Tree, v: u32) -> u32 {
        let parent = self.parents[v as usize];
        if tree.parent(v) == Some(parent) {
            v
        } else {
            parent
        }
    }
}

fn depths(joined: &[Vec<u32>], root: u32) -> Vec<u32> {
    let mut depth = vec![u32::MAX; joined.len()];
    depth[root as usize] = 0;
    let mut queue = vec![root];
    let mut at = 0;
    while let Some(&v) = queue.get(at) {
        at += 1;
        for &next in &joined[v as usize] {
            if depth[next as usize] == u32::MAX {
                depth[next as usize] = depth[v as usize] + 1;
                queue.push(next);
            }
        }
    }
    depth
}

/// Returns the schedule of the published method: stages of two rounds at most, from the leaves to
/// the middle of the tree.
///
/// At each switch of a stage one host stands for each branch below, the first by number. Branches
/// are measured in pairs, and an odd one with the first in a second round. The value of a pair is
/// the bandwidth of both branches' links; in a second round it is that of the odd one's link alone.
pub fn schedule(tree: &Tree) -> Vec<Vec<Round>> {
    let middle = Middle::new(tree);
    let mut host: Vec<u32> = (0..tree.preorder().len() as u32).collect();
    let mut stages = Vec::new();
    for stage in &middle.stages {
        let (mut first, mut second) = (Round::new(), Round::new());
        for &switch in stage {
            let of: Vec<u32> = middle.children[switch as usize]
                .iter()
                .map(|&v| host[v as usize])
                .collect();
            let pairs = of.chunks_exact(2);
            if let [odd] = pairs.remainder() {
                second.push((*odd, of[0]));
            }
            first.extend(pairs.map(|pair| (pair[0], pair[1])));
            host[switch as usize] = of.first().copied().unwrap_or(switch);
        }
        let mut rounds = vec![first, second];
        rounds.retain(|round| !round.is_empty());
        stages.push(rounds);
    }
    if tree.switches() == 0 {
        stages.push(vec![vec![(0, 1)]]);
    }
    stages
}

/// Bandwidths of all links, and the effort that they took.
#[derive(Clone, Debug, PartialEq)]
pub struct Bandwidths {
    /// Bandwidth of the link of each host and switch towards host 0, in the unit of the
    /// measurements; infinite for host 0.
    pub links: Vec<f64>,
    /// Number of measurements.
    pub measurements: usize,
    /// Number of rounds, in each of which measurements go on at once.
    pub rounds: usize,
}

/// Returns bandwidths of which none is known.
pub(crate) fn unknown(tree: &Tree) -> Bandwidths {
    Bandwidths {
        links: vec![f64::INFINITY; tree.preorder().len()],
        measurements: 0,
        rounds: 0,
    }
}

impl Bandwidths {
    /// Returns the bandwidth between two hosts: the least of their path. If links are shared by
    /// nobody else, it is a lower bound.
    pub fn between(&self, tree: &Tree, a: u32, b: u32) -> f64 {
        tree.narrowest(&self.links, a, b)
    }
}

/// Measures the bandwidths of all links; `measure` is given the pairs of a round, and returns a
/// bandwidth for each.
///
/// Beyond the published [`schedule`], the host that stands for a branch is the one with the fastest
/// known way. A branch that is slower than another at its switch is measured with the fastest one
/// too. A link keeps its largest value: a slow partner does not count.
///
/// # Errors
/// The first error of `measure`.
pub fn measure<E>(
    tree: &Tree,
    mut measure: impl FnMut(&[(u32, u32)]) -> Result<Vec<f64>, E>,
) -> Result<Bandwidths, E> {
    let middle = Middle::new(tree);
    let count = tree.preorder().len();
    let mut run = Run {
        // For each vertex the host below it with the fastest way, and how fast that is.
        fastest: (0..count as u32).map(|v| (v, f64::INFINITY)).collect(),
        above: vec![0.0; count],
        measurements: 0,
        rounds: 0,
    };
    let mut links = vec![f64::INFINITY; count];
    if tree.switches() == 0 {
        run.stage(vec![Games::new(&[0, 1])], &mut measure)?;
        links[1] = run.above[1];
    }
    for stage in &middle.stages {
        let games: Vec<Games> = stage
            .iter()
            .map(|&switch| Games::new(&middle.children[switch as usize]))
            .collect();
        run.stage(games, &mut measure)?;
        for &switch in stage {
            let below = middle.children[switch as usize].iter();
            let ways = below.map(|&v| {
                let (host, way) = run.fastest[v as usize];
                (host, way.min(run.above[v as usize]))
            });
            let best = ways.reduce(|x, y| if y.1 > x.1 { y } else { x });
            run.fastest[switch as usize] = best.unwrap_or((switch, 0.0));
        }
    }
    for v in middle.stages.iter().flatten() {
        for &child in &middle.children[*v as usize] {
            links[middle.link(tree, child) as usize] = run.above[child as usize];
        }
    }
    Ok(Bandwidths {
        links,
        measurements: run.measurements,
        rounds: run.rounds,
    })
}

struct Run {
    fastest: Vec<(u32, f64)>,
    /// Bandwidth of the link above each vertex, as far as it is known.
    above: Vec<f64>,
    measurements: usize,
    rounds: usize,
}

/// Pairs of branches of a switch: the measured ones, from which the next follow.
struct Games {
    branches: Vec<u32>,
    /// Set if the pairs of the first round are done; an odd branch plays after them.
    is_paired: bool,
    played: BTreeMap<(u32, u32), f64>,
}

impl Games {
    fn new(branches: &[u32]) -> Self {
        Self {
            branches: branches.to_vec(),
            is_paired: false,
            played: BTreeMap::new(),
        }
    }

    /// Returns the pairs of the next round: neighbours first. Then it is one pair a round: the
    /// fastest branch, and a slower or odd one that has not been measured with it.
    fn next(&mut self, above: &[f64]) -> Vec<(u32, u32)> {
        if !self.is_paired {
            self.is_paired = true;
            return self
                .branches
                .chunks_exact(2)
                .map(|pair| (pair[0], pair[1]))
                .collect();
        }
        let speed = |v: u32| above[v as usize];
        let fastest = self.branches.iter().copied();
        let Some(best) = fastest.reduce(|x, y| if speed(y) > speed(x) { y } else { x }) else {
            return Vec::new();
        };
        let open = self.branches.iter().copied().find(|&v| {
            let pair = (v.min(best), v.max(best));
            speed(v) < speed(best) && !self.played.contains_key(&pair)
        });
        open.map(|v| (v, best)).into_iter().collect()
    }
}

impl Run {
    /// Plays the games of all switches of a stage, a round of each at a time.
    fn stage<E>(
        &mut self,
        mut games: Vec<Games>,
        measure: &mut impl FnMut(&[(u32, u32)]) -> Result<Vec<f64>, E>,
    ) -> Result<(), E> {
        loop {
            let mut pairs = Vec::new();
            for (at, games) in games.iter_mut().enumerate() {
                pairs.extend(games.next(&self.above).into_iter().map(|pair| (at, pair)));
            }
            if pairs.is_empty() {
                return Ok(());
            }
            let host = |v: u32| self.fastest[v as usize].0;
            let round: Round = pairs
                .iter()
                .map(|(_, (a, b))| (host(*a), host(*b)))
                .collect();
            let values = measure(&round)?;
            self.measurements += round.len();
            self.rounds += 1;
            for ((at, (a, b)), value) in pairs.into_iter().zip(values) {
                games[at].played.insert((a.min(b), a.max(b)), value);
                for v in [a, b] {
                    self.above[v as usize] = self.above[v as usize].max(value);
                }
            }
        }
    }
}
