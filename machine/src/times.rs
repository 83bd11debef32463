//! Times of the parts of programs on a machine, and their file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::DeTable;

use crate::{Core, InvalidValue, Machine, MachineFileError, file};

/// Times of the parts of a generated program on one machine, in nanoseconds, and the
/// [core](Self::core) on which they take them.
///
/// `cargo superstep probe` measures them and writes them as a TOML file. A key that is left out has
/// its default.
///
/// Defaults of what is between cores are those of two neighbouring ones of a server of 2025, with a
/// cache in common. Where they have none, a barrier and a word take three to six times as long.
/// Instructions and caches take what a more common core needs (Zen 4, 3.7 GHz). There 60 % of the
/// collection's programs for one processor are predicted within 0.7 to 1.4 of the clock, and 51 %
/// for two. By the faster vectors of the server of 2025 it is 49 % and 33 %.
///
/// ```
/// use superstep_machine::Times;
///
/// // Tasks of a quarter of a nanosecond: a barrier takes as long as 2000 of them.
/// let times = Times { barrier: 500.0, gap: 2.0, ..Times::default() };
/// let machine = times.machine(2, 0.25);
/// assert_eq!((machine.latency, machine.gap), (2000.0, 12.0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Times {
    /// A barrier of all processors, from the last arrival on (L).
    pub barrier: f64,
    /// A word that another processor has written last, one of many in a row.
    pub gap: f64,
    /// Writing to a cache line that another processor has read since it was written last.
    pub claim: f64,
    /// A call on more than one processor, beyond what it computes, its workers awake.
    pub call: f64,
    /// Starting an inner loop that is vectorised. Another takes a third of that, and so does each
    /// word of a loop that may overlap others.
    pub run: f64,
    /// One value of a program's tables.
    pub value: f64,
    /// Loading 16 bytes in a vectorised loop. Loading, storing and computing go on at the same
    /// time.
    pub vector_load: f64,
    /// Loading 16 bytes in a vectorised loop where each vector stands in one cache line.
    pub aligned_load: f64,
    /// Storing 16 bytes in a vectorised loop.
    pub vector_store: f64,
    /// An operation on 16 bytes in a vectorised loop.
    pub vector_operation: f64,
    /// Dividing 16 bytes in a vectorised loop.
    pub vector_division: f64,
    /// Loading or storing a word in another loop.
    pub word: f64,
    /// An operation in another loop.
    pub operation: f64,
    /// A division in another loop.
    pub division: f64,
    /// An operation on floating-point numbers that waits for the one before.
    pub wait: f64,
    /// A division that waits for the operation before.
    pub wait_division: f64,
    /// An instruction on integers that waits for the one before.
    pub wait_integer: f64,
    /// A cache line from beyond a core's own caches, one of many in a row.
    pub line: f64,
    /// Caches, registers and vectors of each core. In a file, its keys stand among the others.
    #[serde(skip)]
    pub core: Core,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            barrier: 210.0,
            gap: 0.48,
            claim: 7.7,
            call: 800.0,
            run: 10.0,
            value: 1.24,
            vector_load: 0.128,
            aligned_load: 0.094,
            vector_store: 0.144,
            vector_operation: 0.035,
            vector_division: 0.557,
            word: 0.141,
            operation: 0.075,
            division: 0.944,
            wait: 0.815,
            wait_division: 3.59,
            wait_integer: 0.268,
            line: 0.655,
            core: Core::default(),
        }
    }
}

/// Words in a row that take as long as one that a schedule sends. Schedules know of words, and
/// predictions of cache lines.
///
/// At the price of streams owners dealt the Fourier transform so finely that processors wrote the
/// same cache lines. It took 1.8 of the slice form on two processors, and 0.59 with 4. No
/// experiment is known for 1.5.
const WORDS: f64 = 1.5;

