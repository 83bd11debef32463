//! From instances to generated files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fs, io, thread};

use superstep_codegen::messages::Placement;
use superstep_codegen::print::{Instance as Printed, print};
use superstep_codegen::{Arguments, CheckedProgram, GenerateError, Options, Program};
use superstep_dag_builder::contract::contract;
use superstep_dag_builder::{Homes, TaskGraph};
use superstep_scheduler::CheckedSchedule;
use superstep_tracer::{DEFAULT_LIMIT, Trace, record};

use super::builder::Settings;
use super::report::{InstanceReport, KernelReport};
use super::{BuildError, Builder, Instance, MOST_PROCESSORS};

/// Traces above this many tasks are worth an optimised build script.
const MANY_TASKS: usize = 5_000_000;

/// Nanoseconds per task above which the build script is not optimised.
const SLOW_TASK: f64 = 80.0;

/// Builds every instance and writes what belongs to each kernel.
pub(super) fn all(builder: Builder) -> Result<(), BuildError> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?).join("superstep");
    let mut files = Files::new(out)?;
    for group in by_kernel(builder.instances) {
        watch(&group[0].kernel.file);
        let mut printed = Vec::new();
        let mut reports = Vec::new();
        for instance in &group {
            for (program, report) in programs(&builder.settings, instance)? {
                // Cargo keeps this in the file `output`, and shows it with `-vv`.
                println!(
                    "{}, {} processors: {}",
                    instance.name(),
                    report.processors,
                    report.tiers
                );
                printed.push(program);
                reports.push(report);
            }
        }
        let kernel = &group[0].kernel;
        // The expansion gives the runtime this name, since the facade may be renamed.
        let options = Options {
            runtime: "runtime".into(),
        };
        let generated = print(kernel, &printed, &options).map_err(|source| {
            BuildError::generate(&group[0].name(), GenerateError::from(source))
        })?;
        for file in generated {
            files.write(&file.name, &file.contents)?;
        }
        let report = KernelReport::new(kernel, reports);
        let json =
            serde_json::to_string_pretty(&report).expect("a report holds only numbers and strings");
        files.write(&format!("{}.json", kernel.id), json.as_bytes())?;
    }
    if let Some(machine) = &builder.settings.machine {
        println!("cargo::rerun-if-changed={}", machine.display());
    }
    files.remove_stale()
}

/// The instances of each kernel together, in order of first mention; equal control arguments made one.
fn by_kernel(instances: Vec<Instance>) -> Vec<Vec<Instance>> {
    let mut groups: Vec<Vec<Instance>> = Vec::new();
    for instance in instances {
        let Some(group) = groups
            .iter_mut()
            .find(|g| g[0].kernel.id == instance.kernel.id)
        else {
            groups.push(vec![instance]);
            continue;
        };
        match group.iter_mut().find(|i| i.control == instance.control) {
            Some(same) => {
                let both = same.processors.iter().chain(&instance.processors);
                same.processors = both.copied().collect::<BTreeSet<_>>().into_iter().collect();
                same.private.extend(instance.private);
            }
            None => group.push(instance),
        }
    }
    groups
}

/// The programs of one instance, by ascending number of processors.
fn programs(
    settings: &Settings,
    instance: &Instance,
) -> Result<Vec<(Printed, InstanceReport)>, BuildError> {
    let mut counts = instance.processors.clone();
    if counts.is_empty() {
        // Not what cargo grants: programs must not depend on `--jobs`.
        counts = vec![1, available_cores().min(MOST_PROCESSORS)];
        counts.dedup();
    }
    if let Some(&processors) = counts.iter().find(|&&p| p == 0 || p > MOST_PROCESSORS) {
        return Err(BuildError::Processors {
            instance: instance.name(),
            processors,
        });
    }
    let trace = traced(settings, instance)?;
    let graph = TaskGraph::from_trace(&trace)
        .with_homes(Homes::of(&trace))
        .expect("they are of the same trace");
    let work = Work {
        settings,
        instance: instance.name(),
        control: &instance.control,
        label: &instance.label,
        private: &instance.private,
        trace: &trace,
        graph: &graph,
    };
    in_parallel(&counts, |&processors| work.program(processors))
}

