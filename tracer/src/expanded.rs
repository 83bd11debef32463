//! Array expansion: traces in which each value of a local has a word of its own.

use crate::{INPUT, Role, Task, Trace};

impl Trace {
    /// Returns the trace in which each value of a local array stands in a word of its own (array
    /// expansion, scalar expansion). So no task has to wait until a word is free. There is none if
    /// nothing is to be had.
    ///
    /// A task that writes a word without reading it begins a value: its word is the array's next.
    /// Nothing else changes: tasks read the values of the same tasks. Arrays are left as they are
    /// that are read before they are written. So are those with which all that are expanded would
    /// take more than `most` bytes. Linear in tasks.
    ///
    /// ```
    /// use superstep_tracer::{Kernel, MOST_TASKS, Role, record};
    ///
    /// // t = x[i]; y[i] = t;
    /// let mut kernel = Kernel::new("copy");
    /// let x = kernel.add_array("x", Role::Input, None);
    /// let y = kernel.add_array("y", Role::InOut, None);
    /// let t = kernel.add_array("t", Role::Local, Some(1));
    /// let [load, store] = [(t, x), (y, t)].map(|(to, from)| kernel.add_statement("", to, &[from]));
    /// let trace = record(kernel, MOST_TASKS, |recorder| {
    ///     for i in 0..3 {
    ///         recorder.push(load, 0, &[i]);
    ///         recorder.push(store, i, &[0]);
    ///     }
    /// })?;
    /// let expanded = trace.expanded(1000).expect("t has three values");
    /// assert_eq!(expanded.writes(), [0, 0, 1, 1, 2, 2]);
    /// assert_eq!(expanded.operands(), trace.operands());
    /// assert!(expanded.expanded(1000).is_none() && trace.expanded(20).is_none());
    /// # Ok::<(), superstep_tracer::TraceError>(())
    /// ```
    #[must_use]
    pub fn expanded(&self, most: usize) -> Option<Self> {
        let is_expanded = self.expandable(most);
        if !is_expanded.contains(&true) {
            return None;
        }
        let mut expanded = self.clone();
        let mut next = vec![0; is_expanded.len()];
        for (id, task) in self.iter().enumerate() {
            let array = usize::from(self.kernel.statement(task.statement).target);
            if !is_expanded[array] {
                continue;
            }
            expanded.write[id] = match self.updated(&task) {
                Some(before) => expanded.write[before as usize],
                None => {
                    next[array] += 1;
                    next[array] - 1
                }
            };
        }
        for (array, values) in next
            .into_iter()
            .enumerate()
            .filter(|&(at, _)| is_expanded[at])
        {
            expanded.extents[array] = values;
            let own = &mut expanded.kernel.arrays[array];
            own.length = own.length.map(|_| values);
        }
        Some(expanded)
    }

    /// Tells which arrays are worth expanding, and fit together into so many bytes.
    fn expandable(&self, most: usize) -> Vec<bool> {
        let arrays = &self.kernel.arrays;
        let mut values = vec![0_usize; arrays.len()];
        let mut are_given: Vec<bool> = arrays.iter().map(|own| own.role != Role::Local).collect();
        for task in self.iter() {
            let statement = self.kernel.statement(task.statement);
            for (&read, &array) in task.operands.iter().zip(&statement.operands) {
                are_given[usize::from(array)] |= read & INPUT != 0;
            }
            let array = usize::from(statement.target);
            if !are_given[array] && self.updated(&task).is_none() {
                values[array] += 1;
            }
        }
        let mut left = most;
        let mut takes = |array: usize| {
            let bytes = values[array].saturating_mul(arrays[array].element.bytes);
            let is_expanded =
                !are_given[array] && values[array] > self.extents[array] as usize && bytes <= left;
            left -= if is_expanded { bytes } else { 0 };
            is_expanded
        };
        (0..arrays.len()).map(&mut takes).collect()
    }

    /// Returns the task whose value a task changes in place: it reads the word that it writes.
    fn updated(&self, task: &Task<'_>) -> Option<u32> {
        let statement = self.kernel.statement(task.statement);
        let mut reads = task.operands.iter().zip(&statement.operands);
        let is_own = |read: u32, array: u16| {
            array == statement.target
                && read & INPUT == 0
                && self.write[read as usize] == task.write
        };
        let (&read, _) = reads.find(|&(&read, &array)| is_own(read, array))?;
        Some(read)
    }
}
