//! Measured machines: the latencies between processors as distributions.

use std::collections::BTreeMap;

use serde::Deserialize;

use superstep_machine::{InvalidValue, Level, Machine, file::Unit};
use superstep_schedule::{CheckedSchedule, Communication, Sending, cost};

use crate::latency::{Distribution, Family, Fits, Maximum, Samples, Total};

/// Latencies of a machine, as they were measured between its processors.
///
/// A superstep boundary waits for the slowest of its paths: from one processor, to which all
/// report, to the others and back. Which one is chosen so that this takes least. A boundary of an
/// inner level waits so in each group. It takes what the slowest group takes, as the groups wait
/// for each other at the next boundary outside.
///
/// Paths from one processor that have equally many samples were recorded in rounds: the samples of
/// one position belong together. Their slowest is that of the rounds where these refuse that paths
/// are independent, as they are not on a switch that they share.
///
/// In a machine file paths stand in tables of their own, in place of `latency`:
///
/// ```
/// use std::path::Path;
/// use superstep_network::MachineFile;
///
/// let file = r#"
///     processors = 3
///     task = 2.0 # nanoseconds
///     unit = "us"
///     [[paths]]
///     between = [0, 1]
///     samples = [41, 41, 41]
///     [[paths]]
///     between = [0, 2]
///     latency = { pareto = { scale = 40, shape = 20 } }
/// "#;
/// let file = MachineFile::from_toml(file, Path::new("machine.toml"))?;
/// // The median of the larger of both, in tasks of two nanoseconds.
/// let median = 40.0 * 0.5_f64.powf(-1.0 / 20.0);
/// assert!((file.machine(0.5).latency - 500.0 * median).abs() < 1e-6);
/// assert!(file.machine(0.99).latency > file.machine(0.5).latency);
/// # Ok::<(), superstep_machine::MachineFileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    /// Nanoseconds of a task of weight 1.
    task: f64,
    /// Round trips between two processors, the lower number first.
    between: BTreeMap<(u32, u32), RoundTrips>,
    /// Nanoseconds that a boundary of each level waits, the whole machine last.
    waits: Vec<Maximum>,
}

/// Round trips of a path, in nanoseconds.
#[derive(Clone, Debug)]
struct RoundTrips {
    latency: Distribution,
    /// Recorded ones, if there are any.
    samples: Vec<f64>,
}

/// Path between two processors, as it stands in a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Path {
    /// The two processors.
    between: [u32; 2],
    /// Distribution of the round-trip time.
    latency: Option<Distribution>,
    /// Recorded round-trip times.
    samples: Option<Vec<f64>>,
}

impl Network {
    /// Makes the network of the paths between the processors of a machine whose tasks take `task`
    /// nanoseconds.
    pub(crate) fn new(
        machine: &Machine,
        task: f64,
        unit: Unit,
        paths: &[Path],
    ) -> Result<Self, InvalidValue> {
        let mut between = BTreeMap::new();
        for path in paths {
            let [a, b] = path.between;
            let wrong = |value: u32, wanted| {
                let value = f64::from(value);
                Err(InvalidValue::new("between", value, wanted))
            };
            if a.max(b) >= machine.processors {
                return wrong(a.max(b), "two processors of the machine");
            }
            if a == b {
                return wrong(a, "two different processors");
            }
            path.validate()?;
            if between.insert((a.min(b), a.max(b)), path).is_some() {
                return wrong(a, "a pair of processors that no path has had");
            }
        }
        // One family for all samples: together they tell more than each.
        let samples = between.values().filter_map(|path| path.samples.as_deref());
        let samples: Vec<&[f64]> = samples.collect();
        let fits = Fits::apart(&samples, &Family::ALL)
            .ok_or_else(|| InvalidValue::new("samples", 0.0, "some"))?;
        let mut fits = fits.into_iter();
        let unit = unit.nanoseconds();
        let round_trips = between.into_iter().filter_map(|(pair, path)| {
            let latency = path.latency.clone().or_else(|| fits.next())?;
            let samples = path.samples.iter().flatten();
            let of_path = RoundTrips {
                latency: latency.scaled(unit),
                samples: samples.map(|sample| sample * unit).collect(),
            };
            Some((pair, of_path))
        });
        Self::between(machine, task, round_trips.collect())
    }

