//! The machine file: TOML with the keys `processors`, `gap`, `latency`, `tau`, and a table
//! `[[levels]]` for each level; all but the first may be left out. Measured machines have `task`,
//! `unit` and a table `[[paths]]` for each pair of processors.
//!
//! Most machine files and files of times have a kilobyte. One of more than [`MOST`] bytes is
//! refused before it is read: memory does not depend on it.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{
    InvalidValue, Level, Machine, Network,
    network::{self, Unit},
};

/// A machine file: a machine, or a machine that was measured.
///
/// A file with `[[paths]]` gives [latencies](Network) as distributions, and no `latency` and `tau`.
#[derive(Clone, Debug)]
pub struct MachineFile {
    /// With latencies only where they were not measured.
    machine: Machine,
    network: Option<Network>,
}

/// The keys of a machine file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    processors: u32,
    gap: Option<f64>,
    latency: Option<f64>,
    tau: Option<f64>,
    #[serde(default)]
    levels: Vec<Level>,
    task: Option<f64>,
    unit: Option<Unit>,
    #[serde(default)]
    paths: Vec<network::Path>,
}

impl MachineFile {
    /// Reads a machine file.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`from_toml`](Self::from_toml).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MachineFileError> {
        let path = path.as_ref();
        Self::from_toml(&read(path)?, path)
    }

    /// Parses the text of a machine file; `path` is what errors call it.
    ///
    /// # Errors
    /// When `text` is no TOML, lacks `processors`, has an unknown key or a value out of range; the error names file, line and key.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, MachineFileError> {
        let keys: Keys = parse(text, path, |text| toml::from_str(text), |_| Ok(()))?;
        let default = Machine::new(keys.processors);
        let machine = Machine {
            processors: keys.processors,
            gap: keys.gap.unwrap_or(default.gap),
            latency: keys.latency.unwrap_or(default.latency),
            tau: keys.tau,
            levels: keys.levels,
        };
        let value = |source| invalid(text, path, source);
        machine.validate().map_err(value)?;
        let measured = [("task", keys.task), ("unit", keys.unit.map(|_| 1.0))];
        let stated = [("latency", keys.latency), ("tau", keys.tau)];
        let (refused, wanted) = if keys.paths.is_empty() {
            (measured, "left out where there are no `paths`")
        } else {
            (stated, "left out where `paths` give it")
        };
        if let Some((key, Some(given))) = refused.into_iter().find(|(_, given)| given.is_some()) {
            return Err(value(InvalidValue::new(key, given, wanted)));
        }
        let network = if keys.paths.is_empty() {
            None
        } else {
            let stated = machine.levels.iter().position(|level| level.latency != 1.0);
            if let Some(level) = stated {
                let given = machine.levels[level].latency;
                return Err(value(InvalidValue {
                    level: Some(level + 1),
                    ..InvalidValue::new("latency", given, wanted)
                }));
            }
            let unit = keys.unit.unwrap_or_default();
            let task = keys.task.unwrap_or(1.0);
            Some(Network::new(&machine, task, unit, &keys.paths).map_err(value)?)
        };
        Ok(Self { machine, network })
    }

    /// Returns the machine; where it was measured, with latencies at that quantile, from 0 to 1:
    /// 0.5 is the median.
    pub fn machine(&self, quantile: f64) -> Machine {
        match &self.network {
            Some(network) => network.at(&self.machine, quantile),
            None => self.machine.clone(),
        }
    }

    /// Returns the first processors of the machine.
    ///
    /// # Errors
    /// When there are not as many, or no path was measured between some that wait for each other.
    pub fn first(&self, processors: u32) -> Result<Self, InvalidValue> {
        let count = f64::from(processors);
        if processors == 0 || processors > self.machine.processors {
            let wanted = "from 1 to the number of the machine file";
            return Err(InvalidValue::new("processors", count, wanted));
        }
        let all: Vec<u32> = (0..processors).collect();
        let machine = self.machine.part(&all);
        let network = self.network.as_ref();
        let network = network.map(|network| network.first(&machine)).transpose()?;
        Ok(Self { machine, network })
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> u32 {
        self.machine.processors
    }

    /// Returns the latencies, where they were measured.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }
}

/// Quantile of measured latencies that a machine has, unless another is asked for: half of all
/// boundaries take less.
const MEDIAN: f64 = 0.5;

impl Machine {
    /// Reads a machine file; of measured latencies the medians.
    ///
    /// # Errors
    /// As [`MachineFile::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MachineFileError> {
        Ok(MachineFile::read(path)?.machine(MEDIAN))
    }

    /// Parses the text of a machine file; of measured latencies the medians. `path` is what errors
    /// call it.
    ///
    /// # Errors
    /// As [`MachineFile::from_toml`].
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, MachineFileError> {
        Ok(MachineFile::from_toml(text, path)?.machine(MEDIAN))
    }

    /// The text of the machine file that describes `self`.
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

/// Bytes that a file may have: a thousand samples for each of thirty paths. The reader takes up to
/// a hundred and fifty times as many.
const MOST: usize = 1 << 18;

