//! Storage: gives every value a slot in each private memory that needs it. Values of shared arrays
//! live where the caller has them.
//!
//! A processor holds one `Vec` per array. A value's *home slot* is the [number] of its home among
//! those that the processor uses. The value lives there if the slot is free from the value's
//! arrival to its last use on this processor.
//!
//! Only flow dependences order the tasks, so two values of one address may have to live at the same
//! time. The later one then gets an *overflow slot*, beyond the home slots: it is renamed, by
//! linear scan as in register allocation. Consecutive conflicts get consecutive slots where
//! possible, so that a run of them has a step of 1 and still folds into a loop.
//!
//! Words that a processor only receives have home slots as well, unless overflow slots take clearly
//! less memory. Overflow slots are recycled once a value is no longer read.
//!
//! [number]: crate::place::numbering

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use superstep_tracer::INPUT;

use crate::place::numbering::{Block, Numbering, Used};
use crate::place::placement::{Placement, Transfer};
use crate::place::ranked::RankedSet;
use crate::place::tasks::Tasks;

/// Part of the words kept at home, at most, that recycled slots may take to be preferred. Loops
/// over words at home have steps that are known.
///
/// Not tuned. Without recycling, ranks of LU by columns hold the whole matrix, as each pivot column
/// passes through all (`compiler/tests/storage.rs`).
const RECYCLED: f64 = 0.9;

/// The slots of all values on all processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Storage {
    arrays: usize,
    /// `[processor * arrays + array]`.
    numberings: Vec<Numbering>,
    overflow: Vec<Overflow>,
    lengths: Vec<u32>,
}

impl Storage {
    /// Finds a slot for every value that a processor computes or receives, for the order of tasks
    /// that `placement` has.
    ///
    /// Cost: about 10 ns for each operand of each task instance, twice that where words that are
    /// only received might be kept at home.
    ///
    /// Values of `shared` arrays are at home, where the caller has them. So are all values if there
    /// is one processor, or if memory need not be `compact`. Threads share the memory of their
    /// machine, and loops over words at home are fewer.
    pub(crate) fn new(
        tasks: &Tasks<'_>,
        placement: &Placement,
        shared: &[bool],
        compact: bool,
    ) -> Self {
        if placement.processors() == 1 || !compact {
            let whole = (0..placement.processors()).flat_map(|_| tasks.layout().extents());
            let whole = whole.map(Numbering::Whole).collect();
            return Self::numbered(tasks, placement, shared, whole, &[]);
        }
        let own = Used::own(tasks, placement);
        let used = own.with_received(tasks, placement).number(shared);
        let (own, widths) = (own.number(shared), own.widths());
        let may_recycle = own != used;
        let kept = Self::numbered(tasks, placement, shared, used, widths);
        if !may_recycle {
            return kept;
        }
        let recycled = Self::numbered(tasks, placement, shared, own, widths);
        kept.or(recycled, tasks)
    }

    /// Finds a slot for every value, given the numberings of home slots.
    fn numbered(
        tasks: &Tasks<'_>,
        placement: &Placement,
        shared: &[bool],
        numberings: Vec<Numbering>,
        widths: &[Vec<u32>],
    ) -> Self {
        let trace = tasks.trace();
        let arrays = trace.extents().len();
        let mut last_use = vec![0; trace.tasks()];
        let mut overflow = Vec::new();
        let mut lengths = Vec::new();
        for processor in 0..placement.processors() {
            let own = &numberings[processor * arrays..][..arrays];
            let occupied = |(numbering, &shared): (&Numbering, &bool)| {
                Occupied::new(if shared { 0 } else { numbering.words() })
            };
            let scan = Scan {
                tasks,
                placement,
                shared,
                processor,
                numberings: own,
                widths,
                last_use: &mut last_use,
                occupied: own.iter().zip(shared).map(occupied).collect(),
                overflow: Vec::new(),
            };
            let scan = scan.run();
            lengths.extend(scan.occupied.iter().map(|slots| slots.words()));
            overflow.push(Overflow::new(trace.tasks(), scan.overflow));
        }
        Self {
            arrays,
            numberings,
            overflow,
            lengths,
        }
    }

