//! Orders in which greedy schedulers take tasks.

use superstep_dag::{Dag, levels};

/// Order in which a greedy scheduler takes tasks where it has a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Order by id: that of the sequential run, whose neighbours are neighbours in memory.
    #[default]
    Ids,
    /// Depth first from the outputs, so that the tasks that one output needs stand together; a grid
    /// goes row by row. It hardly depends on how tasks are numbered.
    DepthFirst,
    /// Levels: the longest way to an output first.
    Levels,
}

/// Ranks of tasks in an order: of each task its rank, of each rank its task.
pub struct Ranks {
    /// Rank of each task; `None`, like `tasks`, where rank and id are equal.
    ranks: Option<Vec<u32>>,
    tasks: Option<Vec<u32>>,
}

impl Ranks {
    fn of(tasks: Vec<u32>) -> Self {
        let mut ranks = vec![0; tasks.len()];
        for (rank, &task) in (0..).zip(&tasks) {
            ranks[task as usize] = rank;
        }
        Self {
            ranks: Some(ranks),
            tasks: Some(tasks),
        }
    }

    /// Returns the rank of a task.
    #[inline]
    pub fn rank(&self, task: u32) -> u32 {
        self.ranks
            .as_ref()
            .map_or(task, |ranks| ranks[task as usize])
    }

    /// Returns the task of a rank.
    #[inline]
    pub fn task(&self, rank: u32) -> u32 {
        self.tasks
            .as_ref()
            .map_or(rank, |tasks| tasks[rank as usize])
    }
}

impl Order {
    /// Orders the tasks of `graph`.
    pub fn ranks(self, graph: &Dag) -> Ranks {
        match self {
            Self::Ids => Ranks {
                ranks: None,
                tasks: None,
            },
            Self::DepthFirst => Ranks::of(depth_first(graph)),
            Self::Levels => {
                let levels = levels(graph);
                let mut tasks: Vec<u32> = (0..graph.tasks() as u32).collect();
                tasks.sort_by_key(|&task| std::cmp::Reverse(levels[task as usize]));
                Ranks::of(tasks)
            }
        }
    }
}

/// Returns the tasks with predecessors before readers, one output after the other. It goes from the
/// [left](positions) or from the right: the way on which values wait less for their last readers.
/// So a grid goes row by row, or column by column, however its tasks are numbered.
fn depth_first(graph: &Dag) -> Vec<u32> {
    let mut positions = positions(graph);
    let from_left = post_order(graph, &positions);
    positions
        .iter_mut()
        .for_each(|position| *position = -*position);
    let from_right = post_order(graph, &positions);
    if waits(graph, &from_right) < waits(graph, &from_left) {
        from_right
    } else {
        from_left
    }
}

/// Walks from the outputs to the predecessors of each task before the task, to the one of the least
/// position first.
fn post_order(graph: &Dag, positions: &[f32]) -> Vec<u32> {
    let by_position = |&a: &u32, &b: &u32| {
        let [first, second] = [a, b].map(|task| positions[task as usize]);
        first.total_cmp(&second).then(a.cmp(&b))
    };
    let mut order = Vec::with_capacity(graph.tasks());
    let mut seen = vec![false; graph.tasks()];
    // Tasks, the first on top, and whether their predecessors have been put above them.
    let mut stack: Vec<(u32, bool)> = Vec::new();
    let mut values = Vec::new();
    let mut outputs: Vec<u32> = (0..graph.tasks() as u32)
        .filter(|&task| graph.successors(task).is_empty())
        .collect();
    outputs.sort_unstable_by(by_position);
    for output in outputs {
        stack.push((output, false));
        while let Some((task, is_entered)) = stack.pop() {
            if is_entered {
                order.push(task);
            } else if !std::mem::replace(&mut seen[task as usize], true) {
                stack.push((task, true));
                values.clear();
                values.extend_from_slice(graph.predecessors(task));
                values.sort_unstable_by(by_position);
                let unseen = values.iter().rev().filter(|value| !seen[**value as usize]);
                stack.extend(unseen.map(|&value| (value, false)));
            }
        }
    }
    order
}

