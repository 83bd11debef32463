//! Storage of every value in each processor's private memory; values of shared arrays live where
//! the caller has them.
//!
//! *Mirror addressing*: a processor holds one `Vec` per array, and a value lives at its *home slot*
//! (its original index, or where the [layout](crate::place::layout) puts that) if that is free from
//! the value's arrival to its last use on this processor. Only flow dependences order the tasks, so
//! two values of one address may have to live at the same time; the later one then gets an
//! *overflow slot*, at or beyond the array's extent, by linear scan. Consecutive conflicts get
//! consecutive slots where possible, so that a run of them has a step of 1 and still folds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use superstep_tracer::{INPUT, Trace};

use crate::place::placement::{Placement, Transfer};
use crate::place::tasks::Tasks;

/// The slots of all values on all processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Storage {
    arrays: usize,
    overflow: Vec<Overflow>,
    lengths: Vec<u32>,
}

impl Storage {
    /// Finds a slot for every value that a processor computes or receives, for the order of tasks
    /// that `placement` has.
    ///
    /// Cost: about 10 ns for each operand of each task instance.
    ///
    /// Values of `shared` arrays are at home, where the caller has them.
    pub(crate) fn new(tasks: &Tasks<'_>, placement: &Placement, shared: &[bool]) -> Self {
        let trace = tasks.trace();
        let arrays = trace.extents().len();
        let mut last_use = vec![0; trace.tasks()];
        let mut overflow = Vec::new();
        let mut lengths = Vec::new();
        for processor in 0..placement.processors() {
            let scan = Scan::new(tasks, placement, shared, processor, &mut last_use).run();
            lengths.extend(scan.occupied.iter().map(|slots| slots.words()));
            overflow.push(Overflow::new(trace.tasks(), scan.overflow));
        }
        Self {
            arrays,
            overflow,
            lengths,
        }
    }

    /// Returns whether all values of `processor` live where they do in `other`.
    pub(crate) fn agrees(&self, other: &Self, processor: usize) -> bool {
        self.overflow[processor] == other.overflow[processor]
    }

    /// Returns the slot of the value of `task` on `processor`, in the array that the task writes.
    #[inline]
    pub(crate) fn slot(&self, tasks: &Tasks<'_>, processor: usize, task: u32) -> u32 {
        self.overflow[processor]
            .get(task)
            .unwrap_or_else(|| tasks.home_of(task))
    }

    /// Returns the words of each array in the memory of `processor`.
    pub(crate) fn lengths(&self, processor: usize) -> &[u32] {
        &self.lengths[processor * self.arrays..(processor + 1) * self.arrays]
    }

    /// Counts the values, over all processors, that live in overflow slots.
    pub(crate) fn overflowing(&self) -> usize {
        self.overflow.iter().map(|o| o.slots.len()).sum()
    }
}

/// The overflow slots of some tasks: a bit set with ranks, so that the common question ("none?")
/// costs one load.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Overflow {
    bits: Vec<u64>,
    /// Set bits before each word of `bits`.
    ranks: Vec<u32>,
    slots: Vec<u32>,
}

impl Overflow {
    fn new(tasks: usize, mut slots: Vec<(u32, u32)>) -> Self {
        if slots.is_empty() {
            return Self {
                bits: Vec::new(),
                ranks: Vec::new(),
                slots: Vec::new(),
            };
        }
        slots.sort_unstable();
        let mut bits = vec![0_u64; tasks.div_ceil(64)];
        for (task, _) in &slots {
            bits[*task as usize / 64] |= 1 << (task % 64);
        }
        let rank = |sum: &mut u32, word: &u64| {
            let before = *sum;
            *sum += word.count_ones();
            Some(before)
        };
        let ranks = bits.iter().scan(0, rank).collect();
        Self {
            bits,
            ranks,
            slots: slots.into_iter().map(|(_, slot)| slot).collect(),
        }
    }

    #[inline]
    fn get(&self, task: u32) -> Option<u32> {
        let word = *self.bits.get(task as usize / 64)?;
        let bit = 1_u64 << (task % 64);
        if word & bit == 0 {
            return None;
        }
        let rank = self.ranks[task as usize / 64] + (word & (bit - 1)).count_ones();
        Some(self.slots[rank as usize])
    }
}

/// Scan through one processor's life.
///
/// Time counts from 1: one tick for each task instance, and one at the end of each superstep, at
/// which first everything is sent and then everything is received. A slot that is last read at some
/// time can be written at that time: a task reads before it writes.
struct Scan<'a> {
    tasks: &'a Tasks<'a>,
    trace: &'a Trace,
    placement: &'a Placement,
    shared: &'a [bool],
    processor: usize,
    last_use: &'a mut [u32],
    occupied: Vec<Occupied>,
    /// (task, slot) of the values outside their home.
    overflow: Vec<(u32, u32)>,
}

impl<'a> Scan<'a> {
    fn new(
        tasks: &'a Tasks<'a>,
        placement: &'a Placement,
        shared: &'a [bool],
        processor: usize,
        last_use: &'a mut [u32],
    ) -> Self {
        let trace = tasks.trace();
        let extents = tasks.layout().extents().zip(shared);
        let occupied = extents
            .map(|(extent, &shared)| Occupied::new(if shared { 0 } else { extent }))
            .collect();
        Self {
            tasks,
            trace,
            placement,
            shared,
            processor,
            last_use,
            occupied,
            overflow: Vec::new(),
        }
    }

