//! From a schedule of groups to a schedule of the tasks in them, and back.

use superstep_dag_builder::{TaskGraph, contract::Contraction};

use crate::Schedule;

impl Schedule {
    /// The schedule of the tasks behind a contracted graph: each group becomes its members, in trace order within a list. Supersteps
    /// that hold nothing but parcels are left out.
    ///
    /// Valid for the original graph if this schedule is valid for the contracted one: who reads a group's value, or a parcel of it, comes
    /// after all of the group. Cost: a sort of each list.
    ///
    /// ```
    /// use superstep_dag_builder::{contract::Contraction, generate};
    /// use superstep_machine::Machine;
    /// use superstep_scheduler::{Levels, Scheduler};
    ///
    /// let groups = Contraction::identity(generate::lu(8)?);
    /// let schedule = Levels.schedule(groups.graph(), &Machine::new(3))?;
    /// assert_eq!(schedule.expand(&groups), schedule);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expand(&self, groups: &Contraction) -> Self {
        let mut expanded = Self::new(self.processors);
        let mut list: Vec<u32> = Vec::new();
        let is_kept = |tasks: &[u32]| tasks.iter().any(|&group| !groups.members(group).is_empty());
        for superstep in (0..self.supersteps()).filter(|&s| self.superstep(s).any(is_kept)) {
            for processor in 0..self.processors() {
                list.clear();
                for &group in self.tasks(superstep, processor) {
                    list.extend_from_slice(groups.members(group));
                }
                if !list.is_sorted() {
                    list.sort_unstable();
                }
                expanded.push(list.iter().copied());
            }
        }
        expanded
    }

    /// The tasks that stand in the same lists of this schedule and are of the same part, as one each; and this schedule as one of them. `parts` has
    /// the part of each task, and no edge goes from a part to a lower one.
    ///
    /// # Panics
    /// When one does, or when this is no valid schedule of `graph`, whose ascending ids are a topological order.
    pub(crate) fn contract(&self, graph: &TaskGraph, parts: &[u32]) -> (Contraction, Self) {
        let mut lists = vec![Vec::new(); graph.tasks()];
        for (list, tasks) in (0u32..).zip(self.lists()) {
            tasks
                .iter()
                .for_each(|&task| lists[task as usize].push(list));
        }
        // Copies may let tasks of the same part and superstep wait for each other in turns.
        let mut turns = vec![0; graph.tasks()];
        let superstep = |task: u32| lists[task as usize][0] / self.processors;
        for task in 0..graph.tasks() as u32 {
            let at = task as usize;
            let before = graph.predecessors(task).iter().map(|&value| value as usize);
            let near = before.filter(|&value| {
                parts[value] == parts[at] && superstep(value as u32) == superstep(task)
            });
            let turn = near.map(|value| turns[value] + u32::from(lists[value] != lists[at]));
            turns[at] = turn.max().unwrap_or(0);
        }
        let keys = |task: usize| {
            (
                superstep(task as u32),
                parts[task],
                turns[task],
                &lists[task],
            )
        };
        let mut order: Vec<u32> = (0..graph.tasks() as u32).collect();
        order.sort_by(|&a, &b| keys(a as usize).cmp(&keys(b as usize)));
        let mut groups = vec![0; graph.tasks()];
        let mut count = 0;
        for alike in order.chunk_by(|&a, &b| keys(a as usize) == keys(b as usize)) {
            alike.iter().for_each(|&task| groups[task as usize] = count);
            count += 1;
        }
        let groups = Contraction::of_groups(graph, &groups, count as usize);
        let mut contracted = Self::new(self.processors);
        for tasks in self.lists() {
            let mut list: Vec<u32> = tasks
                .iter()
                .map(|&task| groups.groups()[task as usize])
                .collect();
            list.sort_unstable();
            list.dedup();
            contracted.push(list.into_iter().flat_map(|group| {
                let parcels = (group + 1..groups.graph().tasks() as u32)
                    .take_while(|&next| groups.members(next).is_empty());
                std::iter::once(group).chain(parcels)
            }));
        }
        (groups, contracted)
    }
}

#[cfg(test)]
mod tests {
    use superstep_dag_builder::{generate, tiles};
    use superstep_machine::Machine;

    use crate::{Bcsh, CheckedSchedule, Scheduler};

    #[test]
    fn contracted_and_expanded_a_schedule_is_what_it_was() {
        let graph = generate::lu(16).expect("it is small");
        let machine = Machine {
            tau: Some(50.0),
            ..Machine::new(4)
        };
        let schedule = Bcsh::default()
            .schedule(&graph, &machine)
            .expect("it serves all");
        assert!(schedule.instances() > graph.tasks(), "it has copies");
        let parts = tiles(&graph, 2, 4);
        let (groups, contracted) = schedule.contract(&graph, parts.groups());
        assert!(2 * groups.graph().tasks() < graph.tasks());
        let together = |task: usize| parts.groups()[task];
        for group in 0..groups.graph().tasks() as u32 {
            let members = groups.members(group).iter();
            let mut parts = members.map(|&task| together(task as usize));
            if let Some(first) = parts.next() {
                assert!(parts.all(|part| part == first));
            }
        }
        let checked = CheckedSchedule::new(groups.graph(), contracted).expect("it is valid");
        let expanded = checked.schedule().expand(&groups);
        for (before, after) in schedule.lists().zip(expanded.lists()) {
            let mut before = before.to_vec();
            before.sort_unstable();
            assert_eq!(before, after);
        }
        assert_eq!(schedule.supersteps(), expanded.supersteps());
    }
}
