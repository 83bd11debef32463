//! Where tasks write: the words of the kernel's arrays, numbered one array after the other.

use std::ops::Range;

use superstep_tracer::{Role, Trace};

use crate::{GraphError, TaskGraph};

/// The word that each task writes, as far as it is one that the caller sees.
///
/// Words are numbered through all arrays: neighbours in an array are neighbours here. Tasks that write `Local` words, which have no place of
/// their own, have no home.
///
/// Memory: 4 bytes per task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homes {
    words: Vec<u32>,
    /// Where each array begins, and where the last one ends.
    starts: Vec<u32>,
}

/// The home of a task that has none.
const NOWHERE: u32 = u32::MAX;

impl Homes {
    /// Tasks that write these words of arrays with so many words each.
    ///
    /// # Panics
    /// When a word is in none of the arrays, or these have 2^32 words or more together.
    ///
    /// ```
    /// use superstep_dag_builder::Homes;
    ///
    /// let homes = Homes::new([Some(0), None, Some(6)], &[4, 3]);
    /// assert_eq!(homes.word(2), Some(6)); // the last word of the second array
    /// assert_eq!(homes.arrays().collect::<Vec<_>>(), [0..4, 4..7]);
    /// ```
    pub fn new(words: impl IntoIterator<Item = Option<u32>>, extents: &[u32]) -> Self {
        let starts = starts(extents);
        let end = starts[starts.len() - 1];
        let word = |word: Option<u32>| {
            assert!(word.is_none_or(|word| word < end), "a word of an array");
            word.unwrap_or(NOWHERE)
        };
        Self {
            words: words.into_iter().map(word).collect(),
            starts,
        }
    }

    /// Where the tasks of `trace` write. Cost: a visit of each task.
    ///
    /// # Panics
    /// When the arrays have 2^32 words or more together.
    pub fn of(trace: &Trace) -> Self {
        let starts = starts(trace.extents());
        let kernel = trace.kernel();
        let first: Vec<Option<u32>> = (kernel.statements.iter())
            .map(|statement| {
                let local = kernel.array(statement.target).role == Role::Local;
                (!local).then(|| starts[usize::from(statement.target)])
            })
            .collect();
        let tasks = trace.statements().iter().zip(trace.writes());
        let words = tasks
            .map(|(&statement, &index)| {
                first[usize::from(statement)].map_or(NOWHERE, |first| first + index)
            })
            .collect();
        Self { words, starts }
    }

    /// The word that `task` writes.
    #[inline]
    pub fn word(&self, task: u32) -> Option<u32> {
        let word = self.words[task as usize];
        (word != NOWHERE).then_some(word)
    }

    /// The words of each array.
    pub fn arrays(&self) -> impl ExactSizeIterator<Item = Range<u32>> + '_ {
        self.starts.windows(2).map(|ends| ends[0]..ends[1])
    }

    /// The homes of some of the tasks, in that order.
    pub(crate) fn select(&self, tasks: &[u32]) -> Self {
        Self {
            words: tasks.iter().map(|&t| self.words[t as usize]).collect(),
            starts: self.starts.clone(),
        }
    }
}

/// Where each array begins, and where the last one ends.
fn starts(extents: &[u32]) -> Vec<u32> {
    let mut starts = vec![0_u32];
    let mut end = 0_u32;
    for &extent in extents {
        end = end
            .checked_add(extent)
            .filter(|&end| end < NOWHERE)
            .expect("the words of all arrays have numbers of 32 bits");
        starts.push(end);
    }
    starts
}

impl TaskGraph {
    /// The same graph with the word that each task writes.
    ///
    /// # Errors
    /// When there is not one home for each task.
    ///
    /// ```
    /// use superstep_dag_builder::{Homes, TaskGraph, generate};
    ///
    /// let trace = generate::lu_trace(4)?;
    /// let graph = TaskGraph::from_trace(&trace).with_homes(Homes::of(&trace))?;
    /// let homes = graph.homes().expect("they were just given");
    /// assert_eq!(homes.word(0), Some(4)); // a[1][0] /= a[0][0]
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_homes(mut self, homes: Homes) -> Result<Self, GraphError> {
        if homes.words.len() != self.tasks() {
            return Err(GraphError::Length {
                what: "homes",
                given: homes.words.len(),
                tasks: self.tasks(),
            });
        }
        self.homes = Some(homes);
        Ok(self)
    }

    /// The word that each task writes, where that is known.
    pub fn homes(&self) -> Option<&Homes> {
        self.homes.as_ref()
    }
}
