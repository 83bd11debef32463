//! `cargo superstep report`: what a parallel program does, and why it takes that long.

pub(crate) mod plan;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use superstep_compiler::report::details_of_schedule;
use superstep_order::{CallForm, Recording};
use superstep_report::page::Page;
use superstep_report::{Answer, Details, KernelReport, Made, Report, dot, trace};
use superstep_runtime::planned::Whole;

use crate::explain::add_answers;
use crate::failure::{Failure, InFile, unwritten};
use crate::graph_file::{self, checked};
use crate::machine::Costs;
use crate::output;
use crate::programs::build::{Build, Kernel};
use crate::programs::{Filter, NoMatch, recording};
use crate::progress::Progress;

/// Report on generated programs of a crate, a schedule of a task graph, a plan made at run time, or
/// a recorded run
///
/// Builds the crate by cargo and lists its programs. One that the filters leave is reported in
/// full: where its time goes, the share of each processor, statement and superstep. With --html
/// that is a page of one file, which shows who runs what and when, down to single tasks, beside
/// the kernel's source.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo superstep report                          lists the programs of the crate here
  cargo superstep report lu -P 8                  those of kernel lu on 8 processors
  cargo superstep report lu -P 8 --open           as a page, in the browser
  cargo superstep report --graph g.hdag --schedule s.json --html s.html
  cargo superstep report --plan solve.plan        what a file says that plan.save(..) has written
  cargo superstep report --plan ilu0.plan --matrix a.mtx --explain --open
  cargo superstep report --timeline farm.timeline a recorded farm, or a recorded call of a plan")]
