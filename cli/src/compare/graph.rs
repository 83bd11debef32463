//! Algorithms x processors x machines on one task graph.

use std::path::{Path, PathBuf};
use std::time::Instant;

use superstep_dag::Dag;
use superstep_report::{Comparison, LeftOut, Report};
use superstep_scheduler::{Algorithm, ScheduleError, Setting};
use superstep_search::ALL;

use super::arguments::Arguments;
use super::error::CompareError;
use crate::failure::Failure;
use crate::graph_file::{self, checked};
use crate::machine::Target;
use crate::output;
use crate::progress::Progress;

/// Numbers of processors without machine files, if none are given.
const PROCESSORS: [u32; 3] = [2, 4, 8];

pub(super) fn run(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("reading the graph");
    let graph = graph_file::read(path)?;
    let (mut reports, mut left_out, mut refused) = (Vec::new(), Vec::new(), None);
    for target in targets(arguments)? {
        for algorithm in chosen(arguments) {
            progress.say(format!("scheduling by {algorithm} for {}", target.machine));
            match schedule(arguments, (&graph, path), &target, algorithm)? {
                Ok(report) => reports.push(report),
                Err(reason) => {
                    left_out.push(LeftOut {
                        algorithm: algorithm.name().to_owned(),
                        processors: target.machine.processors as usize,
                        reason: reason.to_string(),
                    });
                    refused.get_or_insert(reason);
                }
            }
        }
    }
    progress.finish();
    if let (true, Some(reason)) = (reports.is_empty(), refused) {
        let graph = path.to_path_buf();
        return Err(CompareError::NoneServes { graph, reason }.into());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let of = match reports.first() {
        Some(Report {
            tasks,
            edges,
            total_work,
            critical_path,
            ..
        }) => {
            format!(
                "{name}: {tasks} tasks, {edges} edges, total work {total_work}, critical path {critical_path}"
            )
        }
        None => name.into_owned(),
    };
    let mut comparison = Comparison::of_schedules(&of, &reports);
    // Whoever asks for no algorithm by name needs not hear of those that do not serve.
    if !arguments.algorithms.is_empty() {
        comparison.left_out = left_out;
    }
    output::print(&comparison, arguments.json, || comparison.text())
}

/// Returns the machines: each file with each number of processors.
fn targets(arguments: &Arguments) -> Result<Vec<Target>, Failure> {
    let Arguments {
        machine,
        processors,
        stated,
        ..
    } = arguments;
    let files: Vec<Option<&PathBuf>> = match &machine[..] {
        [] => vec![None],
        files => files.iter().map(Some).collect(),
    };
    let numbers: Vec<Option<u32>> = match (&processors[..], &machine[..]) {
        ([], []) => PROCESSORS.map(Some).to_vec(),
        ([], _) => vec![None],
        (numbers, _) => numbers.iter().copied().map(Some).collect(),
    };
    let mut targets = Vec::new();
    for file in files {
        for &number in &numbers {
            targets.push(stated.target(file.map(PathBuf::as_path), number)?);
        }
    }
    Ok(targets)
}

/// Returns the algorithms that are asked for; all, if none are, but for `auto`, which is the
/// portfolio by another name.
fn chosen(arguments: &Arguments) -> Vec<Algorithm> {
    match &arguments.algorithms[..] {
        [] => ALL
            .iter()
            .copied()
            .filter(|&each| each != Algorithm::Auto)
            .collect(),
        chosen => chosen.iter().map(|each| each.of(ALL)).collect(),
    }
}

/// Schedules, checks and reports; the inner error is that of an algorithm that does not serve.
fn schedule(
    arguments: &Arguments,
    graph: (&Dag, &Path),
    target: &Target,
    algorithm: Algorithm,
) -> Result<Result<Report, ScheduleError>, Failure> {
    let setting = Setting {
        memory: None,
        effort: arguments.effort.unwrap_or_default(),
    };
    let start = Instant::now();
    let schedule = match algorithm.schedule(graph.0, &target.machine, setting) {
        Ok(schedule) => schedule,
        Err(reason) => return Ok(Err(reason)),
    };
    let seconds = start.elapsed().as_secs_f64();
    let schedule = checked(graph, schedule, None)?;
    Ok(Ok(target.report(&schedule, seconds).by(algorithm.name())))
}
