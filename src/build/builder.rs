//! Builder that a build script runs.

use std::env;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use superstep_compiler::{Options, Pass, Passes};
use superstep_machine::{Machine, RankTimes, Times};
use superstep_scheduler::{Algorithm, Effort};

use super::generate;
use super::{BuildError, Instance};

/// Builder of a crate's programs, for build scripts: traces, schedules and generates them.
///
/// The [module's page](super) shows one in use.
#[derive(Default)]
pub struct Builder {
    pub(super) instances: Vec<Instance>,
    pub(super) settings: Settings,
}

/// Settings that hold for all instances of a builder.
pub(super) struct Settings {
    pub machine: Option<PathBuf>,
    pub times: Option<PathBuf>,
    pub measured: Vec<PathBuf>,
    pub algorithm: Algorithm,
    pub effort: Effort,
    pub passes: Passes,
    pub latency: Option<f64>,
    pub task_limit: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            machine: None,
            times: None,
            measured: Vec::new(),
            algorithm: Algorithm::Auto,
            effort: Effort::Fast,
            passes: Passes::ALL,
            latency: None,
            task_limit: None,
        }
    }
}

/// Algorithms that builds have.
#[cfg(feature = "search")]
pub(super) const ALGORITHMS: &[Algorithm] = superstep_search::ALL;
#[cfg(not(feature = "search"))]
pub(super) const ALGORITHMS: &[Algorithm] = superstep_scheduler::ALL;

/// Variable that names a file of times for all builds of a user.
pub(super) const TIMES_VARIABLE: &str = "SUPERSTEP_TIMES";

impl Builder {
    /// Makes a builder without kernels.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an instance. Two instances of one kernel with equal control arguments are one, with the
    /// processor counts of both.
    #[must_use]
    pub fn kernel(mut self, instance: Instance) -> Self {
        self.instances.push(instance);
        self
    }

    /// Reads what things take on the machine from the file that `cargo superstep probe` has written
    /// (see [`Times`]). Without one the times are those of the file that the environment variable
    /// `SUPERSTEP_TIMES` names, or the defaults. The build script runs again when the file changes,
    /// or the variable.
    ///
    /// By these times the build predicts what each program takes, and gives schedulers the costs of
    /// barriers and words in tasks of the kernel.
    #[must_use]
    pub fn times(mut self, file: impl AsRef<Path>) -> Self {
        self.settings.times = Some(file.as_ref().to_path_buf());
        self
    }

    /// Reads measured costs of statements from a file that `cargo superstep report --timeline F
    /// --costs FILE` has written from a recorded run. The work of a statement is taken to be the
    /// part of the predicted one that was measured: predictions and schedules are by that. May be
    /// called several times. The build script runs again when the file changes.
    #[must_use]
    pub fn measured(mut self, file: impl AsRef<Path>) -> Self {
        self.settings.measured.push(file.as_ref().to_path_buf());
        self
    }

    /// Reads the costs that schedulers count with from a TOML file (see [`Machine`]), instead of
    /// deriving them from the times.
    ///
    /// Its number of processors is replaced by each instance's ([`Machine::with_processors`]).
    /// Where it has levels, those beyond the file's are far from all others. Of a measured machine
    /// the file's `medians` count, which `cargo superstep medians` adds. Programs over private
    /// memory are predicted by what `superstep-probe` has measured between ranks ([`RankTimes`]).
    /// The build script runs again when the file changes.
    #[must_use]
    pub fn machine(mut self, file: impl AsRef<Path>) -> Self {
        self.settings.machine = Some(file.as_ref().to_path_buf());
        self
    }

    /// Sets what a superstep boundary costs, in tasks (tau), for schedulers, instead of the
    /// machine's figure. It is finite, at least 0. Without a machine file words then cost a task
    /// each.
    #[must_use]
    pub fn latency(mut self, tasks: f64) -> Self {
        self.settings.latency = Some(tasks);
        self
    }

