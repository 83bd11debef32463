//! Machine files: TOML with the keys `processors`, `gap`, `latency`, `tau`, and a table
//! `[[levels]]` for each level; all but the first may be left out.
//!
//! Measured machines have `task`, `unit` and a table `[[paths]]` for each pair of processors. What
//! these tell, and the table `[network]`, is for another room, the crate `superstep-network`. A
//! table `[ranks]` has the times of messages between ranks ([`RankTimes`]). Here the `medians`
//! count, which `cargo superstep medians` has added:
//!
//! ```
//! use std::path::Path;
//! use superstep_machine::Machine;
//!
//! let measured = "
//!     processors = 2
//!     task = 2.0         # nanoseconds
//!     medians = [41e3]   # nanoseconds that a boundary of each level waits, the whole machine last
//!     [[paths]]
//!     between = [0, 1]
//!     samples = [40, 41, 47]
//! ";
//! assert_eq!(Machine::from_toml(measured, Path::new("machine.toml"))?.latency, 20_500.0);
//!
//! let without = measured.replace("medians", "# medians");
//! let error = Machine::from_toml(&without, Path::new("machine.toml")).unwrap_err().to_string();
//! assert!(error.contains("`cargo superstep medians machine.toml` adds them"), "{error}");
//! # Ok::<(), superstep_machine::MachineFileError>(())
//! ```
//!
//! Most machine files and files of times have a kilobyte. One of more than 2^18 bytes is refused
//! before it is read: memory does not depend on it.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned, de::IgnoredAny};
use toml::{Spanned, de::DeTable, de::DeValue};

use crate::{InvalidValue, Level, Machine, RankTimes};

/// Keys of a machine file; `P` is a path between two processors, and `N` the network's table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys<P, N = IgnoredAny> {
    processors: u32,
    gap: Option<f64>,
    latency: Option<f64>,
    tau: Option<f64>,
    #[serde(default)]
    levels: Vec<Level>,
    task: Option<f64>,
    unit: Option<Unit>,
    medians: Option<Vec<f64>>,
    #[serde(default = "Vec::new")]
    paths: Vec<P>,
    network: Option<N>,
    ranks: Option<RankTimes>,
}

/// Unit of the times of paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Nanoseconds.
    Ns,
    /// Microseconds.
    #[default]
    Us,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
}

impl Unit {
    /// Returns the nanoseconds of one.
    pub fn nanoseconds(self) -> f64 {
        match self {
            Self::Ns => 1.0,
            Self::Us => 1e3,
            Self::Ms => 1e6,
            Self::S => 1e9,
        }
    }
}

