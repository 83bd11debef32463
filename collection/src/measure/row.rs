//! A row of the table: a kernel at a size.

use std::cmp::Ordering;
use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use superstep::build::{InstanceReport, KernelReport};

use super::Options;
use super::calls::{FORMS, Measured};
use crate::{Case, REPORTS, Size};

/// The most that calls may take, of the function's time: the promise of `parallel`.
pub(super) const MOST: f64 = 1.03;

/// Nanoseconds that calls may take beside [`MOST`]: the promise of `parallel`.
pub(super) const BESIDE: f64 = 100.0;

/// Rows whose predictions are off most: a sixth of all that have one.
const OFF: usize = 20;

/// A kernel at a size.
#[derive(Serialize, Deserialize)]
pub(super) struct Row {
    field: String,
    pub(super) kernel: String,
    pub(super) size: String,
    pub(super) tasks: usize,
    /// Mean time of the function, in seconds.
    pub(super) function_seconds: f64,
    /// Mean time of calls over that of the function, on one processor at most and on two.
    pub(super) p1_vs_function: f64,
    pub(super) p2_vs_function: f64,
    /// Medians of the ratios of neighbouring blocks, for machines that are not idle.
    pub(super) p1_median: f64,
    pub(super) p2_median: f64,
    /// Time of the programs over that of the function, the fastest block of each, where there are
    /// programs.
    pub(super) programs_vs_function: [Option<f64>; 2],
    /// The form of most calls in the end, and why it is not the one that was chosen.
    pub(super) choice: String,
    reason: Option<String>,
    /// Predicted over measured time: of the programs for one and two processors, alone, and of
    /// calls on two, if these run a plan.
    pub(super) predicted_error: [Option<f64>; 3],
    /// Prediction of the function over its measured time, if programs were generated.
    pub(super) function_predicted_error: Option<f64>,
    build_seconds: f64,
    /// Calls of each form that were measured.
    calls: usize,
    pub(super) identical: bool,
}

impl Row {
    /// Measures.
    pub(super) fn new(
        case: &Case,
        size: Size,
        options: &Options,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let Built {
            instance,
            seconds: build_seconds,
            function: function_predicted,
        } = Built::of(case, size)?;
        let mut measured = match options.changed {
            false => Measured::in_turn(case, size, options.seconds)?,
            true => Measured::after_a_change(case, size, options.seconds)?,
        };
        let programs = [measured.program(1)?, measured.program(2)?];
        let [function, alone, parallel] = measured.means();
        let fastest = measured.fastest();
        let [p1_median, p2_median] = measured.medians();
        let choice = (0..FORMS.len())
            .max_by_key(|&form| measured.forms[form])
            .unwrap_or(0);
        let of_program = |at: usize| Some(programs[at]?.predicted? / programs[at]?.seconds);
        let of_plan = measured.plan_predicted.filter(|_| choice == 3);
        let of_plan = of_plan.map(|predicted| predicted / parallel);
        let reason = match (choice, &measured.reasons[choice], programs[1]) {
            (_, Some(reason), _) => Some(reason.clone()),
            (1, None, None) => Some("there is no program for two processors".into()),
            _ => None,
        };
        Ok(Self {
            field: case.field.into(),
            kernel: case.kernel.into(),
            size: case.size(size),
            tasks: instance.tasks,
            function_seconds: function,
            p1_vs_function: alone / function,
            p2_vs_function: parallel / function,
            p1_median,
            p2_median,
            programs_vs_function: programs.map(|program| Some(program?.seconds / fastest)),
            choice: FORMS[choice].into(),
            reason,
            predicted_error: [of_program(0), of_program(1), of_plan],
            function_predicted_error: function_predicted.map(|predicted| predicted / fastest),
            build_seconds,
            calls: measured.calls,
            identical: measured.identical,
        })
    }

