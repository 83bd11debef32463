//! Who owns which word.

use superstep_dag_builder::{Homes, TaskGraph};

use crate::matrices::{Dimension, Matrices};

/// One distribution of all arrays.
pub(super) struct Distribution<'a> {
    matrices: &'a Matrices,
    by: Dimension,
    /// Blocks of each array that each processor has.
    rounds: u32,
    /// Whether every other round goes from the last processor to the first: then the last one does not always have the later blocks.
    reflected: bool,
    processors: u32,
}

/// The distributions over that many processors: in each family with ever smaller blocks.
pub(super) fn families(
    matrices: &Matrices,
    processors: u32,
) -> impl Iterator<Item = impl Iterator<Item = Distribution<'_>>> {
    let dimensions = [Dimension::Rows, Dimension::Columns];
    let dimensions = dimensions
        .into_iter()
        .take(1 + usize::from(matrices.have_rows()));
    let families = dimensions.flat_map(|by| [(by, false), (by, true)]);
    families.map(move |(by, reflected)| {
        let longest = matrices.arrays.iter().map(|array| array.length(by)).max();
        let most = longest.unwrap_or(0) / processors;
        // One round has nothing to reflect.
        let rounds = (u32::from(reflected)..).map(|power| 1 << power);
        rounds
            .take_while(move |&rounds| rounds <= most)
            .map(move |rounds| Distribution {
                matrices,
                by,
                rounds,
                reflected,
                processors,
            })
    })
}

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
