//! Two programs or runs of one kernel instance in detail.

use serde::{Deserialize, Serialize};

use super::steps::StepChanges;
use super::tasks::{Moved, Tasks, moved};
use super::{Comparison, ProgramRow};
use crate::{Breakdown, Details, Report, Statement};

/// A program or a run that is compared with another.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// Its name: `P = 4`, or that of a file.
    pub name: &'a str,
    /// Its figures, of a recorded run with its times.
    pub report: &'a Report,
    /// Its loops and timelines.
    pub details: &'a Details,
    /// Hash of the plan that ran, where its run alone is at hand: chunks of other plans are others.
    pub identity: Option<u64>,
}

/// A figure before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Value of the first program or run.
    pub before: u64,
    /// Value of the second.
    pub after: u64,
    /// The second less the first.
    pub difference: i64,
}

impl Change {
    pub(super) fn new(before: u64, after: u64) -> Self {
        Self {
            before,
            after,
            difference: after as i64 - before as i64,
        }
    }
}

/// Two programs or runs of one kernel instance. Times are measured if both runs were recorded, else
/// predicted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pair {
    /// Names of the two: `P = 4`, or those of files.
    pub names: [String; 2],
    /// Kind of times: `measured` or `predicted`.
    pub times: String,
    /// Set if both are runs of one program.
    pub same_program: bool,
    /// Nanoseconds of the run.
    pub run_ns: Change,
    /// Computing.
    pub work_ns: Change,
    /// Copying words.
    pub communication_ns: Change,
    /// Learning that others have ended, and beginning and ending the call.
    pub synchronisation_ns: Change,
    /// Number of supersteps.
    pub supersteps: Change,
    /// Words that cross from one processor to another.
    pub words: Change,
    /// Statements of the kernel.
    pub statements: Vec<StatementChange>,
    /// Reason for which tasks of some statements are not matched one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmatched: Option<String>,
    /// Supersteps of two recorded runs of one program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<StepChanges>,
}

/// A statement in two programs or runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StatementChange {
    /// Source file, where it is another than the kernel's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in the source, from 1.
    pub line: u32,
    /// The assignment as written.
    pub text: String,
    /// Task instances.
    pub tasks: Change,
    /// Work of all of them.
    pub work_ns: Change,
    /// Words that cross to another processor, of those that it computed.
    pub words: Change,
    /// Its tasks, matched one by one; none if they cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
}

impl Comparison {
    /// Adds what two programs or runs of one kernel instance differ in.
    ///
    /// Costs some 80 ns for each task of both, and 16 bytes for each of the statement with most.
    /// Tasks of a statement that has more than 67 million are not matched.
    #[must_use]
    pub fn with_pair(self, before: Compared<'_>, after: Compared<'_>) -> Self {
        let words = |at: usize| {
            self.programs
                .get(at)
                .map_or(0, |row: &ProgramRow| row.words)
        };
        let words = Change::new(words(0), words(1));
        Self {
            pair: Some(pair(before, after, words)),
            ..self
        }
    }
}

fn pair(before: Compared<'_>, after: Compared<'_>, words: Change) -> Pair {
    let both = [before, after];
    let measured = both.map(|each| each.report.times.as_ref()?.measured);
    let predicted = both.map(|each| each.report.times.as_ref().map(|times| times.predicted));
    let is_measured = measured.iter().all(Option::is_some);
    let times = if is_measured { measured } else { predicted };
    let part = |part: fn(&Breakdown) -> u64| {
        let [before, after] = [&times[0], &times[1]].map(|times| times.as_ref().map_or(0, part));
        Change::new(before, after)
    };
    let same_program =
        before.details.plan == after.details.plan && before.identity == after.identity;
    let statements = statements(both, is_measured);
    let has_unmatched = statements.iter().any(|each| each.moved.is_none());
    Pair {
        names: both.map(|each| each.name.to_owned()),
        times: if is_measured { "measured" } else { "predicted" }.to_owned(),
        same_program,
        run_ns: part(|times| times.run_ns),
        work_ns: part(|times| times.work_ns),
        communication_ns: part(|times| times.communication_ns),
        synchronisation_ns: part(|times| times.synchronisation_ns),
        supersteps: Change::new(
            before.report.supersteps as u64,
            after.report.supersteps as u64,
        ),
        words,
        unmatched: has_unmatched.then(|| unmatched(both)),
        statements,
        steps: (same_program && is_measured).then(|| {
            let last = both.map(|each| each.details.timelines.last());
            let [Some(before), Some(after)] = last else {
                return StepChanges::default();
            };
            StepChanges::of(before, after, both[0].details.plan.supersteps as usize)
        }),
    }
}

/// Returns the level of the loops whose iterations a plan has.
fn level(of: Compared<'_>) -> Option<u32> {
    Some(of.report.plan.as_ref()?.level)
}

