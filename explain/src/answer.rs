//! Answers in words: what is slow, why, and what to write instead.

use superstep_compiler::Compiled;
use superstep_machine::Memory;
use superstep_report::{Answer, Breakdown};
use superstep_tracer::{Kernel, Trace};

use crate::Subject;
use crate::change::Change;
use crate::diagnosis::chains;
use crate::diagnosis::lines::{are_shared, words_of_line};
use crate::limit::{Limit, limit};

/// Names a change in a line.
pub(crate) fn title(change: &Change, kernel: &Kernel) -> String {
    let text = |statement: u16| &kernel.statement(statement).text;
    let name = |array: u16| &kernel.array(array).name;
    match change {
        Change::Processors(1) => "use one processor".into(),
        Change::Processors(processors) => format!("use {processors} processors"),
        Change::AnyAlgorithm => "let the build choose the scheduler".into(),
        Change::Memory(Memory::Private) => "give processors memories of their own".into(),
        Change::Memory(Memory::Shared) => "share the caller's arrays".into(),
        Change::AllPasses => "let all passes run".into(),
        Change::NoGrains => "take the marks `#[grain]` away".into(),
        Change::Reduce(statement) => {
            format!(
                "mark the loop around `{}` with `#[reduce]`",
                text(*statement)
            )
        }
        Change::Transpose { array, width } => {
            format!(
                "keep `{}` transposed: its rows of {width} words as columns",
                name(*array)
            )
        }
        Change::Renumber(array) => {
            format!("number `{}` in the order of its use", name(*array))
        }
        Change::Apart(array) => {
            format!("keep each value of `{}` in a word of its own", name(*array))
        }
        Change::Interchange(statement) => {
            format!("exchange the loops around `{}`", text(*statement))
        }
        Change::SortRows(statement) => {
            format!(
                "compute `{}` for rows in the order of their lengths",
                text(*statement)
            )
        }
    }
}

/// Returns the answer for a change that gains. `programs`: the program, that for one processor, and
/// that with the change.
pub(crate) fn answer(
    change: &Change,
    subject: &Subject<'_>,
    [base, alone, found]: [&Compiled; 3],
    gain: f64,
) -> Answer {
    let kernel = subject.trace.kernel();
    let [was, is] = [base, found].map(|compiled| 1e-3 * compiled.report.predicted());
    let statement = statement(change, subject.trace);
    let (why, help) = reason(change, subject, [base, alone, found]);
    Answer {
        title: title(change, kernel),
        body: format!("{why} Predicted: {is:.1} us in place of {was:.1} us."),
        help,
        gain,
        ..place(kernel, statement)
    }
}

/// Returns an answer without text, at the place of a statement or of the kernel.
fn place(kernel: &Kernel, statement: Option<u16>) -> Answer {
    let own = statement.map(|at| kernel.statement(at));
    Answer {
        file: Some(
            own.and_then(|own| own.file.clone())
                .unwrap_or_else(|| kernel.file.clone()),
        ),
        line: Some(own.map_or(kernel.line, |own| own.line)),
        column: own.map(|own| own.column),
        statement,
        ..Answer::default()
    }
}

/// Returns the statement that a change is about: of an array, the first that writes or reads it.
fn statement(change: &Change, trace: &Trace) -> Option<u16> {
    let kernel = trace.kernel();
    match *change {
        Change::Reduce(statement)
        | Change::Interchange(statement)
        | Change::SortRows(statement) => Some(statement),
        Change::Transpose { array, .. } => {
            let uses = |(_, each): &(u16, &superstep_tracer::Statement)| {
                each.target == array || each.operands.contains(&array)
            };
            let mut all = (0..).zip(&kernel.statements);
            all.find(uses).map(|(at, _)| at)
        }
        _ => None,
    }
}