    fn between(
        machine: &Machine,
        task: f64,
        between: BTreeMap<(u32, u32), RoundTrips>,
    ) -> Result<Self, InvalidValue> {
        let mut waits = Vec::with_capacity(machine.levels.len() + 1);
        for level in 0..=machine.levels.len() {
            let groups = groups(machine, level);
            waits.push(slowest(&groups, &between).ok_or_else(|| {
                let count = between.len() as f64;
                InvalidValue {
                    level: Some(level + 1).filter(|_| level < machine.levels.len()),
                    ..InvalidValue::new("paths", count, "between processors of each group")
                }
            })?);
        }
        Ok(Self {
            task,
            between,
            waits,
        })
    }

    /// Returns the network of the first processors, which make that machine.
    pub(crate) fn first(&self, machine: &Machine) -> Result<Self, InvalidValue> {
        let is_there = |pair: &(u32, u32)| pair.1 < machine.processors;
        let between = self.between.iter().filter(|(pair, _)| is_there(pair));
        let between = between
            .map(|(&pair, round_trips)| (pair, round_trips.clone()))
            .collect();
        Self::between(machine, self.task, between)
    }

    /// Returns the nanoseconds that a boundary of each [level](Machine::level) waits, the whole
    /// machine last.
    pub fn waits(&self) -> &[Maximum] {
        &self.waits
    }

    /// Returns the nanoseconds that a task of weight 1 takes.
    pub fn task(&self) -> f64 {
        self.task
    }

    /// Gives a machine the latencies at that quantile, from 0 to 1.
    pub(crate) fn at(&self, machine: &Machine, quantile: f64) -> Machine {
        let nanoseconds: Vec<f64> = self
            .waits
            .iter()
            .map(|wait| wait.quantile(quantile))
            .collect();
        machine.waiting(&nanoseconds, self.task)
    }

    /// Returns the distribution of the time, in nanoseconds, that a schedule waits at its
    /// boundaries: `boundaries` says how many there are of each [level](Machine::level), the whole
    /// machine last.
    pub fn waiting<'a>(&'a self, boundaries: &[u32]) -> Total<'a> {
        Total::of(self.waits.iter().zip(boundaries.iter().copied()))
    }

    /// Predicts the time of runs of a schedule on the machine of this network.
    ///
    /// What is computed and sent takes what it takes; boundaries wait for the slowest path, one
    /// independently of the other.
    pub fn runs(&self, schedule: &CheckedSchedule<'_>, machine: &Machine) -> Runs<'_> {
        let sent = Communication::on(schedule, Sending::ImprovedLazy, machine);
        let at_once = Machine {
            latency: 0.0,
            ..machine.clone()
        };
        let busy = self.task * cost::bsp_cost(schedule, &sent, &at_once);
        let mut boundaries = vec![0; machine.levels.len() + 1];
        for exchange in cost::exchanges(schedule, &sent, machine) {
            boundaries[exchange.level] += 1;
        }
        Runs {
            busy,
            waiting: self.waiting(&boundaries),
            boundaries,
        }
    }
}

/// Predicted runs of a schedule on a measured machine: see [`Network::runs`].
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    /// Boundaries of each level of the machine at which something is sent, the innermost first.
    pub boundaries: Vec<u32>,
    /// Nanoseconds that computing and sending take.
    busy: f64,
    /// Nanoseconds that boundaries wait.
    waiting: Total<'a>,
}

impl Runs<'_> {
    /// Returns the seconds that such a part of all runs stays below, from 0 to 1.
    pub fn seconds(&self, quantile: f64) -> f64 {
        1e-9 * (self.busy + self.waiting.quantile(quantile))
    }
}

impl Path {
    fn validate(&self) -> Result<(), InvalidValue> {
        let samples = self.samples.as_deref();
        let wrong = |sample: &&f64| !(sample.is_finite() && **sample > 0.0);
        if let Some(&sample) = samples.unwrap_or_default().iter().find(wrong) {
            let wanted = "finite numbers above 0";
            return Err(InvalidValue::new("samples", sample, wanted));
        }
        match (&self.latency, samples) {
            (Some(_), None) => Ok(()),
            (None, Some([])) => Err(InvalidValue::new("samples", 0.0, "some")),
            (None, Some(_)) => Ok(()),
            (latency, _) => {
                let given = if latency.is_some() { 2.0 } else { 0.0 };
                let wanted = "one of the two keys `latency` and `samples`";
                Err(InvalidValue::new("between", given, wanted))
            }
        }
    }
}

/// Group of processors that wait for each other at the boundaries of a level: groups of the next
/// inner level, or single processors.
type Group = Vec<Vec<u32>>;

