//! Traces for commands. A build script that is asked for them writes those of its instances, with
//! all that its programs were compiled by. It generates nothing.
//!
//! `cargo superstep explain` plans them again, with changes. It runs the build script once more, in
//! the environment that cargo had given it, which each build notes beside its reports.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::{Deserialize, Serialize};
use superstep_compiler::{Options, Pass, Passes, Request};
use superstep_machine::{Machine, Memory, Times};
use superstep_scheduler::{Algorithm, Effort};
use superstep_tracer::Trace;

use super::builder::{ALGORITHMS, Settings};
use super::{BuildError, Instance};

/// Variable that names the folder into which a build script is to write traces, and nothing else.
const VARIABLE: &str = "SUPERSTEP_TRACES";

/// Variable that names the instance whose trace is wanted: id of the kernel, a line end, control
/// arguments.
const INSTANCE: &str = "SUPERSTEP_TRACED_INSTANCE";

/// Name of the file of a trace.
const FILE: &str = "instance.trace";

/// Name of the file in which a build notes how its script runs.
const SCRIPT: &str = "script.environment";

/// Instance of a kernel, with its trace.
#[derive(Debug, Serialize, Deserialize)]
pub struct InstanceTrace {
    /// Version of the sources of superstep that the build script has: others predict by other
    /// rules.
    pub version: String,
    /// Id of the kernel.
    pub id: String,
    /// Control arguments, `n = 128`.
    pub control: String,
    /// The trace.
    pub trace: Trace,
    programs: Vec<Program>,
    times: Times,
    ranks: Option<Times>,
    machine: Option<Machine>,
    algorithm: String,
    effort: usize,
    without: Vec<String>,
    /// Set if the build has the feature `search`.
    pub has_search: bool,
}

/// A program that was asked for.
#[derive(Debug, Serialize, Deserialize)]
struct Program {
    processors: usize,
    private: bool,
    exact: bool,
    algorithm: Option<String>,
}

/// Build script and how it runs: program, folder and variables.
#[derive(Debug, Serialize, Deserialize)]
pub struct Script {
    /// Its program.
    pub program: PathBuf,
    /// Its folder.
    pub folder: PathBuf,
    /// Variables that cargo has given it.
    pub variables: BTreeMap<String, String>,
}

/// Errors of traces for commands.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TracesError {
    /// The folder has no traces.
    #[error(
        "the build script has written no traces: it was built with an older version of superstep"
    )]
    Nothing,
    /// A file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is none of this version.
    #[error("{} is no trace of this version of superstep; is the command as old as the crate's dependency?", path.display())]
    Version {
        /// The file.
        path: PathBuf,
    },
    /// The build script has failed.
    #[error("the build script fails where it is asked for traces: {message}")]
    Script {
        /// Last words of it.
        message: String,
    },
}

impl Script {
    /// Notes how this build script runs.
    pub(super) fn here() -> Option<Self> {
        let is_cargos = |name: &str| {
            let begins = [
                "CARGO_PKG",
                "CARGO_CFG",
                "CARGO_FEATURE",
                "CARGO_MANIFEST",
                "CARGO_ENCODED",
                "DEP_",
                "RUSTC",
                "RUSTDOC",
                "RUSTUP_TOOLCHAIN",
            ];
            let is = [
                "TARGET",
                "HOST",
                "NUM_JOBS",
                "OPT_LEVEL",
                "PROFILE",
                "DEBUG",
                "OUT_DIR",
            ];
            begins.iter().any(|begin| name.starts_with(begin)) || is.contains(&name)
        };
        // Only what can be written down: other values would be others when they are read.
        let variables = env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| is_cargos(name));
        Some(Self {
            program: env::current_exe().ok()?,
            folder: env::current_dir().ok()?,
            variables: variables.collect(),
        })
    }

    /// Returns the name of the script's file, and its contents.
    pub(super) fn file(&self) -> (&'static str, Vec<u8>) {
        (SCRIPT, serde_json::to_vec(self).unwrap_or_default())
    }

    /// Runs the build script of a build again, for the trace of a kernel with some control
    /// arguments. `out`: the folder of its reports; `folder`: an empty one for the trace.
    ///
    /// # Errors
    /// If it cannot be run, or fails.
    pub fn trace(
        out: &Path,
        folder: &Path,
        kernel: &str,
        control: &str,
    ) -> Result<InstanceTrace, TracesError> {
        let path = out.join(SCRIPT);
        let read = |path: &Path| {
            fs::read(path).map_err(|source| TracesError::Read {
                path: path.to_path_buf(),
                source,
            })
        };
        let script: Self = serde_json::from_slice(&read(&path)?)
            .map_err(|_| TracesError::Version { path: path.clone() })?;
        let output = std::process::Command::new(&script.program)
            .current_dir(&script.folder)
            .envs(&script.variables)
            .env(VARIABLE, folder)
            .env(INSTANCE, format!("{kernel}\n{control}"))
            .output()
            .map_err(|source| TracesError::Read {
                path: script.program.clone(),
                source,
            })?;
        if !output.status.success() {
            let said =
                String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            let error = said.lines().rev().find(|line| line.contains("error"));
            let last = error
                .or_else(|| said.lines().next_back())
                .unwrap_or_default();
            return Err(TracesError::Script {
                message: last.to_owned(),
            });
        }
        let path = folder.join(FILE);
        if !path.is_file() {
            return Err(TracesError::Nothing);
        }
        let trace: InstanceTrace = postcard::from_bytes(&read(&path)?)
            .map_err(|_| TracesError::Version { path: path.clone() })?;
        match trace.version == superstep_codegen::SOURCES {
            true => Ok(trace),
            false => Err(TracesError::Version { path }),
        }
    }
}

