//! Who owns which word.

use superstep_dag_builder::{Homes, TaskGraph};

use crate::matrices::{Dimension, Matrices};

/// One distribution of all arrays.
#[derive(Clone, Copy)]
pub(super) struct Distribution<'a> {
    matrices: &'a Matrices,
    by: Dimension,
    /// Blocks of each array that each processor has.
    rounds: u32,
    /// Whether every other round goes from the last processor to the first: then the last one does not always have the later blocks.
    reflected: bool,
    processors: u32,
}

impl<'a> Distribution<'a> {
    /// The first ones to look at: by rows and, if there are any, by columns, in some rounds.
    pub(super) fn first(matrices: &'a Matrices, processors: u32) -> Vec<Self> {
        let dimensions = [Dimension::Rows, Dimension::Columns];
        let dimensions = dimensions
            .into_iter()
            .take(1 + usize::from(matrices.have_rows()));
        let some = |by| Self {
            matrices,
            by,
            rounds: SOME,
            reflected: false,
            processors,
        };
        dimensions
            .map(|by| {
                let some = some(by);
                let rounds = some.most_rounds().clamp(1, SOME);
                Self { rounds, ..some }
            })
            .collect()
    }

    /// Those next to it: with blocks twice or half as large, and reflected.
    pub(super) fn neighbours(&self) -> Vec<Self> {
        let with = |rounds, reflected| Self {
            rounds,
            reflected,
            ..*self
        };
        let mut neighbours = vec![with(2 * self.rounds, self.reflected)];
        neighbours.push(with(self.rounds / 2, self.reflected));
        neighbours.push(with(self.rounds, !self.reflected));
        neighbours.retain(|n| {
            // One round has nothing to reflect.
            (1 + u32::from(n.reflected)..=self.most_rounds()).contains(&n.rounds)
        });
        neighbours
    }

    /// Where blocks are single rows or columns.
    fn most_rounds(&self) -> u32 {
        let lengths = self.matrices.arrays.iter().map(|a| a.length(self.by));
        lengths.max().unwrap_or(0) / self.processors
    }

    /// What tells it from others.
    pub(super) fn key(&self) -> (Dimension, u32, bool) {
        (self.by, self.rounds, self.reflected)
    }
}

/// Rounds to begin with.
const SOME: u32 = 8;

/// Which processor runs each task, and in which row or column its word stands.
pub(super) struct Owned {
    pub(super) owners: Vec<u16>,
    pub(super) lines: Vec<u32>,
}

impl Distribution<'_> {
    /// The row or column of a word, and the owner of that.
    fn place(&self, word: u32) -> (u32, u16) {
        let (array, line) = self.matrices.place(word, self.by);
        let blocks = self.rounds * self.processors;
        let block = array.length(self.by).div_ceil(blocks).max(1);
        let (round, turn) = (
            line / block / self.processors,
            line / block % self.processors,
        );
        let owner = if self.reflected && round % 2 == 1 {
            self.processors - 1 - turn
        } else {
            turn
        };
        (line, owner as u16)
    }

    /// The owner of each task.
    pub(super) fn deal(&self, graph: &TaskGraph, homes: &Homes) -> Owned {
        let mut owned = Owned {
            owners: vec![0; graph.tasks()],
            lines: vec![0; graph.tasks()],
        };
        for task in graph.topological().rev() {
            let (line, owner) = match (homes.word(task), graph.successors(task).first()) {
                (Some(word), _) => self.place(word),
                (None, Some(&reader)) => {
                    (owned.lines[reader as usize], owned.owners[reader as usize])
                }
                (None, None) => (0, 0),
            };
            owned.lines[task as usize] = line;
            owned.owners[task as usize] = owner;
        }
        owned
    }
}