/// Returns the groups of a level with more than one processor.
fn groups(machine: &Machine, level: usize) -> Vec<Group> {
    let number = |level: Option<&Level>, processor: u32| {
        level.map_or(0, |level| level.groups[processor as usize])
    };
    let inner = level.checked_sub(1).map(|inner| &machine.levels[inner]);
    let mut groups: BTreeMap<u32, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for processor in 0..machine.processors {
        let group = groups.entry(number(machine.levels.get(level), processor));
        let inner = inner.map_or(processor, |inner| number(Some(inner), processor));
        group.or_default().entry(inner).or_default().push(processor);
    }
    let groups = groups
        .into_values()
        .map(|group| group.into_values().collect());
    groups
        .filter(|group: &Group| group.iter().map(Vec::len).sum::<usize>() > 1)
        .collect()
}

/// Paths from one processor of a group to others of it.
struct Star<'a> {
    /// Paths to other inner groups, each of which stands for so many.
    outside: (Vec<&'a RoundTrips>, f64),
    /// Paths within the own inner group.
    inside: Vec<&'a RoundTrips>,
}

impl<'a> Star<'a> {
    fn new(middle: u32, group: &Group, between: &'a BTreeMap<(u32, u32), RoundTrips>) -> Self {
        let mut star = Self {
            outside: (Vec::new(), 0.0),
            inside: Vec::new(),
        };
        let mut reached = 0;
        for inner in group {
            let others = inner.iter().filter(|&&other| other != middle);
            let paths = others.filter_map(|&o| between.get(&(middle.min(o), middle.max(o))));
            if inner.contains(&middle) {
                star.inside.extend(paths);
            } else {
                let before = star.outside.0.len();
                star.outside.0.extend(paths);
                reached += usize::from(star.outside.0.len() > before);
            }
        }
        // Inner groups without a path are as far as those with one.
        star.outside.1 = (group.len() - 1) as f64 / reached.max(1) as f64;
        star
    }

    /// Returns distributions whose maximum is that of the paths, and for how many each stands.
    fn distributions(
        &self,
        of_paths: impl Fn(&[&RoundTrips]) -> Vec<Distribution>,
    ) -> Vec<(Distribution, f64)> {
        let (outside, each) = &self.outside;
        let with = |each: f64| move |path| (path, each);
        if *each == 1.0 {
            // All of a round, as it was recorded.
            let all = [&outside[..], &self.inside].concat();
            return of_paths(&all).into_iter().map(with(1.0)).collect();
        }
        let outside = of_paths(outside).into_iter().map(with(*each));
        let inside = of_paths(&self.inside).into_iter().map(with(1.0));
        outside.chain(inside).collect()
    }
}

fn maximum(paths: &[(Distribution, f64)]) -> Maximum {
    Maximum::counted(paths.iter().map(|(path, each)| (path, *each)))
}

/// Returns the slowest path of all groups, each with the processor in the middle from which it
/// takes least; `None` where a group has no path.
fn slowest(groups: &[Group], between: &BTreeMap<(u32, u32), RoundTrips>) -> Option<Maximum> {
    let mut all = Vec::new();
    for group in groups {
        let star = |&middle: &u32| {
            let star = Star::new(middle, group, between);
            let median = maximum(&star.distributions(alone)).quantile(0.5);
            let has_paths =
                !star.outside.0.is_empty() || group.len() == 1 && !star.inside.is_empty();
            has_paths.then_some((star, median))
        };
        let stars = group.iter().flatten().filter_map(star);
        // A star with all its paths says more than one without.
        let paths = |star: &Star<'_>| star.outside.0.len() + star.inside.len();
        let best = stars.min_by(|(a, x), (b, y)| paths(b).cmp(&paths(a)).then(x.total_cmp(y)))?;
        all.extend(best.0.distributions(in_rounds));
    }
    Some(maximum(&all))
}

fn alone(paths: &[&RoundTrips]) -> Vec<Distribution> {
    paths.iter().map(|path| path.latency.clone()).collect()
}

/// Returns distributions whose maximum is that of the paths: of those that were recorded in rounds
/// together, of others each for itself.
fn in_rounds(paths: &[&RoundTrips]) -> Vec<Distribution> {
    let (recorded, others): (Vec<&RoundTrips>, Vec<&RoundTrips>) =
        paths.iter().partition(|path| !path.samples.is_empty());
    let samples: Vec<Vec<f64>> = recorded.iter().map(|path| path.samples.clone()).collect();
    match Samples::new(&samples) {
        Some(rounds) if rounds.paths() > 1 => {
            let together = Fits::of(&rounds, &Family::ALL).into_slowest();
            [together, alone(&others)].concat()
        }
        _ => alone(paths),
    }
}
