//! Rows of comma-separated values, each with its line in the file.
//!
//! Cells are numbers and names, without quotes: a cell ends at the next comma, a row at the end of
//! its line. Empty lines, and those that begin with `#`, are left out; so are blanks around cells,
//! and the byte order mark of a file.
//!
//! ```
//! let rows = superstep_csv::rows("a, b\n\n# measured\n1, 2.5\n");
//! let cells = rows.map(|row| (row.line(), row.cells().collect::<Vec<_>>().join("|")));
//! assert!(cells.eq([(1, "a|b".to_owned()), (4, "1|2.5".to_owned())]));
//! ```

use csv::{ReaderBuilder, StringRecord, Terminator};

/// Bytes that are looked at together. The text is in memory, so that more would gain nothing.
const BUFFER: usize = 1024;

/// Cells of a line, at least one.
#[derive(Clone, Debug)]
pub struct Row {
    line: usize,
    cells: StringRecord,
}

impl Row {
    /// Returns the line in the text, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the number of cells, at least 1.
    #[must_use]
    pub fn width(&self) -> usize {
        self.cells.len()
    }

    /// Returns the cells, without the blanks around them.
    pub fn cells(&self) -> impl Iterator<Item = &str> + Clone {
        self.cells.iter().map(str::trim)
    }

    /// Returns whether the line is empty, or a comment.
    fn is_left_out(&self) -> bool {
        let first = self.cells().next().unwrap_or_default();
        first.starts_with('#') || (first.is_empty() && self.width() == 1)
    }
}

/// Parses the rows of a text, in time and memory in proportion to it.
pub fn rows(text: &str) -> impl Iterator<Item = Row> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .quoting(false)
        .terminator(Terminator::Any(b'\n'))
        .buffer_capacity(BUFFER)
        .from_reader(text.as_bytes());
    let rows = std::iter::from_fn(move || {
        let mut cells = StringRecord::new();
        let is_row = reader.read_record(&mut cells);
        let is_row = is_row.expect("text is read from memory, in rows of any width");
        is_row.then(|| {
            let start = cells.position().expect("a row that was read has a place");
            // The reader passes over empty lines after it has noted where it is.
            let passed = text.as_bytes()[start.byte() as usize..].iter();
            let passed = passed.take_while(|&&byte| byte == b'\n').count();
            let line = start.line() as usize + passed;
            Row { line, cells }
        })
    });
    rows.filter(|row| !row.is_left_out())
}

#[cfg(test)]
mod tests {
    use super::rows;

    /// Splits by hand, as the reader must.
    fn by_hand(text: &str) -> Vec<(usize, Vec<&str>)> {
        let lines = (1..).zip(text.lines().map(str::trim));
        lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(line, row)| (line, row.split(',').map(str::trim).collect()))
            .collect()
    }

    #[test]
    fn rows_are_lines_split_at_commas() {
        let texts = [
            "",
            "\n",
            ",",
            "1",
            "a,b\n1,2",
            "\n\n a , b \r\n\r\n  # x, y\r\n1,,3,\r\n \t\n\"q, 2\n\n\n-\n",
            "#\n#\n\n4\n,\n",
            "1\r2\n3\u{a0},\u{2003}4\n",
        ];
        for text in texts {
            let found: Vec<_> = rows(text).collect();
            let found = found.iter().map(|row| (row.line(), row.cells().collect()));
            assert!(found.eq(by_hand(text)), "{text:?}");
        }
    }

    #[test]
    fn long_texts_keep_their_lines() {
        let text: String = (0..5000)
            .map(|line| format!("{}{line},x\n", "\n".repeat(line % 3)))
            .collect();
        let found: Vec<_> = rows(&text).collect();
        assert_eq!(found.len(), 5000);
        let found = found.iter().map(|row| (row.line(), row.cells().collect()));
        assert!(found.eq(by_hand(&text)));
    }

    #[test]
    fn a_byte_order_mark_is_no_cell() {
        let row = rows("\u{feff}a,b").next().expect("a row");
        assert!(row.cells().eq(["a", "b"]));
        assert_eq!(row.width(), 2);
    }
}