/// Returns the folder into which traces are to be written, if this build script is asked for them.
pub(super) fn folder() -> Option<PathBuf> {
    env::var_os(VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
}

/// Writes the traces of all instances into a folder.
pub(super) fn write(
    folder: &Path,
    instances: &[Instance],
    settings: &Settings,
    requests: impl Fn(&Instance) -> Result<Vec<Request>, BuildError>,
    traced: impl Fn(&Instance) -> Result<Trace, BuildError>,
) -> Result<(), BuildError> {
    let Options {
        times,
        ranks,
        machine,
        algorithm,
        effort,
        passes,
        ..
    } = settings.options(NonZero::<usize>::MIN)?;
    let without = Pass::ALL.into_iter().filter(|&pass| !passes.has(pass));
    let wanted = env::var(INSTANCE).unwrap_or_default();
    let is_wanted = |instance: &&Instance| {
        wanted.split_once('\n') == Some((&instance.kernel.id, &instance.label))
    };
    let Some(instance) = instances.iter().find(is_wanted) else {
        return Ok(());
    };
    let program = |request: Request| Program {
        processors: request.processors,
        private: request.memory == Memory::Private,
        exact: request.exact,
        algorithm: request
            .algorithm
            .map(|algorithm| algorithm.name().to_owned()),
    };
    let trace = InstanceTrace {
        version: superstep_codegen::SOURCES.to_owned(),
        id: instance.kernel.id.clone(),
        control: instance.label.clone(),
        trace: traced(instance)?,
        programs: requests(instance)?.into_iter().map(program).collect(),
        times,
        ranks,
        machine,
        algorithm: algorithm.name().to_owned(),
        effort: Effort::ALL
            .iter()
            .position(|&each| each == effort)
            .unwrap_or(0),
        without: without.map(|pass| pass.name().to_owned()).collect(),
        has_search: cfg!(feature = "search"),
    };
    let path = folder.join(FILE);
    let bytes = postcard::to_stdvec(&trace).unwrap_or_default();
    superstep_files::replace(&path, bytes).map_err(|source| BuildError::Write { path, source })
}

impl InstanceTrace {
    /// Returns the options by which its programs were compiled.
    pub fn options(&self) -> Options {
        let passes = self.without.iter().filter_map(|name| name.parse().ok());
        Options {
            times: self.times.clone(),
            ranks: self.ranks.clone(),
            machine: self.machine.clone(),
            algorithms: self.algorithms(),
            algorithm: self.named(&self.algorithm).unwrap_or(Algorithm::Auto),
            effort: Effort::ALL[self.effort.min(Effort::ALL.len() - 1)],
            passes: passes.fold(Passes::ALL, Passes::without),
            ..Options::default()
        }
    }

    /// Returns the programs that were asked for.
    pub fn requests(&self) -> Vec<Request> {
        let request = |program: &Program| Request {
            processors: program.processors,
            memory: match program.private {
                true => Memory::Private,
                false => Memory::Shared,
            },
            exact: program.exact,
            algorithm: program
                .algorithm
                .as_deref()
                .and_then(|name| self.named(name)),
        };
        self.programs.iter().map(request).collect()
    }

    /// Returns the algorithms that the build has, as far as this crate has them.
    fn algorithms(&self) -> &'static [Algorithm] {
        match self.has_search {
            true => ALGORITHMS,
            false => superstep_scheduler::ALL,
        }
    }

    fn named(&self, name: &str) -> Option<Algorithm> {
        self.algorithms()
            .iter()
            .copied()
            .find(|algorithm| algorithm.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use superstep_machine::{Level, Machine};

    /// Traces have it in a form that knows no names, from which nothing may be left out.
    #[test]
    fn machines_are_read_as_they_were_written() {
        let groups = vec![0, 0, 1, 1];
        let level = Level {
            groups,
            latency: 0.1,
            gap: 0.5,
        };
        for (levels, tau) in [(vec![], None), (vec![level], Some(3.0))] {
            let machine = Machine {
                levels,
                tau,
                ..Machine::new(4)
            };
            let bytes = postcard::to_stdvec(&machine).expect("it can be written");
            assert_eq!(postcard::from_bytes(&bytes), Ok(machine));
        }
    }
}
