//! Gain of each tuned number: costs of schedules, predicted times of plans, and errors of
//! predictions, with it at other values.
//!
//! Each problem is solved with all numbers as they are. It is solved again with each that was read,
//! where there are such values without it, at half, and at twice its value. Nothing is run, and
//! costs are the same on every machine. What a number saves of the time of scheduling is by the
//! clock, and for an idle machine alone. With `--clock` plans are run, and timed. With
//! `--predictions` programs that were measured are predicted.
//!
//! A number gains what one of its settings costs more, in the geometric mean of a class of
//! problems.

mod plans;
mod predictions;
mod runs;
mod schedules;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use superstep::build::Instance;
use superstep_tuning::Setting;

use self::table::Table;
use crate::plan::{Failure, QUICK};

/// Switch tuned numbers, and compare costs of schedules, plans and predictions
#[derive(Args)]
pub(crate) struct Options {
    /// Only numbers whose names contain this
    #[arg(default_value = "")]
    number: String,
    /// Only classes of problems whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    class: String,
    /// A folder, whose .mtx and .mtx.gz files are a class of matrices
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Tasks and edges, together, of the largest graphs
    #[arg(long, default_value_t = 100_000)]
    largest: usize,
    /// Run plans on two threads, beside those with each number as it is: for an idle machine
    #[arg(long)]
    clock: bool,
    /// Predict the programs of this file of `superstep-collection --json`, and compare the errors
    #[arg(long, value_name = "FILE", conflicts_with = "clock")]
    predictions: Option<PathBuf>,
    /// Times that these were built with, as `cargo superstep probe` writes them
    #[arg(long, value_name = "FILE", requires = "predictions")]
    times: Option<PathBuf>,
}

/// Task that is solved by means of tuned numbers.
struct Problem<'p> {
    class: &'static str,
    /// Graph or kernel, which there may be several problems of.
    graph: &'p str,
    /// Solves it; none if that cannot be done.
    solve: &'p dyn Fn() -> Result<Option<Solved>, Failure>,
}

/// Kernel at several sizes.
struct Family {
    kernel: &'static str,
    sizes: &'static [usize],
    instance: fn(usize) -> Instance,
}

/// Returns a family, as tables of families list it.
const fn family(
    kernel: &'static str,
    sizes: &'static [usize],
    instance: fn(usize) -> Instance,
) -> Family {
    Family {
        kernel,
        sizes,
        instance,
    }
}

impl Family {
    /// Returns the names and instances of all sizes.
    fn instances(&self) -> impl Iterator<Item = (String, Instance)> {
        let sizes = self.sizes.iter();
        sizes.map(|&size| (format!("{} {size}", self.kernel), (self.instance)(size)))
    }
}

/// Receiver of problems.
type Take<'t> = dyn FnMut(Problem<'_>) -> Result<(), Failure> + 't;

/// Prints the tables.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    if options.clock {
        writeln!(
            out,
            "Times of plans on two threads: geometric means over those with each number as it is.\n"
        )?;
        return switched(options, |take| runs::all(options, &QUICK, take))?.print(&mut out);
    }
    if let Some(file) = &options.predictions {
        writeln!(
            out,
            "Errors of predictions, as factors: geometric means over those with each number as it is.\n"
        )?;
        let times = options.times.as_deref();
        return switched(options, |take| predictions::all(file, times, take))?.print(&mut out);
    }
    writeln!(
        out,
        "Costs of schedules: geometric means over those with each number as it is.\n"
    )?;
    switched(options, |take| schedules::all(options, &QUICK, take))?.print(&mut out)?;
    writeln!(
        out,
        "\nPredicted times of plans: geometric means, in the same way.\n"
    )?;
    switched(options, |take| plans::all(options, &QUICK, take))?.print(&mut out)
}

/// Solves problems with each number switched.
fn switched(
    options: &Options,
    problems: impl FnOnce(&mut Take<'_>) -> Result<(), Failure>,
) -> Result<Table, Failure> {
    let mut table = Table::default();
    problems(
        &mut |problem: Problem<'_>| match problem.class.contains(&options.class) {
            true => switch(&problem, &options.number, &mut table),
            false => Ok(()),
        },
    )?;
    Ok(table)
}

