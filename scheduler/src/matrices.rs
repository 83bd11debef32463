//! The kernel's arrays as matrices, as far as the order of writes shows them.

use std::collections::BTreeMap;

use superstep_dag_builder::{Homes, TaskGraph};

/// The arrays of a kernel.
pub(crate) struct Matrices {
    pub(crate) arrays: Vec<Array>,
}

/// An array, as a matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    begin: u32,
    words: u32,
    /// Words of a row; 1 where there are no rows to see.
    row: u32,
}

/// Rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    Rows,
    Columns,
}

impl Matrices {
    /// Finds the rows of each array that tasks write.
    ///
    /// Kernels write along rows: in runs of neighbouring words. Two runs in a row begin a row's length apart, often enough that the
    /// distance that most of the tasks follow is taken for it.
    pub(crate) fn new(homes: &Homes, tasks: usize) -> Self {
        let ranges: Vec<_> = homes.arrays().collect();
        let mut runs: Vec<Option<Run>> = vec![None; ranges.len()];
        // Per array: tasks that follow each distance.
        let mut distances = vec![BTreeMap::<u32, u64>::new(); ranges.len()];
        for word in (0..tasks as u32).filter_map(|task| homes.word(task)) {
            let at = ranges.partition_point(|array| array.end <= word);
            match &mut runs[at] {
                Some(run) if run.begin + run.length == word => run.length += 1,
                Some(run) => {
                    let distance = word.abs_diff(run.begin);
                    if run.length > 1 {
                        *distances[at].entry(distance).or_default() += u64::from(run.length);
                    }
                    *run = Run {
                        begin: word,
                        length: 1,
                    };
                }
                none => {
                    *none = Some(Run {
                        begin: word,
                        length: 1,
                    })
                }
            }
        }
        let arrays = ranges.iter().zip(&distances).map(|(range, distances)| {
            let most = distances.iter().max_by_key(|&(&d, &tasks)| (tasks, d));
            Array {
                begin: range.start,
                words: range.end - range.start,
                row: most.map_or(1, |(&distance, _)| distance.max(1)),
            }
        });
        Self {
            arrays: arrays.collect(),
        }
    }

    /// Whether any has rows of more than one word.
    pub(crate) fn have_rows(&self) -> bool {
        self.arrays.iter().any(|array| array.row > 1)
    }

    /// The array of a word, and its row or column there.
    pub(crate) fn place(&self, word: u32, by: Dimension) -> (&Array, u32) {
        let at = self
            .arrays
            .partition_point(|array| array.begin + array.words <= word);
        let array = &self.arrays[at];
        (array, array.coordinate(word, by))
    }

    /// The row or column of what each task writes; of one without a home, that of its first reader, 0 if there is none.
    pub(crate) fn lines(&self, graph: &TaskGraph, homes: &Homes, by: Dimension) -> Vec<u32> {
        let mut lines = vec![0; graph.tasks()];
        for task in graph.topological().rev() {
            lines[task as usize] = match (homes.word(task), graph.successors(task).first()) {
                (Some(word), _) => self.place(word, by).1,
                (None, Some(&reader)) => lines[reader as usize],
                (None, None) => 0,
            };
        }
        lines
    }
}

/// Tasks that write words one after the other.
#[derive(Clone, Copy)]
struct Run {
    begin: u32,
    length: u32,
}

impl Array {
    /// Rows or columns.
    pub(crate) fn length(self, by: Dimension) -> u32 {
        match by {
            Dimension::Rows => self.words.div_ceil(self.row),
            Dimension::Columns if self.row == 1 => self.words,
            Dimension::Columns => self.row,
        }
    }

    /// The row or the column of a word.
    fn coordinate(self, word: u32, by: Dimension) -> u32 {
        let index = word - self.begin;
        match by {
            Dimension::Rows => index / self.row,
            Dimension::Columns if self.row == 1 => index,
            Dimension::Columns => index % self.row,
        }
    }
}
