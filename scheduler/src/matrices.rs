//! Arrays of a kernel as matrices, as far as the order of writes shows them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use superstep_dag::{Dag, Homes};

/// Arrays of a kernel.
pub(crate) struct Matrices {
    pub(crate) arrays: Vec<Array>,
}

/// Array, as a matrix.
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
    /// Kernels write along rows: in stretches of neighbouring words. Two stretches in a row begin a
    /// row's length apart. That is so often enough that the distance that most of the tasks follow
    /// is taken for it. An array that is written in one stretch is as wide as most of its words are
    /// away from their operands.
    pub(crate) fn new(graph: &Dag, homes: &Homes) -> Self {
        let ranges: Vec<_> = homes.arrays().collect();
        let distances = distances(graph, homes, &ranges);
        let arrays = ranges.iter().zip(&distances).map(|(range, distances)| {
            let most = distances
                .iter()
                .max_by_key(|&(&d, &tasks)| (tasks, Reverse(d)));
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

    /// Returns whether any array has rows of more than one word.
    pub(crate) fn have_rows(&self) -> bool {
        self.arrays.iter().any(|array| array.row > 1)
    }

    /// Returns the array of a word, and its row or column there.
    pub(crate) fn strip(&self, word: u32, by: Dimension) -> (&Array, u32) {
        let at = self
            .arrays
            .partition_point(|array| array.begin + array.words <= word);
        let array = &self.arrays[at];
        (array, array.coordinate(word, by))
    }
}

/// Number of tasks that are looked at.
const SAMPLE: u32 = 1 << 22;

/// Returns for each array the number of tasks that follow each distance between the beginnings of
/// two stretches. Where there is only one stretch, the distances are those between words and their
/// operands.
fn distances(graph: &Dag, homes: &Homes, arrays: &[Range<u32>]) -> Vec<BTreeMap<u32, u64>> {
    let mut distances = vec![BTreeMap::new(); arrays.len()];
    let mut stretches: Vec<Option<Stretch>> = vec![None; arrays.len()];
    let array = |word: u32| arrays.partition_point(|array| array.end <= word);
    let sample = || 0..(graph.tasks() as u32).min(SAMPLE);
    for word in sample().filter_map(|task| homes.word(task)) {
        let at = array(word);
        let next = Stretch {
            begin: word,
            length: 1,
        };
        match &mut stretches[at] {
            Some(stretch) if stretch.begin + stretch.length == word => stretch.length += 1,
            Some(stretch) => {
                if stretch.length > 1 {
                    let distance = word.abs_diff(stretch.begin);
                    *distances[at].entry(distance).or_default() += u64::from(stretch.length);
                }
                *stretch = next;
            }
            none => *none = Some(next),
        }
    }
    let one_stretch: Vec<bool> = distances.iter().map(BTreeMap::is_empty).collect();
    for task in sample() {
        let Some(word) = homes.word(task).filter(|&word| one_stretch[array(word)]) else {
            continue;
        };
        let read = graph.predecessors(task).iter();
        for other in read.filter_map(|&value| homes.word(value)) {
            if array(other) == array(word) && word.abs_diff(other) > 1 {
                *distances[array(word)]
                    .entry(word.abs_diff(other))
                    .or_default() += 1;
            }
        }
    }
    distances
}

/// Tasks that write words one after the other.
#[derive(Clone, Copy)]
struct Stretch {
    begin: u32,
    length: u32,
}

impl Array {
    /// Returns the number of rows or columns.
    pub(crate) fn length(self, by: Dimension) -> u32 {
        match by {
            Dimension::Rows => self.words.div_ceil(self.row),
            Dimension::Columns if self.row == 1 => self.words,
            Dimension::Columns => self.row,
        }
    }

    /// Returns the row or the column of a word.
    fn coordinate(self, word: u32, by: Dimension) -> u32 {
        let index = word - self.begin;
        match by {
            Dimension::Rows => index / self.row,
            Dimension::Columns if self.row == 1 => index,
            Dimension::Columns => index % self.row,
        }
    }
}
