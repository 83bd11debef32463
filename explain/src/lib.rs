//! Finds out what would make a program faster, and by how much. Each answer is a change of the
//! kernel or of its build that was planned again, and predicted.
//!
//! Changes of a kernel are changes of its trace: the trace that the kernel would have if its author
//! wrote what the answer says. So a gain is the very one that the build will predict then.
//!
//! * [`explain`]: the answers for a program, the best first.
//! * `diagnosis`: which changes come into question, by what the program's loops and waits look
//!   like.
//! * `change`: changes, and the traces and options that they lead to.
//! * `limit`: what holds the program up.
//! * `answer`: what is said of each.
//!
//! ```
//! use superstep_compiler::{Options, Request};
//! use superstep_explain::{Subject, explain};
//! use superstep_tracer::{DEFAULT_LIMIT, Form, Kernel, Operations, Role, record};
//!
//! // for i in 0..100_000 { *sum += x[i]; }
//! let mut kernel = Kernel::new("total");
//! let x = kernel.add_array("x", Role::Input, None);
//! let sum = kernel.add_array("sum", Role::InOut, Some(1));
//! let add = Operations { additions: 1, ..Operations::default() };
//! kernel.add_statement_with("*sum += x[i]", sum, &[sum, x], Form::Compound, add);
//! let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
//!     (0..100_000).for_each(|i| recorder.push(0, 0, &[0, i]));
//! })?;
//! let options = Options::default();
//! let request = Request::exactly(2);
//! let subject = Subject { trace: &trace, options: &options, request, cores: 2 };
//! let explained = explain(&subject, 0.05, &mut |_| {})?;
//! assert!(explained.answers[0].title.contains("#[reduce]"));
//! assert!(explained.answers[0].gain > 0.3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod change;
mod diagnosis;
mod limit;

use superstep_compiler::{CompileError, Compiled, Options, Request, compile};
use superstep_report::{Answer, WhatIf};
use superstep_tracer::Trace;

use self::change::Changed;

/// Numbers of processors of the table of predictions.
const WHAT_IF: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A program of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The trace of the kernel.
    pub trace: &'a Trace,
    /// Options by which it was compiled.
    pub options: &'a Options,
    /// The program.
    pub request: Request,
    /// Cores that there are: programs for more processors are tried up to them.
    pub cores: usize,
}

/// Answers about a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explained {
    /// Nanoseconds that it is predicted to take.
    pub predicted: f64,
    /// Changes that would make it faster, the best first; or one answer without a gain, which says
    /// why nothing would.
    pub answers: Vec<Answer>,
    /// Changes that were planned again.
    pub tried: usize,
}

/// Finds out what would make a program faster by at least a part of its time. `progress` is told
/// what is planned.
///
/// Each change is scheduled and predicted as a build would: that takes as long as the program
/// itself, for some five changes.
///
/// # Errors
/// As [`compile`].
pub fn explain(
    subject: &Subject<'_>,
    least: f64,
    progress: &mut dyn FnMut(&str),
) -> Result<Explained, CompileError> {
    progress("the program as it is");
    let base = program(subject)?;
    let alone = program(&Subject {
        request: Request::exactly(1),
        ..*subject
    })?;
    let predicted = base.report.predicted();
    let changes = diagnosis::changes(subject, &base, &alone);
    let mut answers = Vec::new();
    let mut tried = 0;
    for change in changes {
        let Some(changed) = change.applied(subject) else {
            continue;
        };
        progress(&answer::title(&change, subject.trace.kernel()));
        tried += 1;
        // A change for which there is no program gains nothing.
        let Ok(found) = program(&changed.subject(subject)) else {
            continue;
        };
        let gain = 1.0 - found.report.predicted() / predicted;
        if gain > 0.0 {
            answers.push(answer::answer(
                &change,
                subject,
                [&base, &alone, &found],
                gain,
            ));
        }
    }
    let mut answers = Answer::best(answers, least);
    if answers.is_empty() {
        answers.push(answer::nothing(subject, [&base, &alone]));
    }
    Ok(Explained {
        predicted,
        answers,
        tried,
    })
}

/// Predicts the program for 1, 2, 4 and more processors, as long as a processor has ten tasks.
///
/// # Errors
/// As [`compile`].
pub fn what_if(
    subject: &Subject<'_>,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<WhatIf>, CompileError> {
    let mut rows: Vec<WhatIf> = Vec::new();
    for processors in WHAT_IF {
        if processors > 1 && subject.trace.tasks() < 10 * processors {
            break;
        }
        progress(&format!("{processors} processors"));
        let request = Request {
            processors,
            exact: true,
            ..subject.request
        };
        let found = program(&Subject {
            request,
            ..*subject
        })?;
        rows.push(WhatIf {
            processors,
            predicted_ns: found.report.predicted() as u64,
            algorithm: found.report.algorithm,
        });
    }
    Ok(rows)
}

/// Compiles a program as a build does: the one for one processor comes first, which says what a
/// task takes.
fn program(subject: &Subject<'_>) -> Result<Compiled, CompileError> {
    let request = Request {
        exact: true,
        ..subject.request
    };
    let compilation = compile(subject.trace, &[request], subject.options)?;
    let of = |compiled: &Compiled| compiled.report.processors == request.processors;
    let mut programs = compilation.programs;
    let at = programs.iter().position(of).unwrap_or(programs.len() - 1);
    Ok(programs.swap_remove(at))
}

impl Changed {
    /// Returns the program of the changed kernel.
    fn subject<'a>(&'a self, before: &Subject<'a>) -> Subject<'a> {
        Subject {
            trace: self.trace.as_ref().unwrap_or(before.trace),
            options: self.options.as_ref().unwrap_or(before.options),
            request: self.request.unwrap_or(before.request),
            ..*before
        }
    }
}
