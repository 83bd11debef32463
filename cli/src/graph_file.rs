//! Graph files and schedules of them, as commands read and check them.

use std::path::{Path, PathBuf};

use superstep_dag::Dag;
use superstep_graphs::FormatError;
use superstep_schedule::{
    CheckError, CheckedSchedule, Schedule, ScheduleFileError, ScheduleParseError,
};

use crate::failure::{CommandError, Defect, Excerpt};

impl CommandError for FormatError {
    fn defect(&self) -> Option<Defect> {
        let Self::File { path, error } = self else {
            return None;
        };
        let Self::Syntax {
            line,
            expected,
            found,
        } = &**error
        else {
            return None;
        };
        Some(Defect {
            title: "this is no graph file",
            excerpt: Excerpt::line(path, usize::try_from(*line).unwrap_or(usize::MAX)),
            label: format!("expected {expected}, found {found}"),
        })
    }
}

impl CommandError for ScheduleFileError {
    fn defect(&self) -> Option<Defect> {
        let Self::Parse {
            path,
            source:
                ScheduleParseError::Json {
                    line,
                    column,
                    message,
                },
        } = self
        else {
            return None;
        };
        Some(Defect {
            title: "this is no schedule file",
            excerpt: Excerpt::around(path, *line, *column),
            label: message.to_string(),
        })
    }
}

/// A schedule that is not valid.
#[derive(Debug, thiserror::Error)]
#[error("{} is no valid schedule of {}", name(schedule.as_deref()), graph.display())]
pub(crate) struct InvalidSchedule {
    /// The graph's file.
    graph: PathBuf,
    /// The schedule's file; `None`: it was made here.
    schedule: Option<PathBuf>,
    /// The first fault of the schedule.
    error: CheckError,
}

fn name(path: Option<&Path>) -> String {
    path.map_or_else(
        || "the result".to_owned(),
        |path| path.display().to_string(),
    )
}

impl CommandError for InvalidSchedule {
    fn note(&self) -> Option<String> {
        Some(self.error.to_string())
    }
}

/// Checks a schedule of the graph in a file; an error names both files, or that it was made here.
pub(crate) fn checked<'g>(
    (graph, path): (&'g Dag, &Path),
    schedule: Schedule,
    file: Option<&Path>,
) -> Result<CheckedSchedule<'g>, InvalidSchedule> {
    CheckedSchedule::new(graph, schedule).map_err(|error| InvalidSchedule {
        graph: path.to_owned(),
        schedule: file.map(Path::to_owned),
        error,
    })
}