impl<P: DeserializeOwned, N: DeserializeOwned> Keys<P, N> {
    /// Parses the text of a machine file; `path` is what errors call it.
    ///
    /// # Errors
    /// When `text` is no TOML, lacks `processors`, has an unknown key or a value out of range, or
    /// states what its paths give. The error names file, line and key.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, MachineFileError> {
        let keys: Self = parse(text, path, |text| toml::from_str(text), |_| Ok(()))?;
        let value = |source| MachineFileError::value(text, path, source);
        keys.machine().validate().map_err(value)?;
        if let Some(ranks) = &keys.ranks {
            ranks.validate().map_err(value)?;
        }
        let medians = keys.medians.as_ref();
        let measured = [
            ("task", keys.task),
            ("unit", keys.unit.map(|_| 1.0)),
            ("medians", medians.map(|medians| medians.len() as f64)),
        ];
        let stated = [("latency", keys.latency), ("tau", keys.tau)];
        let (refused, wanted) = if keys.paths.is_empty() {
            (&measured[..], "left out where there are no `paths`")
        } else {
            (&stated[..], "left out where `paths` give it")
        };
        if let Some(&(key, Some(given))) = refused.iter().find(|(_, given)| given.is_some()) {
            return Err(value(InvalidValue::new(key, given, wanted)));
        }
        if !keys.paths.is_empty() {
            let levels = &keys.levels;
            if let Some(level) = levels.iter().position(|level| level.latency != 1.0) {
                let given = levels[level].latency;
                let invalid = InvalidValue::of_level(level + 1, "latency", given, wanted);
                return Err(value(invalid));
            }
            InvalidValue::first_not_positive(&[("task", keys.task())]).map_err(value)?;
        }
        if let Some(medians) = medians {
            keys.validate_medians(medians).map_err(value)?;
        }
        Ok(keys)
    }

    fn validate_medians(&self, medians: &[f64]) -> Result<(), InvalidValue> {
        let count = medians.len();
        if count != self.levels.len() + 1 {
            let wanted = "one for each level and one for the whole machine";
            return Err(InvalidValue::new("medians", count as f64, wanted));
        }
        let is_wrong = |median: &&f64| !(median.is_finite() && **median >= 0.0);
        match medians.iter().find(is_wrong) {
            Some(&median) => {
                let wanted = "finite numbers, at least 0";
                Err(InvalidValue::new("medians", median, wanted))
            }
            None => Ok(()),
        }
    }

    /// Returns the machine, with latencies only where they were not measured.
    pub fn machine(&self) -> Machine {
        let default = Machine::new(self.processors);
        Machine {
            processors: self.processors,
            gap: self.gap.unwrap_or(default.gap),
            latency: self.latency.unwrap_or(default.latency),
            tau: self.tau,
            levels: self.levels.clone(),
        }
    }

    /// Returns the nanoseconds of a task of weight 1.
    pub fn task(&self) -> f64 {
        self.task.unwrap_or(1.0)
    }

    /// Returns the unit of the times of paths.
    pub fn unit(&self) -> Unit {
        self.unit.unwrap_or_default()
    }

    /// Returns the nanoseconds that half of the boundaries of each level stay below, the whole
    /// machine last.
    pub fn medians(&self) -> Option<&[f64]> {
        self.medians.as_deref()
    }

    /// Returns the paths that were measured.
    pub fn paths(&self) -> &[P] {
        &self.paths
    }

    /// Takes out the network's table.
    pub fn take_network(&mut self) -> Option<N> {
        self.network.take()
    }

    /// Takes out the times of messages between ranks.
    pub fn take_ranks(&mut self) -> Option<RankTimes> {
        self.ranks.take()
    }
}

impl Machine {
    /// Reads a machine file; of measured latencies the medians.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`from_toml`](Self::from_toml).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MachineFileError> {
        let path = path.as_ref();
        Self::from_toml(&read(path)?, path)
    }

    /// Parses the text of a machine file; of measured latencies the medians. `path` is what errors
    /// call it.
    ///
    /// # Errors
    /// As [`Keys::from_toml`](crate::file::Keys::from_toml), and when latencies were measured, and
    /// the file has no medians of them.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, MachineFileError> {
        let keys: Keys<IgnoredAny> = Keys::from_toml(text, path)?;
        let machine = keys.machine();
        match keys.medians() {
            Some(medians) => Ok(machine.waiting(medians, keys.task())),
            None if keys.paths().is_empty() => Ok(machine),
            None => Err(MachineFileError::NoMedians {
                path: path.into(),
                line: line_of_paths(text),
            }),
        }
    }

    /// Returns the machine whose boundaries of each [level](Machine::level) wait so many
    /// nanoseconds, the whole machine last, where a task takes `task` nanoseconds.
    ///
    /// # Panics
    /// When there are fewer numbers than levels and the whole machine.
    #[must_use]
    pub fn waiting(&self, nanoseconds: &[f64], task: f64) -> Self {
        let whole = nanoseconds[self.levels.len()];
        // What is inside a group is never slower than the whole; measured noise may say so.
        let mut most = 1.0_f64;
        let mut levels = self.levels.clone();
        for (level, inner) in levels.iter_mut().zip(nanoseconds).rev() {
            most = most.min(if whole > 0.0 { inner / whole } else { 1.0 });
            level.latency = most;
        }
        Self {
            latency: whole / task,
            levels,
            ..self.clone()
        }
    }

    /// Returns the text of the machine file that describes `self`.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "# A parallel machine; costs in units of one task of weight 1.\n\
             processors = {}\n\
             # One word of an h-relation.\n\
             gap = {:?}\n\
             # A superstep boundary at which something is sent.\n\
             latency = {:?}\n",
            self.processors, self.gap, self.latency
        );
        if let Some(tau) = self.tau {
            text.push_str(&format!(
                "# Every superstep boundary, in the makespan.\ntau = {tau:?}\n"
            ));
        }
        for level in &self.levels {
            text.push_str(&format!(
                "\n# Parts of latency and gap inside the groups of processors with one number.\n\
                 [[levels]]\ngroups = {:?}\nlatency = {:?}\ngap = {:?}\n",
                level.groups, level.latency, level.gap
            ));
        }
        text
    }

    /// Writes a machine file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), MachineFileError> {
        write(path.as_ref(), &self.to_toml())
    }
}

