//! BSP cost of supersteps, kept up to date while work and messages come and go.
//!
//! A superstep costs the work of its busiest processor. The exchange after it costs `gap` times the
//! words of the processor that sends or receives most, and the latency of its farthest message.
//! So a table of work and one of words, whose rows know their largest entry ([`cells`]), are all
//! that there is to count. Distances between processors are in [`levels`].
//!
//! Two states are annealed by this cost: [assignments](super::assignment) of tasks, and the board
//! of the groups of [cuts](crate::cuts). The dealing of a single layer has one for itself.

mod cells;
mod levels;

use superstep_machine::Machine;

use self::{cells::Cells, levels::Levels};

/// BSP cost of a number of supersteps, of which each has work and messages.
pub(crate) struct BspCost {
    pub(crate) processors: usize,
    work: Cells,
    /// Weights of the words that each processor sends, then of those that each receives.
    traffic: Cells,
    levels: Levels,
}

impl BspCost {
    /// Returns the cost of so many supersteps in which nothing is done.
    pub(crate) fn new(machine: &Machine, supersteps: usize) -> Self {
        let processors = machine.processors as usize;
        Self {
            processors,
            work: Cells::new(supersteps, processors),
            traffic: Cells::new(supersteps, 2 * processors),
            levels: Levels::new(machine, supersteps),
        }
    }

    /// Returns whether the machine has no levels: all processors are equally far from each other.
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        self.levels.is_flat()
    }

    /// Returns the [level](Machine::level) of a pair of processors.
    #[inline]
    pub(crate) fn level(&self, from: usize, to: usize) -> usize {
        self.levels.level(from, to)
    }

    /// Counts work, or no longer counts it.
    #[inline]
    pub(crate) fn work<const COUNT: bool>(&mut self, superstep: u32, processor: usize, work: u64) {
        if COUNT {
            self.work.add(superstep, processor, work);
        } else {
            self.work.subtract(superstep, processor, work);
        }
    }

    /// Counts words that one processor sends another after a superstep, or no longer counts them.
    #[inline]
    pub(crate) fn send<const COUNT: bool>(
        &mut self,
        superstep: u32,
        from: usize,
        to: usize,
        words: u64,
    ) {
        let weight = self.levels.send::<COUNT>(superstep, from, to, words);
        let receiver = self.processors + to;
        if COUNT {
            self.traffic.add(superstep, from, weight);
            self.traffic.add(superstep, receiver, weight);
        } else {
            self.traffic.subtract(superstep, from, weight);
            self.traffic.subtract(superstep, receiver, weight);
        }
    }

    /// Returns the processor with most work in a superstep.
    pub(crate) fn busiest(&self, superstep: u32) -> usize {
        self.work.column_of_largest(superstep)
    }

    /// Returns the processor that sends or receives most after a superstep, and whether it
    /// receives.
    pub(crate) fn most_traffic(&self, superstep: u32) -> (usize, bool) {
        let column = self.traffic.column_of_largest(superstep);
        (column % self.processors, column >= self.processors)
    }

    /// Returns the weight of the words of the processor that sends or receives most after a
    /// superstep, or more.
    pub(crate) fn largest_traffic(&self, superstep: u32) -> u64 {
        self.traffic.largest(superstep)
    }

    /// Returns by how much the energy of work would rise, if so much of it went from one superstep
    /// and processor to another.
    pub(crate) fn rise_of_work(
        &mut self,
        work: u64,
        from: (u32, usize),
        to: (u32, usize),
        energy: &Energy,
    ) -> f64 {
        let (largest, roots) = self.work.rise_if_moved(work, from, to);
        largest + energy.evenness * roots
    }

    /// Returns the BSP cost.
    pub(crate) fn cost(&mut self, machine: &Machine) -> f64 {
        self.work.settle();
        self.traffic.settle();
        let boundaries = if self.is_flat() {
            f64::from(self.traffic.rows_in_use)
        } else {
            self.levels.boundaries()
        };
        self.work.sum as f64
            + self.gap(machine) * self.traffic.sum as f64
            + machine.latency * boundaries
    }

    /// Returns whether anything is sent at all. The cost has been asked for before.
    pub(crate) fn has_messages(&self) -> bool {
        self.traffic.rows_in_use > 0
    }

    /// Returns the cost of a word of weight 1.
    fn gap(&self, machine: &Machine) -> f64 {
        machine.gap / self.levels.whole() as f64
    }

    /// Returns the root mean square of the work and the words of processors, summed over
    /// supersteps: less where as much is spread more evenly. The cost has been asked for before.
    fn root_mean_square(&self, machine: &Machine) -> f64 {
        self.work.roots() + self.gap(machine) * self.traffic.roots()
    }
}

/// Energy, which annealing makes small: the cost, with a slope where the cost alone has none.
#[derive(Clone, Debug)]
pub(crate) struct Energy {
    pub(crate) machine: Machine,
    /// Share of the root mean square of loads that counts as cost: a slope towards even supersteps,
    /// where one of several busiest processors does less.
    pub(crate) evenness: f64,
}

impl Energy {
    /// Returns the energy that is the cost alone.
    pub(crate) fn of_cost(machine: &Machine) -> Self {
        Self {
            machine: machine.clone(),
            evenness: 0.0,
        }
    }

    /// Returns the energy at that cost.
    pub(crate) fn of(&self, cost: &mut BspCost) -> f64 {
        cost.cost(&self.machine) + self.evenness * cost.root_mean_square(&self.machine)
    }
}