    fn run(mut self) -> Self {
        self.find_last_uses();
        let mut time = 0;
        let placement = self.placement;
        for superstep in 0..placement.supersteps() {
            self.occupied.iter_mut().for_each(Occupied::rewind);
            for &task in placement.tasks(superstep, self.processor) {
                time += 1;
                self.define(task, time, time);
            }
            time += 1;
            for transfer in transfers(placement, superstep) {
                if transfer.to as usize == self.processor {
                    self.define(transfer.task, time, time + 1);
                }
            }
        }
        self
    }

    fn find_last_uses(&mut self) {
        let placement = self.placement;
        let mut time = 0;
        for superstep in 0..placement.supersteps() {
            for &task in placement.tasks(superstep, self.processor) {
                time += 1;
                let arrays = &self
                    .trace
                    .kernel()
                    .statement(self.tasks.statement(task))
                    .operands;
                let reads = arrays.iter().zip(self.tasks.operands(task));
                for (&array, &value) in
                    reads.filter(|(array, _)| !self.shared[usize::from(**array)])
                {
                    if value & INPUT == 0 {
                        self.last_use[value as usize] = time;
                    } else {
                        self.occupied[usize::from(array)].keep(self.tasks.home(array, value), time);
                    }
                }
            }
            time += 1;
            for transfer in transfers(placement, superstep) {
                if transfer.from as usize == self.processor {
                    self.last_use[transfer.task as usize] = time;
                }
            }
        }
        for &task in placement.results(self.processor) {
            self.last_use[task as usize] = u32::MAX;
        }
    }

    /// Gives the value of `task`, which comes at `time`, a slot until its last use, or until
    /// `least` if that is later.
    fn define(&mut self, task: u32, time: u32, least: u32) {
        let array = self.trace.written(task).array;
        if self.shared[usize::from(array)] {
            return;
        }
        let home = self.tasks.home_of(task);
        let end = std::mem::take(&mut self.last_use[task as usize]).max(least);
        let occupied = &mut self.occupied[usize::from(array)];
        if occupied.is_free(home, time) {
            occupied.keep(home, end);
        } else {
            self.overflow.push((task, occupied.overflow(time, end)));
        }
    }
}

/// Returns the words sent after `superstep`.
fn transfers(placement: &Placement, superstep: usize) -> &[Transfer] {
    let all = placement.transfers();
    let start = all.partition_point(|transfer| (transfer.superstep as usize) < superstep);
    let end = all.partition_point(|transfer| transfer.superstep as usize <= superstep);
    &all[start..end]
}

/// The slots of one array on one processor, and until when they are in use.
struct Occupied {
    /// Time of the last use so far, per home slot.
    busy_until: Vec<u32>,
    /// Home slots used, as the highest plus one.
    used: u32,
    /// Flags of the overflow slots that are taken.
    taken: Vec<bool>,
    free: usize,
    /// (end, slot) of the taken ones.
    ends: BinaryHeap<Reverse<(u32, u32)>>,
    /// Overflow slot at which the next search begins.
    next: usize,
}

impl Occupied {
    fn new(extent: u32) -> Self {
        let busy_until = vec![0; extent as usize];
        Self {
            busy_until,
            used: 0,
            taken: Vec::new(),
            free: 0,
            ends: BinaryHeap::new(),
            next: 0,
        }
    }

    fn is_free(&self, index: u32, time: u32) -> bool {
        self.busy_until[index as usize] <= time
    }

    fn keep(&mut self, index: u32, end: u32) {
        self.busy_until[index as usize] = end;
        self.used = self.used.max(index + 1);
    }

    /// Looks for overflow slots from the first one again.
    fn rewind(&mut self) {
        self.next = 0;
    }

    /// Returns an overflow slot from `time` to `end`: the next free one after the last given.
    /// Behind the last one the search starts over only if half of all are free, so that it finds
    /// one soon; else there is a new one.
    fn overflow(&mut self, time: u32, end: u32) -> u32 {
        while let Some(&Reverse((end, slot))) = self.ends.peek() {
            if end > time {
                break;
            }
            self.ends.pop();
            self.taken[slot as usize] = false;
            self.free += 1;
        }
        let after = |next: usize, taken: &[bool]| (next..taken.len()).find(|&slot| !taken[slot]);
        let mut slot = after(self.next, &self.taken);
        if slot.is_none() && 2 * self.free > self.taken.len() {
            slot = after(0, &self.taken);
        }
        let slot = slot.unwrap_or_else(|| {
            self.taken.push(false);
            self.free += 1;
            self.taken.len() - 1
        });
        self.taken[slot] = true;
        self.free -= 1;
        self.next = slot + 1;
        self.ends.push(Reverse((end, slot as u32)));
        (self.busy_until.len() + slot) as u32
    }

    fn words(&self) -> u32 {
        if self.taken.is_empty() {
            self.used
        } else {
            (self.busy_until.len() + self.taken.len()) as u32
        }
    }
}
