//! Where tasks write: the words of the kernel's arrays, numbered one array after the other, and who has to be over before they are written.

use std::ops::Range;

use superstep_tracer::{INPUT, Role, Trace};

use crate::{GraphError, TaskGraph};

/// The word that each task writes, as far as it is one that the caller sees.
///
/// Words are numbered through all arrays: neighbours in an array are neighbours here. Tasks that write `Local` words, which have no place of
/// their own, have no home.
///
/// Memory: 4 bytes per task, 8 per storage dependence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homes {
    words: Vec<u32>,
    /// Where each array begins, and where the last one ends.
    starts: Vec<u32>,
    storage: Vec<(u32, u32)>,
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
            storage: Vec::new(),
        }
    }

    /// Where the tasks of `trace` write.
    ///
    /// Cost: two visits of each task and one of each operand, 4 bytes per task for their duration.
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
        let words: Vec<u32> = tasks
            .map(|(&statement, &index)| {
                first[usize::from(statement)].map_or(NOWHERE, |first| first + index)
            })
            .collect();
        let storage = storage_dependences(trace, &words, &starts);
        Self {
            words,
            starts,
            storage,
        }
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

    /// Anti and output dependences: pairs `(before, task)`, where `task` overwrites a word that `before` read or wrote, and does not read
    /// what `before` computes (then there is an edge). By `before`, then by `task`, each pair once.
    ///
    /// Schedules need not respect them, since programs can keep two values of a word. Where they do, the words can stay where they are.
    /// In the graph of a [contraction](crate::contract) `task` may come before `before`: then the members of both follow each other in turn.
    ///
    /// ```
    /// use superstep_dag_builder::Homes;
    /// use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, record};
    ///
    /// // t = x[0]; x[0] = x[1]; x[1] = t;
    /// let mut kernel = Kernel::new("swap");
    /// let x = kernel.add_array("x", Role::InOut, None);
    /// let t = kernel.add_array("t", Role::Local, Some(1));
    /// let keep = kernel.add_statement("t = x[0]", t, &[x]);
    /// let take = kernel.add_statement("x[0] = x[1]", x, &[x]);
    /// let put = kernel.add_statement("x[1] = t", x, &[t]);
    /// let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
    ///     recorder.task(keep, t, 0, [(x, 0)]);
    ///     recorder.task(take, x, 0, [(x, 1)]);
    ///     recorder.task(put, x, 1, [(t, 0)]);
    /// })?;
    /// assert_eq!(Homes::of(&trace).storage_dependences(), [(0, 1), (1, 2)]);
    /// # Ok::<(), superstep_tracer::TraceError>(())
    /// ```
    pub fn storage_dependences(&self) -> &[(u32, u32)] {
        &self.storage
    }

    /// The homes of groups of tasks: those of their last tasks. `group` says where each task is.
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
            words: lasts.iter().map(|&t| self.words[t as usize]).collect(),
            starts: self.starts.clone(),
            storage,
        }
    }
}

/// See [`Homes::storage_dependences`].
fn storage_dependences(trace: &Trace, words: &[u32], starts: &[u32]) -> Vec<(u32, u32)> {
    let overwriters = Overwriters::of(words, starts);
    let reads = |reader: u32, value: u32| trace.task(reader).operands.contains(&value);
    let mut dependences = Vec::new();
    for (before, task) in (0..).zip(trace.iter()) {
        let start = dependences.len();
        let arrays = &trace.kernel().statement(task.statement).operands;
        let read = arrays.iter().zip(task.operands).map(|(&array, &value)| {
            if value & INPUT == 0 {
                overwriters.of_value[value as usize]
            } else {
                overwriters.of_input[(starts[usize::from(array)] + (value & !INPUT)) as usize]
            }
        });
        for next in read.chain([overwriters.of_value[before as usize]]) {
            if next != NOWHERE && next != before && !reads(next, before) {
                dependences.push((before, next));
            }
        }
        dependences[start..].sort_unstable();
    }
    dependences.dedup();
    dependences
}

/// Who overwrites each value, [`NOWHERE`] where nobody does.
struct Overwriters {
    /// Per task, the next one that writes the same word.
    of_value: Vec<u32>,
    /// Per word, the first task that writes it.
    of_input: Vec<u32>,
}

impl Overwriters {
    fn of(words: &[u32], starts: &[u32]) -> Self {
        let mut overwriters = Self {
            of_value: vec![NOWHERE; words.len()],
            of_input: vec![NOWHERE; starts[starts.len() - 1] as usize],
        };
        // Backwards, the first writer so far of a word is the next one.
        for (task, &word) in words.iter().enumerate().rev() {
            if word != NOWHERE {
                let first = &mut overwriters.of_input[word as usize];
                overwriters.of_value[task] = std::mem::replace(first, task as u32);
            }
        }
        overwriters
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