/// Says why tasks are not matched.
fn unmatched(both: [Compared<'_>; 2]) -> String {
    let private = both.iter().filter(|each| each.report.private_memory);
    let private: Vec<&str> = private.map(|each| each.name).collect();
    match &private[..] {
        [] if level(both[0]) != level(both[1]) => {
            "iterations are not matched: they are those of different loops".to_owned()
        }
        [] if both.iter().any(|each| each.identity.is_some()) => {
            "chunks are not matched: they are those of different plans".to_owned()
        }
        [] => "tasks of statements that write arrays of a processor's own, or beyond an array, or \
               that have more than 67 million tasks, cannot be matched"
            .to_owned(),
        names => format!(
            "tasks cannot be matched one by one: the processors of {} have memories of their own, \
             whose places are not the arrays' indices",
            names.join(" and of ")
        ),
    }
}

/// Compares the statements that stand at one place with one text, and lists those of one program
/// alone behind them.
fn statements(both: [Compared<'_>; 2], is_measured: bool) -> Vec<StatementChange> {
    let [before, after] = both.map(|each| &each.report.statements[..]);
    let are_matched = level(both[0]) == level(both[1]) && both[0].identity == both[1].identity;
    let place = |each: &Statement| (each.file.clone(), each.line, each.column, each.text.clone());
    let mut left: Vec<usize> = (0..after.len()).collect();
    let mut pairs: Vec<[Option<usize>; 2]> = Vec::new();
    for (at, statement) in before.iter().enumerate() {
        let found = left
            .iter()
            .position(|&other| place(&after[other]) == place(statement));
        pairs.push([Some(at), found.map(|found| left.remove(found))]);
    }
    pairs.extend(left.into_iter().map(|at| [None, Some(at)]));
    let change = |[a, b]: [Option<usize>; 2]| {
        let each = [a.map(|at| &before[at]), b.map(|at| &after[at])];
        let part = |part: &dyn Fn(&Statement) -> u64| {
            let [before, after] = each.map(|each| each.map_or(0, part));
            Change::new(before, after)
        };
        let work = |each: &Statement| match each.measured_ns {
            Some(measured) if is_measured => measured,
            _ => each.work_ns,
        };
        let named = each[0].or(each[1]).cloned().unwrap_or_default();
        StatementChange {
            file: named.file,
            line: named.line,
            text: named.text,
            tasks: part(&|each| each.tasks),
            work_ns: part(&work),
            words: part(&|each| each.words_sent),
            moved: a.zip(b).filter(|_| are_matched).and_then(|(a, b)| {
                let tasks = both.map(|each| Tasks {
                    plan: &each.details.plan,
                    statements: &each.report.statements,
                });
                let array = before[a].writes.map(usize::from);
                let words = array.and_then(|array| both[0].report.arrays.get(array));
                moved(tasks, [a, b], words.map(|array| array.words))
            }),
        }
    };
    pairs.into_iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use superstep_order::{Timeline, Times as Step};

    use super::*;
    use crate::{KernelReport, Times};

    fn statement(line: u32, work_ns: u64) -> Statement {
        Statement {
            line,
            work_ns,
            measured_ns: Some(2 * work_ns),
            tasks: 4,
            ..Statement::default()
        }
    }

    fn report(measured: Option<u64>, statements: Vec<Statement>) -> Report {
        let run = |run_ns| Breakdown {
            run_ns,
            ..Breakdown::default()
        };
        Report {
            times: Some(Times {
                predicted: run(100),
                measured: measured.map(run),
            }),
            statements,
            ..Report::default()
        }
    }

    fn compared(before: &Report, after: &Report) -> Pair {
        let details = Details {
            timelines: vec![Timeline::new(vec![0, 1], vec![Step::default()])],
            ..Details::default()
        };
        let side = |report| Compared {
            name: "one",
            report,
            details: &details,
            identity: None,
        };
        let kernel = KernelReport {
            kernel: "sums".into(),
            file: "src/kernels.rs".into(),
            line: 1,
            instances: Vec::new(),
            programs: Vec::new(),
            print_seconds: 0.0,
            unplanned: None,
            sources: Vec::new(),
        };
        let comparison = Comparison::of_programs(&kernel, &[before, after]);
        let comparison = comparison.with_pair(side(before), side(after));
        comparison.pair.unwrap_or_default()
    }

    #[test]
    fn times_are_measured_if_both_runs_were_recorded() {
        let both = [Some(300), Some(260)].map(|ns| report(ns, vec![statement(5, 10)]));
        let pair = compared(&both[0], &both[1]);
        assert_eq!(
            (&pair.times[..], pair.run_ns),
            ("measured", Change::new(300, 260))
        );
        assert_eq!(
            (pair.run_ns.difference, pair.statements[0].work_ns.after),
            (-40, 20)
        );
        assert!(pair.same_program && pair.steps.is_some());
        let one = report(None, vec![statement(5, 10)]);
        let pair = compared(&both[0], &one);
        assert_eq!(
            (&pair.times[..], pair.run_ns),
            ("predicted", Change::new(100, 100))
        );
        assert_eq!(pair.statements[0].work_ns, Change::new(10, 10));
        assert_eq!(pair.steps, None);
    }

    #[test]
    fn statements_are_matched_by_place_and_those_of_one_program_alone_come_last() {
        let before = report(None, vec![statement(5, 10), statement(6, 20)]);
        let after = report(None, vec![statement(7, 40), statement(6, 30)]);
        let found = compared(&before, &after).statements;
        let works = found
            .iter()
            .map(|each| (each.line, each.work_ns.before, each.work_ns.after));
        assert!(works.eq([(5, 10, 0), (6, 20, 30), (7, 0, 40)]));
        assert_eq!(found[2].tasks, Change::new(0, 4));
    }
}
