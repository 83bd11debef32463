//! Generation of files from instances.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, thread};

use superstep_codegen::{KeyedProgram, print};
use superstep_compiler::road::MANY_TASKS;
use superstep_compiler::{Compilation, Compiled, Request, compile};
use superstep_report::{Figures, InstanceReport, KernelReport, Report};
use superstep_tracer::{Kernel, Observation, Trace, TraceError};

use super::builder::{Settings, TIMES_VARIABLE};
use super::cache::{Cache, Key};
use super::files::Files;
use super::made::{Line, Made, json};
use super::measured;
use super::memory::TaskLimit;
use super::progress::Progress;
use super::sources::{sources, watch};
use super::traces;
use super::{BuildError, Builder, Instance, MOST_PROCESSORS};

/// Time per task, in nanoseconds, above which the build script is not optimised.
const SLOW_TASK: f64 = 80.0;

/// Share of the tasks as single records above which a program is worth a warning.
const MANY_SINGLE: f64 = 0.05;

/// Number of single records that take some microseconds; fewer are not worth a warning.
const SOME_SINGLE: u64 = 1000;

/// Environment variable that has build scripts generate nothing, where it is neither empty nor `0`.
const SKIP_VARIABLE: &str = "SUPERSTEP_SKIP";

/// Builds every instance and writes what belongs to each kernel.
pub(super) fn all(builder: Builder) -> Result<(), BuildError> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?).join("superstep");
    let mut instances = builder.instances;
    for unknown in measured::apply(&builder.settings.measured, &mut instances)? {
        println!("cargo::warning={unknown}");
    }
    let mut groups = by_kernel(instances);
    if let Some(folder) = traces::folder() {
        let instances: Vec<Instance> = groups.into_iter().flatten().collect();
        let traced = |instance: &Instance| recorded(&builder.settings, instance);
        return traces::write(&folder, &instances, &builder.settings, requests, traced);
    }
    let mut files = Files::new(out)?;
    if let Some(script) = traces::Script::here() {
        let (name, contents) = script.file();
        files.write(name, &contents)?;
    }
    println!("cargo::rerun-if-env-changed={SKIP_VARIABLE}");
    if env::var_os(SKIP_VARIABLE).is_some_and(|value| !value.is_empty() && value != "0") {
        for group in groups.drain(..) {
            watch(&group[0].kernel.file);
        }
    }
    let ids: Vec<&str> = groups.iter().map(|group| &*group[0].kernel.id).collect();
    // By this the crate knows which of its kernels are to have programs.
    println!("cargo::rustc-env=SUPERSTEP_PROGRAMS={}", ids.join(","));
    let cache = Cache::of(&files.folder);
    let mut progress = Progress::new();
    for group in groups {
        let kernel = &group[0].kernel;
        watch(&kernel.file);
        progress.say(&format!("tracing {}", kernel.name));
        let traced = Traced::new(&builder.settings, &group)?;
        let known = cache.get(&kernel.name, &traced.key);
        let made = match known {
            Some(known) => {
                println!("{}: as in an earlier build", kernel.name);
                known.at(kernel)
            }
            None => {
                let made = made(&builder.settings, &group, &traced, &mut progress)?;
                cache.put(&kernel.name, &traced.key, &made);
                made
            }
        };
        for line in &made.lines {
            println!("{}", line.of(kernel));
        }
        let unplanned = group[0].unplanned;
        if let Some(why) = unplanned {
            println!("{}: no plan can be made at run time: {why}", kernel.name);
        }
        let made = made.reported(sources(kernel), unplanned);
        for (ending, contents) in &made.files {
            files.write(&format!("{}{ending}", kernel.id), contents)?;
        }
        files.write(&format!("{}.json", kernel.id), made.report.as_bytes())?;
    }
    println!("cargo::rerun-if-env-changed={TIMES_VARIABLE}");
    for file in builder.settings.files() {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    files.remove_stale()
}

