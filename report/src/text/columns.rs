//! Tables of text, whose columns are aligned.

use std::fmt::Write as _;

/// A cell, and whether it is the best of its column.
pub(crate) struct Cell {
    text: String,
    is_best: bool,
}

impl<T: ToString> From<T> for Cell {
    fn from(text: T) -> Self {
        Self {
            text: text.to_string(),
            is_best: false,
        }
    }
}

impl Cell {
    /// Marks the best of a column.
    #[cfg_attr(
        not(feature = "page"),
        allow(dead_code, reason = "comparisons have it")
    )]
    pub(crate) fn best(text: impl ToString, is_best: bool) -> Self {
        Self {
            text: text.to_string(),
            is_best,
        }
    }
}

/// Writes a table: cells end below each other, but those of columns whose heading ends in a space,
/// which begin so. A star follows the best.
pub(crate) fn table(headings: &[&str], rows: &[Vec<Cell>]) -> String {
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].text.chars().count());
            cells
                .max()
                .unwrap_or(0)
                .max(headings[column].trim_end().chars().count())
        })
        .collect();
    let mut text = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = (&str, bool)>| {
        let mut line = String::new();
        for ((cell, is_best), (width, heading)) in cells.zip(widths.iter().zip(headings)) {
            // Writing to a string does not fail.
            let _ = match heading.ends_with(' ') {
                true => write!(line, " {cell:<width$}"),
                false => write!(line, " {cell:>width$}"),
            };
            line.push(if is_best { '*' } else { ' ' });
        }
        let _ = writeln!(text, " {}", line.trim_end());
    };
    line(&mut headings.iter().map(|heading| (heading.trim_end(), false)));
    for row in rows {
        line(&mut row.iter().map(|cell| (&cell.text[..], cell.is_best)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_the_best_is_marked() {
        let rows = [
            vec!["etf".into(), Cell::best(5, true), Cell::from("x")],
            vec!["levels".into(), Cell::from(1234), Cell::from("y z")],
        ];
        assert_eq!(
            table(&["algorithm ", "words", "text "], &rows),
            "  algorithm  words  text\n  etf            5* x\n  levels      1234  y z\n"
        );
    }
}