    /// Returns whether it is that of a case at a size.
    pub(super) fn is(&self, case: &Case, size: Size) -> bool {
        self.kernel == case.kernel && self.size == case.size(size)
    }

    /// Returns by which factor the prediction of the program for two processors is off, if there is
    /// one: at least 1.
    fn off(&self) -> Option<f64> {
        self.predicted_error[1].map(|error| error.max(1.0 / error))
    }

    /// Names the row.
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.kernel, self.size)
    }

    /// Returns whether calls run on one processor in the end.
    pub(super) fn is_sequential(&self) -> bool {
        self.choice == FORMS[0] || self.choice == FORMS[1]
    }

    /// Returns whether calls take longer than they may, by their means.
    pub(super) fn is_too_slow(&self) -> bool {
        let most = MOST + 1e-9 * BESIDE / self.function_seconds;
        self.p1_vs_function.max(self.p2_vs_function) > most
    }
}

/// Reads a file of `--json`, and returns the [rows](OFF) whose predictions are off most, those
/// first.
pub(super) fn most_off(file: &Path) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    #[derive(Deserialize)]
    struct Rows {
        rows: Vec<Row>,
    }
    let Rows { mut rows } = serde_json::from_slice(&fs::read(file)?)?;
    rows.retain(|row| row.off().is_some());
    rows.sort_by(|a, b| b.off().partial_cmp(&a.off()).unwrap_or(Ordering::Equal));
    rows.truncate(OFF);
    Ok(rows)
}

/// The build of an instance.
struct Built {
    instance: InstanceReport,
    /// Seconds that it took.
    seconds: f64,
    /// Prediction of the function, in seconds, if there are programs.
    function: Option<f64>,
}

impl Built {
    /// Reads the report of the instance for that size.
    fn of(case: &Case, size: Size) -> Result<Self, Box<dyn std::error::Error>> {
        for entry in fs::read_dir(REPORTS)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                let report: KernelReport = serde_json::from_slice(&fs::read(path)?)?;
                let seconds = report.build_seconds().nth(size as usize);
                let instance = report.instances.get(size as usize);
                if let (true, Some(seconds), Some(instance)) =
                    (report.kernel == case.kernel, seconds, instance)
                {
                    let mut programs = report.programs.iter();
                    let program = programs.find(|program| program.control == instance.control);
                    return Ok(Self {
                        instance: instance.clone(),
                        seconds,
                        function: program.map(|program| 1e-9 * program.function as f64),
                    });
                }
            }
        }
        let missing = format!("{REPORTS} has no report of {} at this size", case.kernel);
        Err(io::Error::new(io::ErrorKind::NotFound, missing).into())
    }
}

impl Row {
    /// Prints the row.
    pub(super) fn print(&self) {
        let all = |ratios: &[Option<f64>]| {
            let each = ratios.iter();
            let each = each.map(|ratio| ratio.map_or("-".into(), |ratio| format!("{ratio:.2}")));
            each.collect::<Vec<String>>().join(", ")
        };
        println!(
            "| {} | {} | {} | {:.1} | {:.2} ({:.2}) | {:.2} ({:.2}) | {} | {} | {} | {} | {:.2} |",
            self.kernel,
            self.size,
            self.tasks,
            1e6 * self.function_seconds,
            self.p1_vs_function,
            self.p1_median,
            self.p2_vs_function,
            self.p2_median,
            all(&self.programs_vs_function),
            self.choice,
            self.reason.as_deref().unwrap_or("-"),
            all(&self.predicted_error),
            self.build_seconds,
        );
    }
}

/// Prints the head of the table.
pub(super) fn print_head() {
    println!(
        "Times over that of the function as written: means of calls, in brackets medians, and programs alone.\n\n\
         | kernel | size | tasks | function, us | P = 1 | P = 2 | programs | choice | reason | predicted / measured | build, s |\n\
         |---|---|---|---|---|---|---|---|---|---|---|"
    );
}