/// Solves one problem with each number switched whose name contains a text.
fn switch(problem: &Problem<'_>, only: &str, table: &mut Table) -> Result<(), Failure> {
    superstep_tuning::read();
    let Some(as_is) = (problem.solve)()? else {
        return Ok(());
    };
    let read = superstep_tuning::read();
    for number in read
        .into_iter()
        .filter(|number| number.name().contains(only))
    {
        for setting in [Setting::Off, Setting::Half, Setting::Double] {
            if number.value(setting).is_none() {
                continue;
            }
            number.set(setting);
            let other = (problem.solve)();
            number.set(Setting::AsIs);
            let other = other?.ok_or("a number decides what can be solved")?;
            table.add(number, setting, problem, [&as_is, &other]);
        }
    }
    Ok(())
}

/// Outcome of a problem, with the seconds of solving it.
struct Solved {
    cost: f64,
    seconds: f64,
}

impl Solved {
    /// Solves a problem, and takes the time.
    fn timed(
        solve: impl FnOnce() -> Result<Option<f64>, Failure>,
    ) -> Result<Option<Self>, Failure> {
        let start = Instant::now();
        let cost = solve()?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(cost.map(|cost| Self { cost, seconds }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use serde_json::{Value, json};
    use superstep_bench_kernels::collection::KERNELS;
    use superstep_compiler::{Options as Compiling, Request, compile};
    use superstep_machine::Times;

    use super::predictions::Measured;
    use super::table::Row;
    use super::*;
    use crate::plan::tests::{MESHES, TINY};

    /// Lets one test at a time switch numbers, which all threads read.
    fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the names of all numbers that the sources of a folder declare, behind that of their
    /// module.
    fn declared(folder: &Path, names: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                declared(&path, names);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let module = path.file_stem().unwrap().to_str().unwrap();
            let blocks = text.split("tuned! {\n").skip(1);
            let blocks = blocks.map(|block| block.split("\n}\n").next().unwrap());
            for line in blocks.flat_map(str::lines) {
                if let Some((_, number)) = line.split_once("const ") {
                    let number = number.split(':').next().unwrap();
                    names.insert(format!("{module}::{number}"));
                }
            }
        }
    }

    fn options(number: &str, class: &str, largest: usize) -> Options {
        Options {
            number: number.to_owned(),
            class: class.to_owned(),
            folder: None,
            largest,
            clock: false,
            predictions: None,
            times: None,
        }
    }

    /// Writes a row of a file of measurements: a kernel at a size. Its program for so many
    /// processors has a prediction that is off by so much.
    fn row(kernel: &str, size: usize, processors: usize, error: f64) -> Value {
        let error = |of| (of == processors).then_some(error);
        let kernel = KERNELS.iter().find(|own| own.name == kernel).unwrap();
        json!({
            "field": kernel.field,
            "kernel": kernel.name,
            "size": size.to_string(),
            "tasks": (kernel.instance)(size).record().unwrap().tasks(),
            "programs_vs_function": [0.5, 0.5],
            "predicted_error": [error(1), error(2), null],
            "function_predicted_error": null,
        })
    }

    /// Switches numbers whose names contain a text, and compares the errors of such rows.
    fn errors(number: &str, rows: Vec<Value>) -> Result<Table, Failure> {
        let file = json!({ "rows": rows }).to_string();
        let measured: Measured = serde_json::from_str(&file)?;
        switched(&options(number, "", 0), |take| {
            measured.all(Times::default(), take)
        })
    }

    #[test]
    fn what_a_prediction_is_off_grows_and_shrinks_with_a_number() {
        let _alone = alone();
        let of = |error: f64| {
            let dense = KERNELS.iter().filter(|kernel| kernel.field == "dense");
            let rows = dense.map(|kernel| row(kernel.name, 0, 1, error));
            let table = errors("loops::ALONE", rows.collect()).unwrap();
            let means = table.rows.values().map(|row| row.worst().unwrap().1);
            means.collect::<Vec<f64>>()
        };
        // Starts of loops: as those of vectors, which take longer, half, and twice.
        let [too_long, too_short] = [10.0, 0.1].map(of);
        assert!(
            too_long[0] > too_long[2] && too_long[2] > 1.0 && too_long[1] < 1.0,
            "{too_long:?}"
        );
        for (long, short) in too_long.iter().zip(&too_short) {
            assert!((long * short - 1.0).abs() < 1e-9, "{long} and {short}");
        }
    }

    #[test]
    fn rows_of_another_build_are_refused() {
        let _alone = alone();
        let kernel = KERNELS.iter().find(|own| own.name == "cholesky").unwrap();
        let trace = (kernel.instance)(0).record().unwrap();
        let compiled = compile(&trace, &[Request::new(1)], &Compiling::default()).unwrap();
        let report = &compiled.programs[0].report;
        let measured = |function: f64, tasks: usize| {
            let mut row = row("cholesky", 0, 1, 2.0);
            row["tasks"] = tasks.into();
            // The program took half of the function's time.
            row["function_predicted_error"] = json!(function / report.predicted());
            errors("none", vec![row]).map(drop)
        };
        let (function, tasks) = (report.function as f64, trace.tasks());
        measured(function, tasks).unwrap();
        for other in [
            measured(1.01 * function, tasks),
            measured(function, tasks + 1),
        ] {
            let error = other.unwrap_err().to_string();
            assert!(
                error.starts_with("cholesky, 0: measured with a build of other"),
                "{error}"
            );
        }
    }

    #[test]
    fn plans_of_other_settings_run_beside_the_first() {
        let _alone = alone();
        let options = options("contest::LEAST_WINDOW", "solves: grids", 3000);
        let table = switched(&options, |take| runs::all(&options, &TINY, take)).unwrap();
        let ratios: Vec<_> = table.rows.values().map(Row::worst).collect();
        assert_eq!(ratios.len(), 2, "half and double");
        let measured = |ratio: &Option<(&str, f64)>| ratio.is_some_and(|(_, mean)| mean > 0.0);
        assert!(ratios.iter().all(measured), "{ratios:?}");
    }

    #[test]
    fn each_declared_number_is_switched_and_some_change_costs() {
        let _alone = alone();
        let options = |class, largest| options("", class, largest);
        let schedules = |options: &Options| {
            switched(options, |take| schedules::all(options, &TINY, take)).unwrap()
        };
        let (all, long) = (options("", 3000), options("recurrences", 12_000));
        let (all, long) = (schedules(&all), schedules(&long));
        // Pipelines of plans are for dissected meshes, and large ones. Owners are for kernels.
        let options = options("", 20_000);
        let plans = switched(&options, |take| plans::all(&options, &MESHES, take)).unwrap();
        let predicted = [
            ("boxes", 0, 1),
            ("floyd", 0, 1),
            ("kalman", 0, 1),
            ("reed_solomon", 0, 1),
            ("smith_waterman", 1, 2),
            ("wavelet", 0, 1),
        ];
        let predicted =
            predicted.map(|(kernel, size, processors)| row(kernel, size, processors, 2.0));
        let predictions = errors("", predicted.into()).unwrap();
        let rows = all.rows.iter().chain(&long.rows).chain(&plans.rows);
        let rows = rows.chain(&predictions.rows);
        let (mut names, mut changed) = (BTreeSet::new(), 0);
        for ((name, _), row) in rows {
            let path: Vec<&str> = name.split("::").collect();
            names.insert(path[path.len() - 2..].join("::"));
            changed += usize::from(row.worst().is_some_and(|(_, mean)| mean != 1.0));
        }
        let mut all = BTreeSet::new();
        for folder in ["compiler", "lists", "planner", "scheduler"] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
            declared(&root.join(folder).join("src"), &mut all);
        }
        assert_eq!(names, all, "numbers that some problem reads, and all");
        assert!(changed > 20, "{changed} settings change costs");
        let mut out = Vec::new();
        plans.print(&mut out).unwrap();
        let table = String::from_utf8(out).unwrap();
        assert!(
            table.contains("| `planner::contest::CHUNKS` | 4 | 1 |"),
            "{table}"
        );
    }
}
