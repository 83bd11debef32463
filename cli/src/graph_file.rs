//! Graph files and schedules of them, as commands read and check them.

use std::path::{Path, PathBuf};

use superstep_dag::Dag;
use superstep_graphs::FormatError;
use superstep_schedule::{CheckedSchedule, Schedule, ScheduleFileError, ScheduleParseError};

use crate::failure::{Defect, Excerpt, Failure};

/// Reads a graph file; of one that is none, the wrong line is shown.
pub(crate) fn read(path: &Path) -> Result<Dag, Failure> {
    superstep_graphs::read(path).map_err(|error| {
        let defect = match &error {
            FormatError::File { error, .. } => match &**error {
                FormatError::Syntax {
                    line,
                    expected,
                    found,
                } => Some(Defect {
                    title: "this is no graph file",
                    excerpt: Excerpt::line(path, usize::try_from(*line).unwrap_or(usize::MAX)),
                    label: format!("expected {expected}, found {found}"),
                }),
                _ => None,
            },
            _ => None,
        };
        Failure::from(error).with_defect(defect)
    })
}

/// Reads a schedule file; of one that is none, the wrong place is shown.
pub(crate) fn read_schedule(path: &Path) -> Result<Schedule, Failure> {
    Schedule::read(path).map_err(|error| {
        let defect = match &error {
            ScheduleFileError::Parse {
                source:
                    ScheduleParseError::Json {
                        line,
                        column,
                        message,
                    },
                ..
            } => Some(Defect {
                title: "this is no schedule file",
                excerpt: Excerpt::around(path, *line, *column),
                label: message.clone(),
            }),
            _ => None,
        };
        Failure::from(error).with_defect(defect)
    })
}

/// A schedule that is not valid.
#[derive(Debug, thiserror::Error)]
#[error("{schedule} is no valid schedule of {}", graph.display())]
struct InvalidSchedule {
    graph: PathBuf,
    schedule: String,
}

/// Checks a schedule of the graph in a file; an error names both files, or that it was made here.
pub(crate) fn checked<'g>(
    (graph, path): (&'g Dag, &Path),
    schedule: Schedule,
    file: Option<&Path>,
) -> Result<CheckedSchedule<'g>, Failure> {
    CheckedSchedule::new(graph, schedule).map_err(|error| {
        let schedule = file.map(|path| path.display().to_string());
        let invalid = InvalidSchedule {
            graph: path.to_owned(),
            schedule: schedule.unwrap_or("the result".to_owned()),
        };
        Failure::from(invalid).with_note(Some(error.to_string()))
    })
}
