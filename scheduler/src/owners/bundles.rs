//! Bundles: tasks that one processor runs at a stretch.

use std::{borrow::Cow, ops::Range};

use superstep_dag::{Dag, Homes, Rows, Topological};
use superstep_tuning::tuned;

tuned! {
    /// Largest number of tasks of a bundle. Without bundles transforms cost 15 % more.
    const MOST: u32 = 16, off 1;
}

/// Bundles of tasks: a few that follow each other in the sequential run and belong together.
///
/// Some share a temporary, as the two results of a butterfly do; some overwrite what others of them
/// still read, as in a swap. On different processors they would cost messages, or keep the array
/// from being shared.
pub(super) struct Bundles<'a> {
    /// First task of each bundle, and the end of all; empty where each task is a bundle.
    starts: Vec<u32>,
    /// Bundle of each task; empty where each task is a bundle.
    of: Vec<u32>,
    edges: Edges<'a>,
}

/// Edges between bundles as tasks. One says that one has to be over before the other, which reads
/// its values or overwrites a word that it uses.
pub(super) enum Edges<'a> {
    /// Edges of values and words, all in one graph.
    One(Cow<'a, Dag>),
    /// Edges of words apart, each task being a bundle: so the graph need not be there twice.
    Two(ValuesAndWords<'a>),
}

/// Edges from the writer of a value to its readers, and from each user of a word to the task that
/// overwrites it.
pub(super) struct ValuesAndWords<'a> {
    values: &'a Dag,
    words: Dag,
}

/// Precedence among tasks: which have to be over before which.
pub(super) trait Precedence {
    fn tasks(&self) -> usize;
    fn topological(&self) -> Topological<'_>;
    fn weight(&self, task: u32) -> u32;
    /// Lists the tasks that have to be over before one; some may come twice.
    fn predecessors(&self, task: u32) -> impl Iterator<Item = &u32> + Clone;
    /// Lists the tasks that wait for one; some may come twice.
    fn successors(&self, task: u32) -> impl Iterator<Item = &u32> + Clone;
}

impl Precedence for Dag {
    fn tasks(&self) -> usize {
        self.tasks()
    }

    fn topological(&self) -> Topological<'_> {
        self.topological()
    }

    #[inline]
    fn weight(&self, task: u32) -> u32 {
        self.weight(task)
    }

    #[inline]
    fn predecessors(&self, task: u32) -> impl Iterator<Item = &u32> + Clone {
        self.predecessors(task).iter()
    }

    #[inline]
    fn successors(&self, task: u32) -> impl Iterator<Item = &u32> + Clone {
        self.successors(task).iter()
    }
}

impl Precedence for ValuesAndWords<'_> {
    fn tasks(&self) -> usize {
        self.values.tasks()
    }

    fn topological(&self) -> Topological<'_> {
        self.values.topological()
    }

    #[inline]
    fn weight(&self, task: u32) -> u32 {
        self.values.weight(task)
    }

    #[inline]
    fn predecessors(&self, task: u32) -> impl Iterator<Item = &u32> + Clone {
        let values = self.values.predecessors(task).iter();
        values.chain(self.words.predecessors(task))
    }

    #[inline]
    fn successors(&self, task: u32) -> impl Iterator<Item = &u32> + Clone {
        let values = self.values.successors(task).iter();
        values.chain(self.words.successors(task))
    }
}

impl<'a> Bundles<'a> {
    /// Finds the bundles of a graph; none where ids are not topological. Cost: linear in tasks and
    /// edges. It looks at each task once where there is nothing to bundle, and nothing overwritten.
    pub(super) fn new(graph: &'a Dag, homes: &Homes) -> Self {
        let intervals = intervals(graph, homes);
        // Schedules need not respect them, and they can contradict the edges of other graphs.
        let storage = match graph.ids_are_topological() {
            true => homes.storage_dependences(),
            false => &[],
        };
        if intervals.is_empty() {
            return Self {
                starts: Vec::new(),
                of: Vec::new(),
                edges: match storage {
                    [] => Edges::One(Cow::Borrowed(graph)),
                    _ => Edges::Two(ValuesAndWords {
                        values: graph,
                        words: edges_of(storage, graph.tasks()),
                    }),
                },
            };
        }
        let tasks = graph.tasks() as u32;
        let mut starts = Vec::new();
        let mut of = Vec::with_capacity(graph.tasks());
        let mut intervals = intervals.into_iter().peekable();
        while (of.len() as u32) < tasks {
            let start = of.len() as u32;
            let interval = intervals.next_if(|interval| interval.start == start);
            let end = interval.map_or(start + 1, |interval| interval.end);
            of.resize(end as usize, starts.len() as u32);
            starts.push(start);
        }
        starts.push(tasks);
        let bundle = |at: u32| starts[at as usize]..starts[at as usize + 1];
        let edges = order(graph, storage, starts.len() - 1, bundle, |task| {
            of[task as usize]
        });
        Self {
            starts,
            of,
            edges: Edges::One(Cow::Owned(edges)),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.topological().len()
    }

    /// Returns the bundles, each after those that have to be over before.
    pub(super) fn topological(&self) -> Topological<'_> {
        match &self.edges {
            Edges::One(graph) => graph.topological(),
            Edges::Two(edges) => edges.topological(),
        }
    }