pub(crate) struct Arguments {
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    build: Build,
    /// Report on a schedule of this task graph: .hdag, .dot or .mtx
    #[arg(long, value_name = "FILE", requires = "schedule", conflicts_with_all = ["kernel", "control", "processors", "package", "manifest_path"])]
    graph: Option<PathBuf>,
    /// The schedule: JSON if it ends in .json, else in the compact binary form
    #[arg(long, value_name = "FILE", requires = "graph")]
    schedule: Option<PathBuf>,
    /// Report on a plan file, as `plan.save(..)` writes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["graph", "kernel", "control", "processors", "package", "manifest_path", "measured_costs"])]
    plan: Option<PathBuf>,
    /// Matrix Market file that the plan was made for, of a kernel of `cargo superstep plan`. Its
    /// pattern tells when chunks are predicted to run, and which words cross
    #[arg(long, value_name = "FILE", requires = "plan")]
    matrix: Option<PathBuf>,
    #[command(flatten)]
    costs: Costs,
    /// Write a page to look at; of several programs, that with most tasks and the fastest
    /// prediction
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Open the page in a browser; without --html it is a file of the system's temporary folder
    #[arg(long)]
    open: bool,
    /// Recorded run, as `superstep::last_timeline()` writes it. Reports on its program or plan, and
    /// on both times; on a farm, and a plan without --plan, as they ran
    #[arg(long, value_name = "FILE", conflicts_with = "graph")]
    timeline: Option<PathBuf>,
    /// Write the timeline as trace events, which viewers such as Perfetto open; the recorded one,
    /// if there is one
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write who waits for whom as a graph in the DOT language
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write measured costs of statements whose predictions are off, for `Builder::measured`
    #[arg(long = "costs", value_name = "FILE", requires = "timeline")]
    measured_costs: Option<PathBuf>,
    /// Add what would make the program faster, as `cargo superstep explain` finds it
    #[arg(long, conflicts_with = "graph")]
    explain: bool,
    /// Note that the report carries
    #[arg(long, value_name = "TEXT", default_value = "")]
    memo: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An error: no browser can be started.
#[derive(Debug, thiserror::Error)]
#[error("{} is written, but no browser opens it: {source}", path.display())]
struct NoBrowser {
    path: PathBuf,
    source: opener::OpenError,
}

/// An error: an option asks for what nobody knows of a plan file or a run alone.
#[derive(Debug, thiserror::Error)]
#[error("{option} {reason}")]
struct Unknown {
    option: &'static str,
    reason: &'static str,
}

impl Unknown {
    fn failure(option: &'static str, reason: &'static str) -> Failure {
        Failure::from(Self { option, reason }).with_exit_code(2)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let (Some(graph), Some(schedule)) = (&arguments.graph, &arguments.schedule) {
        return of_schedule(arguments, graph, schedule);
    }
    let path = arguments.timeline.as_deref();
    let run = path.map(|path| recording::read(path).map(|run| (path, run)));
    let run = run.transpose()?;
    match (&arguments.plan, run) {
        (Some(plan), run) => {
            let run = run.as_ref().map(|(path, run)| (*path, run));
            of_plan(arguments, plan, run)
        }
        (None, Some((_, run))) if matches!(run.form, CallForm::Plan | CallForm::Farm) => {
            of_run(arguments, &run)
        }
        (None, run) => of_programs(arguments, run),
    }
}

/// Reports on a plan file.
fn of_plan(
    arguments: &Arguments,
    file: &Path,
    run: Option<(&Path, &Recording)>,
) -> Result<(), Failure> {
    let matrix = arguments.matrix.as_deref();
    let explain = arguments.explain;
    if explain && matrix.is_none() {
        let reason = "needs --matrix: answers are planned again";
        return Err(Unknown::failure("--explain", reason));
    }
    let given = plan::Given {
        file,
        matrix,
        explain,
        run,
    };
    let Whole {
        report,
        details,
        sources,
        mut notices,
    } = given.whole()?;
    // Who shared a thread is among them already.
    let more = run.map(|(_, run)| recording::notices(run));
    notices.extend(more.into_iter().flatten());
    notices.dedup();
    arguments.write(report, details.as_ref(), &sources, &notices)
}

/// Reports on a recorded run of a farm, or of a plan that is not at hand.
fn of_run(arguments: &Arguments, run: &Recording) -> Result<(), Failure> {
    let asked = [
        (arguments.explain, "--explain"),
        (arguments.measured_costs.is_some(), "--costs"),
    ];
    if let Some(&(_, option)) = asked.iter().find(|(is_asked, _)| *is_asked) {
        let reason = match run.form {
            CallForm::Plan => {
                "is for programs: a plan takes the costs of a run by `plan(..).measured(&timeline)`, and explains itself by `plan.report().explained()`"
            }
            _ => "is for programs, and this is a run of a farm",
        };
        return Err(Unknown::failure(option, reason));
    }
    let (report, details) = Report::of_recording(run)?;
    if !arguments.filter.is_of(&report) {
        return Err(NoMatch.into());
    }
    let mut notices = recording::notices(run);
    if run.form == CallForm::Plan {
        notices.push("Which iterations a chunk has, and for whom it waits, is in the plan: --plan FILE adds that, if `plan.save(FILE)` has written it.".into());
    }
    arguments.write(report, details.as_ref(), &[], &notices)
}

/// Reports on a schedule of a task graph.
fn of_schedule(arguments: &Arguments, graph: &Path, schedule: &Path) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("reading");
    let dag = graph_file::read(graph)?;
    let lists = graph_file::read_schedule(schedule)?;
    let target = arguments.costs.target(Some(lists.processors() as u32))?;
    progress.stage("checking");
    let start = Instant::now();
    let checked = checked((&dag, graph), lists, Some(schedule))?;
    let seconds = start.elapsed().as_secs_f64();
    let mut report = target.report(&checked, seconds);
    let details = details_of_schedule(&mut report, &checked, &target.machine);
    progress.finish();
    arguments.write(report, Some(&details), &[], &[])
}

/// Reports on the programs of a crate.
fn of_programs(arguments: &Arguments, run: Option<(&Path, Recording)>) -> Result<(), Failure> {
    let mut kernels = arguments.build.kernels()?;
    kernels.retain(|kernel| {
        let programs = &kernel.report.programs;
        let filter = &arguments.filter;
        filter.names(&kernel.report) && programs.iter().any(|report| filter.wants(report))
    });
    let all = arguments.filter.all(&kernels);
    if let Some((path, run)) = run {
        let (kernel, report, details) = recording::added(all, (path, &run), NoMatch)?;
        let notices = recording::notices(&run);
        return with_sources(arguments, kernel, report, &details, notices);
    }
    match all[..] {
        [] => Err(NoMatch.into()),
        [(kernel, program)] => of_program(arguments, kernel, program),
        _ if arguments.needs_details() => {
            let (kernel, program) = arguments.filter.fittest(&kernels).ok_or(NoMatch)?;
            of_program(arguments, kernel, program)
        }
        _ => {
            let listed = kernels
                .into_iter()
                .map(|kernel| arguments.filter.of(kernel.report));
            let listed: Vec<KernelReport> = listed.collect();
            output::print(&listed, arguments.json, || {
                listed.iter().map(KernelReport::summary).collect()
            })
        }
    }
}

fn of_program(arguments: &Arguments, kernel: &Kernel, program: usize) -> Result<(), Failure> {
    let mut report = kernel.report.programs[program].clone();
    if arguments.explain {
        add_answers(kernel, &mut report, Answer::LEAST_GAIN, true)?;
    }
    if !arguments.needs_details() {
        return arguments.write(report, None, &[], &[]);
    }
    let details = kernel.details(program)?;
    with_sources(arguments, kernel, report, &details, Vec::new())
}

/// Reports on a program with its source beside it.
fn with_sources(
    arguments: &Arguments,
    kernel: &Kernel,
    report: Report,
    details: &Details,
    mut notices: Vec<String>,
) -> Result<(), Failure> {
    let sources = kernel.sources(&report);
    if let Some(changed) = sources.iter().find(|source| source.changed) {
        notices.push(format!(
            "{} has changed since the build: lines may be those of other statements.",
            changed.file
        ));
    }
    if let Some(why) = &kernel.report.unplanned {
        notices.push(format!("No plan can be made at run time: {why}"));
    }
    arguments.write(report, Some(details), &sources, &notices)
}

impl Arguments {
    /// Returns whether what is asked for shows what each processor runs.
    fn needs_details(&self) -> bool {
        self.html.is_some() || self.open || self.trace.is_some() || self.dot.is_some()
    }

