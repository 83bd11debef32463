//! Programs of a kernel as a build script writes and tells them, wherever the kernel stands.

use serde::{Deserialize, Serialize};
use superstep_report::KernelReport;
use superstep_tracer::Kernel;

/// Programs of a kernel: files, and lines for cargo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Made {
    /// Id of the kernel, with which names of files begin.
    pub id: String,
    /// Line of the kernel.
    pub line: u32,
    pub lines: Vec<Line>,
    /// Files in the output folder: what follows the id in their names, and their contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// Report of the kernel ([`KernelReport`]) in JSON.
    pub report: String,
}

/// A line that is told to cargo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Line {
    /// A line of the file `output`, which cargo shows with `-vv`.
    Note(String),
    /// A warning of the kernel.
    Warning(String),
    /// A warning of a statement of the kernel.
    OfStatement(u16, String),
}

impl Line {
    /// Writes the line for cargo, of a kernel that stands where this one does.
    pub(super) fn of(&self, kernel: &Kernel) -> String {
        match self {
            Self::Note(text) => text.clone(),
            Self::Warning(text) => {
                format!("cargo::warning={}:{}: {text}", kernel.file, kernel.line)
            }
            Self::OfStatement(statement, text) => {
                format!("cargo::warning={}: {text}", kernel.location(*statement))
            }
        }
    }
}

impl Made {
    /// Returns the same programs for the same kernel at another place in its file.
    pub(super) fn at(mut self, kernel: &Kernel) -> Self {
        if (self.id == kernel.id) && self.line == kernel.line {
            return self;
        }
        let place = |line| format!("({}:{line})", kernel.file);
        for (ending, contents) in &mut self.files {
            if ending == ".rs"
                && let Ok(text) = str::from_utf8(contents)
            {
                let text = text.replace(&self.id, &kernel.id);
                *contents = text
                    .replace(&place(self.line), &place(kernel.line))
                    .into_bytes();
            }
        }
        if let Ok(mut report) = serde_json::from_str::<KernelReport>(&self.report) {
            report.move_to(kernel.line);
            self.report = json(&report);
        }
        self.id.clone_from(&kernel.id);
        self.line = kernel.line;
        self
    }

    /// Has the report name the source files as they are now, and say why no plan can be made at
    /// run time.
    pub(super) fn reported(mut self, sources: Vec<(String, String)>, why: Option<&str>) -> Self {
        if let Ok(mut report) = serde_json::from_str::<KernelReport>(&self.report) {
            report.sources = sources;
            report.unplanned = why.map(str::to_owned);
            self.report = json(&report);
        }
        self
    }
}

/// Writes a report.
pub(super) fn json(report: &KernelReport) -> String {
    serde_json::to_string_pretty(report).expect("a report holds only numbers and strings")
}

#[cfg(test)]
mod tests {
    use superstep_report::{Report, Statement};
    use superstep_tracer::Role;

    use super::*;

    fn kernel(line: u32) -> Kernel {
        let mut kernel = Kernel::new("lu");
        kernel.file = "src/kernels.rs".into();
        kernel.id = format!("lu-0123456789abcd{line:02}");
        kernel.line = line;
        let x = kernel.add_array("x", Role::InOut, None);
        kernel.add_statement("x[i] = x[j]", x, &[x]);
        kernel.arrays[0].line = line + 1;
        kernel.statements[0].line = line + 2;
        kernel
    }

    fn statement(file: Option<&str>, line: u32) -> Statement {
        Statement {
            file: file.map(str::to_owned),
            line,
            ..Statement::default()
        }
    }

    fn made(kernel: &Kernel) -> Made {
        let (id, line) = (&kernel.id, kernel.line);
        let text = format!(
            "// `lu` ({}:{line})\ninclude_bytes!(\"{id}.0.plan\")",
            kernel.file
        );
        let report = KernelReport {
            kernel: "lu".into(),
            file: kernel.file.clone(),
            line,
            instances: Vec::new(),
            programs: vec![Report {
                statements: vec![
                    statement(None, line + 2),
                    statement(Some("src/callee.rs"), 7),
                ],
                ..Report::default()
            }],
            print_seconds: 0.1,
            unplanned: None,
            sources: Vec::new(),
        };
        Made {
            id: id.clone(),
            line,
            lines: vec![Line::OfStatement(0, "slow".into())],
            files: vec![
                (".rs".into(), text.into_bytes()),
                (".0.plan".into(), vec![255]),
            ],
            report: json(&report),
        }
    }

    #[test]
    fn programs_of_a_kernel_that_moves_are_those_of_the_new_place() {
        assert_eq!(made(&kernel(12)).at(&kernel(40)), made(&kernel(40)));
        assert_eq!(kernel(12).without_place(), kernel(40).without_place());
        let line = Line::OfStatement(0, "slow".into());
        assert_eq!(
            line.of(&kernel(40)),
            "cargo::warning=src/kernels.rs:42: slow"
        );
    }
}
