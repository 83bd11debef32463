//! From a schedule of groups to a schedule of the tasks in them.

use superstep_dag_builder::contract::Contraction;

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
}