/// Runs the kernel's control; warns when a large trace is slow because cargo does not optimise build scripts.
fn traced(settings: &Settings, instance: &Instance) -> Result<Trace, BuildError> {
    let limit = settings.task_limit.unwrap_or(DEFAULT_LIMIT);
    let start = Instant::now();
    let trace = record(instance.kernel.clone(), limit, |recorder| {
        (instance.trace)(recorder)
    })?;
    let nanoseconds = start.elapsed().as_nanos() as f64 / trace.tasks().max(1) as f64;
    if trace.tasks() > MANY_TASKS && nanoseconds > SLOW_TASK {
        println!(
            "cargo::warning={}: traced {} tasks at {nanoseconds:.0} ns each; on an idle machine, `[profile.dev.build-override] opt-level = 1` \
             and `[profile.release.build-override] opt-level = 1` in the workspace's Cargo.toml make that 25",
            instance.name(),
            trace.tasks(),
        );
    }
    Ok(trace)
}

/// What the programs of one instance share.
struct Work<'a> {
    settings: &'a Settings,
    instance: String,
    control: &'a [u8],
    label: &'a str,
    private: &'a [usize],
    trace: &'a Trace,
    graph: &'a TaskGraph,
}

impl Work<'_> {
    /// Schedules, checks, assembles and replays the program for that many processors.
    fn program(&self, processors: usize) -> Result<(Printed, InstanceReport), BuildError> {
        let instance = || self.instance.clone();
        let machine = self.settings.machine_with(processors)?;
        let groups = contract(self.trace, self.graph, machine.processors);
        let algorithm = self.settings.algorithm;
        let (scheduler, schedule) =
            algorithm
                .schedule(groups.graph(), &machine)
                .map_err(|source| BuildError::Schedule {
                    instance: instance(),
                    source,
                })?;
        let schedule =
            CheckedSchedule::new(self.graph, schedule.expand(&groups)).map_err(|source| {
                BuildError::Check {
                    instance: instance(),
                    processors,
                    source,
                }
            })?;
        drop(groups);
        let mut report = InstanceReport::new(self.trace, &schedule, &machine, scheduler);
        let program = self
            .assemble(&schedule, self.arguments(processors))
            .map_err(|e| BuildError::generate(&self.instance, e))?;
        report.complete(self.label, program.figures());
        let printed = Printed {
            control: self.control.to_vec(),
            label: self.label.to_owned(),
            notes: report.notes(),
            program,
        };
        Ok((printed, report))
    }

    fn arguments(&self, processors: usize) -> Arguments {
        if self.private.contains(&processors) {
            Arguments::Private
        } else {
            Arguments::Shared
        }
    }

    fn assemble(
        &self,
        schedule: &CheckedSchedule<'_>,
        arguments: Arguments,
    ) -> Result<CheckedProgram, GenerateError> {
        let placement = Placement::new(self.trace, schedule)?;
        Ok(Program::new(self.trace, placement, arguments).check(self.trace)?)
    }
}

/// Applies `job` to each item on as many threads as cargo grants; results in order, or the first error in order.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    job: impl Fn(&T) -> Result<R, BuildError> + Sync,
) -> Result<Vec<R>, BuildError> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..cores().min(items.len()) {
            scope.spawn(|| {
                while let Some((at, item)) = take(&next, items) {
                    let result = job(item);
                    results
                        .lock()
                        .unwrap_or_else(|e| e.into_inner())
                        .push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|e| e.into_inner());
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(next: &AtomicUsize, items: &'a [T]) -> Option<(usize, &'a T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    items.get(at).map(|item| (at, item))
}

fn available_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Cores that cargo grants to a build script.
fn cores() -> usize {
    let available = available_cores();
    let granted = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    granted.map_or(available, |jobs: usize| jobs.clamp(1, available))
}

/// Has cargo run the build script again when the kernel's file changes. The compiler names files relative to where it ran, which
/// is the package's folder or one above.
fn watch(file: &str) {
    let package = env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    if let Some(path) = package
        .ancestors()
        .map(|folder| folder.join(file))
        .find(|path| path.is_file())
    {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// The folder of generated files.
struct Files {
    folder: PathBuf,
    written: BTreeSet<PathBuf>,
}

impl Files {
    fn new(folder: PathBuf) -> Result<Self, BuildError> {
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Self {
            folder,
            written: BTreeSet::new(),
        })
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), BuildError> {
        let path = self.folder.join(name);
        fs::write(&path, bytes).map_err(at(&path))?;
        self.written.insert(path);
        Ok(())
    }

    /// Removes what earlier builds wrote and this one did not, so that a removed instance is gone.
    fn remove_stale(self) -> Result<(), BuildError> {
        for entry in fs::read_dir(&self.folder).map_err(at(&self.folder))? {
            let path = entry.map_err(at(&self.folder))?.path();
            if path.is_file() && !self.written.contains(&path) {
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
        Ok(())
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> BuildError + use<> {
    let path = path.to_path_buf();
    move |source| BuildError::Write { path, source }
}
