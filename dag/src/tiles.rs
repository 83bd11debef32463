//! Groups of tasks that share what they read.

use std::cmp::Reverse;

use petgraph::{algo::kosaraju_scc, graph::DiGraph};

use superstep_order::Rows;

use crate::contraction::by_group;
use crate::{Contraction, Dag, depths, levels};

/// Puts together the tasks that hand a value on to one reader alone, and then those that read from
/// the same groups.
///
/// First *paths*: a task joins the only reader of its value while the work of all that come
/// together so is at most `path`. Then *tiles*, from the inputs on: paths that are as deep in the
/// graph and read from the same tiles are one. A tile whose values have several readers has at most
/// `side` paths, and others have at most `side` squared. Where there are more, those that wait for
/// as long are together. Both keep the graph free of cycles.
///
/// Last, tiles of shared values that the same other tiles read become one, up to the work of two
/// full tiles. So do those that would then wait for each other in a circle; where these are too
/// much work, they stay apart.
///
/// So the tiles of one depth continue those before. In a matrix factorisation blocks of `side` rows
/// and columns and `path` steps come out, whatever the tasks are called.
///
/// Cost: some passes over the edges.
///
/// # Panics
/// When ascending ids are no topological order of `graph`, and when the work of a tile is 2^32 or
/// more.
///
/// ```
/// use superstep_dag::{Dag, tiles};
///
/// // Two values, each read by the same four tasks.
/// let edges: Vec<(u32, u32)> = (2..6).flat_map(|task| [(0, task), (1, task)]).collect();
/// let tiles = tiles(&Dag::from_edges(6, &edges)?, 4, 2);
/// let sizes: Vec<usize> = (0..tiles.graph().tasks() as u32).map(|tile| tiles.members(tile).len()).collect();
/// assert_eq!(sizes, [2, 4]);
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
pub fn tiles(graph: &Dag, path: u32, side: usize) -> Contraction {
    assert!(
        graph.ids_are_topological(),
        "members run in ascending order"
    );
    let paths = Paths::new(graph, path);
    let side = side.max(1);
    let mut tiles = paths.tiles(graph, side);
    let most = 2 * u64::from(path) * (side * side) as u64;
    tiles.join(graph, most);
    tiles.contraction(graph)
}

/// Groups of tasks in which each but the last has its only reader.
struct Paths {
    /// The path of each task.
    of: Vec<u32>,
    /// The tasks of each path.
    members: Rows<u32>,
}

impl Paths {
    /// Finds paths of at most so much work, in the order of their last tasks, whose values alone
    /// are read by others.
    fn new(graph: &Dag, most: u32) -> Self {
        let tasks = graph.tasks() as u32;
        let mut last: Vec<u32> = (0..tasks).collect();
        // Of each path, at its last task.
        let mut work: Vec<u64> = (0..tasks).map(|t| u64::from(graph.weight(t))).collect();
        for task in 0..tasks {
            for &value in graph.predecessors(task) {
                let together = work[task as usize] + work[value as usize];
                if graph.successors(value).len() == 1 && together <= u64::from(most) {
                    last[value as usize] = task;
                    work[task as usize] = together;
                }
            }
        }
        let mut of = vec![0; tasks as usize];
        let mut count = 0;
        for task in 0..tasks as usize {
            if last[task] as usize == task {
                of[task] = count;
                count += 1;
            }
        }
        for task in (0..tasks as usize).rev() {
            of[task] = of[last[task] as usize];
        }
        Self {
            members: by_group(count as usize, &of),
            of,
        }
    }

    fn count(&self) -> usize {
        self.members.len()
    }

    /// Returns the tasks of a path.
    fn members(&self, path: u32) -> &[u32] {
        self.members.row(path as usize)
    }

    /// Iterates over the paths that a path reads from.
    fn reads(&self, graph: &Dag, path: u32) -> impl Iterator<Item = u32> {
        let members = self.members(path).iter();
        let values = members.flat_map(|&task| graph.predecessors(task));
        let paths = values.map(|&value| self.of[value as usize]);
        paths.filter(move |&other| other != path)
    }

    /// Returns the depth of each path: the most of them, one after the other, that lead to it.
    fn depths(&self, graph: &Dag) -> Vec<u32> {
        let mut depths: Vec<u32> = vec![0; self.count()];
        for path in 0..self.count() as u32 {
            let before = self
                .reads(graph, path)
                .map(|before| depths[before as usize] + 1);
            depths[path as usize] = before.max().unwrap_or(0);
        }
        depths
    }

