//! Probes of recorded times: of matrices, and of lists of the pairs that were measured.

use std::{
    collections::{HashMap, VecDeque},
    fmt::Write,
    path::Path,
};

use superstep_csv::Row;
use superstep_files::{FileError, read_text};

use super::{Finished, Matrix, Measurement, Probe, RoundTrip, matrix::number};

/// First line of a list of pairs.
const HEADING: [&str; 4] = ["a", "b", "round_trip_us", "spread_us"];

/// Reason for which matrices are no recorded times.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// Fewer than two hosts.
    #[error("a tree has at least 2 hosts, not {0}")]
    Few(usize),
    /// Two times for one pair, further apart than it is known to differ.
    #[error(
        "the round-trip time between {a} and {b} is {one} in one direction and {other} in the other, and its spread is {spread}"
    )]
    Asymmetric {
        /// Name of a host.
        a: String,
        /// Name of the other.
        b: String,
        /// Time from the first to the second, in microseconds.
        one: f64,
        /// Time from the second to the first, in microseconds.
        other: f64,
        /// Larger spread of both directions, in microseconds; 0 where none are given.
        spread: f64,
    },
    /// Spreads of other hosts than the times.
    #[error("times are between {times} hosts, and spreads between {spreads}")]
    Sizes {
        /// Number of hosts of the times.
        times: usize,
        /// Number of hosts of the spreads.
        spreads: usize,
    },
    /// Spreads beside a list of pairs.
    #[error("a list of pairs has their spreads, and needs no others")]
    Spreads,
}

/// The pair of two hosts has no recorded time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no round trip between {a} and {b} is recorded")]
pub struct Unrecorded {
    /// Name of a host.
    pub a: String,
    /// Name of the other.
    pub b: String,
}

/// Probe of round-trip times that were recorded. Measuring again gives nothing new: spreads that
/// stand out are taken as they are.
#[derive(Clone, Debug)]
pub struct Recorded {
    names: Vec<String>,
    times: Times,
    waiting: VecDeque<(usize, usize)>,
}

#[derive(Clone, Debug)]
enum Times {
    All {
        times: Matrix,
        spreads: Option<Matrix>,
    },
    /// Some pairs, by the smaller number and the larger one.
    Some(HashMap<(usize, usize), RoundTrip>),
}

impl Recorded {
    /// Makes a probe of round-trip times and their spreads in microseconds; without spreads these
    /// count as 0. Of two directions the shorter time counts, and the larger spread. Diagonals are
    /// not looked at.
    ///
    /// # Errors
    /// When there are fewer than two hosts, the times of two directions differ by more than their
    /// spread, or both matrices have different sizes.
    pub fn new(times: Matrix, spreads: Option<Matrix>) -> Result<Self, RecordError> {
        if times.size() < 2 {
            return Err(RecordError::Few(times.size()));
        }
        if let Some(spreads) = &spreads
            && spreads.size() != times.size()
        {
            return Err(RecordError::Sizes {
                times: times.size(),
                spreads: spreads.size(),
            });
        }
        for b in 0..times.size() {
            for a in 0..b {
                let (one, other) = (times.get(a, b), times.get(b, a));
                let spread = larger(spreads.as_ref(), a, b);
                if (one - other).abs() > spread {
                    return Err(RecordError::Asymmetric {
                        a: times.names()[a].clone(),
                        b: times.names()[b].clone(),
                        one,
                        other,
                        spread,
                    });
                }
            }
        }
        Ok(Self {
            names: times.names().to_vec(),
            times: Times::All { times, spreads },
            waiting: VecDeque::new(),
        })
    }

    /// Reads a file of either form, and if it is a matrix takes these spreads.
    ///
    /// # Errors
    /// As [`from_csv`](Self::from_csv), and when the file cannot be read.
    pub fn read(path: impl AsRef<Path>, spreads: Option<Matrix>) -> Result<Self, FileError> {
        let path = path.as_ref();
        Self::from_csv(&read_text(path)?, spreads, path)
    }

    /// Parses a [matrix](Matrix::from_csv), or a list of pairs as [`list`](Self::list) makes it;
    /// `path` is what errors call it.
    ///
    /// # Errors
    /// When it is neither, and as [`new`](Self::new).
    ///
    /// ```
    /// use superstep_network::topology::Recorded;
    /// use std::path::Path;
    ///
    /// let list = "a,b,round_trip_us,spread_us\na,b,40,1\na,c,54,0.5\nc,b,54,0\n";
    /// let recorded = Recorded::from_csv(list, None, Path::new("pairs.csv"))?;
    /// assert_eq!(recorded.names(), ["a", "b", "c"]);
    /// assert_eq!(Recorded::list(recorded.measurements(), recorded.names()).lines().count(), 4);
    /// # Ok::<(), superstep_files::FileError>(())
    /// ```
    pub fn from_csv(text: &str, spreads: Option<Matrix>, path: &Path) -> Result<Self, FileError> {
        let record = |defect: RecordError| FileError::at(path, [], defect.to_string());
        let mut rows = superstep_csv::rows(text);
        if rows.next().is_none_or(|first| !first.cells().eq(HEADING)) {
            let times = Matrix::from_csv(text, path)?;
            return Self::new(times, spreads).map_err(record);
        }
        if spreads.is_some() {
            return Err(record(RecordError::Spreads));
        }
        let mut pairs = Pairs::default();
        for row in rows {
            let wrong = |(entry, message): Wrong| FileError::at(path, [row.line(), entry], message);
            pairs.add(&row).map_err(wrong)?;
        }
        if pairs.names.len() < 2 {
            return Err(record(RecordError::Few(pairs.names.len())));
        }
        Ok(Self {
            names: pairs.names,
            times: Times::Some(pairs.times),
            waiting: VecDeque::new(),
        })
    }

