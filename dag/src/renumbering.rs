//! Renumbering: a graph under other ids.

use crate::{Dag, GraphError};

impl Dag {
    /// Renumbers the tasks, with their work and words: task `t` is then called `numbers[t]`. The
    /// new graph has no homes.
    ///
    /// Cost: that of [`from_edges`](Self::from_edges).
    ///
    /// # Errors
    /// When there is not one number for each task.
    ///
    /// # Panics
    /// When a number is not that of a task, or two tasks have the same.
    ///
    /// ```
    /// use superstep_dag::Dag;
    ///
    /// let graph = Dag::from_edges(3, &[(0, 1), (1, 2)])?.with_weights(vec![5, 6, 7])?;
    /// let backwards = graph.renumbered(&[2, 1, 0])?;
    /// assert_eq!(backwards.successors(2), [1]);
    /// assert_eq!(backwards.weight(0), 7);
    /// # Ok::<(), superstep_dag::GraphError>(())
    /// ```
    pub fn renumbered(&self, numbers: &[u32]) -> Result<Self, GraphError> {
        let tasks = self.tasks();
        if numbers.len() != tasks {
            let (what, given) = ("numbers", numbers.len());
            return Err(GraphError::Length { what, given, tasks });
        }
        let mut is_taken = vec![false; tasks];
        let (mut weights, mut words) = (vec![0; tasks], vec![0; tasks]);
        for (task, &number) in (0..).zip(numbers) {
            let number = number as usize;
            let is_again = std::mem::replace(&mut is_taken[number], true);
            assert!(!is_again, "two tasks are called {number}");
            weights[number] = self.weight(task);
            words[number] = self.words(task);
        }
        let number = |task: u32| numbers[task as usize];
        let edges: Vec<(u32, u32)> = self
            .edge_list()
            .map(|(from, to)| (number(from), number(to)))
            .collect();
        Self::from_edges(tasks, &edges)?
            .with_weights(weights)?
            .with_words(words)
    }
}
