//! Binary form of schedules: each task as its difference from the one before it in its list.
//!
//! Differences are zigzag coded, so that small negative ones are small numbers, too. Numbers are
//! unsigned LEB128, 7 bits a byte. [`file`](super) has the layout.

use superstep_order::{number, take};

use super::ScheduleParseError;
use crate::Schedule;

/// Bytes of the longest numbers, of 64 bits.
const LONGEST: usize = 10;

const MAGIC: &[u8] = b"superBSP\x01";

pub(super) fn encode(schedule: &Schedule) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(
        MAGIC.len() + 2 * schedule.task_instances() + 4 * schedule.offsets.len(),
    );
    bytes.extend_from_slice(MAGIC);
    number(&mut bytes, u64::from(schedule.processors));
    number(&mut bytes, schedule.supersteps() as u64);
    for superstep in 0..schedule.supersteps() {
        for list in schedule.superstep(superstep) {
            number(&mut bytes, list.len() as u64);
            let mut before = 0;
            for &task in list {
                let difference = i64::from(task) - before;
                number(&mut bytes, ((difference << 1) ^ (difference >> 63)) as u64);
                before = i64::from(task);
            }
        }
    }
    bytes
}

/// Decodes a schedule, which holds any lists: nothing is checked here but the form. Memory is in
/// proportion to the bytes, whatever they claim.
pub(super) fn decode(bytes: &[u8]) -> Result<Schedule, ScheduleParseError> {
    let mut reader = Reader { bytes, at: 0 };
    if !bytes.starts_with(MAGIC) {
        return Err(reader.error("this is no binary schedule file of version 1"));
    }
    reader.at = MAGIC.len();
    let processors = match u32::try_from(reader.number()?) {
        Ok(processors @ 1..=Schedule::MOST_PROCESSORS) => processors,
        _ => return Err(reader.error("the number of processors is out of range")),
    };
    let supersteps = reader.number()?;
    // Every list takes at least one byte, so a count beyond that is refused before it costs memory
    // or time.
    match supersteps.checked_mul(u64::from(processors)) {
        Some(lists) if lists <= reader.left() => {}
        _ => return Err(reader.error("the file is too short for its number of supersteps")),
    }
    let mut schedule = Schedule::new(processors);
    for _ in 0..supersteps * u64::from(processors) {
        let list = reader.list(&mut schedule.tasks)?;
        schedule.offsets.push(list);
    }
    if reader.left() > 0 {
        return Err(reader.error("the file goes on after its last list"));
    }
    Ok(schedule)
}

/// Reader of a file, which has come to the byte `at`.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    fn error(&self, message: &'static str) -> ScheduleParseError {
        ScheduleParseError::Binary {
            offset: self.at,
            message,
        }
    }

    /// Takes an LEB128 number of at most 64 bits.
    fn number(&mut self) -> Result<u64, ScheduleParseError> {
        let all = &self.bytes[self.at..];
        let mut rest = all;
        let number = take(&mut rest);
        self.at = self.bytes.len() - rest.len();
        number.ok_or_else(|| {
            let is_cut = all.len() < LONGEST && all.iter().all(|byte| *byte >= 0x80);
            self.error(match is_cut {
                true => "the file ends early",
                false => "a number is too long",
            })
        })
    }

    /// Appends one list to `tasks`; returns the end of the list there.
    fn list(&mut self, tasks: &mut Vec<u32>) -> Result<u32, ScheduleParseError> {
        let length = self.number()?;
        if length > self.left() {
            return Err(self.error("the file is too short for its next list"));
        }
        let mut task = 0i64;
        for _ in 0..length {
            let zigzag = self.number()?;
            task = task.wrapping_add((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64));
            tasks.push(u32::try_from(task).map_err(|_| self.error("a task id is out of range"))?);
        }
        u32::try_from(tasks.len()).map_err(|_| self.error("2^32 or more task instances"))
    }
}