/// Starts of loops that a superstep costs: what goes on from one to the next is cut in two on each
/// processor.
///
/// LU of 128 rows on two processors takes 73 us with it, and 83 us without. The times were probed
/// where a barrier takes 48 ns.
const STARTS: f64 = 20.0;

impl Times {
    /// Bytes of the vectors whose time is known.
    pub const VECTOR_BYTES: f64 = 16.0;

    /// Returns the machine on which a task takes `task` nanoseconds: costs in units of one task.
    ///
    /// Schedules know of words, not of cache lines. A word that is sent brings part of a cache line
    /// along, and costs as much as one and a half in a row do. Schedules take words to be read
    /// where they lie, and do not know what is written again.
    ///
    /// A `task` that is not positive counts as one nanosecond.
    pub fn machine(&self, processors: u32, task: f64) -> Machine {
        let task = if task > 0.0 { task } else { 1.0 };
        Machine {
            gap: WORDS * self.gap / task,
            latency: self.barrier / task,
            ..Machine::new(processors)
        }
    }

    /// Returns that [machine](Self::machine), if a superstep costs at least the loops that it
    /// starts anew. Schedules do not know of these: where barriers take little they cut what would
    /// be long loops into short ones.
    ///
    /// ```
    /// use superstep_machine::Times;
    ///
    /// let latency = |barrier| {
    ///     let times = Times { barrier, run: 10.0, ..Times::default() };
    ///     [times.machine(2, 0.5).latency, times.machine_of_loops(2, 0.5).latency]
    /// };
    /// assert_eq!(latency(500.0), [1000.0, 1000.0]);
    /// assert_eq!(latency(50.0), [100.0, 400.0]);
    /// ```
    pub fn machine_of_loops(&self, processors: u32, task: f64) -> Machine {
        let machine = self.machine(processors, task);
        let loops = STARTS * self.run / if task > 0.0 { task } else { 1.0 };
        Machine {
            latency: machine.latency.max(loops),
            ..machine
        }
    }

    /// Returns the time of a word of a packet, beyond copying it: the receiver fetches what the
    /// sender has claimed.
    pub fn exchanged(&self) -> f64 {
        self.gap + self.claim / self.core.words_of_line()
    }

    /// Reads a file of times.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`from_toml`](Self::from_toml).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MachineFileError> {
        let path = path.as_ref();
        Self::from_toml(&file::read(path)?, path)
    }

    /// Parses the text of a file of times; `path` is what errors call it.
    ///
    /// # Errors
    /// When `text` is no TOML, has an unknown key or a value out of range; the error names file,
    /// line and key.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, MachineFileError> {
        file::parse(text, path, times_and_core, Self::validate)
    }

    /// Writes a file of times.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), MachineFileError> {
        file::write(path.as_ref(), &self.to_toml())
    }

    /// Writes a file of times that begins with a note, in comments.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_noted(&self, path: impl AsRef<Path>, note: &str) -> Result<(), MachineFileError> {
        let note: String = note.lines().map(|line| format!("# {line}\n")).collect();
        file::write(path.as_ref(), &(note + &self.to_toml()))
    }

    /// Returns the text of the file that describes `self`.
    pub fn to_toml(&self) -> String {
        let times = toml::to_string(self).expect("a table of numbers is TOML");
        let core = toml::to_string(&self.core).expect("a table of numbers is TOML");
        format!(
            "# What things take on this machine, in nanoseconds. Written by `cargo superstep probe`.\n{times}\n# Its cores: caches and vectors in bytes, all else in numbers.\n{core}"
        )
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// The first key, in the order of the fields, whose value is no finite number of at least 0, or
    /// that no [core](Core::validate) has.
    pub fn validate(&self) -> Result<(), InvalidValue> {
        InvalidValue::first(&[
            ("barrier", self.barrier),
            ("gap", self.gap),
            ("claim", self.claim),
            ("call", self.call),
            ("run", self.run),
            ("value", self.value),
            ("vector_load", self.vector_load),
            ("aligned_load", self.aligned_load),
            ("vector_store", self.vector_store),
            ("vector_operation", self.vector_operation),
            ("vector_division", self.vector_division),
            ("word", self.word),
            ("operation", self.operation),
            ("division", self.division),
            ("wait", self.wait),
            ("wait_division", self.wait_division),
            ("wait_integer", self.wait_integer),
            ("line", self.line),
        ])?;
        self.core.validate()
    }
}