    /// Puts the paths together to tiles.
    fn tiles(&self, graph: &Dag, side: usize) -> Tiles {
        let depths = self.depths(graph);
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let by_depth = by_group(deepest as usize + 1, &depths);
        let levels = levels(graph);
        let mut tiles = vec![0; self.count()];
        let mut is_shared = Vec::new();
        for paths in by_depth.iter() {
            let mut keyed: Vec<Keyed> = paths
                .iter()
                .map(|&path| {
                    let last = *self.members(path).last().expect("no path is empty");
                    let mut from: Vec<u32> = self
                        .reads(graph, path)
                        .map(|path| tiles[path as usize])
                        .collect();
                    from.sort_unstable();
                    from.dedup();
                    Keyed {
                        from,
                        is_shared: graph.successors(last).len() > 1,
                        level: Reverse(levels[last as usize]),
                        path,
                    }
                })
                .collect();
            keyed.sort_unstable();
            for alike in keyed.chunk_by(|a, b| (&a.from, a.is_shared) == (&b.from, b.is_shared)) {
                let most = if alike[0].is_shared {
                    side
                } else {
                    side * side
                };
                for tile in alike.chunks(most) {
                    for keyed in tile {
                        tiles[keyed.path as usize] = is_shared.len() as u32;
                    }
                    is_shared.push(tile[0].is_shared);
                }
            }
        }
        Tiles {
            of: self.of.iter().map(|&path| tiles[path as usize]).collect(),
            is_shared,
        }
    }
}

/// Groups of paths.
struct Tiles {
    /// The tile of each task.
    of: Vec<u32>,
    /// Flags: set if the values of the tile have several readers.
    is_shared: Vec<bool>,
}

impl Tiles {
    /// Returns the edges between different tiles, each once.
    fn edges(&self, graph: &Dag) -> Vec<(u32, u32)> {
        let mut edges: Vec<(u32, u32)> = graph
            .edge_list()
            .map(|(from, to)| (self.of[from as usize], self.of[to as usize]))
            .filter(|(from, to)| from != to)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Joins tiles whose shared values the same tiles of other values read, up to so much work.
    /// Then it joins those that wait for each other in a circle.
    fn join(&mut self, graph: &Dag, most: u64) {
        let count = self.is_shared.len();
        let mut work = vec![0_u64; count];
        for (task, &tile) in (0..).zip(&self.of) {
            work[tile as usize] += u64::from(graph.weight(task));
        }
        let edges = self.edges(graph);
        let readers = edges
            .iter()
            .copied()
            .filter(|&(from, to)| self.is_shared[from as usize] && !self.is_shared[to as usize]);
        let readers = readers.map(|(from, to)| (from as usize, to));
        let readers = Rows::sorted(count, readers);
        let readers_of = |tile: u32| readers.row(tile as usize);
        let mut shared: Vec<u32> = (0..count as u32)
            .filter(|&tile| !readers_of(tile).is_empty())
            .collect();
        shared.sort_by_key(|&tile| readers_of(tile));
        let mut joined: Vec<u32> = (0..count as u32).collect();
        for alike in shared.chunk_by(|&a, &b| readers_of(a) == readers_of(b)) {
            let (mut first, mut together) = (alike[0], 0);
            for &tile in alike {
                together += work[tile as usize];
                if together > most {
                    (first, together) = (tile, work[tile as usize]);
                }
                joined[tile as usize] = first;
            }
        }
        self.break_circles(&edges, &work, most, &mut joined);
        for tile in &mut self.of {
            *tile = joined[*tile as usize];
        }
    }

    /// Makes one of all tiles that wait for each other in a circle as they are joined. Where that
    /// is too much work, it parts them.
    fn break_circles(&self, edges: &[(u32, u32)], work: &[u64], most: u64, joined: &mut [u32]) {
        let between = |joined: &[u32]| {
            let edges = edges
                .iter()
                .map(|&(from, to)| (joined[from as usize], joined[to as usize]));
            edges.filter(|(from, to)| from != to).collect::<Vec<_>>()
        };
        let circles = kosaraju_scc(&DiGraph::<(), (), u32>::from_edges(between(joined)));
        let parts = by_group(joined.len(), joined);
        for circle in circles.iter().filter(|circle| circle.len() > 1) {
            let tiles = || circle.iter().flat_map(|tile| parts.row(tile.index()));
            let together: u64 = tiles().map(|&tile| work[tile as usize]).sum();
            for &tile in tiles() {
                joined[tile as usize] = if together > most {
                    tile
                } else {
                    circle[0].index() as u32
                };
            }
        }
    }

    /// Makes the graph of the tiles, from the inputs on, in a depth in the order of their first
    /// tasks.
    fn contraction(self, graph: &Dag) -> Contraction {
        let count = self.is_shared.len();
        let contracted =
            Dag::from_edges(count, &self.edges(graph)).expect("no tiles wait for each other");
        let depths = depths(&contracted);
        let mut first = vec![u32::MAX; count];
        for (&tile, task) in self.of.iter().zip(0..) {
            let first = &mut first[tile as usize];
            *first = task.min(*first);
        }
        let mut order: Vec<u32> = (0..count as u32)
            .filter(|&tile| first[tile as usize] < u32::MAX)
            .collect();
        order.sort_unstable_by_key(|&tile| (depths[tile as usize], first[tile as usize]));
        let mut numbers = vec![0; count];
        for (&tile, number) in order.iter().zip(0..) {
            numbers[tile as usize] = number;
        }
        let groups: Vec<u32> = self.of.iter().map(|&tile| numbers[tile as usize]).collect();
        Contraction::new(graph, &groups, order.len())
    }
}

/// A path, with what says where it belongs.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Keyed {
    /// The tiles that it reads from, ascending.
    from: Vec<u32>,
    /// Set if its value has several readers.
    is_shared: bool,
    level: Reverse<u32>,
    path: u32,
}
