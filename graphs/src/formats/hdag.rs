//! HyperDAG_DB: a hyperedge for each task that has successors; its first pin is that task, the
//! others are the successors.
//!
//! ```text
//! % a comment
//! 1 3 3          hyperedges, tasks, pins; what follows is ignored
//! 0 4            hyperedge 0: a value of 4 words
//! 0 5            task 0: work 5
//! 2 1 7 -3       task 2: work 1; further integers are ignored, on each line
//! 1 1 % heavy    a comment
//! 0 0            hyperedge 0 begins at task 0
//! 0 1            ... and ends at task 1
//! 0 2            ... and at task 2
//! ```
//! Numbers are integers from 0; words and work that are left out are 1. The lines of the hyperedges
//! stand before those of the tasks, and these before the pins. Within each of the three the order
//! is free, but for the first pin of each hyperedge.

use std::io::{BufRead, Write};

use superstep_dag::Dag;

use super::lines::{Line, Lines};
use super::{FormatError, MOST_TASKS};

const HEADER: &str = "`hyperedges tasks pins`";
const HYPEREDGE: &str = "`hyperedge [words]`";
const TASK: &str = "`task [work]`";
const PIN: &str = "`hyperedge task`";

/// Reads a graph. A value that several hyperedges send has the most words of any.
///
/// # Errors
/// When the file is malformed or its edges form a cycle.
pub fn read(reader: impl BufRead) -> Result<Dag, FormatError> {
    let mut lines = Lines::new(reader);
    let line = lines.next(|| HEADER.into())?;
    let mut header = line.fields();
    let hyperedges = header.number(HEADER)?;
    let tasks = header.number(HEADER)?;
    let pins = header.number(HEADER)?;
    if tasks > MOST_TASKS {
        return Err(line.unexpected("fewer than 2^31 tasks"));
    }

    let sent = numbered(&mut lines, hyperedges, HYPEREDGE, "hyperedge")?;
    let weights = numbered(&mut lines, tasks, TASK, "task")?;
    let mut sources = vec![None; sent.len()];
    let mut words = vec![None; weights.len()];
    let mut edges = Vec::new();
    for at in 0..pins {
        let line = lines.nth(PIN, at, pins)?;
        let mut fields = line.fields();
        let (hyperedge, task) = (fields.number(PIN)?, fields.number(PIN)?);
        fields.integers(PIN)?;
        check(line, hyperedge, hyperedges, "hyperedge")?;
        check(line, task, tasks, "task")?;
        let source = &mut sources[hyperedge as usize];
        match *source {
            None => {
                *source = Some(task);
                let value = &mut words[task as usize];
                *value = (*value).max(Some(sent[hyperedge as usize]));
            }
            Some(source) if source == task => {
                return Err(line.unexpected("a task other than the first of its hyperedge"));
            }
            Some(source) => edges.push((source, task)),
        }
    }
    lines.end()?;
    let words = words.into_iter().map(|words| words.unwrap_or(1)).collect();
    Ok(Dag::from_edges(weights.len(), &edges)?
        .with_weights(weights)?
        .with_words(words)?)
}

/// Returns the second number of each of `count` lines, by the first, which is 0, 1, 2, ... in any
/// order.
///
/// Room is taken for lines that are there, whatever `count` is.
fn numbered(
    lines: &mut Lines<impl BufRead>,
    count: u32,
    expected: &str,
    what: &str,
) -> Result<Vec<u32>, FormatError> {
    let mut listed = Vec::new();
    for at in 0..count {
        let line = lines.nth(expected, at, count)?;
        let mut fields = line.fields();
        let id = fields.number(expected)?;
        let value = fields.number_or(1, expected)?;
        fields.integers(expected)?;
        check(line, id, count, what)?;
        listed.push((id, value, line.number));
    }
    let mut seen = vec![false; listed.len()];
    let mut values = vec![0; listed.len()];
    for (id, value, line) in listed {
        let at = id as usize;
        if std::mem::replace(&mut seen[at], true) {
            let expected = format!("one line for each {what}");
            let found = format!("another one for {what} {id}");
            return Err(FormatError::Syntax {
                line,
                expected,
                found,
            });
        }
        values[at] = value;
    }
    Ok(values)
}

/// Checks that `id` is one of `count`.
fn check(line: Line<'_>, id: u32, count: u32, what: &str) -> Result<(), FormatError> {
    if id < count {
        Ok(())
    } else if count == 0 {
        Err(line.unexpected(format!("no {what}, as the header says")))
    } else {
        Err(line.unexpected(format!("a {what} from 0 to {}", count - 1)))
    }
}

/// Writes a graph. The format has no place for the words of values that nobody reads: they are read
/// back as 1.
///
/// # Errors
/// When writing fails.
pub fn write(graph: &Dag, mut writer: impl Write) -> Result<(), FormatError> {
    let tasks = 0..graph.tasks() as u32;
    let sources = || tasks.clone().filter(|&t| !graph.successors(t).is_empty());
    let hyperedges = sources().count();
    writeln!(
        writer,
        "{hyperedges} {} {}",
        graph.tasks(),
        graph.edges() + hyperedges
    )?;
    for (hyperedge, source) in sources().enumerate() {
        writeln!(writer, "{hyperedge} {}", graph.words(source))?;
    }
    for task in tasks.clone() {
        writeln!(writer, "{task} {}", graph.weight(task))?;
    }
    for (hyperedge, source) in sources().enumerate() {
        writeln!(writer, "{hyperedge} {source}")?;
        for successor in graph.successors(source) {
            writeln!(writer, "{hyperedge} {successor}")?;
        }
    }
    Ok(writer.flush()?)
}
