//! Coarsening: graphs whose tasks are groups of tasks.

use superstep_dag::{Contraction, Dag, intervals, tiles};
use superstep_machine::Machine;
use superstep_scheduler::{Pipeline, ScheduleError, Scheduler};

use crate::tunables::{MOST_EDGES_OF_ROWS, MOST_ROWS};

/// Shape of the groups that are one task each. The ids of the graph are an order of a run.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Rows: [intervals] of ids with few edges between them.
    Row,
    /// [Tiles](tiles()): chains of tasks, and chains beside them that read the same.
    Tile {
        /// Work of a chain, in tasks of mean work.
        path: u32,
        /// Number of chains.
        side: usize,
    },
    /// Pieces: what an owner does between two exchanges, of so many owners of a pipeline.
    Piece { owners: u32 },
}

impl Shape {
    /// Returns the groups of this shape.
    pub(super) fn groups(
        self,
        graph: &Dag,
        machine: &Machine,
    ) -> Result<Contraction, ScheduleError> {
        match self {
            Self::Row => Ok(rows(graph)),
            Self::Tile { path, side } => {
                let mean = graph.total_work() / graph.tasks().max(1) as u64;
                let path = path.saturating_mul(mean.max(1) as u32);
                Ok(tiles(graph, path, side))
            }
            Self::Piece { owners } => pieces(graph, machine, owners),
        }
    }
}

/// Returns whether work and words of any group of tasks are below 2^32.
pub(super) fn any_group_counts(graph: &Dag) -> bool {
    let tasks = 0..graph.tasks() as u32;
    let words: u64 = tasks.map(|task| u64::from(graph.words(task))).sum();
    words.max(graph.total_work()) <= u64::from(u32::MAX)
}

/// Finds rows with few edges between them. Of a large graph none holds more than a 256th, so that
/// there are enough for all processors.
fn rows(graph: &Dag) -> Contraction {
    let mut least = (graph.tasks() / MOST_ROWS).max(1);
    loop {
        let rows = Contraction::of_intervals(graph, &intervals(graph, least as u32));
        least *= 4;
        if rows.graph().edges() <= MOST_EDGES_OF_ROWS || least > graph.tasks() >> 14 {
            return rows;
        }
    }
}

/// Makes each list of a pipeline of many owners a group. No task is in two, and none reads from
/// later supersteps.
fn pieces(graph: &Dag, machine: &Machine, owners: u32) -> Result<Contraction, ScheduleError> {
    let pieces = Machine {
        processors: owners,
        // So that each owner does its part in about as many pieces as there are owners.
        latency: graph.total_work() as f64 / f64::from(owners).powi(2),
        ..machine.flat()
    };
    let lists = Pipeline::default().schedule(graph, &pieces)?;
    let mut groups = vec![0; graph.tasks()];
    let mut count = 0;
    for list in lists.lists().filter(|list| !list.is_empty()) {
        for &task in list {
            groups[task as usize] = count;
        }
        count += 1;
    }
    Ok(Contraction::of_groups(graph, &groups, count as usize))
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;

    use super::*;

    #[test]
    fn rows_are_few() {
        let graph = generate::lu(64).expect("it is small");
        assert!(rows(&graph).graph().tasks() < graph.tasks() / 15);
    }
}
