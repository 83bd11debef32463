//! The graph whose tasks are groups of another graph's tasks.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Dag;
use superstep_order::Rows;

/// Graph whose tasks are groups of another graph's tasks.
///
/// A group is one task: its work is the sum of its members'. If all its values that are read
/// outside have the same readers, it has one value of so many words. If not, values of the same
/// readers make a *parcel*: a task without work and without members after the group's own, whose
/// value they are. So a reader waits for, and is sent, what it reads and no more. (The group's own
/// value, which only its parcels read, then has the words of all of them: it is best not to part
/// them.)
///
/// So a schedule of this graph that runs parcels where their groups run costs what the same
/// schedule of all their members costs. It is the same work, and the same words between the same
/// processors, each once for each processor that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contraction {
    graph: Dag,
    members: Rows<u32>,
    groups: Vec<u32>,
}

impl Contraction {
    /// Returns the graph of the groups and their parcels. Ascending ids are a topological order.
    pub fn graph(&self) -> &Dag {
        &self.graph
    }

    /// Returns the tasks in a group, ascending, which is an order in which they can run. None: a
    /// parcel of the group before.
    pub fn members(&self, group: u32) -> &[u32] {
        let g = group as usize;
        self.members.row(g)
    }

    /// Returns the group of each task.
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// Makes every task a group of its own: what there is without contraction.
    pub fn identity(graph: Dag) -> Self {
        let tasks = graph.tasks() as u32;
        Self {
            graph,
            members: Rows {
                offsets: (0..=tasks).collect(),
                items: (0..tasks).collect(),
            },
            groups: (0..tasks).collect(),
        }
    }

    /// Makes each of these intervals of ids a group, and every task in none of them one of its own.
    ///
    /// Cost: a few passes over the edges.
    ///
    /// # Panics
    /// When ascending ids are no topological order of `graph`, and when the work of an interval is
    /// 2^32 or more. The intervals must be ascending, apart and of its ids.
    ///
    /// ```
    /// use superstep_dag::{Contraction, Dag};
    ///
    /// let graph = Dag::from_edges(6, &[(0, 3), (1, 3), (0, 4), (2, 5)])?;
    /// let groups = Contraction::of_intervals(&graph, &[0..3, 3..5]);
    /// // The values of 0 and 1 go to the second group, that of 2 to task 5: two parcels.
    /// assert_eq!(groups.members(0), [0, 1, 2]);
    /// assert!(groups.members(1).is_empty() && groups.members(2).is_empty());
    /// assert_eq!((groups.graph().words(1), groups.graph().words(2)), (2, 1));
    /// assert_eq!(groups.graph().edge_list().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 3), (2, 4)]);
    /// # Ok::<(), superstep_dag::GraphError>(())
    /// ```
    pub fn of_intervals(graph: &Dag, intervals: &[Range<u32>]) -> Self {
        let mut groups = vec![0; graph.tasks()];
        let (mut task, mut group) = (0, 0);
        for interval in intervals {
            assert!(
                task <= interval.start && interval.start < interval.end,
                "intervals are ascending, apart and not empty"
            );
            for single in task..interval.start {
                groups[single as usize] = group;
                group += 1;
            }
            groups[interval.start as usize..interval.end as usize].fill(group);
            (task, group) = (interval.end, group + 1);
        }
        for single in &mut groups[task as usize..] {
            *single = group;
            group += 1;
        }
        Self::new(graph, &groups, group as usize)
    }

    /// Makes one task of the tasks of each of `count` groups. No group is empty, and every edge
    /// between groups goes from a lower to a higher number.
    ///
    /// # Panics
    /// When that is not so, when ascending ids are no topological order of `graph`, and when a
    /// group's work is 2^32 or more.
    ///
    /// ```
    /// use superstep_dag::{Contraction, Dag};
    ///
    /// let graph = Dag::from_edges(4, &[(0, 2), (1, 3)])?;
    /// let groups = Contraction::of_groups(&graph, &[0, 1, 0, 1], 2);
    /// assert_eq!(groups.members(1), [1, 3]);
    /// # Ok::<(), superstep_dag::GraphError>(())
    /// ```
    pub fn of_groups(graph: &Dag, groups: &[u32], count: usize) -> Self {
        let rises = |(u, v): (u32, u32)| groups[u as usize] <= groups[v as usize];
        assert!(
            graph.edge_list().all(rises),
            "groups come after those that they read"
        );
        Self::new(graph, groups, count)
    }

    /// Makes one task of the tasks of each of `count` groups, where every edge between groups goes
    /// from a lower to a higher number.
    pub(crate) fn new(graph: &Dag, groups: &[u32], count: usize) -> Self {
        assert!(
            graph.ids_are_topological(),
            "members run in ascending order"
        );
        let members = by_group(count, groups);
        let nodes = Nodes::new(graph, groups, &members);
        let groups: Vec<u32> = groups.iter().map(|&g| nodes.own[g as usize]).collect();
        let count = nodes.parents.len();
        let members = by_group(count, &groups);
        let graph = nodes.graph(graph, &groups, &members);
        Self {
            graph,
            members,
            groups,
        }
    }

    /// Puts these groups together by a contraction of their graph.
    ///
    /// # Panics
    /// When the contraction is of a graph with fewer tasks.
    #[must_use]
    pub fn then(self, outer: Self) -> Self {
        let groups = self.groups.iter().map(|&g| outer.groups[g as usize]);
        let groups: Vec<u32> = groups.collect();
        let members = by_group(outer.graph.tasks(), &groups);
        Self {
            graph: outer.graph,
            members,
            groups,
        }
    }
}