    /// Returns the edges between the bundles.
    pub(super) fn edges(&self) -> &Edges<'a> {
        &self.edges
    }

    pub(super) fn tasks(&self, bundle: u32) -> Range<u32> {
        let at = bundle as usize;
        if self.starts.is_empty() {
            bundle..bundle + 1
        } else {
            self.starts[at]..self.starts[at + 1]
        }
    }

    /// Returns the bundle that first reads a value of this one.
    pub(super) fn reader(&self, graph: &Dag, bundle: u32) -> Option<usize> {
        let tasks = self.tasks(bundle);
        let readers = tasks.clone().flat_map(|task| graph.successors(task));
        let reader = readers.copied().find(|reader| !tasks.contains(reader))?;
        Some(self.of(reader) as usize)
    }

    fn of(&self, task: u32) -> u32 {
        self.of.get(task as usize).copied().unwrap_or(task)
    }

    /// Spreads values of bundles over their tasks.
    pub(super) fn spread<'v, T: Copy>(&self, of_bundles: Cow<'v, [T]>) -> Cow<'v, [T]> {
        if self.starts.is_empty() {
            return of_bundles;
        }
        let bundle = |&bundle: &u32| of_bundles[bundle as usize];
        self.of.iter().map(bundle).collect()
    }
}

/// Finds the stretches that belong together, ascending and apart.
fn intervals(graph: &Dag, homes: &Homes) -> Vec<Range<u32>> {
    if !graph.ids_are_topological() {
        return Vec::new();
    }
    let tasks = 0..graph.tasks() as u32;
    let temporaries =
        tasks
            .filter(|&task| homes.word(task).is_none())
            .filter_map(|task| match graph.successors(task) {
                [_, .., last] => Some(task..last + 1),
                _ => None,
            });
    let swaps = homes.storage_dependences().iter();
    let swaps = swaps
        .filter(|(before, task)| task < before)
        .map(|&(before, task)| task..before + 1);
    let mut intervals: Vec<Range<u32>> = temporaries.chain(swaps).collect();
    intervals.retain(|interval| interval.end - interval.start <= MOST.get());
    intervals.sort_unstable_by_key(|interval| (interval.start, interval.end));
    let mut merged: Vec<Range<u32>> = Vec::new();
    for interval in intervals {
        match merged.last_mut() {
            Some(last) if interval.start < last.end => last.end = last.end.max(interval.end),
            _ => merged.push(interval),
        }
    }
    merged.retain(|interval| interval.end - interval.start <= MOST.get());
    merged
}

/// Returns the storage dependences of so many tasks as edges, those that go forward.
fn edges_of(storage: &[(u32, u32)], tasks: usize) -> Dag {
    let forward = storage
        .iter()
        .copied()
        .filter(|(before, task)| before < task);
    let forward = forward.map(|(before, task)| (before as usize, task));
    Dag::from_successors(Rows::sorted(tasks, forward))
}

/// Returns the graph of so many bundles, with the storage dependences: the tasks of each, and the
/// bundle of each task.
fn order(
    graph: &Dag,
    storage: &[(u32, u32)],
    bundles: usize,
    tasks: impl Fn(u32) -> Range<u32>,
    bundle: impl Fn(u32) -> u32,
) -> Dag {
    let mut rows = Rows::with_capacity(bundles, graph.edges() + storage.len());
    let mut storage = storage.iter().peekable();
    for before in 0..bundles as u32 {
        let readers: &mut Vec<u32> = &mut rows.items;
        let start = readers.len();
        let own = tasks(before);
        readers.extend(graph.successors_of_all(own.clone()));
        while let Some(&(_, task)) = storage.next_if(|pair| pair.0 < own.end) {
            readers.push(task);
        }
        readers[start..]
            .iter_mut()
            .for_each(|task| *task = bundle(*task));
        readers[start..].sort_unstable();
        // Groups that use a word and overwrite it in turn, too long to be a bundle, can't wait for
        // each other.
        let mut kept = start;
        for at in start..readers.len() {
            let after = readers[at];
            if after > before && (kept == start || readers[kept - 1] != after) {
                readers[kept] = after;
                kept += 1;
            }
        }
        readers.truncate(kept);
        rows.end_row();
    }
    rows.items.shrink_to_fit();
    let order = Dag::from_successors(rows);
    let weights = |bundle| tasks(bundle).map(|task| graph.weight(task));
    let work = |bundle| weights(bundle).fold(0, u32::saturating_add);
    order
        .with_weights((0..bundles as u32).map(work).collect())
        .expect("each bundle has a weight")
}
