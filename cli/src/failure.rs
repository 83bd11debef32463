//! Errors as messages, with the line of a file where they point into one, and as exit codes.

mod excerpt;

use std::{
    io::{self, ErrorKind, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use codespan_reporting::{
    diagnostic::{Diagnostic, Label},
    term::{
        self,
        termcolor::{ColorChoice, StandardStream},
    },
};
use superstep_graphs::FormatError;
use superstep_machine::MachineFileError;
use superstep_network::latency::SamplesError;
use superstep_schedule::{CheckError, ScheduleFileError, ScheduleParseError};
use superstep_scheduler::ScheduleError;
use superstep_search::tree::TimetableError;

use self::excerpt::Excerpt;
use crate::{
    farm::FarmError, inspect::InspectError, latency::LatencyError, machine::UnfitMachine,
    plan::PlanError, probe::Disturbance, topology::TopologyError, traffic::Unwritten,
    tree::TooTall, tree_figures::FigureError,
};

/// Why a command was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A graph file that cannot be read.
    #[error(transparent)]
    Graph(#[from] FormatError),
    /// A schedule file that cannot be read or written.
    #[error(transparent)]
    File(#[from] ScheduleFileError),
    /// An algorithm that does not serve the machine.
    #[error(transparent)]
    Algorithm(#[from] ScheduleError),
    /// A schedule that is not valid.
    #[error("{} is no valid schedule of {}", name(schedule.as_deref()), graph.display())]
    Invalid {
        /// The graph's file.
        graph: PathBuf,
        /// The schedule's file; `None`: it was made here.
        schedule: Option<PathBuf>,
        /// What is wrong with it.
        error: CheckError,
    },
    /// A machine file that cannot be read, or a file of times that cannot be written.
    #[error(transparent)]
    Machine(#[from] MachineFileError),
    /// A machine file that does not serve.
    #[error(transparent)]
    Unfit(#[from] UnfitMachine),
    /// Other programs disturbed what was to be measured.
    #[error(
        "the machine is not idle: {disturbance}, in the best of {attempts} attempts. Nothing was written to {}: try again when other programs rest, or with `--force`",
        out.display()
    )]
    Busy {
        /// The file that was to be written.
        out: PathBuf,
        attempts: usize,
        disturbance: Disturbance,
    },
    /// Times of a command that is not optimised.
    #[error(
        "this is a debug build of the command, whose loops take many times as long: `cargo install` it, or run it with `--release`; `--force` measures all the same"
    )]
    Unoptimised,
    /// Nothing to inspect.
    #[error(transparent)]
    Inspect(#[from] InspectError),
    /// A schedule of a tree that is not valid.
    #[error("the schedule is not valid: {0}")]
    Timetable(#[from] TimetableError),
    /// A tree with too many tasks to list.
    #[error(transparent)]
    TooTall(#[from] TooTall),
    /// A curve that cannot be written.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A file of latencies that cannot be read.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// A forecast that cannot be made.
    #[error(transparent)]
    Latency(#[from] LatencyError),
    /// A network's tree that cannot be found or used.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// Items of a farm that cannot be dealt or predicted.
    #[error(transparent)]
    Farm(#[from] FarmError),
    /// A kernel that cannot be planned for a matrix.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A matrix that cannot be written.
    #[error(transparent)]
    Traffic(#[from] Unwritten),
    /// The output could not be written.
    #[error("the output cannot be written: {0}")]
    Output(#[source] io::Error),
}

fn name(path: Option<&Path>) -> String {
    path.map_or_else(
        || "the result".to_owned(),
        |path| path.display().to_string(),
    )
}

impl Failure {
    /// Prints what is wrong to the standard error; the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if let Self::Output(error) = self
            && error.kind() == ErrorKind::BrokenPipe
        {
            // Whoever reads the output has seen enough.
            return ExitCode::SUCCESS;
        }
        let (excerpt, diagnostic) = self.diagnostic();
        let color = if io::stderr().is_terminal() {
            ColorChoice::Auto
        } else {
            ColorChoice::Never
        };
        let mut stream = StandardStream::stderr(color);
        let printed =
            term::emit_to_write_style(&mut stream, &term::Config::default(), &excerpt, &diagnostic);
        // A standard error that nobody reads leaves the exit code to say it.
        drop(printed.map(|()| stream.flush()));
        ExitCode::FAILURE
    }

    fn diagnostic(&self) -> (Excerpt, Diagnostic<()>) {
        let plain = Diagnostic::error();
        match self {
            Self::Graph(FormatError::File { path, error }) => {
                if let FormatError::Syntax {
                    line,
                    expected,
                    found,
                } = &**error
                {
                    let excerpt = Excerpt::line(path, usize::try_from(*line).unwrap_or(usize::MAX));
                    let label = Label::primary((), excerpt.text())
                        .with_message(format!("expected {expected}, found {found}"));
                    return (
                        excerpt,
                        plain
                            .with_message("this is no graph file")
                            .with_labels(vec![label]),
                    );
                }
            }
            Self::File(ScheduleFileError::Parse {
                path,
                source:
                    ScheduleParseError::Json {
                        line,
                        column,
                        message,
                    },
            }) => {
                let excerpt = Excerpt::around(path, *line, *column);
                let label = Label::primary((), excerpt.focus()).with_message(message);
                return (
                    excerpt,
                    plain
                        .with_message("this is no schedule file")
                        .with_labels(vec![label]),
                );
            }
            Self::Invalid { error, .. } => {
                let note = error.to_string();
                return (
                    Excerpt::none(),
                    plain.with_message(self).with_notes(vec![note]),
                );
            }
            _ => {}
        }
        (Excerpt::none(), plain.with_message(self))
    }
}
