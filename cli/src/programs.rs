//! Programs of a crate, as commands find them and choose among them by kernel, processors and
//! control arguments. Options that are left out admit all.

pub(crate) mod build;
pub(crate) mod recording;
pub(crate) mod traced;

use std::cmp::Reverse;

use clap::Args;
use superstep_report::{KernelReport, Report};

use self::build::Kernel;

/// An error: the filters left nothing.
#[derive(Debug, thiserror::Error)]
#[error("no program fits; without filters, `cargo superstep report` lists them all")]
pub(crate) struct NoMatch;

/// Filter of a crate's programs: those are wanted that all of its options admit.
#[derive(Args)]
pub(crate) struct Filter {
    /// Only programs of this kernel
    kernel: Option<String>,
    /// Only programs for this number of processors
    #[arg(short = 'P', long)]
    processors: Option<usize>,
    /// Only programs whose control arguments contain this text, such as "n = 128"
    #[arg(long, value_name = "TEXT")]
    control: Option<String>,
}

impl Filter {
    /// Returns whether programs of this kernel are wanted.
    pub(crate) fn names(&self, kernel: &KernelReport) -> bool {
        self.kernel
            .as_ref()
            .is_none_or(|name| *name == kernel.kernel)
    }

    /// Returns whether a recorded run is wanted, by its report alone: its kernel is not at hand.
    pub(crate) fn is_of(&self, report: &Report) -> bool {
        let name = self.kernel.as_deref();
        name.is_none_or(|name| name == report.name()) && self.wants(report)
    }

    /// Returns whether a program is wanted, whichever kernel it is of.
    pub(crate) fn wants(&self, report: &Report) -> bool {
        self.processors.is_none_or(|p| p == report.processors)
            && self
                .control
                .as_ref()
                .is_none_or(|text| report.control.contains(text))
    }

    /// Returns the report of a kernel with those of its programs alone that are wanted.
    pub(crate) fn of(&self, mut kernel: KernelReport) -> KernelReport {
        kernel.programs.retain(|report| self.wants(report));
        kernel
    }

    /// Returns the programs that are wanted, each with its kernel and by its number.
    pub(crate) fn all<'k>(&self, kernels: &'k [Kernel]) -> Vec<(&'k Kernel, usize)> {
        let named = kernels.iter().filter(|kernel| self.names(&kernel.report));
        let programs = named.flat_map(|kernel| kernel.programs(|report| self.wants(report)));
        programs.collect()
    }

    /// Returns the program with most tasks of those that are wanted, and of these the one that is
    /// predicted to be fastest.
    pub(crate) fn fittest<'k>(&self, kernels: &'k [Kernel]) -> Option<(&'k Kernel, usize)> {
        self.all(kernels)
            .into_iter()
            .max_by_key(|&(kernel, program)| {
                let report = &kernel.report.programs[program];
                (report.tasks, Reverse(report.predicted() as u64))
            })
    }
}
