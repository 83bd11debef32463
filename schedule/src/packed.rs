//! Packed form of a checked schedule, at rest.

use superstep_order::{number, take};

use crate::{CheckedSchedule, Schedule};

/// Schedule that has been checked, in a fraction of its memory: each list as arithmetic
/// progressions of ids.
///
/// Lists of kernels are rows and columns of the run, so that a progression has hundreds of tasks
/// and takes some bytes. Lists without any order take up to 5 bytes a task.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_schedule::{CheckedSchedule, PackedSchedule, Schedule};
///
/// let graph = Dag::from_edges(4, &[(0, 2), (1, 3)])?;
/// let schedule = Schedule::from_lists(2, [[vec![0, 2], vec![1, 3]]]);
/// let packed = PackedSchedule::new(&CheckedSchedule::new(&graph, schedule.clone())?);
/// assert!(packed.is(&schedule));
/// assert_eq!(packed.unpack(), schedule);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackedSchedule {
    processors: u32,
    /// Ends of the lists, as those of the schedule.
    offsets: Vec<u32>,
    /// Progressions, list by list: number of tasks, distance of the first from the last before,
    /// step.
    bytes: Vec<u8>,
}

impl PackedSchedule {
    /// Packs a schedule. Cost: some nanoseconds for each task.
    pub fn new(schedule: &CheckedSchedule<'_>) -> Self {
        Self::pack(schedule.schedule())
    }

    fn pack(schedule: &Schedule) -> Self {
        let mut bytes = Vec::new();
        schedule.lists().for_each(|list| pack(list, &mut bytes));
        bytes.shrink_to_fit();
        Self {
            processors: schedule.processors,
            offsets: schedule.offsets.clone(),
            bytes,
        }
    }

    /// Unpacks the schedule.
    pub fn unpack(&self) -> Schedule {
        let instances = *self.offsets.last().unwrap_or(&0);
        let mut tasks = Vec::with_capacity(instances as usize);
        tasks.extend(self.tasks());
        Schedule {
            processors: self.processors,
            offsets: self.offsets.clone(),
            tasks,
        }
    }

    /// Returns whether that is the schedule, without unpacking it.
    pub fn is(&self, schedule: &Schedule) -> bool {
        self.processors == schedule.processors
            && self.offsets == schedule.offsets
            && self.tasks().eq(schedule.tasks.iter().copied())
    }

    /// Returns the tasks of all lists.
    fn tasks(&self) -> impl Iterator<Item = u32> {
        let mut bytes = &self.bytes[..];
        let mut list = 0;
        let (mut left, mut last, mut step) = (0_u32, 0_u32, 0_u32);
        let instances = *self.offsets.last().unwrap_or(&0);
        (0..instances).map(move |at| {
            if left == 0 {
                while self.offsets[list] <= at {
                    if self.offsets[list] == at {
                        last = 0;
                    }
                    list += 1;
                }
                left = read(&mut bytes);
                last = last.wrapping_add(unzigzag(read(&mut bytes)));
                step = if left > 1 {
                    unzigzag(read(&mut bytes))
                } else {
                    0
                };
            } else {
                last = last.wrapping_add(step);
            }
            left -= 1;
            last
        })
    }
}

/// Appends the progressions of a list, each as long as it can be.
fn pack(list: &[u32], bytes: &mut Vec<u8>) {
    let (mut at, mut last) = (0, 0_u32);
    while at < list.len() {
        let rest = &list[at..];
        let step = rest.get(1).map_or(0, |next| next.wrapping_sub(rest[0]));
        let goes_on = |pair: &&[u32]| pair[1].wrapping_sub(pair[0]) == step;
        let count = 1 + rest.windows(2).take_while(goes_on).count();
        number(bytes, count as u64);
        number(bytes, zigzag(rest[0].wrapping_sub(last)).into());
        if count > 1 {
            number(bytes, zigzag(step).into());
        }
        at += count;
        last = list[at - 1];
    }
}

/// Encodes by zigzag: small numbers of both signs become small ones without a sign.
fn zigzag(difference: u32) -> u32 {
    (difference << 1) ^ (((difference as i32) >> 31) as u32)
}

/// Reverses [`zigzag`].
fn unzigzag(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Takes a number off the front of what [`pack`] has written.
fn read(bytes: &mut &[u8]) -> u32 {
    take(bytes).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_schedule_comes_back(
            rows in prop::collection::vec([tasks(), tasks(), tasks()], 0..6),
            other in prop::collection::vec([tasks(), tasks(), tasks()], 0..3),
        ) {
            let [schedule, other] = [rows, other].map(|rows| Schedule::from_lists(3, rows));
            let packed = PackedSchedule::pack(&schedule);
            prop_assert_eq!(packed.unpack(), schedule.clone());
            prop_assert!(packed.is(&schedule));
            prop_assert_eq!(packed.is(&other), schedule == other);
        }
    }

    /// Returns lists of progressions and of single ids.
    fn tasks() -> impl Strategy<Value = Vec<u32>> {
        let steps = prop_oneof![Just(1), Just(7), 0..200_u32, any::<u32>()];
        let progression = (any::<u32>(), steps, 1..9_u32);
        let progression = progression.prop_map(|(first, step, count)| {
            (0..count).map(move |at| first.wrapping_add(at.wrapping_mul(step)))
        });
        let lists = prop::collection::vec(progression, 0..5);
        lists.prop_map(|lists| lists.into_iter().flatten().collect())
    }
}
