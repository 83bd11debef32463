//! The description of a machine.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Level;

/// A parallel machine by the BSP model (Valiant 1990).
///
/// All costs are in one unit: the time of one task of weight 1, which is one assignment of a kernel
/// traced with unit weights. A machine whose processors execute an assignment in 1 ns and whose
/// barrier takes 1 us has `latency = 1000`.
///
/// ```
/// use superstep_machine::Machine;
///
/// let machine = Machine { processors: 8, tau: Some(500.0), ..Machine::new(8) };
/// assert_eq!(machine.tau(), 500.0);
/// assert_eq!(Machine::new(8).tau(), Machine::new(8).latency);
/// assert_eq!(machine.to_string(), "8 processors, g = 1, L = 1000, tau = 500");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Number of processors, at least 1.
    pub processors: u32,
    /// Cost of one word in an h-relation (g): finite, at least 0.
    #[serde(default = "default_gap")]
    pub gap: f64,
    /// Cost of a superstep boundary at which something is sent (L): finite, at least 0.
    #[serde(default = "default_latency")]
    pub latency: f64,
    /// The thesis's tau: cost of every superstep boundary in the makespan; `None`: the latency.
    #[serde(default)]
    pub tau: Option<f64>,
    /// Groups of processors within which boundaries and words cost less, the innermost first; none:
    /// all processors are equally far from each other.
    #[serde(default)]
    pub levels: Vec<Level>,
}

/// Returns the default gap: one word costs as much as one task.
fn default_gap() -> f64 {
    1.0
}

/// Returns the default latency: a boundary costs as much as 1000 tasks, about a microsecond, a
/// barrier between threads, at a nanosecond per task.
fn default_latency() -> f64 {
    1000.0
}

impl Machine {
    /// Makes a machine of `processors` processors with the default costs: gap 1, latency 1000, tau
    /// as the latency.
    pub fn new(processors: u32) -> Self {
        Self {
            processors,
            gap: default_gap(),
            latency: default_latency(),
            tau: None,
            levels: Vec::new(),
        }
    }

    /// Returns the cost of a superstep boundary in the makespan: [`tau`](Self#structfield.tau), or
    /// else the latency.
    pub fn tau(&self) -> f64 {
        self.tau.unwrap_or(self.latency)
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// The first key, in the order of the fields, whose value is out of range.
    pub fn validate(&self) -> Result<(), InvalidValue> {
        if self.processors == 0 {
            return Err(InvalidValue::new("processors", 0.0, "at least 1"));
        }
        InvalidValue::first(&[
            ("gap", self.gap),
            ("latency", self.latency),
            ("tau", self.tau()),
        ])?;
        self.validate_levels()
    }
}

/// A value that no machine has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{key}`{} must be {wanted}, not {value}", of_level(*level))]
pub struct InvalidValue {
    /// The key, as it stands in the file.
    pub key: &'static str,
    /// The level whose key it is, from 1 for the innermost.
    pub level: Option<usize>,
    /// Its value.
    pub value: f64,
    /// Range that is allowed.
    pub wanted: &'static str,
}

fn of_level(level: Option<usize>) -> String {
    level.map_or_else(String::new, |level| format!(" of level {level}"))
}

impl InvalidValue {
    /// Makes the error of a key that stands beside the levels.
    pub fn new(key: &'static str, value: f64, wanted: &'static str) -> Self {
        Self {
            key,
            level: None,
            value,
            wanted,
        }
    }

    /// Makes the error of a key of a level, from 1 for the innermost.
    pub(crate) fn of_level(
        level: usize,
        key: &'static str,
        value: f64,
        wanted: &'static str,
    ) -> Self {
        Self {
            level: Some(level),
            ..Self::new(key, value, wanted)
        }
    }

    /// Refuses the first of some values by their keys that is no finite number, at least 0.
    ///
    /// # Errors
    /// When there is one.
    pub fn first(values: &[(&'static str, f64)]) -> Result<(), Self> {
        Self::first_unless(values, |value| value >= 0.0, "a finite number, at least 0")
    }

    /// Refuses the first of some values by their keys that is no finite number above 0.
    ///
    /// # Errors
    /// When there is one.
    pub fn first_not_positive(values: &[(&'static str, f64)]) -> Result<(), Self> {
        Self::first_unless(values, |value| value > 0.0, "a finite number above 0")
    }

    fn first_unless(
        values: &[(&'static str, f64)],
        fits: fn(f64) -> bool,
        wanted: &'static str,
    ) -> Result<(), Self> {
        let is_wrong = |value: f64| !(value.is_finite() && fits(value));
        match values.iter().find(|(_, value)| is_wrong(*value)) {
            Some(&(key, value)) => Err(Self::new(key, value, wanted)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.processors == 1 { "" } else { "s" };
        let (gap, latency, tau) = (Cost(self.gap), Cost(self.latency), Cost(self.tau()));
        let processors = self.processors;
        write!(
            f,
            "{processors} processor{plural}, g = {gap}, L = {latency}, tau = {tau}"
        )?;
        // From the whole machine inwards, as one reads the costs.
        for (level, groups) in self.levels.iter().enumerate().rev() {
            let (gap, latency) = (Cost(self.gap_of(level)), Cost(self.latency_of(level)));
            let groups = groups.count();
            write!(f, "; in each of {groups} groups g = {gap}, L = {latency}")?;
        }
        Ok(())
    }
}

/// A cost for people: as it was stated, or six digits of what was measured.
struct Cost(f64);

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = self.0.to_string();
        let digits = exact.bytes().filter(u8::is_ascii_digit).count();
        let whole = self.0.abs().log10().floor();
        if digits <= 7 || !(-4.0..15.0).contains(&whole) {
            return f.write_str(&exact);
        }
        let decimals = (5.0 - whole).max(0.0) as usize;
        write!(f, "{:.decimals$}", self.0)
    }
}
