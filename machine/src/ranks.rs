//! Times of messages between ranks.

use std::path::Path;

use serde::{Deserialize, Serialize, de::IgnoredAny};

use crate::file::{self, Keys};
use crate::{InvalidValue, MachineFileError, Times};

/// Times of messages between the ranks of programs, in nanoseconds: the table `[ranks]` of a
/// machine file, which `superstep-probe` measures.
///
/// Builds predict programs over private memory, whose processors are ranks, by these times.
///
/// ```
/// use std::path::Path;
/// use superstep_machine::{RankTimes, Times};
///
/// let file = "
///     processors = 2
///     [ranks]
///     call = 5000
///     one_way = [[1, 900], [1024, 1923], [4096, 4995]]   # words and nanoseconds
/// ";
/// let ranks = RankTimes::from_toml(file, Path::new("machine.toml"))?.expect("they were measured");
/// let times = ranks.times(&Times::default());
/// assert_eq!((times.call, times.barrier, times.gap), (5000.0, 900.0, 1.0));
/// # Ok::<(), superstep_machine::MachineFileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankTimes {
    /// Beginning a run: ranks compare their programs.
    pub call: f64,
    /// Rows of the words of a message, ascending, and the time of its way from one rank to another.
    pub one_way: Vec<(u32, f64)>,
    /// Rows of a number of ranks, and the time of a barrier of so many.
    #[serde(default)]
    pub barrier: Vec<(u32, f64)>,
    /// Rows of ranks, words, and the time of an exchange: each of so many sends so many words to
    /// every other.
    #[serde(default)]
    pub all_to_all: Vec<(u32, u32, f64)>,
}

impl RankTimes {
    /// Reads the table of a machine file; `None` if it has none.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`from_toml`](Self::from_toml).
    pub fn read(path: impl AsRef<Path>) -> Result<Option<Self>, MachineFileError> {
        let path = path.as_ref();
        Self::from_toml(&file::read(path)?, path)
    }

    /// Takes the table from the text of a machine file, if it has one; `path` is what errors call
    /// it.
    ///
    /// # Errors
    /// As [`Keys::from_toml`].
    pub fn from_toml(text: &str, path: &Path) -> Result<Option<Self>, MachineFileError> {
        let mut keys: Keys<IgnoredAny> = Keys::from_toml(text, path)?;
        Ok(keys.take_ranks())
    }

    /// Returns the text of the table.
    pub fn to_toml(&self) -> String {
        format!(
            "# Between ranks: nanoseconds. One way by words; barriers by ranks; all to all by ranks and words.\n\
             [ranks]\ncall = {:?}\none_way = {}\nbarrier = {}\nall_to_all = {}\n",
            self.call,
            rows(&self.one_way, |(words, time)| format!("{words}, {time:?}")),
            rows(&self.barrier, |(ranks, time)| format!("{ranks}, {time:?}")),
            rows(&self.all_to_all, |(ranks, words, time)| format!(
                "{ranks}, {words}, {time:?}"
            )),
        )
    }

    /// Returns the times of programs whose processors are these ranks, on machines where all else
    /// takes what `times` say. A boundary takes the way of the shortest message: `barrier` and
    /// `all_to_all` do not count.
    #[must_use]
    pub fn times(&self, times: &Times) -> Times {
        Times {
            barrier: self.latency(),
            gap: self.word(),
            claim: 0.0,
            call: self.call,
            ..times.clone()
        }
    }

    /// Returns the way of the shortest message.
    fn latency(&self) -> f64 {
        self.one_way.first().map_or(0.0, |&(_, time)| time)
    }

    /// Returns what a word adds to a long message: between the longest one and the shortest.
    fn word(&self) -> f64 {
        match (self.one_way.first(), self.one_way.last()) {
            (Some(&(few, short)), Some(&(many, long))) if few < many => {
                (long - short).max(0.0) / f64::from(many - few)
            }
            _ => 0.0,
        }
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// The first key that has a time which is not a finite number of at least 0, no row, or no
    /// ascending words.
    pub fn validate(&self) -> Result<(), InvalidValue> {
        let one_way = self.one_way.iter().map(|row| ("one_way", row.1));
        let barriers = self.barrier.iter().map(|row| ("barrier", row.1));
        let exchanges = self.all_to_all.iter().map(|row| ("all_to_all", row.2));
        let times = one_way.chain(barriers).chain(exchanges);
        InvalidValue::first(&[("call", self.call)])?;
        InvalidValue::first(&times.collect::<Vec<_>>())?;
        if self.one_way.is_empty() {
            return Err(InvalidValue::new("one_way", 0.0, "at least one row"));
        }
        match self.one_way.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            Some(pair) => {
                let wanted = "rows of ascending words";
                Err(InvalidValue::new("one_way", pair[1].0.into(), wanted))
            }
            None => Ok(()),
        }
    }
}

/// Returns an array of arrays, a line for each.
fn rows<T: Copy>(rows: &[T], row: impl Fn(T) -> String) -> String {
    let lines = rows.iter().map(|&each| format!("\n    [{}],", row(each)));
    format!("[{}\n]", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<RankTimes>, String> {
        RankTimes::from_toml(text, Path::new("m.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        let ranks = RankTimes {
            call: 1.0 / 3.0,
            one_way: vec![(1, 700.5), (4096, 1e5)],
            barrier: vec![(2, 1e3), (3, 2e3)],
            all_to_all: vec![(2, 1, 3e3), (3, 64, 5e3)],
        };
        let text = format!("processors = 3\n{}", ranks.to_toml());
        assert_eq!(read(&text), Ok(Some(ranks)));
        assert_eq!(read("processors = 3"), Ok(None));
    }

    #[test]
    fn bad_tables_are_refused_with_line_and_key() {
        let refused = |table: &str| read(&format!("processors = 2\n[ranks]\n{table}")).unwrap_err();
        assert_eq!(
            refused("call = -1\none_way = []"),
            "m.toml:3: `call` must be a finite number, at least 0, not -1"
        );
        assert_eq!(
            refused("call = 1\none_way = [[1, 2], [1, 3]]"),
            "m.toml:4: `one_way` must be rows of ascending words, not 1"
        );
        assert_eq!(
            refused("call = 1\none_way = []"),
            "m.toml:4: `one_way` must be at least one row, not 0"
        );
        assert!(refused("call = 1").contains("missing field `one_way`"));
        assert!(refused("call = 1\none_way = []\nbarriers = []").contains("unknown field"));
    }

    #[test]
    fn values_of_inline_and_dotted_tables_are_refused_with_their_lines() {
        for table in [
            "ranks = { call = -1, one_way = [[1, 2]] }",
            "ranks.call = -1\nranks.one_way = [[1, 2]]",
        ] {
            assert_eq!(
                read(&format!("processors = 2 # call = 3\n{table}")).unwrap_err(),
                "m.toml:2: `call` must be a finite number, at least 0, not -1"
            );
        }
    }

    #[test]
    fn a_word_costs_what_the_longest_message_takes_beyond_the_shortest() {
        let of = |one_way: &[(u32, f64)]| RankTimes {
            call: 0.0,
            one_way: one_way.to_vec(),
            barrier: Vec::new(),
            all_to_all: Vec::new(),
        };
        assert_eq!(of(&[]).word(), 0.0);
        assert_eq!(of(&[(1, 5.0)]).word(), 0.0);
        // Noise is no reason for words that take less than nothing.
        assert_eq!(of(&[(1, 5.0), (3, 4.0)]).word(), 0.0);
        assert_eq!(of(&[(1, 5.0), (2, 90.0), (11, 25.0)]).word(), 2.0);
    }
}