/// Most bytes of a file: a thousand samples for each of thirty paths. The reader takes up to
/// a hundred and fifty times as many.
pub const MOST: usize = 1 << 18;

/// Reads the text of a machine file.
///
/// # Errors
/// When the file cannot be read, is no text, or has more than 2^18 bytes.
pub fn read(path: &Path) -> Result<String, MachineFileError> {
    read_text(path, MOST, TOO_LONG).map_err(|source| MachineFileError::Io {
        path: path.into(),
        source,
    })
}

/// Reads a text of so many bytes, at most, whatever the system says of its length.
///
/// # Errors
/// When the file cannot be read, is no text, or longer: `too_long` says so.
pub fn read_text(path: &Path, most: usize, too_long: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_long));
    }
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is no text in UTF-8"))
}

const TOO_LONG: &str = "a machine file has at most 2^18 bytes";

/// Writes the text of a machine file.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), MachineFileError> {
    superstep_files::replace(path, text).map_err(|source| MachineFileError::Io {
        path: path.into(),
        source,
    })
}

/// Returns what `read` takes from the text of a file, if `validate` passes it.
pub(crate) fn parse<T>(
    text: &str,
    path: &Path,
    read: impl FnOnce(&str) -> Result<T, toml::de::Error>,
    validate: impl FnOnce(&T) -> Result<(), InvalidValue>,
) -> Result<T, MachineFileError> {
    let syntax = |line, message| MachineFileError::Syntax {
        path: path.into(),
        line,
        message,
    };
    if text.len() > MOST {
        return Err(syntax(1, TOO_LONG.to_owned()));
    }
    let value = read(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        syntax(line, in_words(error.message().trim_end()))
    })?;
    validate(&value).map_err(|source| MachineFileError::value(text, path, source))?;
    Ok(value)
}

/// Returns a message of the reader with numbers in place of the names of Rust's types.
fn in_words(message: &str) -> String {
    [
        (" as i128", ""),
        ("expected u32", "expected an integer from 0 to 2^32 - 1"),
        ("expected usize", "expected an integer from 0 on"),
        ("expected f64", "expected a number, such as 1.5"),
    ]
    .iter()
    .fold(message.to_owned(), |text, (name, words)| {
        text.replace(name, words)
    })
}

/// Returns the line, from 1, of the byte at `offset`.
fn line_of(text: &str, offset: usize) -> usize {
    let before = text.bytes().take(offset);
    1 + before.filter(|&byte| byte == b'\n').count()
}

/// Returns the line of the key that gave a value; that of the level, where it has no such key.
fn line_of_value(text: &str, invalid: &InvalidValue) -> usize {
    let offset = DeTable::parse(text).ok().and_then(|file| {
        let file = DeValue::Table(file.into_inner());
        let Some(level) = invalid.level else {
            return offset_of_key(&file, invalid.key);
        };
        let level = file.get("levels")?.get_ref().get(level - 1)?;
        let offset = offset_of_key(level.get_ref(), invalid.key);
        offset.or(Some(level.span().start))
    });
    line_of(text, offset.unwrap_or(0))
}

/// Returns where a key begins: the table's own, or else the first inside.
fn offset_of_key(value: &DeValue<'_>, key: &str) -> Option<usize> {
    let inside = |value: &Spanned<DeValue<'_>>| offset_of_key(value.get_ref(), key);
    match value {
        DeValue::Table(table) => match table.get_key_value(key) {
            Some((key, _)) => Some(key.span().start),
            None => table.values().filter_map(inside).min(),
        },
        DeValue::Array(array) => array.iter().filter_map(inside).min(),
        _ => None,
    }
}

/// Returns the line of the first path.
fn line_of_paths(text: &str) -> usize {
    let forms = ["[[paths]]", "paths"];
    let begins = |line: &str| forms.iter().any(|form| line.trim_start().starts_with(form));
    1 + text.lines().position(begins).unwrap_or_default()
}