pub(crate) fn read(path: &Path) -> Result<String, MachineFileError> {
    read_text(path, MOST, TOO_LONG).map_err(|source| MachineFileError::Io {
        path: path.into(),
        source,
    })
}

/// Reads a text of so many bytes, at most, whatever the system says of its length.
pub(crate) fn read_text(path: &Path, most: usize, too_long: &str) -> io::Result<String> {
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

pub(crate) fn write(path: &Path, text: &str) -> Result<(), MachineFileError> {
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
    validate(&value).map_err(|source| invalid(text, path, source))?;
    Ok(value)
}

/// Returns the error of a value, with the line that it stands in.
fn invalid(text: &str, path: &Path, source: InvalidValue) -> MachineFileError {
    MachineFileError::Value {
        path: path.into(),
        line: line_of_value(text, &source),
        source,
    }
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

/// Line, from 1, of the byte at `offset`.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text
        .bytes()
        .take(offset)
        .filter(|&byte| byte == b'\n')
        .count()
}

/// Returns the line of the assignment that gave a value; that of the table, where levels stand in
/// one line.
fn line_of_value(text: &str, invalid: &InvalidValue) -> usize {
    let name = |line: &str| {
        let name = line.split('=').next().unwrap_or_default();
        name.trim().trim_matches(['"', '\'']).to_owned()
    };
    let lines = || text.lines().map(name).enumerate();
    let tables = || lines().filter(|(_, name)| name == "[[levels]]" || name == "levels");
    let begin = match invalid.level {
        Some(level) => tables().nth(level - 1).or_else(|| tables().next()),
        None => None,
    };
    let begin = begin.map_or(0, |(line, _)| line);
    let assigned = lines().skip(begin).find(|(_, name)| name == invalid.key);
    1 + assigned.map_or(begin, |(line, _)| line)
}

/// Why a machine file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum MachineFileError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The text is no machine file: no TOML, a key too many or too few, a value of the wrong type.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong, naming the key.
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
    fn measured_paths_are_checked() {
        let paths = |text: &str| error(&format!("processors = 3\n{text}"));
        let path = "[[paths]]\nbetween = [0, 1]\nlatency = { constant = { value = 5 } }\n";
        assert_eq!(
            paths(&format!("latency = 4\n{path}")),
            "m.toml:2: `latency` must be left out where `paths` give it, not 4"
        );
        assert_eq!(
            paths("task = 2"),
            "m.toml:2: `task` must be left out where there are no `paths`, not 2"
        );
        assert_eq!(
            paths("[[paths]]\nbetween = [0, 3]\nsamples = [1]"),
            "m.toml:3: `between` must be two processors of the machine, not 3"
        );
        assert_eq!(
            paths(&format!("{path}{path}")),
            "m.toml:3: `between` must be a pair of processors that no path has had, not 0"
        );
        assert_eq!(
            paths("[[paths]]\nbetween = [0, 1]\nsamples = [1, -2]"),
            "m.toml:4: `samples` must be finite numbers above 0, not -2"
        );
        assert_eq!(
            paths("[[paths]]\nbetween = [0, 1]"),
            "m.toml:3: `between` must be one of the two keys `latency` and `samples`, not 0"
        );
        assert!(paths("unit = \"min\"").starts_with("m.toml:2: unknown variant `min`"));
        let levels = "[[levels]]\ngroups = [0, 1, 1]\n";
        assert_eq!(
            paths(&format!("{path}{levels}")),
            "m.toml:5: `paths` of level 1 must be between processors of each group, not 1"
        );
        assert_eq!(
            paths(&format!("{path}{levels}latency = 0.5")),
            "m.toml:7: `latency` of level 1 must be left out where `paths` give it, not 0.5"
        );
    }

    #[test]
    fn boundaries_wait_for_the_slowest_path_of_their_level() {
        let path = |a, b, value: f64| {
            format!(
                "[[paths]]\nbetween = [{a}, {b}]\nlatency = {{ constant = {{ value = {value} }} }}\n"
            )
        };
        // From processor 1 nobody is farther than 30; inside the groups 2 and 7.
        let text = "processors = 4\ntask = 10\nunit = \"ns\"\ngap = 3\n".to_owned()
            + &path(0, 1, 2.0)
            + &path(1, 2, 30.0)
            + &path(1, 3, 30.0)
            + &path(0, 2, 40.0)
            + &path(0, 3, 30.0)
            + &path(3, 2, 7.0)
            + "[[levels]]\ngroups = [5, 5, 6, 6]\ngap = 0.5\n";
        let file = MachineFile::from_toml(&text, Path::new("m.toml")).unwrap();
        let machine = file.machine(0.99);
        assert_eq!((machine.latency, machine.gap), (3.0, 3.0));
        assert!((machine.latency_of(0) - 0.7).abs() < 1e-12);
        let waiting = file.network().unwrap().waiting(&[10, 2]);
        assert!((waiting.mean() - 130.0).abs() < 1e-9);
        assert!((waiting.quantile(0.99) - 130.0).abs() < 1e-9);
        let two = file.first(2).unwrap().machine(0.5);
        assert_eq!((two.processors, two.latency, two.levels.len()), (2, 0.2, 0));
        assert!(file.first(5).is_err());
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
