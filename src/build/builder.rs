//! The builder that a build script runs.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use superstep_dag::Dag;
use superstep_machine::{Machine, Times};
use superstep_schedule::{Schedule, cost::makespan};
use superstep_scheduler::{
    Bcsh, Levels, Owners, Pipeline, ScheduleError, Scheduler, Serial, TreeAlgorithm,
    tree::Reduction,
};

use super::generate::{self, MANY_TASKS};
use super::{BuildError, Instance};

/// Which scheduler a [`Builder`] uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// BCSH; for reductions, in which every value is read at most once, the fastest by the makespan of blocks for each processor, ALG3* and BCSH;
    /// `Serial` for one processor.
    Bcsh,
    /// One superstep per level, in blocks of neighbours; `Serial` for one processor. Made for sweeps, whose levels are wide and few.
    Levels,
    /// Owner computes, over rows or columns of the arrays in block-cyclic distributions; `Serial` for one processor. Made for dense
    /// factorisations and products. It copies no task, so that all processors can share the caller's arrays.
    Owners,
    /// Contiguous blocks of the run on fixed owners, in slices that balance waiting against exchanges; `Serial` for one processor. Made for
    /// substitutions, recurrences and dynamic programming, whose levels are many and narrow. It copies no task, so that all processors can
    /// share the caller's arrays.
    Pipeline,
    /// Everything on processor 0.
    Serial,
    /// The default: BCSH, levels, owners and pipeline, of whose programs the one with the fastest prediction is kept. The build takes as long as for
    /// all four.
    #[default]
    Best,
}

impl Algorithm {
    /// The algorithms of whose programs the fastest is to be found.
    pub(super) fn candidates(self) -> Vec<Self> {
        match self {
            Self::Best => vec![Self::Bcsh, Self::Levels, Self::Owners, Self::Pipeline],
            one => vec![one],
        }
    }

    /// The schedule of `graph`, and what the scheduler that found it is called; for processors that share memory, and so read words `in_place`, or not.
    pub(super) fn schedule(
        self,
        graph: &Dag,
        machine: &Machine,
        in_place: bool,
    ) -> Result<(&'static str, Schedule), ScheduleError> {
        let mut best: Option<(f64, &'static str, Schedule)> = None;
        for scheduler in self.schedulers(machine.processors, in_place) {
            let schedule = match scheduler.schedule(graph, machine) {
                Err(ScheduleError::NoCompleteTree { .. } | ScheduleError::NoForest { .. }) => {
                    continue;
                }
                found => found?,
            };
            let time = makespan(graph, &schedule, machine.tau());
            if best.as_ref().is_none_or(|&(least, ..)| time < least) {
                best = Some((time, scheduler.name(), schedule));
            }
        }
        let (_, name, schedule) = best.expect("the last scheduler takes all graphs");
        Ok((name, schedule))
    }

    /// What to choose from: those that copy nothing first, the one that takes all graphs last.
    fn schedulers(self, processors: u32, in_place: bool) -> Vec<Box<dyn Scheduler>> {
        match self {
            Self::Bcsh | Self::Best if processors > 1 => vec![
                Box::new(TreeAlgorithm::Alg3Star),
                Box::new(Reduction),
                Box::new(Bcsh::default()),
            ],
            Self::Levels if processors > 1 => vec![Box::new(Levels)],
            Self::Owners if processors > 1 => vec![Box::new(Owners { in_place })],
            Self::Pipeline if processors > 1 => vec![Box::new(Pipeline::for_loops())],
            _ => vec![Box::new(Serial)],
        }
    }
}

/// Traces, schedules and generates the programs of a crate's kernels. For build scripts.
///
/// The [module's page](super) shows one in use.
#[derive(Default)]
pub struct Builder {
    pub(super) instances: Vec<Instance>,
    pub(super) settings: Settings,
}

/// What holds for all instances of a builder.
#[derive(Default)]
pub(super) struct Settings {
    pub machine: Option<PathBuf>,
    pub times: Option<PathBuf>,
    pub algorithm: Algorithm,
    pub latency: Option<f64>,
    pub task_limit: Option<u64>,
}

/// Names a file of times for all builds of a user.
pub(super) const TIMES_VARIABLE: &str = "SUPERSTEP_TIMES";

impl Builder {
    /// A builder without kernels.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an instance. Two instances of one kernel with equal control arguments are one, with the processor counts of both.
    #[must_use]
    pub fn kernel(mut self, instance: Instance) -> Self {
        self.instances.push(instance);
        self
    }

    /// Reads what things take on the machine from the file that `cargo superstep probe` has written (see [`Times`]), in place of the one that the
    /// environment variable `SUPERSTEP_TIMES` names, or of the defaults. The build script runs again when the file changes, or the variable.
    ///
    /// By these times the build predicts what each program takes, and gives schedulers the costs of barriers and words in tasks of the kernel.
    #[must_use]
    pub fn times(mut self, file: impl AsRef<Path>) -> Self {
        self.settings.times = Some(file.as_ref().to_path_buf());
        self
    }

