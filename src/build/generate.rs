//! From instances to generated files.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fs, io, thread};

use superstep_codegen::figures::Figures;
use superstep_codegen::messages::Placement;
use superstep_codegen::moves::at_home;
use superstep_codegen::print::{Instance as Printed, print};
use superstep_codegen::{Arguments, GenerateError, Options, Program};
use superstep_dag::{Contraction, Dag};
use superstep_dag_builder::contract;
use superstep_machine::{Machine, Times};
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_tracer::{DEFAULT_LIMIT, Kernel, Trace};

use super::builder::{Algorithm, Settings, TIMES_VARIABLE};
use super::choice::{Choice, Predicted};
use super::report::{InstanceReport, KernelReport};
use super::{BuildError, Builder, Instance, MOST_PROCESSORS};

/// Traces above this many tasks are worth an optimised build script, and schedules of them time.
pub(super) const MANY_TASKS: usize = 5_000_000;

/// Nanoseconds per task above which the build script is not optimised.
const SLOW_TASK: f64 = 80.0;

/// Share of the tasks as single records above which a program is worth a warning.
const MANY_SINGLE: f64 = 0.05;

/// Single records that take some microseconds, and fewer are not worth a warning.
const SOME_SINGLE: u64 = 1000;

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
    println!("cargo::rerun-if-env-changed={TIMES_VARIABLE}");
    for file in builder.settings.files() {
        println!("cargo::rerun-if-changed={}", file.display());
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
                same.exact.extend(instance.exact);
            }
            None => group.push(instance),
        }
    }
    groups
}

/// The programs of one instance that are worth having, by ascending number of processors.
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
    let graph = superstep_dag_builder::from_trace(&trace)
        .with_homes(superstep_dag_builder::homes(&trace))
        .expect("they are of the same trace");
    let mut work = Work {
        settings,
        times: settings.times()?,
        task: 0.0,
        instance: instance.name(),
        control: &instance.control,
        label: &instance.label,
        private: &instance.private,
        trace: &trace,
        graph: &graph,
    };
    // The sequential program comes first: it says what a task takes, and what the others have to beat.
    let alone = work.program(1)?;
    work.task = alone.1.predicted / trace.tasks().max(1) as f64;
    let others: Vec<usize> = counts.iter().copied().filter(|&count| count > 1).collect();
    let mut programs = vec![alone];
    programs.extend(in_parallel(&others, |&processors| {
        work.program(processors)
    })?);
    let predicted: Vec<Predicted> = programs.iter().map(|(_, report)| report.into()).collect();
    let choice = Choice::new(&predicted, &counts, &instance.exact);
    if let Some(warning) = choice.warning() {
        println!(
            "cargo::warning={}: {}: {warning}",
            instance.location(),
            instance.name()
        );
    }
    programs.retain(|(_, report)| choice.keeps(report.processors));
    for (program, _) in &programs {
        if let Some(warning) = single_records(trace.kernel(), program.program.figures()) {
            println!("cargo::warning={warning}");
        }
    }
    Ok(programs)
}

/// What to say of a program that many tasks keep from being fast: they are no part of any loop.
fn single_records(kernel: &Kernel, figures: &Figures) -> Option<String> {
    let (statement, _) = (0_u16..)
        .zip(&figures.single_by_statement)
        .max_by_key(|&(statement, &count)| (count, Reverse(statement)))?;
    let is_slow = figures.single >= SOME_SINGLE && figures.single_share() > MANY_SINGLE;
    is_slow.then(|| {
        format!(
            "{}: {}, P = {}: {:.0} % of the tasks are no part of a loop and cost some nanoseconds each; most are of `{}`",
            kernel.location(statement),
            kernel.name,
            figures.processors,
            100.0 * figures.single_share(),
            kernel.statement(statement).text,
        )
    })
}

/// Runs the kernel's control; warns when a large trace is slow because cargo does not optimise build scripts.
fn traced(settings: &Settings, instance: &Instance) -> Result<Trace, BuildError> {
    let limit = settings.task_limit.unwrap_or(DEFAULT_LIMIT);
    let start = Instant::now();
    let trace = instance.record_within(limit)?;
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
    times: Times,
    /// Nanoseconds of a task of the sequential program; 0 while that is not known.
    task: f64,
    instance: String,
    control: &'a [u8],
    label: &'a str,
    private: &'a [usize],
    trace: &'a Trace,
    graph: &'a Dag,
}