/// Traces of a kernel's instances, as far as they tell whether its files are known.
struct Traced {
    key: Key,
    /// Values that control read beside its arguments.
    observations: BTreeSet<Observation>,
    /// Time that each trace took, in seconds.
    seconds: Vec<f64>,
}

impl Traced {
    /// Traces the instances, one after the other, so that one trace is in memory at a time. Where
    /// programs are compiled, they are traced once more. That takes .003 of the time of compiling
    /// (the sums over all reports of the examples' and the gallery's builds).
    fn new(settings: &Settings, group: &[Instance]) -> Result<Self, BuildError> {
        let mut key = Key::new();
        // How many programs are compiled at once makes no difference to them.
        let options = settings.options(NonZero::<usize>::MIN)?;
        format!("{options:?}").hash(&mut key);
        let mut observations = BTreeSet::new();
        let mut seconds = Vec::new();
        for instance in group {
            let (trace, trace_seconds) = timed(|| traced(settings, instance))?;
            seconds.push(trace_seconds);
            observations.extend(instance.constants.iter().cloned());
            observations.extend(trace.observations().iter().cloned());
            let requests = format!("{:?}", requests(instance)?);
            (&instance.control, &instance.label, requests, trace).hash(&mut key);
        }
        observations.hash(&mut key);
        Ok(Self {
            key,
            observations,
            seconds,
        })
    }
}

/// Compiles the programs of a kernel, and prints them.
fn made(
    settings: &Settings,
    group: &[Instance],
    traced: &Traced,
    progress: &mut Progress,
) -> Result<Made, BuildError> {
    let kernel = &group[0].kernel;
    let Scheduled {
        instances,
        printed,
        programs,
        details,
        lines,
    } = Scheduled::new(settings, group, &traced.seconds, progress)?;
    // The expansion gives the runtime this name, since the facade may be renamed.
    let observations: Vec<Observation> = traced.observations.iter().cloned().collect();
    let (generated, print_seconds) = timed(|| {
        print(kernel, &printed, &observations, "runtime").map_err(|source| BuildError::Print {
            instance: group[0].name(),
            source,
        })
    })?;
    let mut report = KernelReport {
        kernel: kernel.name.clone(),
        file: kernel.file.clone(),
        line: kernel.line,
        instances,
        programs,
        print_seconds,
        unplanned: None,
        sources: Vec::new(),
    };
    report.share_seconds();
    let ending = |name: &str| name.strip_prefix(&*kernel.id).unwrap_or(name).to_owned();
    let generated = generated.into_iter();
    let details = details.into_iter().enumerate();
    let details = details.map(|(program, bytes)| (format!(".{program}.details"), bytes));
    Ok(Made {
        id: kernel.id.clone(),
        line: kernel.line,
        lines,
        files: generated
            .map(|file| (ending(&file.name), file.contents))
            .chain(details)
            .collect(),
        report: json(&report),
    })
}

/// Programs of a kernel's instances, and what is told of them.
#[derive(Default)]
struct Scheduled {
    instances: Vec<InstanceReport>,
    /// The programs as they are printed.
    printed: Vec<KeyedProgram>,
    programs: Vec<Report>,
    /// Details of each program, encoded.
    details: Vec<Vec<u8>>,
    lines: Vec<Line>,
}

impl Scheduled {
    /// Traces the instances again, and compiles their programs. `seconds`: those of each trace.
    fn new(
        settings: &Settings,
        group: &[Instance],
        seconds: &[f64],
        progress: &mut Progress,
    ) -> Result<Self, BuildError> {
        let mut all = Self::default();
        for (instance, &trace_seconds) in group.iter().zip(seconds) {
            progress.say(&format!("scheduling {}", instance.name()));
            let trace = recorded(settings, instance)?;
            let (compiled, compile_seconds) =
                timed(|| programs(settings, instance, &trace, &mut all.lines))?;
            all.instances.push(InstanceReport {
                control: instance.label.clone(),
                tasks: trace.tasks(),
                trace_seconds,
                compile_seconds,
            });
            for program in compiled {
                all.push(instance, program);
            }
        }
        Ok(all)
    }