    /// Writes the timeline and the graph, if that is asked for; returns what to say of it.
    fn write_others(&self, report: &Report, details: &Details) -> Result<String, InFile> {
        let mut said = String::new();
        if let Some(path) = &self.trace {
            let found = trace(report, details);
            output::replace(path, &found.json)?;
            said += &match found.kept == found.events {
                true => format!("{}: {} events\n", path.display(), found.events),
                false => format!(
                    "{}: the longest {} of {} events, in 100 MB\n",
                    path.display(),
                    found.kept,
                    found.events
                ),
            };
        }
        if let Some(path) = &self.measured_costs {
            let costs = report.measured_costs();
            output::replace(path, output::json(&costs))?;
            said += &format!("{}: costs of {} statements\n", path.display(), costs.len());
        }
        if let Some(path) = &self.dot {
            output::replace(path, dot(details))?;
            said += &format!("{}: who waits for whom\n", path.display());
        }
        Ok(said)
    }

    /// Writes the page, or prints the report.
    fn write(
        &self,
        mut report: Report,
        details: Option<&Details>,
        sources: &[superstep_report::page::Source],
        notices: &[String],
    ) -> Result<(), Failure> {
        report.made = Some(Made::now("cargo superstep", &self.memo));
        report.name_files();
        let said = match details {
            Some(details) if self.trace.is_some() && details.timelines.is_empty() => {
                let reason = "needs times: --matrix FILE or --timeline FILE adds them";
                return Err(Unknown::failure("--trace", reason));
            }
            Some(details) => self.write_others(&report, details)?,
            None if self.trace.is_some() || self.dot.is_some() => {
                let reason = "is left out: most processors have no chunk in most supersteps";
                let option = self.trace.as_ref().map_or("--dot", |_| "--trace");
                return Err(Unknown::failure(option, reason));
            }
            None => String::new(),
        };
        if self.html.is_none() && !self.open {
            let told = notices.iter().map(|notice| format!("\n{notice}\n"));
            return output::print(&report, self.json, || match said.is_empty() {
                true => report.text() + &told.collect::<String>(),
                false => said,
            });
        }
        let page = Page {
            report: &report,
            details,
            sources,
            notices,
        };
        let path = match &self.html {
            Some(path) => path.clone(),
            None => std::env::temp_dir().join("superstep-report.html"),
        };
        output::replace(&path, page.html().map_err(unwritten(&path))?)?;
        if self.open {
            opener::open(&path).map_err(|source| NoBrowser {
                path: path.clone(),
                source,
            })?;
        }
        output::print(&report, self.json, || {
            format!("{said}{}: {}\n", path.display(), page.title())
        })
    }
}