impl Work<'_> {
    /// Of the programs for that many processors by each algorithm and for each machine that come into question, the one with the fastest prediction.
    fn program(&self, processors: usize) -> Result<(Printed, InstanceReport), BuildError> {
        let machines =
            self.settings
                .machines(processors, &self.times, self.task, self.trace.tasks())?;
        let groups = contract(self.trace, self.graph, machines[0].processors);
        let mut best: Option<(Program, InstanceReport)> = None;
        let candidates = match processors {
            1 => vec![Algorithm::Serial],
            _ => self.settings.algorithm.candidates(),
        };
        for algorithm in candidates {
            for machine in &machines {
                let (name, schedule) = self.schedule(algorithm, &groups, machine)?;
                let at_home = at_home(self.trace, &schedule);
                for schedule in std::iter::once(schedule).chain(at_home) {
                    let program = self.assembled(name, schedule, machine)?;
                    let is_better =
                        |best: &(Program, InstanceReport)| program.1.predicted < best.1.predicted;
                    if best.as_ref().is_none_or(is_better) {
                        best = Some(program);
                    }
                }
            }
        }
        let (program, mut report) = best.expect("there is an algorithm and a machine");
        let program = program
            .check(self.trace)
            .map_err(|e| BuildError::generate(&self.instance, e.into()))?;
        report.complete(self.label, program.figures());
        let printed = Printed {
            control: self.control.to_vec(),
            label: self.label.to_owned(),
            notes: report.notes(),
            program,
        };
        Ok((printed, report))
    }

    /// A schedule, and what the scheduler that found it is called.
    fn schedule(
        &self,
        algorithm: Algorithm,
        groups: &Contraction,
        machine: &Machine,
    ) -> Result<(&'static str, Schedule), BuildError> {
        let is_shared = self.arguments(machine.processors as usize) == Arguments::Shared;
        let found = algorithm.schedule(groups.graph(), machine, is_shared);
        let (name, schedule) = found.map_err(|source| BuildError::Schedule {
            instance: self.instance.clone(),
            source,
        })?;
        Ok((name, schedule.expand(groups)))
    }

    /// Checks a schedule, assembles its program, and predicts what that takes.
    fn assembled(
        &self,
        scheduler: &'static str,
        schedule: Schedule,
        machine: &Machine,
    ) -> Result<(Program, InstanceReport), BuildError> {
        let processors = machine.processors as usize;
        let schedule =
            CheckedSchedule::new(self.graph, schedule).map_err(|source| BuildError::Check {
                instance: self.instance.clone(),
                processors,
                source,
            })?;
        let mut report = InstanceReport::new(self.trace, &schedule, machine, scheduler);
        let placement = Placement::new(self.trace, &schedule)
            .map_err(|e| BuildError::generate(&self.instance, e.into()))?;
        let mut program = Program::new(
            self.trace,
            placement,
            self.arguments(processors),
            &self.times,
        );
        report.predicted = program.predict(self.trace.kernel(), &self.times) as f64;
        Ok((program, report))
    }

    fn arguments(&self, processors: usize) -> Arguments {
        if self.private.contains(&processors) {
            Arguments::Private
        } else {
            Arguments::Shared
        }
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

#[cfg(test)]
mod tests {
    use superstep_tracer::Role;

    use super::*;

    #[test]
    fn more_than_one_task_in_twenty_outside_all_loops_is_worth_a_warning() {
        let mut kernel = Kernel::new("shuffle");
        kernel.file = "src/kernels.rs".into();
        let x = kernel.add_array("x", Role::InOut, None);
        kernel.add_statement("x[i] = x[j]", x, &[x]);
        kernel.add_statement("x[j] = x[p[i]]", x, &[x]);
        kernel.statements[1].line = 12;
        let figures = |single| Figures {
            processors: 2,
            instances: 100_000,
            single,
            single_by_statement: vec![1000, single - 1000],
            ..Figures::default()
        };
        assert_eq!(single_records(&kernel, &figures(5_000)), None);
        assert_eq!(
            single_records(&kernel, &figures(6_000)).unwrap(),
            "src/kernels.rs:12: shuffle, P = 2: 6 % of the tasks are no part of a loop and cost some nanoseconds each; most are of `x[j] = x[p[i]]`"
        );
        let few = Figures {
            instances: 100,
            single: 90,
            ..figures(5_000)
        };
        assert_eq!(single_records(&kernel, &few), None, "a small program");
    }
}