/// Returns why a change gains, and what to write.
fn reason(
    change: &Change,
    subject: &Subject<'_>,
    [base, alone, found]: [&Compiled; 3],
) -> (String, String) {
    let Subject { trace, request, .. } = *subject;
    let kernel = trace.kernel();
    let times = base.report.times.clone().unwrap_or_default().predicted;
    match *change {
        Change::Processors(processors) if processors > request.processors => (
            format!("Its efficiency is {:.2}, and there are more cores.", times.efficiency()),
            format!("ask for `.processors([.., {processors}])`"),
        ),
        Change::Processors(processors) => (
            format!("{}.", waits(&times, base, alone)),
            format!(
                "ask for `.processors([.., {processors}])`, or for larger instances: work for each wait has to be larger"
            ),
        ),
        Change::AnyAlgorithm => (
            format!(
                "The build names the scheduler {}, and {} is predicted to be faster.",
                base.report.algorithm, found.report.algorithm
            ),
            "leave `.algorithm(..)` out".into(),
        ),
        Change::Memory(Memory::Private) => (
            "Copies of tasks save messages, which cost more than the tasks.".into(),
            format!(
                "`.private_memory([{}])`, with the feature `search` of the build dependency",
                request.processors
            ),
        ),
        Change::Memory(Memory::Shared) => (
            "Copying words from and to private memories costs more than it saves.".into(),
            "leave `.private_memory(..)` out".into(),
        ),
        Change::AllPasses => (
            "A pass is left out that gains here.".into(),
            "leave `.without(..)` out".into(),
        ),
        Change::NoGrains => (
            "Each grain is one task for schedulers, and they are too large to be shared evenly, \
             or too small to be worth a mark."
                .into(),
            "take `#[grain]` away, or mark another loop".into(),
        ),
        Change::Reduce(statement) => reduced(trace, statement),
        Change::Transpose { array, width } => transposed(subject, base, array, width),
        Change::Renumber(array) => renumbered(&kernel.array(array).name),
        Change::Apart(array) => apart(&kernel.array(array).name, extra_words(base, array)),
        Change::SortRows(_) => (
            "Rows have different lengths, so that each is a loop of its own: those of one length are one block of loops."
                .into(),
            "sort the rows by their lengths, where the structure is made".into(),
        ),
        Change::Interchange(statement) => {
            let target = &kernel.array(kernel.statement(statement).target).name;
            (
                format!(
                    "The inner loop writes `{target}` in steps of many words, where another order of the loops writes neighbours."
                ),
                "let the loop over the last index be the inner one".into(),
            )
        }
    }
}

/// Tells of tasks that accumulate into one word.
fn reduced(trace: &Trace, statement: u16) -> (String, String) {
    let longest = longest_chain(trace, statement);
    let kernel = trace.kernel();
    let target = &kernel.array(kernel.statement(statement).target).name;
    (
        format!(
            "{longest} tasks in a row wait for each other through `{target}`, on any number of processors."
        ),
        "write `#[reduce]` before the loop: it has other bits then where the operation rounds, the same for all numbers of processors"
            .into(),
    )
}

/// Tells of loops that go through an array in steps.
fn transposed(subject: &Subject<'_>, base: &Compiled, array: u16, width: u32) -> (String, String) {
    let name = &subject.trace.kernel().array(array).name;
    (
        strided(subject, base, array, width),
        format!(
            "index `{name}` as columns, `{name}[j * rows + i]` in place of `{name}[i * {width} + j]`, or exchange the loops"
        ),
    )
}

/// Tells of an array that is gathered from.
fn renumbered(name: &str) -> (String, String) {
    (
        format!(
            "Most words of `{name}` that are read one after the other stand in different cache lines, which are lost before they are used again."
        ),
        "number them anew where the structure is made: by first use, or by reverse Cuthill-McKee"
            .into(),
    )
}

