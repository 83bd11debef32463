//! Receivers of the lists that an algorithm makes.

/// Receiver of the lists of a schedule, in an order in which one processor could run them all.
pub trait Lists {
    /// Takes the tasks that a processor runs next. They may be none.
    fn list(&mut self, processor: u32, tasks: &[u32]);

    /// Ends a superstep: lists that follow come after all before.
    fn end_superstep(&mut self) {}
}

/// Lists as they were made, superstep by superstep and processor by processor: to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Lists of each superstep, by processor.
    pub supersteps: Vec<Vec<Vec<u32>>>,
    open: Vec<Vec<u32>>,
}

impl Lists for Gathered {
    fn list(&mut self, processor: u32, tasks: &[u32]) {
        let processor = processor as usize;
        if self.open.len() <= processor {
            self.open.resize(processor + 1, Vec::new());
        }
        self.open[processor].extend_from_slice(tasks);
    }

    fn end_superstep(&mut self) {
        self.supersteps.push(std::mem::take(&mut self.open));
    }
}
