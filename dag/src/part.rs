//! Parts of a graph as graphs.

use superstep_order::Rows;

use crate::{Dag, GraphError};

impl Dag {
    /// Makes the graph of some tasks, which are numbered in the order in which they are given, and
    /// the edges between them. Work, words and homes stay; storage dependences do not.
    ///
    /// Cost: one sort of the tasks, and a search for each of their edges.
    ///
    /// # Errors
    /// When there are too many tasks or edges.
    ///
    /// # Panics
    /// When a task comes before one whose value it reads.
    ///
    /// ```
    /// use superstep_dag::Dag;
    ///
    /// let diamond = Dag::from_edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)])?.with_weights(vec![1, 2, 3, 4])?;
    /// let part = diamond.part(&[1, 2, 3])?;
    /// assert_eq!(part.predecessors(2), [0, 1]);
    /// assert_eq!(part.weight(0), 2);
    /// # Ok::<(), superstep_dag::GraphError>(())
    /// ```
    pub fn part(&self, tasks: &[u32]) -> Result<Self, GraphError> {
        let mut numbers: Vec<(u32, u32)> = tasks.iter().copied().zip(0..).collect();
        numbers.sort_unstable();
        let number = |task: u32| {
            let at = numbers
                .binary_search_by_key(&task, |&(task, _)| task)
                .ok()?;
            Some(numbers[at].1)
        };
        let mut predecessors = Rows::default();
        for (&task, own) in tasks.iter().zip(0..) {
            let preds: &mut Vec<u32> = &mut predecessors.items;
            let first = preds.len();
            preds.extend(
                self.predecessors(task)
                    .iter()
                    .filter_map(|&value| number(value)),
            );
            preds[first..].sort_unstable();
            let last = preds[first..].last();
            assert!(
                last.is_none_or(|&last| last < own),
                "tasks follow what they read"
            );
            predecessors.end_row();
        }
        let mut part = Self::from_predecessors(predecessors);
        let of = |all: &Vec<u32>| tasks.iter().map(|&task| all[task as usize]).collect();
        if let Some(weights) = &self.weights {
            part = part.with_weights(of(weights))?;
        }
        if let Some(words) = &self.words {
            part = part.with_words(of(words))?;
        }
        if let Some(homes) = self.homes() {
            part = part.with_homes(homes.of_tasks(tasks))?;
        }
        Ok(part)
    }
}