/// Reads times, and the core from those keys of the file that are a core's.
fn times_and_core(text: &str) -> Result<Times, toml::de::Error> {
    let mut document = DeTable::parse(text)?;
    let cores = toml::Table::try_from(Core::default()).expect("a table of numbers is TOML");
    let (core, times) = std::mem::take(document.get_mut())
        .into_iter()
        .partition(|(key, _)| cores.contains_key(key.get_ref().as_ref()));
    let core = Spanned::new(document.span(), core);
    *document.get_mut() = times;
    Ok(Times {
        core: Core::deserialize(toml::Deserializer::from(core))?,
        ..Times::deserialize(toml::Deserializer::from(document))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let times = Times::from_toml(text, Path::new("t.toml"));
        times.unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let odd = Times {
            barrier: 1.0 / 3.0,
            core: Core {
                line_bytes: 128,
                cache: 1e9,
                ..Core::default()
            },
            ..Times::default()
        };
        for times in [Times::default(), odd] {
            assert_eq!(
                Times::from_toml(&times.to_toml(), Path::new("t.toml")).unwrap(),
                times
            );
        }
    }

    #[test]
    fn left_out_keys_have_defaults() {
        let times = Times::from_toml("gap = 3", Path::new("t.toml")).unwrap();
        assert_eq!(
            times,
            Times {
                gap: 3.0,
                ..Times::default()
            }
        );
    }

    #[test]
    fn the_keys_of_a_core_stand_among_the_others() {
        let text = "registers = 16.0\ngap = 3\ncache = 1000\nways = 12";
        let times = Times::from_toml(text, Path::new("t.toml")).unwrap();
        let core = Core {
            registers: 16.0,
            cache: 1000.0,
            ways: 12,
            ..Core::default()
        };
        assert_eq!((times.gap, times.core), (3.0, core));
        assert_eq!(
            error("gap = 1\nline_bytes = 0"),
            "t.toml:2: `line_bytes` must be at least 1, not 0"
        );
        assert_eq!(
            error("gap = 1\n\ncache = inf"),
            "t.toml:3: `cache` must be a finite number, at least 0, not inf"
        );
        assert!(error("gap = 1\nways = -1").starts_with("t.toml:2: "));
        assert_eq!(
            error("ways = 8\nlines_ahead = 4294967296"),
            "t.toml:2: `lines_ahead` must be at most 65536, not 4294967296"
        );
        assert_eq!(
            error("ways = 65536\nsets = 65536"),
            "t.toml:2: `sets` must be at most 2^20 divided by `ways`, not 65536"
        );
        assert!(
            error("[core]\nways = 4").starts_with("t.toml:1: "),
            "no table"
        );
    }

    #[test]
    fn bad_files_are_refused_with_line_and_key() {
        assert_eq!(
            error("gap = 1\nbarrier = -2"),
            "t.toml:2: `barrier` must be a finite number, at least 0, not -2"
        );
        assert!(error("barrier = 1\nlatency = 5").starts_with("t.toml:2: unknown field `latency`"));
        assert!(error("gap = \"wide\"").starts_with("t.toml:1: invalid type: string"));
        let missing = Times::read("no/such/times.toml").unwrap_err().to_string();
        assert!(missing.starts_with("no/such/times.toml: "));
    }

    #[test]
    fn a_task_that_takes_no_time_gives_a_machine_all_the_same() {
        let machine = Times::default().machine(4, 0.0);
        assert_eq!(machine.validate(), Ok(()));
        assert_eq!(machine.processors, 4);
    }
}
