//! Calls of the collection's kernels beside the functions as written.
//!
//! `parallel` promises the mean over calls 1,000 to 11,000 of a process, probing included. That is
//! measured, of each kernel at a small and a real size, in a process of its own. Where so many
//! calls take too long, a stated time has to do. Blocks of functions and of calls alternate, so
//! that a machine that gets slower does so for both. Eight inputs take turns in each form. Each
//! call finds its first data again, which is copied before the clock runs.

mod beside;
mod calls;
mod recorded;
mod row;
mod summary;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::{CASES, Case, Size};
use row::Row;
use summary::Summary;

/// Compare calls of kernels that people write with the functions as written
#[derive(Args, Debug)]
pub struct Options {
    /// Only this kernel
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Only the row of this number, in this process
    #[arg(long, hide = true)]
    row: Option<usize>,
    /// Seconds for the calls of each form, where 10,000 take longer
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Call on one input first, and measure from the 200th call after it changes to 64 in turn
    #[arg(long)]
    changed: bool,
    /// Record a run of each program for two processors into this folder, and measure nothing:
    /// `cargo superstep report --timeline FILE --costs FILE` makes costs of each
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Measure another build of this binary beside it, row by row in turn
    #[arg(long, value_name = "BINARY")]
    beside: Option<PathBuf>,
    /// Only the twenty rows of this file of `--json` whose predictions are off most
    #[arg(long, value_name = "FILE")]
    off: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
///
/// # Errors
/// When a call fails, a report of the build is missing, or a form gives another result than the
/// function.
pub fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let sizes = [Size::Small, Size::Real];
    let all: Vec<(&Case, Size)> = CASES
        .iter()
        .flat_map(|case| sizes.map(|size| (case, size)))
        .collect();
    if let Some(number) = options.row {
        let &(case, size) = all.get(number).ok_or("there is no such row")?;
        println!(
            "{}",
            serde_json::to_string(&Row::new(case, size, options)?)?
        );
        return Ok(());
    }
    let off = options.off.as_deref().map(row::most_off).transpose()?;
    let is_wanted = |&(case, size): &(&Case, Size)| {
        let is_off = |rows: &Vec<Row>| rows.iter().any(|row| row.is(case, size));
        options.only.as_ref().is_none_or(|name| name == case.kernel)
            && off.as_ref().is_none_or(is_off)
    };
    let wanted: Vec<usize> = (0..all.len()).filter(|&at| is_wanted(&all[at])).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = CASES.iter().map(|case| case.kernel).collect();
        return Err(format!("no such kernel; there are {}", names.join(", ")).into());
    }
    if let Some(folder) = &options.record {
        return wanted
            .iter()
            .try_for_each(|&at| recorded::record(all[at].0, all[at].1, folder));
    }
    if let Some(other) = &options.beside {
        return beside::run(&wanted, other);
    }
    if !options.json {
        row::print_head();
    }
    let mut rows = Vec::new();
    for number in wanted {
        let row = elsewhere(&env::current_exe()?, number)?;
        if !options.json {
            row.print();
        }
        rows.push(row);
    }
    let summary = Summary::new(rows);
    if options.json {
        println!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        summary.print();
    }
    match summary.rows.iter().find(|row| !row.identical) {
        Some(row) => Err(format!("{}: a form gave another result", row.name()).into()),
        None => Ok(()),
    }
}

/// The row of that number, measured in a process of this binary, which is called as this one.
fn elsewhere(binary: &Path, number: usize) -> Result<Row, Box<dyn std::error::Error>> {
    let mut command = Command::new(binary);
    command.args(env::args_os().skip(1));
    command.args(["--row", &number.to_string()]);
    let output = command.stderr(Stdio::inherit()).output()?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let status = output.status;
        format!("row {number} was not measured ({status}): {error}").into()
    })
}
