//! Work and words of tasks, and what the work says about the time that a run takes at least.

use crate::{Dag, GraphError};

impl Dag {
    /// Sets the work of each task.
    ///
    /// # Errors
    /// When there is not one weight for each task.
    pub fn with_weights(mut self, weights: Vec<u32>) -> Result<Self, GraphError> {
        self.weights = one_each("weights", weights, self.tasks())?;
        Ok(self)
    }

    /// Sets the words of each task's value.
    ///
    /// # Errors
    /// When there is not one number of words for each task.
    pub fn with_words(mut self, words: Vec<u32>) -> Result<Self, GraphError> {
        self.words = one_each("words", words, self.tasks())?;
        Ok(self)
    }
}

fn one_each(
    what: &'static str,
    values: Vec<u32>,
    tasks: usize,
) -> Result<Option<Vec<u32>>, GraphError> {
    if values.len() != tasks {
        return Err(GraphError::Length {
            what,
            given: values.len(),
            tasks,
        });
    }
    Ok(values.iter().any(|&v| v != 1).then_some(values))
}

/// Returns, per task, the work on a heaviest path that ends with it, itself included. It is the
/// earliest time at which the task can be done, on any number of processors.
///
/// Cost: one pass over the edges.
pub fn earliest_finishes(graph: &Dag) -> Vec<u64> {
    let mut finishes = vec![0; graph.tasks()];
    for v in graph.topological() {
        let ready = graph
            .predecessors(v)
            .iter()
            .map(|&u| finishes[u as usize])
            .max();
        finishes[v as usize] = ready.unwrap_or(0) + u64::from(graph.weight(v));
    }
    finishes
}

/// Returns, per task, the latest time at which it can be done if everything is to be done by
/// `deadline`. That is on any number of processors, and 0 where the time has passed.
///
/// Cost: one pass over the edges.
pub fn latest_finishes(graph: &Dag, deadline: u64) -> Vec<u64> {
    let mut finishes = vec![deadline; graph.tasks()];
    for u in graph.topological().rev() {
        let start = |&v: &u32| finishes[v as usize].saturating_sub(u64::from(graph.weight(v)));
        if let Some(latest) = graph.successors(u).iter().map(start).min() {
            finishes[u as usize] = latest;
        }
    }
    finishes
}
