//! Machine files of measured machines, and the medians in them that builds take.

use std::ops::Range;
use std::path::Path;

use superstep_machine::file::{self, Keys};
use superstep_machine::{InvalidValue, Machine, MachineFileError};
use toml::de::DeTable;

use crate::{Cluster, Network, network};

/// A machine file: a machine, or a machine that was measured.
///
/// A file with `[[paths]]` gives [latencies](Network) as distributions, and no `latency` and `tau`.
/// Its `medians`, if it has them, are those of the paths: [`with_medians`] adds them.
#[derive(Clone, Debug)]
pub struct MachineFile {
    /// Machine, with latencies only where they were not measured.
    machine: Machine,
    network: Option<Network>,
    cluster: Option<Cluster>,
}

/// Part of a median by which it may differ from the one in the file, which people may have rounded.
const ROUNDED: f64 = 1e-3;

impl MachineFile {
    /// Reads a machine file.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`from_toml`](Self::from_toml).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MachineFileError> {
        let path = path.as_ref();
        Self::from_toml(&file::read(path)?, path)
    }

    /// Parses the text of a machine file; `path` is what errors call it.
    ///
    /// # Errors
    /// As [`Keys::from_toml`], for paths out of range, and for medians that are not theirs.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, MachineFileError> {
        let (file, medians) = Self::parse(text, path)?;
        let waits = file.medians();
        let is_of_paths =
            |(&given, &found): (&f64, &f64)| (given - found).abs() <= ROUNDED * found.abs();
        let other = medians.iter().zip(&waits).find(|&pair| !is_of_paths(pair));
        match other {
            Some((&given, _)) => {
                let wanted = "those of the `paths`, as `cargo superstep medians` writes them";
                let source = InvalidValue::new("medians", given, wanted);
                Err(MachineFileError::value(text, path, source))
            }
            None => Ok(file),
        }
    }

    /// Returns the machine, and the medians that the text has.
    fn parse(text: &str, path: &Path) -> Result<(Self, Vec<f64>), MachineFileError> {
        let mut keys: Keys<network::Path, Cluster> = Keys::from_toml(text, path)?;
        let machine = keys.machine();
        let cluster = keys.take_network();
        if let Some(cluster) = &cluster {
            let valid = cluster.validate(machine.processors);
            valid.map_err(|source| MachineFileError::value(text, path, source))?;
        }
        let network = if keys.paths().is_empty() {
            None
        } else {
            let network = Network::new(&machine, keys.task(), keys.unit(), keys.paths());
            Some(network.map_err(|source| MachineFileError::value(text, path, source))?)
        };
        let medians = keys.medians().unwrap_or_default().to_vec();
        let file = Self {
            machine,
            network,
            cluster,
        };
        Ok((file, medians))
    }

    /// Returns the nanoseconds that half of the boundaries of each level stay below, the whole
    /// machine last.
    fn medians(&self) -> Vec<f64> {
        let waits = self.network.as_ref().map_or(&[][..], Network::waits);
        waits.iter().map(|wait| wait.quantile(0.5)).collect()
    }

    /// Returns the machine; where it was measured, with latencies at that quantile, from 0 to 1:
    /// 0.5 is the median.
    pub fn machine(&self, quantile: f64) -> Machine {
        match &self.network {
            Some(network) => network.at(&self.machine, quantile),
            None => self.machine.clone(),
        }
    }

    /// Returns the first processors of the machine, without what is known of its cluster.
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
        Ok(Self {
            machine,
            network,
            cluster: None,
        })
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> u32 {
        self.machine.processors
    }

    /// Returns the tree of hosts with its bandwidths, where it was measured.
    pub fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_ref()
    }

    /// Returns the latencies, where they were measured.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }
}

/// Comment above the medians.
const NOTE: &str = "# What half of the boundaries of each level stay below, the whole machine last: nanoseconds, from the\n\
                    # paths. Builds take these. Written by `cargo superstep medians`.\n";

/// Adds the medians of its paths to the text of a machine file, in place of those that it has.
///
/// A file without paths stays as it is. `path` is what errors call it.
///
/// ```
/// use std::path::Path;
/// use superstep_machine::Machine;
/// use superstep_network::{MachineFile, with_medians};
///
/// let measured = "processors = 2\n[[paths]]\nbetween = [0, 1]\nsamples = [40, 41, 47]\n";
/// let path = Path::new("machine.toml");
/// let file = MachineFile::from_toml(measured, path)?;
/// // Builds read what has medians.
/// assert!(Machine::from_toml(measured, path).is_err());
/// let text = with_medians(measured, path)?;
/// assert_eq!(Machine::from_toml(&text, path)?, file.machine(0.5));
/// # Ok::<(), superstep_machine::MachineFileError>(())
/// ```
///
/// # Errors
/// As [`MachineFile::from_toml`], whatever medians the file has.
pub fn with_medians(text: &str, path: &Path) -> Result<String, MachineFileError> {
    let (file, _) = MachineFile::parse(&without_medians(text), path)?;
    if file.network.is_none() {
        return Ok(text.to_owned());
    }
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", text),
    };
    let rest = without_medians(text);
    let medians = file.medians();
    Ok(format!("{mark}{NOTE}medians = {medians:?}\n{rest}"))
}