/// Returns the number of tasks over which values wait for their last readers, in all.
fn waits(graph: &Dag, order: &[u32]) -> u64 {
    let mut ranks = vec![0; order.len()];
    for (rank, &task) in (0_u32..).zip(order) {
        ranks[task as usize] = rank;
    }
    let rank = |&task: &u32| u64::from(ranks[task as usize]);
    let wait = |task: &u32| {
        let last = graph.successors(*task).iter().map(rank).max();
        last.map_or(0, |last| last - rank(task))
    };
    order.iter().map(wait).sum()
}

/// Returns the place of each task among those of its level, from 0 to 1. Levels are drawn from the
/// outputs on, each task at the mean of its readers.
///
/// The barycentre heuristic of layered drawings (Sugiyama, Tagawa, Toda, 1981), one pass. The
/// numbers decide which side is the left one, and between tasks with the same readers.
fn positions(graph: &Dag) -> Vec<f32> {
    let levels = levels(graph);
    let mut tasks: Vec<u32> = (0..graph.tasks() as u32).collect();
    tasks.sort_by_key(|&task| levels[task as usize]);
    let mut positions = vec![0.5_f32; graph.tasks()];
    for level in tasks.chunk_by_mut(|&a, &b| levels[a as usize] == levels[b as usize]) {
        for &task in &*level {
            let readers = graph.successors(task);
            if !readers.is_empty() {
                let position = |&reader: &u32| positions[reader as usize];
                let sum: f32 = readers.iter().map(position).sum();
                positions[task as usize] = sum / readers.len() as f32;
            }
        }
        level.sort_by(|&a, &b| positions[a as usize].total_cmp(&positions[b as usize]));
        let length = level.len() as f32;
        for (place, &task) in level.iter().enumerate() {
            positions[task as usize] = (place as f32 + 0.5) / length;
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use superstep_dag::Dag;

    use super::{Order, depth_first};

    /// Returns the graph of a grid whose point (i, j) needs (i - 1, j) and (i, j - 1); `number`
    /// gives the id of each point.
    fn grid(side: u32, number: impl Fn(u32) -> u32) -> Dag {
        let point = |i: u32, j: u32| number(i * side + j);
        let mut edges = Vec::new();
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            if i > 0 {
                edges.push((point(i - 1, j), point(i, j)));
            }
            if j > 0 {
                edges.push((point(i, j - 1), point(i, j)));
            }
        }
        Dag::from_edges((side * side) as usize, &edges).expect("no cycle")
    }

    #[test]
    fn a_grid_goes_line_by_line_however_it_is_numbered() {
        let side = 23;
        // A step without common divisor with 23 * 23 visits every number.
        for step in [1, 5, 100, 317] {
            let order = depth_first(&grid(side, |point| point * step % (side * side)));
            let mut points = vec![0; order.len()];
            (0..side * side)
                .for_each(|point| points[(point * step % (side * side)) as usize] = point);
            let points: Vec<u32> = order.iter().map(|&task| points[task as usize]).collect();
            let by_row: Vec<u32> = (0..side * side).collect();
            let by_column: Vec<u32> = by_row.iter().map(|p| p % side * side + p / side).collect();
            assert!(
                points == by_row || points == by_column,
                "step {step}: {points:?}"
            );
        }
    }

    #[test]
    fn every_order_has_every_task_once() {
        let graph = grid(9, |point| (point * 7) % 81);
        for order in [Order::Ids, Order::DepthFirst, Order::Levels] {
            let ranks = order.ranks(&graph);
            let all: Vec<u32> = (0..81).map(|rank| ranks.rank(ranks.task(rank))).collect();
            assert_eq!(all, (0..81).collect::<Vec<u32>>());
        }
    }
}