    /// Reads the costs that schedulers count with from a TOML file (see [`Machine`]), instead of deriving them from the times; its number of
    /// processors is replaced by each instance's. The build script runs again when the file changes.
    #[must_use]
    pub fn machine(mut self, file: impl AsRef<Path>) -> Self {
        self.settings.machine = Some(file.as_ref().to_path_buf());
        self
    }

    /// What a superstep boundary costs, in tasks (tau), for schedulers, instead of the machine's figure; without a machine file words then cost a task each: finite, at least 0.
    #[must_use]
    pub fn latency(mut self, tasks: f64) -> Self {
        self.settings.latency = Some(tasks);
        self
    }

    /// The scheduler to use instead of [`Algorithm::Bcsh`].
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.settings.algorithm = algorithm;
        self
    }

    /// Stops a trace after that many tasks instead of 10^9. Never more than 2^31 - 1.
    #[must_use]
    pub fn task_limit(mut self, tasks: u64) -> Self {
        self.settings.task_limit = Some(tasks);
        self
    }

    /// Builds everything and talks to cargo: prints what to watch, warnings, and errors as cargo shows them.
    #[must_use = "a build script returns this from `main`, so that cargo sees a failure"]
    pub fn run(self) -> ExitCode {
        match self.try_run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                for line in error.to_string().lines() {
                    println!("cargo::error={line}");
                }
                ExitCode::FAILURE
            }
        }
    }

    /// As [`run`](Self::run), with the error for the caller to report.
    ///
    /// # Errors
    /// Whatever stops a build: see [`BuildError`].
    pub fn try_run(self) -> Result<(), BuildError> {
        generate::all(self)
    }
}

impl Settings {
    /// What things take.
    pub(super) fn times(&self) -> Result<Times, BuildError> {
        Ok(match self.times_file(env::var_os(TIMES_VARIABLE)) {
            Some(file) => Times::read(file)?,
            None => Times::default(),
        })
    }

    /// The file of times that the build script names, or else the user.
    fn times_file(&self, users: Option<OsString>) -> Option<PathBuf> {
        let users = || users.filter(|file| !file.is_empty());
        self.times.clone().or_else(|| users().map(PathBuf::from))
    }

    /// The files that the settings name.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let times = self.times_file(env::var_os(TIMES_VARIABLE));
        self.machine.clone().into_iter().chain(times)
    }

    /// The machines, with that many processors, to schedule `tasks` for: the one at hand, on which a task takes `task` nanoseconds, and, where its
    /// barriers take less than the loops of a superstep, one that knows of these. For BCSH in its place the usual one, as it may make the better
    /// loops for that. One alone for many tasks, where two schedules would take too long.
    pub(super) fn machines(
        &self,
        processors: usize,
        times: &Times,
        task: f64,
        tasks: usize,
    ) -> Result<Vec<Machine>, BuildError> {
        let machine = self.machine(processors, times, task)?;
        let is_given = self.machine.is_some() || self.latency.is_some();
        if processors == 1 || is_given {
            return Ok(vec![machine]);
        }
        let is_bcsh = self.algorithm == Algorithm::Bcsh;
        let other = if is_bcsh {
            Machine::new(machine.processors)
        } else {
            times.machine_of_loops(machine.processors, task)
        };
        Ok(match tasks > MANY_TASKS {
            true if is_bcsh => vec![other],
            true => vec![machine],
            false if other == machine => vec![machine],
            false => vec![other, machine],
        })
    }

    /// The machine with that many processors and the costs that were given or follow from the times.
    fn machine(&self, processors: usize, times: &Times, task: f64) -> Result<Machine, BuildError> {
        let processors = u32::try_from(processors).unwrap_or(u32::MAX);
        let mut machine = match &self.machine {
            Some(file) => Machine::read(file)?,
            // Who counts one cost in tasks counts all of them so.
            None if self.latency.is_some() => Machine::new(processors),
            None => times.machine(processors, task),
        };
        machine.processors = processors;
        if let Some(latency) = self.latency {
            machine.latency = latency;
            machine.tau = None;
        }
        machine.validate()?;
        Ok(machine)
    }
}

#[cfg(test)]
mod tests {
    use superstep_scheduler::tree::complete_tree;

    use super::*;

