//! `cargo superstep explain`: what would make a program faster, and by how much.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use codespan_reporting::diagnostic::{Diagnostic, Label, Severity};
use codespan_reporting::term::{self, termcolor::NoColor};
use superstep::build::InstanceTrace;
use superstep_compiler::Request;
use superstep_explain::{Subject, explain, what_if};
use superstep_machine::Memory;
use superstep_report::{Answer, Count, Made, Report};

use crate::failure::{Excerpt, Failure};
use crate::output;
use crate::programs::build::{Build, Kernel};
use crate::programs::traced::traced;
use crate::programs::{Filter, NoMatch, recording};
use crate::progress::Progress;

/// Tell what would make a program faster, and by how much
///
/// Each answer is a change of the kernel, or of its build, that was planned again: scheduled and
/// predicted as the build would. They stand in the order of their gains. What gains less than 5 %
/// is not told, nor, with --timeline, what gains less than the prediction was off by.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo superstep explain lu -P 8            what would make lu on 8 processors faster
  cargo superstep explain lu --what-if       also what 1, 2, 4 .. 64 processors take
  cargo superstep explain --check            exit code 1 if some change would gain, for CI")]
pub(crate) struct Arguments {
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    build: Build,
    /// Also predict the program for 1, 2, 4 .. 64 processors
    #[arg(long)]
    what_if: bool,
    /// Recorded run of the program: nothing is told that gains less than its prediction was off by
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
    /// End with exit code 1 if some change would gain
    #[arg(long)]
    check: bool,
    /// Print JSON: the report, with its answers
    #[arg(long)]
    json: bool,
}

/// An error: some change would gain, and `--check` was given.
#[derive(Debug, thiserror::Error)]
#[error("{} would gain", Count(*_0, "change"))]
struct Gains(u64);

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kernels = arguments.build.kernels()?;
    let (kernel, program) = arguments.filter.fittest(&kernels).ok_or(NoMatch)?;
    let mut report = kernel.report.programs[program].clone();
    let least = match &arguments.timeline {
        Some(path) => off_by(kernel, program, path)?.max(Answer::LEAST_GAIN),
        None => Answer::LEAST_GAIN,
    };
    add_answers(kernel, &mut report, least, arguments.what_if)?;
    report.name_files();
    report.made = Some(Made::now("cargo superstep", ""));
    output::print(&report, arguments.json, || text(kernel, &report))?;
    let gaining = report.answers.iter().filter(|answer| answer.gain > 0.0);
    match gaining.count() as u64 {
        gains @ 1.. if arguments.check => Err(Gains(gains).into()),
        _ => Ok(()),
    }
}

/// Returns the part of its prediction that a recorded run is off by.
fn off_by(kernel: &Kernel, program: usize, path: &Path) -> Result<f64, Failure> {
    let run = recording::read(path)?;
    let (_, report, _) = recording::added([(kernel, program)], (path, &run), NoMatch)?;
    let times = report.times.unwrap_or_default();
    let measured = times.measured.unwrap_or_default().run_ns as f64;
    let predicted = times.predicted.run_ns as f64;
    Ok((measured - predicted).abs() / predicted.max(1.0))
}

/// Adds the answers to a program's report and, if that is asked for, predictions for other numbers
/// of processors.
pub(crate) fn add_answers(
    kernel: &Kernel,
    report: &mut Report,
    least: f64,
    with_what_if: bool,
) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("tracing");
    let traced = traced(kernel, &report.control)?;
    let options = traced.options();
    let request = request(&traced, report);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let subject = Subject {
        trace: &traced.trace,
        options: &options,
        request,
        cores,
    };
    progress.stage("planning again");
    let mut say = |what: &str| progress.say(format!("planning: {what}"));
    report.answers = explain(&subject, least, &mut say)?.answers;
    if with_what_if {
        report.what_if = what_if(&subject, &mut say)?;
    }
    progress.finish();
    Ok(())
}

/// Returns the request of the program that a report is of.
fn request(traced: &InstanceTrace, report: &Report) -> Request {
    let memory = match report.private_memory {
        true => Memory::Private,
        false => Memory::Shared,
    };
    let is_of =
        |request: &Request| request.processors == report.processors && request.memory == memory;
    let asked = traced.requests().into_iter().find(is_of);
    asked.unwrap_or(Request {
        memory,
        ..Request::exactly(report.processors)
    })
}

/// Writes answers as compilers write advice: the change, the place, why, and what to write.
fn text(kernel: &Kernel, report: &Report) -> String {
    let mut text = format!(
        "{} on {}: predicted {}\n\n",
        report.instance(),
        Count(report.processors as u64, "processor"),
        superstep_report::Nanoseconds(report.predicted()),
    );
    for answer in &report.answers {
        text += &diagnostic(kernel, answer);
    }
    text += &report.what_if();
    text
}

fn diagnostic(kernel: &Kernel, answer: &Answer) -> String {
    let (severity, gain) = match answer.gain > 0.0 {
        true => (
            Severity::Help,
            format!(" ({:.0} % less time)", 100.0 * answer.gain),
        ),
        false => (Severity::Note, String::new()),
    };
    let mut notes = vec![answer.body.clone()];
    if !answer.help.is_empty() {
        notes.push(answer.help.clone());
    }
    let diagnostic = Diagnostic::new(severity)
        .with_message(format!("{}{gain}", answer.title))
        .with_notes(notes);
    let place = answer.file.as_deref().zip(answer.line);
    let excerpt = place.and_then(|(file, line)| {
        let path = kernel.source(file)?;
        Some(Excerpt::line(&path, line as usize).named(file))
    });
    let (excerpt, diagnostic) = match excerpt {
        Some(excerpt) => {
            let label = Label::primary((), excerpt.focus());
            (excerpt, diagnostic.with_labels(vec![label]))
        }
        None => (Excerpt::none(), diagnostic),
    };
    let mut buffer = NoColor::new(Vec::new());
    let config = term::Config::default();
    // Writing to memory does not fail.
    let _ = term::emit_to_write_style(&mut buffer, &config, &excerpt, &diagnostic);
    String::from_utf8_lossy(&buffer.into_inner()).into_owned()
}
