//! Files of lines of numbers.

use std::io::BufRead;

use super::{FormatError, syntax};

/// The lines of a file, read one at a time into one buffer.
pub(super) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Number of the line in the buffer, from 1.
    number: u64,
    /// Whether lines without text are skipped like comments.
    skip_blank: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R, skip_blank: bool) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            number: 0,
            skip_blank,
        }
    }

    /// The next line as it stands; `None` at the end of the file.
    pub(super) fn any(&mut self) -> Result<Option<Line<'_>>, FormatError> {
        Ok(self.advance()?.then_some(Line {
            text: trim(&self.buffer),
            number: self.number,
        }))
    }

    /// The next line that is no comment (`%`).
    pub(super) fn next(&mut self, expected: &str) -> Result<Line<'_>, FormatError> {
        while self.advance()? {
            let text = trim(&self.buffer);
            if !(text.starts_with(b"%") || text.is_empty() && self.skip_blank) {
                // Trimmed again: returning the borrow from inside the loop is beyond the borrow checker.
                return Ok(Line {
                    text: trim(&self.buffer),
                    number: self.number,
                });
            }
        }
        Err(syntax(self.number, expected, None))
    }

    /// Checks that nothing but comments and blanks is left.
    pub(super) fn end(&mut self) -> Result<(), FormatError> {
        while self.advance()? {
            let text = trim(&self.buffer);
            if !(text.is_empty() || text.starts_with(b"%")) {
                return Err(syntax(self.number, "the end of the file", Some(text)));
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<bool, FormatError> {
        self.buffer.clear();
        self.number += 1;
        Ok(self.reader.read_until(b'\n', &mut self.buffer)? > 0)
    }
}

fn trim(text: &[u8]) -> &[u8] {
    text.trim_ascii()
}

/// A line without the blanks around it.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) text: &'a [u8],
    pub(super) number: u64,
}

impl<'a> Line<'a> {
    pub(super) fn fields(self) -> Fields<'a> {
        Fields {
            line: self,
            rest: self.text,
        }
    }

    /// This line is not as it should be.
    pub(super) fn unexpected(self, expected: impl Into<String>) -> FormatError {
        syntax(self.number, expected, Some(self.text))
    }
}

/// What is left of a line.
pub(super) struct Fields<'a> {
    line: Line<'a>,
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// The whole line.
    pub(super) fn line(&self) -> Line<'a> {
        self.line
    }

    /// The next word; `None` at the end of the line.
    pub(super) fn word(&mut self) -> Option<&'a [u8]> {
        let end = self
            .rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_ascii_start();
        (!word.is_empty()).then_some(word)
    }

    /// The next word as a number.
    pub(super) fn number(&mut self, expected: &str) -> Result<u32, FormatError> {
        let (value, digits) = leading_number(self.rest);
        let rest = &self.rest[digits..];
        if digits == 0 || rest.first().is_some_and(|b| !b.is_ascii_whitespace()) {
            return Err(self.line.unexpected(expected));
        }
        self.rest = rest.trim_ascii_start();
        u32::try_from(value).map_err(|_| self.line.unexpected(expected))
    }

    /// The next word as a number, `default` at the end of the line.
    pub(super) fn number_or(&mut self, default: u32, expected: &str) -> Result<u32, FormatError> {
        if self.rest.is_empty() {
            Ok(default)
        } else {
            self.number(expected)
        }
    }

    /// Checks that the line ends here.
    pub(super) fn end(self, expected: &str) -> Result<(), FormatError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.line.unexpected(expected))
        }
    }
}

/// A decimal number; `None` when it is none or beyond `u32`.
pub(super) fn number(word: &[u8]) -> Option<u32> {
    let (value, digits) = leading_number(word);
    if digits == 0 || digits < word.len() {
        None
    } else {
        u32::try_from(value).ok()
    }
}

/// The number that a text begins with (no more than `u64::MAX`), and of how many digits.
fn leading_number(text: &[u8]) -> (u64, usize) {
    let (mut value, mut digits) = (0_u64, 0);
    while let Some(digit) = text.get(digits).filter(|b| b.is_ascii_digit()) {
        value = value
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
        digits += 1;
    }
    (value, digits)
}
