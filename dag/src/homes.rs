//! Homes of tasks: the words of the kernel's arrays that they write, and who has to be over before
//! they are written. Words are numbered one array after the other.

use std::ops::Range;

use crate::{Dag, GraphError};

/// Home of each task: the word that it writes, as far as it is one that the caller sees.
///
/// Words are numbered through all arrays: neighbours in an array are neighbours here. Tasks that
/// write `Local` words, which have no place of their own, have no home.
///
/// Memory: 4 bytes per task, 8 per storage dependence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homes {
    words: Vec<u32>,
    /// Start of each array, and end of the last one.
    starts: Vec<u32>,
    storage: Vec<(u32, u32)>,
}

/// The home of a task that has none.
const NOWHERE: u32 = u32::MAX;

impl Homes {
    /// Makes the homes of tasks that write these words of arrays with so many words each.
    ///
    /// # Panics
    /// When a word is in none of the arrays, or these have 2^32 words or more together.
    ///
    /// ```
    /// use superstep_dag::Homes;
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
            storage: Vec::new(),
        }
    }

    /// Adds anti and output dependences: see [`storage_dependences`](Self::storage_dependences).
    ///
    /// `pairs` stand by the first task, then by the second, each pair once.
    #[must_use]
    pub fn with_storage_dependences(self, pairs: Vec<(u32, u32)>) -> Self {
        debug_assert!(pairs.is_sorted_by(|a, b| a < b), "ascending, each once");
        Self {
            storage: pairs,
            ..self
        }
    }

    /// Returns the word that `task` writes.
    #[inline]
    pub fn word(&self, task: u32) -> Option<u32> {
        let word = self.words[task as usize];
        (word != NOWHERE).then_some(word)
    }

    /// Iterates over the arrays, each as the range of its words.
    pub fn arrays(&self) -> impl ExactSizeIterator<Item = Range<u32>> + '_ {
        self.starts.windows(2).map(|ends| ends[0]..ends[1])
    }

    /// Returns the anti and output dependences, by `before`, then by `task`, each pair once.
    ///
    /// In a pair `(before, task)` the `task` overwrites a word that `before` read or wrote. It does
    /// not read what `before` computes: then there is an edge.
    ///
    /// Schedules need not respect them, since programs can keep two values of a word. Where they
    /// do, the words can stay where they are. In the graph of a [contraction](crate::Contraction)
    /// `task` may come before `before`: then the members of both follow each other in turn.
    ///
    /// ```
    /// use superstep_dag::Homes;
    ///
    /// // t = x[0]; x[0] = x[1]; x[1] = t;
    /// let homes = Homes::new([None, Some(0), Some(1)], &[2]).with_storage_dependences(vec![(0, 1), (1, 2)]);
    /// assert_eq!(homes.storage_dependences(), [(0, 1), (1, 2)]);
    /// ```
    pub fn storage_dependences(&self) -> &[(u32, u32)] {
        &self.storage
    }

    /// Returns the homes of some tasks, in that order.
    pub(crate) fn of_tasks(&self, tasks: &[u32]) -> Self {
        Self {
            words: tasks
                .iter()
                .map(|&task| self.words[task as usize])
                .collect(),
            starts: self.starts.clone(),
            storage: Vec::new(),
        }
    }

    /// Returns the homes of groups of tasks: those of their last tasks. `group` says where each
    /// task is.
    pub(crate) fn contract(&self, lasts: &[u32], group: &[u32]) -> Self {
        let group = |task: u32| group[task as usize];
        let pairs = self.storage.iter();
        let mut storage: Vec<(u32, u32)> = pairs
            .map(|&(before, task)| (group(before), group(task)))
            .filter(|(before, task)| before != task)
            .collect();
        storage.sort_unstable();
        storage.dedup();
        Self {
            storage,
            ..self.of_tasks(lasts)
        }
    }
}

/// Returns the start of each array, and the end of the last one.
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

impl Dag {
    /// Sets the word that each task writes.
    ///
    /// # Errors
    /// When there is not one home for each task.
    ///
    /// ```
    /// use superstep_dag::{Dag, Homes};
    ///
    /// let pair = Dag::from_edges(2, &[(0, 1)])?.with_homes(Homes::new([Some(4), None], &[9]))?;
    /// let homes = pair.homes().expect("they were just given");
    /// assert_eq!(homes.word(0), Some(4));
    /// # Ok::<(), superstep_dag::GraphError>(())
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

    /// Returns the word that each task writes, where that is known.
    pub fn homes(&self) -> Option<&Homes> {
        self.homes.as_ref()
    }
}