    #[test]
    fn reductions_have_their_own_algorithms_unless_another_is_asked_for() {
        let name = |algorithm: Algorithm, graph: &Dag, processors| {
            let machine = Machine {
                tau: Some(2.0),
                ..Machine::new(processors)
            };
            let (name, schedule) = algorithm
                .schedule(graph, &machine, true)
                .expect("it serves all");
            let bcsh = Bcsh::default().schedule(graph, &machine);
            let time = |schedule| makespan(graph, schedule, machine.tau());
            if algorithm == Algorithm::Bcsh {
                assert!(time(&schedule) <= time(&bcsh.expect("BCSH serves all")));
            }
            name
        };
        let tree = complete_tree(6);
        let blocks = Dag::from_edges(5, &[(0, 2), (1, 2), (2, 4), (3, 4)])
            .and_then(|graph| graph.with_weights(vec![9, 9, 1, 7, 1]))
            .expect("a tree has no cycle");
        let fork = Dag::from_edges(3, &[(0, 1), (0, 2)]).expect("a fork has no cycle");
        assert_eq!(name(Algorithm::Bcsh, &tree, 4), "alg3star");
        assert_eq!(name(Algorithm::Bcsh, &blocks, 3), "reduction");
        assert_eq!(name(Algorithm::Bcsh, &tree, 1), "serial");
        assert_eq!(name(Algorithm::Bcsh, &fork, 4), "bcsh");
        assert_eq!(name(Algorithm::Levels, &tree, 4), "levels");
    }

    /// Of each machine.
    fn latencies_and_gaps(machines: Result<Vec<Machine>, BuildError>) -> Vec<(f64, f64)> {
        let machines = machines.expect("all is in range");
        let costs = |machine: &Machine| (machine.latency, machine.gap);
        machines.iter().map(costs).collect()
    }

    #[test]
    fn schedulers_get_costs_in_tasks_of_the_kernel() {
        let times = Times {
            barrier: 500.0,
            gap: 2.0,
            ..Times::default()
        };
        let costs = |settings: &Settings, processors, tasks| {
            latencies_and_gaps(settings.machines(processors, &times, 0.25, tasks))
        };
        let pipeline = Settings {
            algorithm: Algorithm::Pipeline,
            ..Settings::default()
        };
        assert_eq!(costs(&pipeline, 2, 10), [(2000.0, 12.0)]);
        assert_eq!(costs(&Settings::default(), 2, 10), [(2000.0, 12.0)]);
        let bcsh = Settings {
            algorithm: Algorithm::Bcsh,
            ..Settings::default()
        };
        let usual = (Machine::new(2).latency, Machine::new(2).gap);
        assert_eq!(costs(&bcsh, 2, 10), [usual, (2000.0, 12.0)]);
        assert_eq!(costs(&bcsh, 2, MANY_TASKS + 1), [usual]);
        let given = Settings {
            latency: Some(3.0),
            ..Settings::default()
        };
        assert_eq!(costs(&given, 2, 10), [(3.0, usual.1)]);
    }

    #[test]
    fn schedulers_get_two_machines_where_loops_take_longer_than_barriers() {
        let times = Times {
            barrier: 50.0,
            gap: 1.0,
            run: 10.0,
            ..Times::default()
        };
        let costs = |settings: &Settings, processors, tasks| {
            latencies_and_gaps(settings.machines(processors, &times, 0.5, tasks))
        };
        let settings = Settings::default();
        let (of_loops, of_barriers) = ((400.0, 3.0), (100.0, 3.0));
        assert_eq!(costs(&settings, 2, 10), [of_loops, of_barriers]);
        assert_eq!(costs(&settings, 2, MANY_TASKS + 1), [of_barriers]);
        assert_eq!(costs(&settings, 1, 10), [of_barriers]);
        let given = Settings {
            latency: Some(3.0),
            ..settings
        };
        assert_eq!(costs(&given, 2, 10), [(3.0, Machine::new(2).gap)]);
    }

    #[test]
    fn files_that_are_missing_are_named() {
        let settings = Settings {
            times: Some("no/such/times.toml".into()),
            ..Settings::default()
        };
        let error = settings.times().unwrap_err().to_string();
        assert!(error.starts_with("no/such/times.toml: "), "{error}");
    }

    #[test]
    fn a_file_of_times_that_the_build_script_names_goes_before_the_user_s() {
        let users = || Some("user.toml".into());
        let mut settings = Settings::default();
        assert_eq!(settings.times_file(None), None);
        assert_eq!(settings.times_file(Some("".into())), None);
        assert_eq!(settings.times_file(users()), Some("user.toml".into()));
        settings.times = Some("here.toml".into());
        assert_eq!(settings.times_file(users()), Some("here.toml".into()));
    }

    #[test]
    fn the_best_is_looked_for_among_all_algorithms_that_share_out() {
        let candidates = Algorithm::Best.candidates();
        assert_eq!(candidates.len(), 4);
        assert!(
            !candidates.contains(&Algorithm::Best),
            "each is one scheduler's"
        );
        assert_eq!(Algorithm::Levels.candidates(), [Algorithm::Levels]);
    }
}
