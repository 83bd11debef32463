//! Recordings: the timeline of one run, with all that tells which run it was, as a file.

use std::fmt;

use crate::{Timeline, Times};

/// First bytes of a file: a name and the version of the encoding.
const MAGIC: &[u8; 5] = b"BSPT\x02";

/// Form in which a recorded call ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallForm {
    /// Function as written.
    #[default]
    Function,
    /// Program that a build generated.
    Program,
    /// Plan made at run time.
    Plan,
    /// Farm of independent items.
    Farm,
}

impl CallForm {
    /// All forms, by the numbers that files have for them.
    const ALL: [Self; 4] = [Self::Function, Self::Program, Self::Plan, Self::Farm];
}

/// Recording of one run.
///
/// A file is its fields, one after the other: strings with their lengths, numbers in 7 bits a byte,
/// lowest first. Last are the numbers of steps of each processor and, for each step, its times and
/// thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Name of the kernel.
    pub kernel: String,
    /// Form in which the call ran.
    pub form: CallForm,
    /// Hash of the program or plan that ran, but for its loops: it tells runs of one from those of
    /// another.
    pub identity: u64,
    /// Reason for which another form ran than the one that was chosen; empty if there is none.
    pub reason: String,
    /// Set if a step panicked: those behind it have no times.
    pub has_failed: bool,
    /// Nanoseconds of the whole call.
    pub call: u64,
    /// Times of the steps; none if the function as written ran.
    pub timeline: Timeline,
    /// Thread that ran each step, from 0 for the caller.
    pub threads: Vec<u32>,
}

/// Error of reading a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingError;

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no recording of a run by this version of superstep, or a damaged one")
    }
}

impl std::error::Error for RecordingError {}

impl Recording {
    /// Writes the recording.
    ///
    /// ```
    /// use superstep_order::{Recording, Timeline, Times};
    ///
    /// let timeline = Timeline::new(vec![0, 1], vec![Times { work: 80, ..Times::default() }]);
    /// let run = Recording {
    ///     kernel: "lu".into(),
    ///     timeline,
    ///     threads: vec![0],
    ///     ..Recording::default()
    /// };
    /// assert_eq!(Recording::decode(&run.encode()), Ok(run));
    /// ```
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for text in [&self.kernel, &self.reason] {
            number(&mut bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        }
        bytes.push(self.form as u8);
        bytes.extend(self.identity.to_le_bytes());
        bytes.push(self.has_failed.into());
        number(&mut bytes, self.call);
        number(&mut bytes, self.timeline.processors() as u64);
        for processor in 0..self.timeline.processors() {
            number(&mut bytes, self.timeline.steps_of(processor).len() as u64);
        }
        for (step, &thread) in self.timeline.steps().iter().zip(&self.threads) {
            for part in [step.wait, step.copy, step.work, thread.into()] {
                number(&mut bytes, part);
            }
        }
        bytes
    }

    /// Says that processors ran on one thread, if they did though there are several. A core was
    /// busy, or asleep, unless there is a reason why the call did not run in parallel.
    ///
    /// ```
    /// use superstep_order::{Recording, Timeline, Times};
    ///
    /// let timeline = Timeline::new(vec![0, 1, 2], vec![Times::default(); 2]);
    /// let run = Recording { timeline, threads: vec![0, 0], ..Recording::default() };
    /// assert!(run.alone().is_some_and(|text| text.contains("2 processors ran on one thread")));
    /// ```
    pub fn alone(&self) -> Option<String> {
        let processors = self.timeline.processors();
        let is_one = self.threads.windows(2).all(|pair| pair[0] == pair[1]);
        let why = match self.reason.is_empty() {
            true => ": another core was busy, or asleep",
            false => "",
        };
        (processors > 1 && is_one).then(|| {
            format!("all {processors} processors ran on one thread, one after the other{why}")
        })
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// If the bytes are none. Memory stays in proportion to them.
    pub fn decode(bytes: &[u8]) -> Result<Self, RecordingError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(RecordingError)?;
        Self::read(&mut rest)
            .filter(|_| rest.is_empty())
            .ok_or(RecordingError)
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let [kernel, reason] = [text(bytes)?, text(bytes)?];
        let (&form, rest) = bytes.split_first()?;
        let (identity, rest) = rest.split_first_chunk()?;
        let (&has_failed, rest) = rest.split_first()?;
        *bytes = rest;
        let call = take(bytes)?;
        let mut processors = vec![0_u32];
        for _ in 0..take(bytes).filter(|&count| count <= bytes.len() as u64)? {
            let last = processors[processors.len() - 1];
            processors.push(last.checked_add(u32::try_from(take(bytes)?).ok()?)?);
        }
        let count = processors[processors.len() - 1] as usize;
        // Each step has four bytes at least.
        (count <= bytes.len() / 4).then_some(())?;
        let (mut steps, mut threads) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for _ in 0..count {
            let [wait, copy, work] = [take(bytes)?, take(bytes)?, take(bytes)?];
            steps.push(Times { wait, copy, work });
            threads.push(u32::try_from(take(bytes)?).ok()?);
        }
        Some(Self {
            kernel,
            form: *CallForm::ALL.get(usize::from(form))?,
            identity: u64::from_le_bytes(*identity),
            reason,
            has_failed: has_failed != 0,
            call,
            timeline: Timeline::new(processors, steps),
            threads,
        })
    }
}

/// Appends a number in 7 bits a byte, lowest first.
pub fn number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Takes a [number] off the front of some bytes; returns none if they are cut off, or it is too
/// large.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        // Of the last byte one bit has room.
        value |= Some(bits << shift).filter(|shifted| shifted >> shift == bits)?;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn text(bytes: &mut &[u8]) -> Option<String> {
    let length = usize::try_from(take(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    String::from_utf8(text.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_as_they_were_written_and_larger_ones_refused() {
        for value in [0, 127, 128, u64::MAX >> 1, u64::MAX] {
            let mut bytes = Vec::new();
            number(&mut bytes, value);
            assert_eq!(take(&mut &bytes[..]), Some(value));
        }
        let mut longest = [0xff; 10];
        longest[9] = 1;
        assert_eq!(take(&mut &longest[..]), Some(u64::MAX));
        longest[9] = 2;
        assert_eq!(take(&mut &longest[..]), None);
        assert_eq!(take(&mut &longest[..9]), None);
    }
}