    /// Makes the list of pairs that were measured between hosts of these names, in comma-separated
    /// values.
    pub fn list(measurements: impl IntoIterator<Item = Measurement>, names: &[String]) -> String {
        let mut text = HEADING.join(",") + "\n";
        for Measurement { pair, round_trip } in measurements {
            let [a, b] = [pair.0, pair.1].map(|host| &names[host as usize]);
            let [time, spread] =
                [round_trip.minimum, round_trip.spread].map(|time| time as f64 / 1000.0);
            // Writing to a string does not fail.
            let _ = writeln!(text, "{a},{b},{time:.3},{spread:.3}");
        }
        text
    }

    /// Names of the hosts. Those of a list are in the order in which they come first, which is that
    /// in which they were added to a tree.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns all pairs that have a time.
    pub fn measurements(&self) -> Vec<Measurement> {
        let hosts = 0..self.names.len();
        let pairs: Vec<(usize, usize)> = match &self.times {
            Times::All { .. } => hosts.flat_map(|b| (0..b).map(move |a| (a, b))).collect(),
            Times::Some(times) => {
                let mut pairs: Vec<_> = times.keys().copied().collect();
                pairs.sort_unstable();
                pairs
            }
        };
        let measured = pairs.into_iter().filter_map(|(a, b)| {
            Some(Measurement {
                pair: (a as u32, b as u32),
                round_trip: self.round_trip(a, b)?,
            })
        });
        measured.collect()
    }

    fn round_trip(&self, a: usize, b: usize) -> Option<RoundTrip> {
        match &self.times {
            Times::All { times, spreads } => {
                let (one, other) = (times.get(a, b), times.get(b, a));
                Some(RoundTrip {
                    minimum: nanoseconds(one.min(other)),
                    spread: nanoseconds(larger(spreads.as_ref(), a, b)),
                })
            }
            Times::Some(times) => times.get(&(a.min(b), a.max(b))).copied(),
        }
    }
}

/// Returns the larger of two directions' spreads; 0 where none are given.
fn larger(spreads: Option<&Matrix>, a: usize, b: usize) -> f64 {
    spreads.map_or(0.0, |spreads| spreads.get(a, b).max(spreads.get(b, a)))
}

fn nanoseconds(microseconds: f64) -> u64 {
    (microseconds * 1000.0).round() as u64
}

/// Entry of a line, from 1, and what is wrong with it.
type Wrong = (usize, String);

/// Pairs of a list while it is read.
#[derive(Default)]
struct Pairs {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    times: HashMap<(usize, usize), RoundTrip>,
}

impl Pairs {
    /// Adds the pair of a line, or says which entry is wrong, and why. Of a pair that comes
    /// again the shortest time counts, and as spread what its times differ by at least.
    fn add(&mut self, row: &Row) -> Result<(), Wrong> {
        let entries: Vec<&str> = row.cells().collect();
        let &[a, b, time, spread] = &entries[..] else {
            let message = format!(
                "expected two hosts and two times, found {} entries",
                entries.len()
            );
            return Err((entries.len().min(4), message));
        };
        let a = self.host(a).map_err(|message| (1, message))?;
        let b = self.host(b).map_err(|message| (2, message))?;
        if a == b {
            return Err((2, "a pair is of two hosts".to_owned()));
        }
        let minimum = nanoseconds(number(time).map_err(|message| (3, message))?);
        let spread = nanoseconds(number(spread).map_err(|message| (4, message))?);
        let known = self.times.entry((a.min(b), a.max(b)));
        known
            .and_modify(|known| {
                let apart = known.minimum.abs_diff(minimum);
                known.spread = known.spread.max(spread).max(apart);
                known.minimum = known.minimum.min(minimum);
            })
            .or_insert(RoundTrip { minimum, spread });
        Ok(())
    }

    /// Returns the number of a host.
    fn host(&mut self, name: &str) -> Result<usize, String> {
        if name.is_empty() {
            return Err("a host has a name".to_owned());
        }
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = self.names.len();
        if number == Matrix::MOST_ROWS {
            return Err(format!("there are at most {} hosts", Matrix::MOST_ROWS));
        }
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        Ok(number)
    }
}

impl Probe for Recorded {
    type Error = Unrecorded;

    fn begin(&mut self, a: usize, b: usize) {
        self.waiting.push_back((a, b));
    }

    fn finish(&mut self) -> Finished<Unrecorded> {
        let pair = self
            .waiting
            .pop_front()
            .expect("a measurement is waited for only after it is begun");
        let unrecorded = || Unrecorded {
            a: self.names[pair.0].clone(),
            b: self.names[pair.1].clone(),
        };
        Finished {
            pair,
            result: self.round_trip(pair.0, pair.1).ok_or_else(unrecorded),
        }
    }

    fn can_repeat(&self) -> bool {
        false
    }

    fn is_sparse(&self) -> bool {
        matches!(self.times, Times::Some(_))
    }
}