    /// Adds a program of an instance.
    fn push(&mut self, instance: &Instance, compiled: Compiled) {
        let Compiled {
            program,
            report,
            details,
        } = compiled;
        self.details.push(details.encode());
        // Cargo keeps this in the file `output`, and shows it with `-vv`.
        self.lines.push(Line::Note(format!(
            "{}, {} processors: {}",
            instance.name(),
            report.processors,
            program.figures().tiers
        )));
        self.printed.push(KeyedProgram {
            control: instance.control.clone(),
            label: instance.label.clone(),
            notes: report.notes(),
            private_memory: report.private_memory,
            program,
        });
        self.programs.push(Report {
            control: instance.label.clone(),
            ..report
        });
    }
}

/// Returns the instances of each kernel together, in order of first mention. Those with equal
/// control arguments are made one.
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
            Some(same) => same.merge(instance),
            None => group.push(instance),
        }
    }
    groups
}

/// Compiles the programs of one instance that are worth having, by ascending number of processors.
/// `lines` are told what to warn of.
fn programs(
    settings: &Settings,
    instance: &Instance,
    trace: &Trace,
    lines: &mut Vec<Line>,
) -> Result<Vec<Compiled>, BuildError> {
    let requests = requests(instance)?;
    let options = settings.options(cores())?;
    let compiled = compile(trace, &requests, &options).map_err(|source| BuildError::Compile {
        instance: instance.name(),
        source,
    })?;
    let Compilation { programs, warnings } = compiled;
    let warnings = warnings.into_iter();
    lines.extend(warnings.map(|text| Line::Warning(format!("{}: {text}", instance.name()))));
    let warnings = programs
        .iter()
        .filter_map(|Compiled { program, .. }| single_records(trace.kernel(), program.figures()));
    lines.extend(warnings);
    Ok(programs)
}

/// Returns the programs that an instance asks for, by ascending number of processors.
fn requests(instance: &Instance) -> Result<Vec<Request>, BuildError> {
    let mut requests = instance.requests();
    if requests.is_empty() {
        // Not what cargo grants: programs must not depend on `--jobs`.
        let cores = available_cores().get().min(MOST_PROCESSORS);
        requests = [1, cores].map(|p| instance.request(p, false)).to_vec();
        requests.dedup();
    }
    let is_wrong = |request: &&Request| !(1..=MOST_PROCESSORS).contains(&request.processors);
    match requests.iter().find(is_wrong) {
        Some(wrong) => Err(BuildError::Processors {
            instance: instance.name(),
            processors: wrong.processors,
        }),
        None => Ok(requests),
    }
}

/// Returns what to say of a program that many tasks keep from being fast: they are no part of any
/// loop.
fn single_records(kernel: &Kernel, figures: &Figures) -> Option<Line> {
    let (statement, _) = (0_u16..)
        .zip(&figures.single_by_statement)
        .max_by_key(|&(statement, &count)| (count, Reverse(statement)))?;
    let is_slow = figures.single >= SOME_SINGLE && figures.single_share() > MANY_SINGLE;
    is_slow.then(|| {
        let text = format!(
            "{}, P = {}: {:.0} % of the tasks are no part of a loop and cost some nanoseconds each; most are of `{}`",
            kernel.name,
            figures.processors,
            100.0 * figures.single_share(),
            kernel.statement(statement).text,
        );
        Line::OfStatement(statement, text)
    })
}

/// Returns what `work` gives, and the seconds that it took.
fn timed<T>(work: impl FnOnce() -> Result<T, BuildError>) -> Result<(T, f64), BuildError> {
    let start = Instant::now();
    Ok((work()?, start.elapsed().as_secs_f64()))
}