/// Why a machine file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum MachineFileError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The text is no machine file: no TOML, a key too many or too few, a value of the wrong type.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Message that says what is wrong, naming the key.
        message: String,
    },
    /// A value is out of range.
    #[error("{}:{line}: {source}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The key and its value.
        source: InvalidValue,
    },
    /// Latencies were measured, and the file has no medians of them.
    #[error(
        "{}:{line}: builds take `medians` of measured `paths`: `cargo superstep medians {}` adds them",
        path.display(),
        path.display()
    )]
    NoMedians {
        /// The file.
        path: PathBuf,
        /// Line of the first path, from 1.
        line: usize,
    },
}

impl MachineFileError {
    /// Makes the error of a value in a file's `text`, with the line that it stands in.
    pub fn value(text: &str, path: &Path, source: InvalidValue) -> Self {
        Self::Value {
            path: path.into(),
            line: line_of_value(text, &source),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn error(text: &str) -> String {
        Machine::from_toml(text, Path::new("m.toml"))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn what_is_written_is_read_back() {
        for machine in [
            Machine::new(1),
            Machine {
                processors: 64,
                gap: 0.25,
                latency: 1e6,
                tau: Some(0.0),
                ..Machine::new(64)
            },
            Machine {
                processors: 3,
                gap: 1.0 / 3.0,
                latency: 1e-300,
                tau: Some(1e300),
                levels: vec![
                    Level {
                        groups: vec![0, 1, 1],
                        latency: 0.1,
                        gap: 1.0 / 7.0,
                    },
                    Level {
                        groups: vec![4, 4, 4],
                        latency: 1.0,
                        gap: 0.5,
                    },
                ],
            },
        ] {
            assert_eq!(
                Machine::from_toml(&machine.to_toml(), Path::new("m.toml")).unwrap(),
                machine
            );
        }
    }

    #[test]
    fn left_out_keys_have_defaults() {
        assert_eq!(
            Machine::from_toml("processors = 5", Path::new("m.toml")).unwrap(),
            Machine::new(5)
        );
    }

    #[test]
    fn integers_serve_as_costs() {
        let machine = Machine::from_toml("processors = 2\ntau = 120", Path::new("m.toml")).unwrap();
        assert_eq!(machine.tau(), 120.0);
    }

    #[test]
    fn values_out_of_range_are_refused_with_line_and_key() {
        assert_eq!(
            error("gap = 1\n\nprocessors = 0"),
            "m.toml:3: `processors` must be at least 1, not 0"
        );
        assert_eq!(
            error("processors = 1\ngap = nan"),
            "m.toml:2: `gap` must be a finite number, at least 0, not NaN"
        );
        assert_eq!(
            error("processors = 1\ntau = inf"),
            "m.toml:2: `tau` must be a finite number, at least 0, not inf"
        );
        assert_eq!(
            error("processors = 1\n\"latency\" = -0.5"),
            "m.toml:2: `latency` must be a finite number, at least 0, not -0.5"
        );
        assert_eq!(
            error(
                "processors = 2\nlatency = 5\n[[levels]]\ngroups = [0, 0]\n\n[[levels]]\ngroups = [1, 1]\nlatency = 2"
            ),
            "m.toml:8: `latency` of level 2 must be from 0 to the part of the next level, at most 1, not 2"
        );
        assert_eq!(
            error("processors = 2\nlevels = [{ groups = [0] }]"),
            "m.toml:2: `groups` of level 1 must be one number for each processor, not 1"
        );
        assert_eq!(
            error(
                "processors = 2\nlevels = [\n{ groups = [0, 0], latency = 0.5 },\n{ groups = [1, 1], latency = 2 }]"
            ),
            "m.toml:4: `latency` of level 2 must be from 0 to the part of the next level, at most 1, not 2"
        );
        assert_eq!(
            error("processors = 2\nlevels = [{ groups = [0, 0], latency = 0.5 }]\nlatency = -1"),
            "m.toml:3: `latency` must be a finite number, at least 0, not -1"
        );
    }

    #[test]
    fn malformed_files_are_refused_with_line_and_key() {
        assert!(
            error("processors = 1\nlatencies = 5")
                .starts_with("m.toml:2: unknown field `latencies`")
        );
        assert!(error("gap = 1").starts_with("m.toml:1: missing field `processors`"));
        assert!(
            error("processors = 1\ngap = \"wide\"").starts_with("m.toml:2: invalid type: string")
        );
        assert!(error("processors = 1\ngap = ").starts_with("m.toml:2: "));
        assert!(error("processors = -4").starts_with("m.toml:1: "));
        assert_eq!(
            error("gap = 1\nprocessors = 4294967296"),
            "m.toml:2: invalid value: integer `4294967296`, expected an integer from 0 to 2^32 - 1"
        );
        assert_eq!(
            error("processors = 99999999999999999999"),
            "m.toml:1: invalid type: integer `99999999999999999999`, expected an integer from 0 to 2^32 - 1"
        );
        assert_eq!(
            error("processors = 1e3"),
            "m.toml:1: invalid type: floating point `1000.0`, expected an integer from 0 to 2^32 - 1"
        );
        assert_eq!(
            error("processors = 2\r\ngap = 1e400\r\n"),
            "m.toml:2: floating-point number overflowed"
        );
    }

    #[test]
    fn of_measured_machines_the_medians_count() {
        let file = |keys: &str, level: &str| {
            format!(
                "processors = 3\n{keys}[[paths]]\nbetween = [0, 1]\nsamples = [1]\n[[levels]]\ngroups = [0, 1, 1]\n{level}"
            )
        };
        let machine = |keys: &str| Machine::from_toml(&file(keys, ""), Path::new("m.toml"));
        let two = machine("task = 2\nmedians = [30.0, 120.0]\n").unwrap();
        assert_eq!((two.latency, two.levels[0].latency), (60.0, 0.25));
        let noisy = machine("medians = [130, 120]\n").unwrap();
        assert_eq!((noisy.latency, noisy.levels[0].latency), (120.0, 1.0));
        let refused = |keys: &str, level: &str| error(&file(keys, level));
        assert_eq!(
            refused("", ""),
            "m.toml:2: builds take `medians` of measured `paths`: `cargo superstep medians m.toml` adds them"
        );
        assert_eq!(
            refused("medians = [3]\n", ""),
            "m.toml:2: `medians` must be one for each level and one for the whole machine, not 1"
        );
        assert_eq!(
            refused("medians = [3, -1]\n", ""),
            "m.toml:2: `medians` must be finite numbers, at least 0, not -1"
        );
        assert_eq!(
            refused("task = 0\n", ""),
            "m.toml:2: `task` must be a finite number above 0, not 0"
        );
        assert_eq!(
            refused("latency = 4\n", ""),
            "m.toml:2: `latency` must be left out where `paths` give it, not 4"
        );
        assert_eq!(
            refused("", "latency = 0.5"),
            "m.toml:7: `latency` of level 1 must be left out where `paths` give it, not 0.5"
        );
        for (key, given) in [("task = 2", 2), ("unit = \"ms\"", 1), ("medians = [1]", 1)] {
            let name = key.split(' ').next().unwrap();
            assert_eq!(
                error(&format!("processors = 1\n{key}")),
                format!(
                    "m.toml:2: `{name}` must be left out where there are no `paths`, not {given}"
                )
            );
        }
        assert!(
            error("processors = 3\nunit = \"min\"").starts_with("m.toml:2: unknown variant `min`")
        );
    }

    #[test]
    fn marks_signs_and_ends_of_lines_change_nothing() {
        for text in [
            "\u{feff}processors = 5",
            "\r\n\tprocessors = +5\r\n\r\n",
            "processors = 0x5 # five",
        ] {
            let machine = Machine::from_toml(text, Path::new("m.toml")).unwrap();
            assert_eq!(machine, Machine::new(5));
        }
    }

    #[test]
    fn long_files_are_refused() {
        let text = format!("processors = 5{}", "\n".repeat(MOST));
        assert_eq!(error(&text), format!("m.toml:1: {TOO_LONG}"));
        let path = std::env::temp_dir().join(format!("superstep-long-{}.toml", std::process::id()));
        fs::write(&path, text).unwrap();
        let error = Machine::read(&path).unwrap_err().to_string();
        fs::remove_file(&path).unwrap();
        assert!(error.ends_with(TOO_LONG), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Machine::read("no/such/machine.toml").unwrap_err();
        assert!(error.to_string().starts_with("no/such/machine.toml: "));
    }
}