    /// Takes the arrays of `other` that have clearly fewer words there.
    fn or(self, other: Self, tasks: &Tasks<'_>) -> Self {
        let arrays = self.arrays;
        let longest = |storage: &Self, array: usize| {
            let lengths = storage.lengths.iter().skip(array).step_by(arrays);
            lengths.copied().max().unwrap_or(0)
        };
        let is_better = |array| {
            let (own, other) = (longest(&self, array), longest(&other, array));
            f64::from(other) < RECYCLED * f64::from(own)
        };
        let is_other: Vec<bool> = (0..arrays).map(is_better).collect();
        let of_other = |task: u32| is_other[usize::from(tasks.target(task))];
        let overflow = |(own, other): (&Overflow, &Overflow)| {
            let own = own.iter().filter(|&(task, _)| !of_other(task));
            let other = other.iter().filter(|&(task, _)| of_other(task));
            Overflow::new(tasks.trace().tasks(), own.chain(other).collect())
        };
        let overflow = self.overflow.iter().zip(&other.overflow).map(overflow);
        let overflow = overflow.collect();
        let mut all = Self { overflow, ..self };
        for at in (0..all.lengths.len()).filter(|at| is_other[at % arrays]) {
            all.lengths[at] = other.lengths[at];
            all.numberings[at] = other.numberings[at].clone();
        }
        all
    }

    /// Returns whether all values of `processor` have the slots that they have in `other`.
    pub(crate) fn agrees(&self, other: &Self, processor: usize) -> bool {
        let homes = processor * self.arrays..(processor + 1) * self.arrays;
        self.overflow[processor] == other.overflow[processor]
            && self.numberings[homes.clone()] == other.numberings[homes]
    }

    /// Returns the slot of a value of `array` on a `processor` that has it: of a task's, or of an
    /// input.
    #[inline]
    pub(crate) fn slot(&self, tasks: &Tasks<'_>, processor: usize, array: u16, value: u32) -> u32 {
        let overflow = || self.overflow[processor].get(value);
        let overflow = (value & INPUT == 0).then(overflow).flatten();
        overflow.unwrap_or_else(|| {
            let numbering = &self.numberings[processor * self.arrays + usize::from(array)];
            let slot = numbering.slot(tasks.home(array, value));
            slot.expect("a processor has slots for the values that it has")
        })
    }

    /// Returns the words of each array in the memory of `processor`.
    pub(crate) fn lengths(&self, processor: usize) -> &[u32] {
        &self.lengths[processor * self.arrays..(processor + 1) * self.arrays]
    }

    /// Returns the home slots of each processor and array.
    pub(crate) fn homes(&self) -> Vec<u32> {
        self.numberings.iter().map(Numbering::words).collect()
    }

    /// Counts the values, over all processors, that live in overflow slots.
    pub(crate) fn overflowing(&self) -> usize {
        self.overflow.iter().map(|o| o.slots.len()).sum()
    }
}

/// The overflow slots of some tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Overflow {
    tasks: RankedSet,
    slots: Vec<u32>,
}

impl Overflow {
    fn new(tasks: usize, mut slots: Vec<(u32, u32)>) -> Self {
        let mut set = RankedSet::default();
        if !slots.is_empty() {
            slots.sort_unstable();
            set = RankedSet::new(tasks as u32, slots.iter().map(|&(task, _)| task));
        }
        Self {
            tasks: set,
            slots: slots.into_iter().map(|(_, slot)| slot).collect(),
        }
    }

    #[inline]
    fn get(&self, task: u32) -> Option<u32> {
        let rank = self.tasks.rank(task)?;
        Some(self.slots[rank as usize])
    }

    /// Iterates over the tasks, ascending, with their slots.
    fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.tasks.iter().zip(self.slots.iter().copied())
    }
}

/// Scan through one processor's run, superstep by superstep, which gives out the slots.
///
/// Time counts from 1: one tick for each task instance, and one at the end of each superstep. In
/// that last tick everything is sent first, and received then. A slot that is last read at some
/// time can be written at that time: a task reads before it writes.
struct Scan<'a> {
    tasks: &'a Tasks<'a>,
    placement: &'a Placement,
    shared: &'a [bool],
    processor: usize,
    /// Per array.
    numberings: &'a [Numbering],
    /// Widths that the rows of each array may have.
    widths: &'a [Vec<u32>],
    last_use: &'a mut [u32],
    occupied: Vec<Occupied>,
    /// (task, slot) of the values outside their home.
    overflow: Vec<(u32, u32)>,
}