    /// Sets the scheduler, instead of the one whose program is predicted to be the fastest
    /// ([`Algorithm::Auto`]). The build takes a quarter of the time then. BCSH, cuts and the
    /// portfolio need the feature `search`.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.settings.algorithm = algorithm;
        self
    }

    /// Sets how much the schedulers that search may try, those with copies for programs over
    /// [private memory](Instance::private_memory); the least, unless this says otherwise.
    #[must_use]
    pub fn effort(mut self, effort: Effort) -> Self {
        self.settings.effort = effort;
        self
    }

    /// Leaves a pass of the compiler out: to see what it gains.
    #[must_use]
    pub fn without(mut self, pass: Pass) -> Self {
        self.settings.passes = self.settings.passes.without(pass);
        self
    }

    /// Stops a trace after that many tasks instead of as many as free memory has room for (see
    /// [`TaskLimit`](super::TaskLimit)). Never more than 2^31 - 1.
    #[must_use]
    pub fn task_limit(mut self, tasks: u64) -> Self {
        self.settings.task_limit = Some(tasks);
        self
    }

    /// Builds everything and talks to cargo: prints what to watch, warnings, and errors as cargo
    /// shows them.
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

    /// Builds as [`run`](Self::run) does, with the error for the caller to report.
    ///
    /// # Errors
    /// Whatever stops a build: see [`BuildError`].
    pub fn try_run(self) -> Result<(), BuildError> {
        generate::all(self)
    }
}

impl Settings {
    /// Returns what things take.
    pub(super) fn times(&self) -> Result<Times, BuildError> {
        Ok(match self.times_file(env::var_os(TIMES_VARIABLE)) {
            Some(file) => Times::read(file)?,
            None => Times::default(),
        })
    }

    /// Returns the file of times that the build script names, or else the user.
    fn times_file(&self, users: Option<OsString>) -> Option<PathBuf> {
        let users = || users.filter(|file| !file.is_empty());
        self.times.clone().or_else(|| users().map(PathBuf::from))
    }

    /// Returns the files that the settings name.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let times = self.times_file(env::var_os(TIMES_VARIABLE));
        let measured = self.measured.iter().cloned();
        self.machine
            .clone()
            .into_iter()
            .chain(times)
            .chain(measured)
    }

    /// Returns the options of the compiler.
    pub(super) fn options(&self, threads: NonZero<usize>) -> Result<Options, BuildError> {
        let times = self.times()?;
        let ranks = match &self.machine {
            Some(file) => RankTimes::read(file)?.map(|ranks| ranks.times(&times)),
            None => None,
        };
        Ok(Options {
            times,
            ranks,
            machine: self.machine()?,
            algorithms: ALGORITHMS,
            algorithm: self.algorithm,
            effort: self.effort,
            passes: self.passes,
            threads,
        })
    }

    /// Returns the costs that are given; none, if they are to follow from the times.
    fn machine(&self) -> Result<Option<Machine>, BuildError> {
        let given = match &self.machine {
            Some(file) => Some(Machine::read(file)?),
            // Who counts one cost in tasks counts all of them so.
            None => self.latency.map(|_| Machine::new(1)),
        };
        let with_latency = |machine: Machine| match self.latency {
            Some(latency) => Machine {
                latency,
                tau: None,
                ..machine
            },
            None => machine,
        };
        let machine = given.map(with_latency);
        machine.as_ref().map_or(Ok(()), Machine::validate)?;
        Ok(machine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_that_are_given_replace_those_of_the_times() {
        let machine = |settings: &Settings| settings.machine().expect("all is in range");
        assert_eq!(machine(&Settings::default()), None);
        let settings = Settings {
            latency: Some(3.0),
            ..Settings::default()
        };
        let given = machine(&settings).expect("a cost is given");
        assert_eq!((given.latency, given.gap), (3.0, Machine::new(2).gap));
        let settings = Settings {
            latency: Some(-1.0),
            ..settings
        };
        let error = settings.machine().unwrap_err().to_string();
        assert!(error.starts_with("the builder's `latency`"), "{error}");
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
}
