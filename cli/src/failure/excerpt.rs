//! One line of a file, or a part of a long one, as the only thing that a message shows of the file.
//!
//! Graph and schedule files have many megabytes, and schedule files have them in one line.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    ops::Range,
    path::Path,
};

use codespan_reporting::files::{Error, Files};

/// Most bytes of a line that are shown.
const WIDTH: usize = 100;

/// Part of a line of a file, and the place in it that is meant.
pub(crate) struct Excerpt {
    name: String,
    line: usize,
    /// Bytes of the line that stand before the text.
    before: usize,
    text: String,
    /// The place in the text that is meant.
    focus: Range<usize>,
}

impl Excerpt {
    /// Makes the excerpt of no file.
    pub(crate) fn none() -> Self {
        Self {
            name: String::new(),
            line: 1,
            before: 0,
            text: String::new(),
            focus: 0..0,
        }
    }

    /// Reads the start of a line, counted from 1; empty where the file ends before it. All of it
    /// but the blanks around it is meant.
    pub(crate) fn line(path: &Path, line: usize) -> Self {
        let mut cut = Self::cut(path, line, 0, 0);
        let start = cut.text.len() - cut.text.trim_start().len();
        cut.focus = start..cut.text.trim_end().len().max(start);
        cut
    }

    /// Reads what stands around a column, counted from 1.
    pub(crate) fn around(path: &Path, line: usize, column: usize) -> Self {
        let at = column.saturating_sub(1);
        Self::cut(path, line, at.saturating_sub(WIDTH / 2), at)
    }

    fn cut(path: &Path, line: usize, before: usize, at: usize) -> Self {
        let bytes = read(path, line, before).unwrap_or_default();
        // One character per byte that is not plain text, so that places stay what they are.
        let plain = |&byte: &u8| {
            if (b' '..=b'~').contains(&byte) {
                byte as char
            } else {
                '.'
            }
        };
        let text: String = bytes.iter().map(plain).collect();
        let start = (at - before).min(text.len());
        let focus = start..(start + 1).min(text.len());
        Self {
            name: path.display().to_string(),
            line,
            before,
            text,
            focus,
        }
    }

    /// Gives the file another name.
    pub(crate) fn named(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }

    /// Returns the place in the text that is meant.
    pub(crate) fn focus(&self) -> Range<usize> {
        self.focus.clone()
    }
}

/// Reads up to `WIDTH` bytes of a line from byte `before` on.
fn read(path: &Path, line: usize, before: usize) -> std::io::Result<Vec<u8>> {
    let mut reader = BufReader::new(File::open(path)?);
    for _ in 1..line {
        reader.skip_until(b'\n')?;
    }
    let mut rest = reader.take((before + WIDTH) as u64);
    let mut bytes = Vec::new();
    rest.read_until(b'\n', &mut bytes)?;
    while bytes
        .last()
        .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
    {
        bytes.pop();
    }
    bytes.drain(..before.min(bytes.len()));
    Ok(bytes)
}

impl<'a> Files<'a> for Excerpt {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), _: usize) -> Result<usize, Error> {
        Ok(0)
    }

    fn line_number(&'a self, (): (), _: usize) -> Result<usize, Error> {
        Ok(self.line)
    }

    fn column_number(&'a self, (): (), _: usize, byte: usize) -> Result<usize, Error> {
        Ok(self.before + byte + 1)
    }

    fn line_range(&'a self, (): (), line: usize) -> Result<Range<usize>, Error> {
        match line {
            0 => Ok(0..self.text.len()),
            _ => Err(Error::LineTooLarge {
                given: line,
                max: 0,
            }),
        }
    }
}