impl Scan<'_> {
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
            self.receive(superstep, time);
        }
        self
    }

    /// Gives slots to the values that are received after `superstep`. Those of an array that have
    /// no home here get a block of slots.
    fn receive(&mut self, superstep: usize, time: u32) {
        let mut homeless = vec![Vec::new(); self.occupied.len()];
        for transfer in transfers(self.placement, superstep) {
            if transfer.to as usize == self.processor {
                let array = self.tasks.target(transfer.task);
                match self.slot_at_home(array, transfer.task) {
                    Some(_) => self.define(transfer.task, time, time + 1),
                    None => homeless[usize::from(array)].push(transfer.task),
                }
            }
        }
        let homeless = homeless.iter().enumerate();
        for (array, received) in homeless.filter(|(_, received)| !received.is_empty()) {
            let homes: Vec<u32> = received.iter().map(|&t| self.tasks.home_of(t)).collect();
            let block = Block::new(&homes, &self.widths[array]);
            let occupied = &mut self.occupied[array];
            let first = occupied.block(block.words() as usize, time);
            for (&task, &home) in received.iter().zip(&homes) {
                let end = std::mem::take(&mut self.last_use[task as usize]).max(time + 1);
                let slot = first + block.slot(home) as usize;
                // Another value of the same word came with this one.
                let slot = match occupied.is_taken(slot) {
                    true => occupied.overflow(time, end),
                    false => occupied.take(slot, end),
                };
                self.overflow.push((task, slot));
            }
        }
    }

    fn find_last_uses(&mut self) {
        let placement = self.placement;
        let mut time = 0;
        for superstep in 0..placement.supersteps() {
            for &task in placement.tasks(superstep, self.processor) {
                time += 1;
                let shared = self.shared;
                let reads = self.tasks.reads(task);
                for (array, value) in reads.filter(|&(array, _)| !shared[usize::from(array)]) {
                    if value & INPUT == 0 {
                        self.last_use[value as usize] = time;
                    } else {
                        let home = self.slot_at_home(array, value);
                        let home = home.expect("inputs have slots");
                        self.occupied[usize::from(array)].keep(home, time);
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
        let array = self.tasks.target(task);
        if self.shared[usize::from(array)] {
            return;
        }
        let home = self.slot_at_home(array, task);
        let end = std::mem::take(&mut self.last_use[task as usize]).max(least);
        let occupied = &mut self.occupied[usize::from(array)];
        match home.filter(|&home| occupied.is_free(home, time)) {
            Some(home) => occupied.keep(home, end),
            None => self.overflow.push((task, occupied.overflow(time, end))),
        }
    }

    /// Returns the slot of a value's home, if that has one.
    fn slot_at_home(&self, array: u16, value: u32) -> Option<u32> {
        self.numberings[usize::from(array)].slot(self.tasks.home(array, value))
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
    /// Behind the last one the search starts over if half of all slots are free, so that it soon
    /// finds one. Otherwise there is a new slot.
    fn overflow(&mut self, time: u32, end: u32) -> u32 {
        self.release(time);
        let after = |next: usize, taken: &[bool]| (next..taken.len()).find(|&slot| !taken[slot]);
        let mut slot = after(self.next, &self.taken);
        if slot.is_none() && 2 * self.free > self.taken.len() {
            slot = after(0, &self.taken);
        }
        let slot = slot.unwrap_or(self.taken.len());
        self.next = slot + 1;
        self.take(slot, end)
    }

    /// Returns the first of so many overflow slots in a row that are free from `time`.
    fn block(&mut self, slots: usize, time: u32) -> usize {
        self.release(time);
        let (mut first, mut next) = (0, 0);
        while next < self.taken.len() && next - first < slots {
            next += 1;
            if self.taken[next - 1] {
                first = next;
            }
        }
        first
    }

    fn is_taken(&self, slot: usize) -> bool {
        self.taken.get(slot).copied().unwrap_or(false)
    }

    /// Takes a free overflow slot until `end`; returns its number among all slots.
    fn take(&mut self, slot: usize, end: u32) -> u32 {
        if slot >= self.taken.len() {
            self.free += slot + 1 - self.taken.len();
            self.taken.resize(slot + 1, false);
        }
        self.taken[slot] = true;
        self.free -= 1;
        self.ends.push(Reverse((end, slot as u32)));
        (self.busy_until.len() + slot) as u32
    }

    /// Frees the overflow slots that are in use no longer.
    fn release(&mut self, time: u32) {
        while let Some(&Reverse((end, slot))) = self.ends.peek() {
            if end > time {
                break;
            }
            self.ends.pop();
            self.taken[slot as usize] = false;
            self.free += 1;
        }
    }

    fn words(&self) -> u32 {
        if self.taken.is_empty() {
            self.used
        } else {
            (self.busy_until.len() + self.taken.len()) as u32
        }
    }
}
