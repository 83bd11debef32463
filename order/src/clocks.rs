//! Vector clocks: the ends that processors know of, so that waits that others imply need not be
//! made.

/// Clocks: the ends that processors know of, over steps in an order in which one processor could
/// run them all.
///
/// A processor knows of an end that it waited for, and of all that whoever it waited for knew of
/// then (F. Mattern, *Virtual time and global states of distributed systems*, 1988). Steps are
/// numbered in that order, not processor after processor.
///
/// Memory: 4 bytes for each step and processor.
///
/// ```
/// use superstep_order::Clocks;
///
/// let mut clocks = Clocks::new(3);
/// clocks.end(0, 0); // step 0, of processor 0
/// clocks.learn(1, 0);
/// clocks.end(1, 1); // step 1, of processor 1, waited for it
/// clocks.learn(2, 1);
/// assert_eq!([0, 1, 2].map(|peer| clocks.known(2, peer)), [1, 2, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Clocks {
    processors: usize,
    now: Vec<u32>,
    at_end: Vec<u32>,
}

impl Clocks {
    /// Returns the clocks of so many processors before the first step.
    pub fn new(processors: usize) -> Self {
        Self {
            processors,
            now: vec![0; processors * processors],
            at_end: Vec::new(),
        }
    }

    /// Returns the number behind the last step of `peer` that a processor knows to have ended; 0 if
    /// it knows of none.
    ///
    /// # Panics
    /// If there is no such processor.
    #[inline]
    pub fn known(&self, processor: u32, peer: u32) -> u32 {
        self.now[processor as usize * self.processors + peer as usize]
    }

    /// Notes that a processor has waited for the end of a step.
    ///
    /// # Panics
    /// If the step has not ended, or there is no such processor.
    #[inline]
    pub fn learn(&mut self, processor: u32, step: usize) {
        let row = processor as usize * self.processors;
        let theirs = &self.at_end[step * self.processors..][..self.processors];
        for (own, &their) in self.now[row..].iter_mut().zip(theirs) {
            *own = their.max(*own);
        }
    }

    /// Notes that the next step of all, which has this number, ends on a processor.
    ///
    /// # Panics
    /// If there is no such processor.
    #[inline]
    pub fn end(&mut self, processor: u32, step: usize) {
        let row = processor as usize * self.processors;
        self.now[row + processor as usize] = step as u32 + 1;
        self.at_end
            .extend_from_slice(&self.now[row..row + self.processors]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_knows_of_later_ends_than_those_it_waits_for_forgets_nothing() {
        let mut clocks = Clocks::new(3);
        clocks.end(0, 0);
        clocks.learn(1, 0);
        clocks.end(1, 1);
        clocks.end(0, 2);
        clocks.learn(2, 2);
        // It knew of the first step of processor 0 alone.
        clocks.learn(2, 1);
        assert_eq!([0, 1, 2].map(|peer| clocks.known(2, peer)), [3, 2, 0]);
    }
}
