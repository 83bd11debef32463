//! The programs of one kernel.

use serde::{Deserialize, Serialize};

use crate::Report;

/// The programs of one kernel: the file that a build writes beside the generated one, as `<kernel
/// id>.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelReport {
    /// Name of the kernel.
    pub kernel: String,
    /// Source file.
    pub file: String,
    /// Line of the kernel, from 1.
    pub line: u32,
    /// One for each choice of control arguments, in the order of the build script.
    #[serde(default)]
    pub instances: Vec<InstanceReport>,
    /// One report for each program: by choice of control arguments, then by ascending number of
    /// processors. One number may have two, with shared and with private memory.
    pub programs: Vec<Report>,
    /// Time that printing all programs took, in seconds.
    #[serde(default)]
    pub print_seconds: f64,
    /// The line that keeps calls from planning the kernel, and why; none if they can, or its author
    /// wants no plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unplanned: Option<String>,
    /// Source files of the kernel and of those that it calls, each with a hash of its text at the
    /// time of the build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<(String, String)>,
}

/// The making of one kernel's programs for one choice of control arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceReport {
    /// The control arguments, `n = 128`.
    pub control: String,
    /// Tasks of the trace.
    pub tasks: usize,
    /// Time that tracing took, in seconds.
    pub trace_seconds: f64,
    /// Time that scheduling and lowering took, all candidates included, in seconds.
    pub compile_seconds: f64,
}

impl KernelReport {
    /// Returns the time that building the programs of each instance took, in seconds. It is for
    /// tracing, compiling, and a share of the printing in proportion to its tasks.
    pub fn build_seconds(&self) -> impl Iterator<Item = f64> {
        let tasks: usize = self.instances.iter().map(|instance| instance.tasks).sum();
        let print = self.print_seconds / tasks.max(1) as f64;
        self.instances.iter().map(move |instance| {
            instance.trace_seconds + instance.compile_seconds + print * instance.tasks as f64
        })
    }

    /// Tells each program's report how long building took for its choice of control arguments, all
    /// its programs together.
    pub fn share_seconds(&mut self) {
        let seconds: Vec<f64> = self.build_seconds().collect();
        for report in &mut self.programs {
            let mut instances = self.instances.iter();
            let of = instances.position(|instance| instance.control == report.control);
            report.planning_seconds = of.map_or(0.0, |of| seconds[of]);
        }
    }

    /// Moves the kernel to another line, and with it all lines of its own file. Those in files of
    /// kernels that it calls stay, and so does the text of [`unplanned`](Self::unplanned).
    pub fn move_to(&mut self, line: u32) {
        let from = self.line;
        let moved = |at: &mut u32| *at = at.wrapping_sub(from).wrapping_add(line);
        self.line = line;
        for report in &mut self.programs {
            if let Some(kernel) = &mut report.kernel {
                kernel.line = line;
            }
            for statement in report
                .statements
                .iter_mut()
                .filter(|each| each.file.is_none())
            {
                moved(&mut statement.line);
            }
            report
                .arrays
                .iter_mut()
                .for_each(|array| moved(&mut array.line));
        }
    }
}
