//! HyperdagDB: a hyperedge for each task that has successors; its first pin is that task, the others are the successors.
//!
//! ```text
//! % a comment
//! 1 3 3          hyperedges, tasks, pins
//! 0 4            hyperedge 0: a value of 4 words [, memory]
//! 0 5            task 0: work 5 [, type]
//! 1 1
//! 2 1
//! 0 0            hyperedge 0 begins at task 0
//! 0 1            ... and ends at task 1
//! 0 2            ... and at task 2
//! ```
//! Numbers are integers from 0; words and work that are left out are 1.

use std::io::{BufRead, Write};

use superstep_dag::Dag;

use super::FormatError;
use super::lines::Lines;

/// Stands for a hyperedge without a pin.
const NONE: u32 = u32::MAX;

const HEADER: &str = "`hyperedges tasks pins`";
const HYPEREDGE: &str = "`hyperedge [words [memory]]`";
const TASK: &str = "`task [work [type]]`";
const PIN: &str = "`hyperedge task`";

/// Reads a graph. Hyperedges and tasks must be listed in order; a value that several hyperedges send has the most words of any.
///
/// # Errors
/// When the file is malformed or its edges form a cycle.
pub fn read(reader: impl BufRead) -> Result<Dag, FormatError> {
    let mut lines = Lines::new(reader, false);
    let mut header = lines.next(HEADER)?.fields();
    let hyperedges = header.number(HEADER)?;
    let tasks = header.number(HEADER)?;
    let pins = header.number(HEADER)?;
    header.end(HEADER)?;

    let sent = numbered(&mut lines, hyperedges, HYPEREDGE, "hyperedge")?;
    let weights = numbered(&mut lines, tasks, TASK, "task")?;
    let mut sources = vec![NONE; sent.len()];
    let mut words = vec![NONE; weights.len()];
    let mut edges = Vec::new();
    for _ in 0..pins {
        let line = lines.next(PIN)?;
        let mut fields = line.fields();
        let (hyperedge, task) = (fields.number(PIN)?, fields.number(PIN)?);
        fields.end(PIN)?;
        let Some(source) = sources.get_mut(hyperedge as usize) else {
            return Err(line.unexpected(format!("a hyperedge below {hyperedges}")));
        };
        let Some(value) = words.get_mut(task as usize) else {
            return Err(line.unexpected(format!("a task below {tasks}")));
        };
        if *source == NONE {
            *source = task;
            let words = sent[hyperedge as usize];
            *value = if *value == NONE {
                words
            } else {
                words.max(*value)
            };
        } else if *source == task {
            return Err(line.unexpected("a task other than the first of its hyperedge"));
        } else {
            edges.push((*source, task));
        }
    }
    lines.end()?;
    for value in &mut words {
        *value = if *value == NONE { 1 } else { *value };
    }
    Ok(Dag::from_edges(weights.len(), &edges)?
        .with_weights(weights)?
        .with_words(words)?)
}

/// The second number of each of `count` lines, which begin with 0, 1, 2, ...
fn numbered(
    lines: &mut Lines<impl BufRead>,
    count: u32,
    expected: &str,
    what: &str,
) -> Result<Vec<u32>, FormatError> {
    let mut values = Vec::new();
    for id in 0..count {
        let line = lines.next(expected)?;
        let mut fields = line.fields();
        if fields.number(expected)? != id {
            return Err(line.unexpected(format!("the line of {what} {id}, {expected}")));
        }
        values.push(fields.number_or(1, expected)?);
        fields.number_or(1, expected)?;
        fields.end(expected)?;
    }
    Ok(values)
}

/// Writes a graph. The format has no place for the words of values that nobody reads: they are read back as 1.
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
