//! Calls of the collection's kernels beside the functions as written.
//!
//! `parallel` promises the mean over calls 1,000 to 11,000 of a process, probing included: that is
//! measured, of each kernel at a small and a real size, in a process of its own. Where so many
//! calls take too long, a stated time has to do. Blocks of functions and of calls alternate, so
//! that a machine that gets slower does so for both. Eight inputs take turns in each form; each call
//! finds its first data again, which is copied before the clock runs.

mod calls;
mod row;
mod summary;

use std::env;
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
    let is_wanted = |case: &Case| options.only.as_ref().is_none_or(|name| name == case.kernel);
    let wanted: Vec<usize> = (0..all.len()).filter(|&at| is_wanted(all[at].0)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = CASES.iter().map(|case| case.kernel).collect();
        return Err(format!("no such kernel; there are {}", names.join(", ")).into());
    }
    if !options.json {
        row::print_head();
    }
    let mut rows = Vec::new();
    for number in wanted {
        let row = elsewhere(number)?;
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

/// The row of that number, measured in another process, which is called as this one.
fn elsewhere(number: usize) -> Result<Row, Box<dyn std::error::Error>> {
    let mut command = Command::new(env::current_exe()?);
    command.args(env::args_os().skip(1));
    command.args(["--row", &number.to_string()]);
    let output = command.stderr(Stdio::inherit()).output()?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let status = output.status;
        format!("row {number} was not measured ({status}): {error}").into()
    })
}
