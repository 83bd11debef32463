//! Expansion of a schedule of groups to a schedule of the tasks in them, and contraction back.

use superstep_dag::{Contraction, Dag};

use crate::Schedule;

impl Schedule {
    /// Expands each group of a contracted graph to its members, in the order of ids within a list.
    /// Supersteps with nothing but parcels (tasks without members, see [`Contraction`]) are left
    /// out.
    ///
    /// Valid for the original graph if this schedule is valid for the contracted one. A reader of a
    /// group's value, or of a parcel of it, comes after all of the group. Cost: a sort of each
    /// list.
    ///
    /// ```
    /// use superstep_dag::{Contraction, Dag};
    /// use superstep_schedule::Schedule;
    ///
    /// let graph = Dag::from_edges(4, &[(0, 1), (1, 2), (2, 3)])?;
    /// let pairs = Contraction::of_intervals(&graph, &[0..2, 2..4]);
    /// let schedule = Schedule::from_lists(1, [[vec![0]], [vec![1]]]).expand(&pairs);
    /// assert_eq!([schedule.tasks(0, 0), schedule.tasks(1, 0)], [[0, 1], [2, 3]]);
    /// # Ok::<(), superstep_dag::GraphError>(())
    /// ```
    #[must_use]
    pub fn expand(&self, groups: &Contraction) -> Self {
        let mut expanded = Self::new(self.processors);
        expanded.reserve(groups.groups().len());
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

    /// Puts each list into the order of ids, and leaves out supersteps without tasks:
    /// [expands](Self::expand) groups of one task each.
    ///
    /// ```
    /// use superstep_schedule::Schedule;
    ///
    /// let schedule = Schedule::from_lists(1, [[vec![1, 0]], [vec![]], [vec![2]]]);
    /// assert_eq!(schedule.in_order(), Schedule::from_lists(1, [[vec![0, 1]], [vec![2]]]));
    /// ```
    #[must_use]
    pub fn in_order(mut self) -> Self {
        for ends in self.offsets.windows(2) {
            let list = &mut self.tasks[ends[0] as usize..ends[1] as usize];
            if !list.is_sorted() {
                list.sort_unstable();
            }
        }
        let processors = self.processors();
        let mut offsets = vec![0];
        for superstep in 0..self.supersteps() {
            let ends = &self.offsets[superstep * processors..=(superstep + 1) * processors];
            if ends[0] < ends[processors] {
                offsets.extend_from_slice(&ends[1..]);
            }
        }
        self.offsets = offsets;
        self.tasks.shrink_to_fit();
        self
    }

    /// Groups tasks that stand in the same lists of this schedule and are of the same part. Returns
    /// the groups, and this schedule as one of groups. `parts` has the part of each task.
    ///
    /// Requires a valid schedule of `graph`, whose ascending ids are a topological order. No edge
    /// goes from a part to a lower one.
    ///
    /// # Panics
    /// When a task is in no list, ids are in no topological order, or groups would need each other.
    #[must_use]
    pub fn contract(&self, graph: &Dag, parts: &[u32]) -> (Contraction, Self) {
        let mut lists = vec![Vec::new(); graph.tasks()];
        for (list, tasks) in (0u32..).zip(self.lists()) {
            tasks
                .iter()
                .for_each(|&task| lists[task as usize].push(list));
        }
        // With copies, groups by lists alone may need each other. A turn counts how often the
        // lists change on a path within a part and superstep, which parts such groups.
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