/// Runs the kernel's control; warns when a large trace is slow because cargo does not optimise
/// build scripts.
fn traced(settings: &Settings, instance: &Instance) -> Result<Trace, BuildError> {
    let start = Instant::now();
    let trace = recorded(settings, instance)?;
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

/// Runs the kernel's control.
fn recorded(settings: &Settings, instance: &Instance) -> Result<Trace, BuildError> {
    let limit = TaskLimit::new(settings.task_limit);
    let trace = instance.record_within(limit.tasks);
    trace.map_err(|source| match source {
        TraceError::Limit { .. } | TraceError::Memory { .. } => BuildError::Limit {
            instance: instance.name(),
            limit,
            source,
        },
        other => BuildError::Trace(other),
    })
}

fn available_cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Returns the number of cores that cargo grants to a build script.
fn cores() -> NonZero<usize> {
    let available = available_cores();
    let granted = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    granted.map_or(available, |jobs: NonZero<usize>| jobs.min(available))
}

#[cfg(test)]
mod tests {
    use superstep_runtime::control::ControlWriter;
    use superstep_scheduler::Algorithm;
    use superstep_tracer::{Recorder, Role};

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
            task_instances: 100_000,
            single,
            single_by_statement: vec![1000, single - 1000],
            ..Figures::default()
        };
        assert_eq!(single_records(&kernel, &figures(5_000)), None);
        assert_eq!(
            single_records(&kernel, &figures(6_000))
                .unwrap()
                .of(&kernel),
            "cargo::warning=src/kernels.rs:12: shuffle, P = 2: 6 % of the tasks are no part of a loop and cost some nanoseconds each; most are of `x[j] = x[p[i]]`"
        );
        let few = Figures {
            task_instances: 100,
            single: 90,
            ..figures(5_000)
        };
        assert_eq!(single_records(&kernel, &few), None, "a small program");
    }

    /// Makes a kernel at a line that sets `count` words.
    fn instance(line: u32, text: &str, count: usize) -> Instance {
        let mut kernel = Kernel::new("set");
        kernel.line = line;
        let x = kernel.add_array("x", Role::InOut, None);
        let set = kernel.add_statement(text, x, &[]);
        kernel.arrays[0].line = line;
        kernel.statements[0].line = line + 2;
        let trace = move |recorder: &mut Recorder| {
            recorder.length(x, count);
            (0..count).for_each(|i| recorder.push(set, i, &[]));
        };
        Instance::new(
            kernel,
            ControlWriter::new(),
            String::new(),
            Vec::new(),
            trace,
        )
        .processors([1, 2])
    }

    #[test]
    fn files_are_known_by_all_that_they_are_made_of_and_not_by_where_the_kernel_stands() {
        let key = |settings: &Settings, instance: Instance| {
            let traced = Traced::new(settings, &[instance]).expect("it runs");
            traced.key.name("set")
        };
        let settings = Settings::default();
        let same = || instance(5, "x[i] = 1.0", 8);
        let known = key(&settings, same());
        assert_eq!(key(&settings, instance(50, "x[i] = 1.0", 8)), known);
        let faster = Settings {
            algorithm: Algorithm::Bcsh,
            ..Settings::default()
        };
        let others = [
            key(&settings, instance(5, "x[i] = 2.0", 8)),
            key(&settings, instance(5, "x[i] = 1.0", 9)),
            key(&settings, same().processors([1, 3])),
            key(&settings, same().exactly([1, 2])),
            key(&settings, same().private_memory([2])),
            key(&settings, same().algorithm(Algorithm::Bcsh)),
            key(&faster, same()),
        ];
        for other in &others {
            assert_ne!(*other, known);
        }
        assert_eq!(BTreeSet::from(others).len(), 7, "all differ");
    }
}
