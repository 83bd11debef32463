//! The traffic of a schedule as a matrix, by which ranks are placed on hosts.

use std::{fmt::Write, path::PathBuf};

use clap::Args;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Sending};

use crate::failure::{InFile, in_file};

/// Output of the words that processors send each other.
#[derive(Args)]
pub(crate) struct Traffic {
    /// Write the words that each processor sends each other one to this file, a row for each
    /// sender: for `topology ranks --traffic`
    #[arg(long, value_name = "FILE")]
    traffic: Option<PathBuf>,
}

impl Traffic {
    /// Writes the matrix, if a file is named.
    pub(crate) fn write(
        &self,
        schedule: &CheckedSchedule<'_>,
        machine: &Machine,
    ) -> Result<(), InFile> {
        let Some(path) = &self.traffic else {
            return Ok(());
        };
        let width = schedule.schedule().processors();
        let mut words = vec![0_u64; width * width];
        for transfer in Communication::on(schedule, Sending::ImprovedLazy, machine).transfers() {
            let pair = transfer.from as usize * width + transfer.to as usize;
            words[pair] += u64::from(schedule.graph().words(transfer.task));
        }
        let mut text = String::new();
        for row in words.chunks_exact(width) {
            let row: Vec<String> = row.iter().map(u64::to_string).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", row.join(","));
        }
        superstep_files::replace(path, text).map_err(in_file(path))
    }
}
