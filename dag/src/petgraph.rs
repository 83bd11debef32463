//! A task graph as petgraph's algorithms see it: nodes are task ids with their work as weights,
//! edges are pairs of ids.

use std::iter::Copied;
use std::ops::Range;
use std::slice::Iter;

use petgraph::Direction;
use petgraph::visit::{
    Data, EdgeCount, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoEdgesDirected,
    IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, IntoNodeReferences,
    NodeCompactIndexable, NodeCount, NodeIndexable, VisitMap, Visitable,
};

use crate::Dag;

/// An edge: from, to, and no weight.
type Edge<'a> = (u32, u32, &'a ());

impl GraphBase for Dag {
    type NodeId = u32;
    type EdgeId = (u32, u32);
}

impl Data for Dag {
    type NodeWeight = u32;
    type EdgeWeight = ();
}

impl GraphProp for Dag {
    type EdgeType = petgraph::Directed;
}

impl NodeCount for Dag {
    fn node_count(&self) -> usize {
        self.tasks()
    }
}

impl EdgeCount for Dag {
    fn edge_count(&self) -> usize {
        self.edges()
    }
}

impl NodeIndexable for Dag {
    fn node_bound(&self) -> usize {
        self.tasks()
    }

    fn to_index(&self, task: u32) -> usize {
        task as usize
    }

    fn from_index(&self, index: usize) -> u32 {
        index as u32
    }
}

impl NodeCompactIndexable for Dag {}

/// The tasks that an algorithm has visited.
#[derive(Clone, Debug, Default)]
pub struct Visited(Vec<bool>);

impl VisitMap<u32> for Visited {
    fn visit(&mut self, task: u32) -> bool {
        !std::mem::replace(&mut self.0[task as usize], true)
    }

    fn is_visited(&self, task: &u32) -> bool {
        self.0[*task as usize]
    }

    fn unvisit(&mut self, task: u32) -> bool {
        std::mem::replace(&mut self.0[task as usize], false)
    }
}

impl Visitable for Dag {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited(vec![false; self.tasks()])
    }

    fn reset_map(&self, map: &mut Visited) {
        map.0.clear();
        map.0.resize(self.tasks(), false);
    }
}

impl IntoNodeIdentifiers for &Dag {
    type NodeIdentifiers = Range<u32>;

    fn node_identifiers(self) -> Range<u32> {
        0..self.tasks() as u32
    }
}

impl<'a> IntoNodeReferences for &'a Dag {
    type NodeRef = (u32, &'a u32);
    type NodeReferences = NodeReferences<'a>;

    fn node_references(self) -> NodeReferences<'a> {
        NodeReferences {
            graph: self,
            tasks: self.node_identifiers(),
        }
    }
}

/// The tasks with their work.
#[derive(Clone, Debug)]
pub struct NodeReferences<'a> {
    graph: &'a Dag,
    tasks: Range<u32>,
}

impl<'a> Iterator for NodeReferences<'a> {
    type Item = (u32, &'a u32);

    fn next(&mut self) -> Option<Self::Item> {
        let task = self.tasks.next()?;
        Some((
            task,
            self.graph
                .weights
                .as_ref()
                .map_or(&1, |w| &w[task as usize]),
        ))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tasks.size_hint()
    }
}

impl<'a> IntoNeighbors for &'a Dag {
    type Neighbors = Copied<Iter<'a, u32>>;

    fn neighbors(self, task: u32) -> Self::Neighbors {
        self.successors(task).iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for &'a Dag {
    type NeighborsDirected = Copied<Iter<'a, u32>>;

    fn neighbors_directed(self, task: u32, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.successors(task),
            Direction::Incoming => self.predecessors(task),
        }
        .iter()
        .copied()
    }
}

impl<'a> IntoEdgeReferences for &'a Dag {
    type EdgeRef = Edge<'a>;
    type EdgeReferences = AllEdges<'a>;

    fn edge_references(self) -> AllEdges<'a> {
        AllEdges {
            graph: self,
            from: 0,
            at: 0,
        }
    }
}

/// Iterator over all edges, by the task that they come from.
#[derive(Clone, Debug)]
pub struct AllEdges<'a> {
    graph: &'a Dag,
    from: usize,
    at: usize,
}

impl<'a> Iterator for AllEdges<'a> {
    type Item = Edge<'a>;

    fn next(&mut self) -> Option<Edge<'a>> {
        let to = *self.graph.successors.items.get(self.at)?;
        while self.graph.successors.offsets[self.from + 1] as usize <= self.at {
            self.from += 1;
        }
        self.at += 1;
        Some((self.from as u32, to, &()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.graph.successors.items.len() - self.at;
        (left, Some(left))
    }
}

impl<'a> IntoEdges for &'a Dag {
    type Edges = EdgesOf<'a>;

    fn edges(self, task: u32) -> EdgesOf<'a> {
        self.edges_directed(task, Direction::Outgoing)
    }
}

impl<'a> IntoEdgesDirected for &'a Dag {
    type EdgesDirected = EdgesOf<'a>;

    fn edges_directed(self, task: u32, direction: Direction) -> EdgesOf<'a> {
        EdgesOf {
            task,
            direction,
            neighbors: self.neighbors_directed(task, direction),
        }
    }
}

/// The edges into or out of a task.
#[derive(Clone, Debug)]
pub struct EdgesOf<'a> {
    task: u32,
    direction: Direction,
    neighbors: Copied<Iter<'a, u32>>,
}

impl<'a> Iterator for EdgesOf<'a> {
    type Item = Edge<'a>;

    fn next(&mut self) -> Option<Edge<'a>> {
        let other = self.neighbors.next()?;
        Some(match self.direction {
            Direction::Outgoing => (self.task, other, &()),
            Direction::Incoming => (other, self.task, &()),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.neighbors.size_hint()
    }
}