/// Returns the tasks of each group, ascending.
pub(crate) fn by_group(count: usize, groups: &[u32]) -> Rows<u32> {
    let pairs = groups.iter().zip(0..);
    Rows::sorted(count, pairs.map(|(&group, task)| (group as usize, task)))
}

/// The tasks of the graph to be: groups and, after each, its parcels.
struct Nodes {
    /// Task of each group.
    own: Vec<u32>,
    /// Group that each task to be is of, as a task to be: itself but for parcels.
    parents: Vec<u32>,
    /// Words of the value of each task to be.
    words: Vec<u32>,
    /// Task that carries the value of each task of the old graph.
    carriers: Vec<u32>,
}

impl Nodes {
    pub(crate) fn new(graph: &Dag, groups: &[u32], members: &Rows<u32>) -> Self {
        let mut nodes = Self {
            own: Vec::with_capacity(members.len()),
            parents: Vec::with_capacity(members.len()),
            words: Vec::with_capacity(members.len()),
            carriers: vec![0; groups.len()],
        };
        let mut parcels = Parcels::default();
        for members in members.iter() {
            nodes.push(graph, groups, members, &mut parcels);
        }
        nodes
    }

    /// Adds a group and its parcels.
    fn push(&mut self, graph: &Dag, groups: &[u32], members: &[u32], parcels: &mut Parcels) {
        let own = self.parents.len() as u32;
        let last = *members.last().expect("no group is empty");
        self.own.push(own);
        self.parents.push(own);
        parcels.clear();
        if let [_, _, ..] = members {
            parcels.fill(graph, groups, members);
        }
        if let [words] = parcels.words[..] {
            self.words.push(words);
        } else if parcels.words.is_empty() {
            self.words.push(graph.words(last));
        } else {
            self.words.push(parcels.words.iter().sum());
            self.words.extend_from_slice(&parcels.words);
            self.parents.resize(self.words.len(), own);
        }
        let first = self.parents.len() - parcels.words.len();
        for &task in members {
            self.carriers[task as usize] = own;
        }
        for &(task, parcel) in &parcels.carried {
            self.carriers[task as usize] = first as u32 + parcel;
        }
    }

    /// Makes the graph of these tasks; `groups` says where each old one is, the others who is in
    /// each.
    fn graph(self, graph: &Dag, groups: &[u32], members: &Rows<u32>) -> Dag {
        let count = self.parents.len();
        let list = |node: usize| members.row(node);
        let (mut predecessors, mut own) = (Rows::default(), Vec::new());
        for node in 0..count {
            own.clear();
            let parent = self.parents[node];
            if parent as usize != node {
                own.push(parent);
            }
            for &member in list(node) {
                let before = graph.predecessors(member).iter();
                let before = before.map(|&u| self.carriers[u as usize]);
                own.extend(before.filter(|&u| self.parents[u as usize] as usize != node));
            }
            own.sort_unstable();
            own.dedup();
            predecessors.items.extend_from_slice(&own);
            predecessors.end_row();
        }
        let work = |node| {
            let work = list(node).iter().map(|&t| graph.weight(t));
            work.reduce(|sum, work| sum.checked_add(work).expect("a group's work is below 2^32"))
        };
        let weights: Vec<u32> = (0..count).map(|node| work(node).unwrap_or(0)).collect();
        let homes = graph.homes().map(|homes| {
            let parents = self.parents.iter();
            let last = |&parent: &u32| *list(parent as usize).last().expect("no group is empty");
            homes.contract(&parents.map(last).collect::<Vec<_>>(), groups)
        });
        Dag {
            successors: predecessors.turned(),
            predecessors,
            weights: weights.iter().any(|&w| w != 1).then_some(weights),
            words: self.words.iter().any(|&w| w != 1).then_some(self.words),
            order: None,
            homes,
        }
    }
}

/// The values of one group that are read outside, by who reads them.
#[derive(Default)]
struct Parcels {
    /// Parcel of each set of readers.
    by_readers: BTreeMap<Vec<u32>, u32>,
    /// Words of each parcel.
    words: Vec<u32>,
    /// Members whose values are read outside, and their parcels.
    carried: Vec<(u32, u32)>,
    readers: Vec<u32>,
}

impl Parcels {
    fn clear(&mut self) {
        self.by_readers.clear();
        self.words.clear();
        self.carried.clear();
    }

    fn fill(&mut self, graph: &Dag, groups: &[u32], members: &[u32]) {
        for &task in members {
            let own = groups[task as usize];
            self.readers.clear();
            let readers = graph.successors(task).iter().map(|&v| groups[v as usize]);
            self.readers.extend(readers.filter(|&group| group != own));
            if self.readers.is_empty() {
                continue;
            }
            // Ascending already, unless groups are scattered.
            self.readers.sort_unstable();
            self.readers.dedup();
            let parcel = self.parcel();
            self.words[parcel as usize] += graph.words(task);
            self.carried.push((task, parcel));
        }
    }

    /// Returns the parcel for these readers.
    fn parcel(&mut self) -> u32 {
        if let Some(&parcel) = self.by_readers.get(&self.readers) {
            return parcel;
        }
        let parcel = self.words.len() as u32;
        self.by_readers.insert(self.readers.clone(), parcel);
        self.words.push(0);
        parcel
    }
}