/// Returns the text without its medians and the note above them; as it is, where it is no TOML.
fn without_medians(text: &str) -> String {
    let Some(Range { start, end }) = place_of_medians(text) else {
        return text.to_owned();
    };
    let before = &text[..start];
    // A note that does not begin its line is part of another comment, which would go on without it.
    let rest = before.strip_suffix(NOTE);
    let rest = rest.filter(|rest| rest.is_empty() || rest.ends_with('\n'));
    let before = rest.unwrap_or(before);
    let after = &text[end..];
    let after = after.strip_prefix('\r').unwrap_or(after);
    let after = after.strip_prefix('\n').unwrap_or(after);
    format!("{before}{after}")
}

/// Returns where the assignment of the medians stands.
fn place_of_medians(text: &str) -> Option<Range<usize>> {
    let document = DeTable::parse(text).ok()?;
    let (key, value) = document.get_ref().get_key_value("medians")?;
    Some(key.span().start..value.span().end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        MachineFile::from_toml(text, Path::new("m.toml"))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_note_within_another_comment_stays() {
        let path = Path::new("m.toml");
        let measured = "processors = 2\n[[paths]]\nbetween = [0, 1]\nsamples = [40, 41, 47]\n";
        let noted = with_medians(measured, path).expect("it is valid");
        let text = format!("# from {noted}");
        let renewed = with_medians(&text, path).expect("it is as valid");
        let machine = |text: &str| MachineFile::from_toml(text, path).map(|file| file.machine(0.5));
        assert_eq!(machine(&renewed).ok(), machine(&noted).ok());
        assert!(machine(&renewed).is_ok());
        assert!(renewed.contains("# from # What half"));
    }

    #[test]
    fn measured_paths_are_checked() {
        let paths = |text: &str| error(&format!("processors = 3\n{text}"));
        let path = "[[paths]]\nbetween = [0, 1]\nlatency = { constant = { value = 5 } }\n";
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
        let levels = "[[levels]]\ngroups = [0, 1, 1]\n";
        assert_eq!(
            paths(&format!("{path}{levels}")),
            "m.toml:5: `paths` of level 1 must be between processors of each group, not 1"
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

    const TWO_SITES: &str = "# Measured.\nprocessors = 4\ntask = 3.5\n\n[[levels]]\ngroups = [0, 0, 1, 1]\n\n\
        [[paths]]\nbetween = [0, 1]\nsamples = [0.041, 0.043, 0.040, 0.052]\n\n\
        [[paths]]\nbetween = [2, 3]\nlatency = { constant = { value = 0.055 } }\n\n\
        [[paths]]\nbetween = [0, 2]\nlatency = { pareto = { scale = 4.10, shape = 9.5 } }\n\n\
        [[paths]]\nbetween = [0, 3]\nlatency = { normal = { mean = 4.3, deviation = 0.12 } }\n";

    #[test]
    fn builds_read_the_machine_of_the_medians() {
        let path = Path::new("m.toml");
        let file = MachineFile::from_toml(TWO_SITES, path).unwrap();
        let text = with_medians(TWO_SITES, path).unwrap();
        // Bit for bit, as schedules depend on it.
        assert_eq!(Machine::from_toml(&text, path).unwrap(), file.machine(0.5));
        let again = MachineFile::from_toml(&text, path).unwrap();
        assert_eq!(again.machine(0.9), file.machine(0.9));
        assert!(text.ends_with(TWO_SITES), "{text}");
    }

    #[test]
    fn medians_that_were_there_give_way() {
        let path = Path::new("m.toml");
        let text = with_medians(TWO_SITES, path).unwrap();
        assert_eq!(with_medians(&text, path).unwrap(), text);
        let other = text.replace("value = 0.055", "value = 0.1");
        assert_eq!(
            error(&other).split(": ").nth(1),
            Some(
                "`medians` must be those of the `paths`, as `cargo superstep medians` writes them, not 55"
            ),
            "{}",
            error(&other)
        );
        let fresh = with_medians(&other, path).unwrap();
        assert_ne!(fresh, other);
        let machine = MachineFile::from_toml(&fresh, path).unwrap().machine(0.5);
        assert_eq!(Machine::from_toml(&fresh, path).unwrap(), machine);
        let inside = TWO_SITES.replace("task = 3.5", "medians = [1,\n 2.0]\r\ntask = 3.5");
        assert_eq!(with_medians(&inside, path).unwrap(), text);
        let marked = format!("\u{feff}{TWO_SITES}");
        assert_eq!(
            with_medians(&marked, path).unwrap(),
            format!("\u{feff}{text}")
        );
    }

    #[test]
    fn a_machine_that_was_not_measured_stays_as_it_is() {
        let text = "processors = 5\nlatency = 3\n";
        assert_eq!(with_medians(text, Path::new("m.toml")).unwrap(), text);
    }
}