/// Tells of an array that is overwritten too early, with so many values in extra storage.
fn apart(name: &str, extra: u64) -> (String, String) {
    let why = match extra {
        0 => format!(
            "`{name}` is overwritten while other processors need what it held: each keeps a copy of it."
        ),
        _ => format!(
            "`{name}` is overwritten while what it held is needed: {extra} values live in extra storage."
        ),
    };
    let help = format!(
        "write to another array, declare `{name}` inside the loop, or index it by the iteration, too"
    );
    (why, help)
}

/// Says what steps of so many words cost.
fn strided(subject: &Subject<'_>, base: &Compiled, array: u16, width: u32) -> String {
    let Subject { trace, options, .. } = *subject;
    let core = &options.times.core;
    let name = &trace.kernel().array(array).name;
    let mut text = format!("Loops go through `{name}` in steps of {width} words: ");
    let words = words_of_line(trace, core, array).unwrap_or(1);
    if are_shared(trace, core, base, array) {
        text += "different processors write words of one cache line, which goes to and fro between them (false sharing)";
    } else if (width as usize) < words {
        text += "no vector holds two that follow each other";
    } else {
        text += "each word is in another cache line, and no vector holds two";
    }
    if (width as usize).is_multiple_of(core.sets * words) {
        text += ". So many fall into one set of the first cache, which has room for few (a stride of a power of two)";
    }
    text + "."
}

/// Returns how many values of an array live beyond its words.
fn extra_words(compiled: &Compiled, array: u16) -> u64 {
    let own = compiled.report.statements.iter();
    let own = own.filter(|statement| statement.writes == Some(array));
    own.map(|statement| statement.extra_words).sum()
}

/// Returns the most tasks in a row that accumulate into one word.
fn longest_chain(trace: &Trace, statement: u16) -> usize {
    let mut longest = 0;
    chains(trace, |own, length| {
        if own == statement {
            longest = longest.max(length);
        }
    });
    longest
}

/// Says how work and waits compare, and how much more work it would take.
fn waits(times: &Breakdown, base: &Compiled, alone: &Compiled) -> String {
    let overhead = times.synchronisation_ns + times.communication_ns;
    let share = 100.0 * overhead as f64 / (times.run_ns as f64).max(1.0);
    let [base, alone] = [base, alone].map(|compiled| compiled.report.predicted());
    let work = base - overhead as f64;
    if work > alone {
        return format!(
            "The longest work of a processor takes {:.1} us, and all of it takes {:.1} us on one: loops are shorter, and words go from one cache to another",
            1e-3 * work,
            1e-3 * alone
        );
    }
    let factor = overhead as f64 / (alone - work).max(1.0);
    let more = match factor > 1.0 {
        true => format!(", and pay from {factor:.1} times the work in each superstep on"),
        false => String::new(),
    };
    format!("Waits and copies are {share:.0} % of the time{more}")
}

/// Returns the answer where nothing gains: what limits the program.
pub(crate) fn nothing(subject: &Subject<'_>, [base, alone]: [&Compiled; 2]) -> Answer {
    let times = base.report.times.clone().unwrap_or_default().predicted;
    let processors = subject.request.processors;
    let ratio = base.report.predicted() / alone.report.predicted().max(1.0);
    let shares = format!("It takes {ratio:.2} of the time of one processor, on {processors}");
    let limit = match times.efficiency() < 0.9 && processors > 1 {
        true => limit(subject.trace, base),
        false => Limit::default(),
    };
    let body = match (processors, limit.why.is_empty()) {
        (1, _) => {
            "One processor does the work, and no other form of its loops is faster.".to_owned()
        }
        (_, false) => format!(
            "{shares}. What limits it: {}. No change that was planned again mends that.",
            limit.why
        ),
        (_, true) => format!("{shares}, and its efficiency is {:.2}.", times.efficiency()),
    };
    Answer {
        title: "nothing to gain".into(),
        body,
        step: limit.step,
        ..place(subject.trace.kernel(), limit.statement)
    }
}
