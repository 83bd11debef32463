//! Files of lines of numbers.

use std::io::BufRead;

use super::{FormatError, MARK, syntax};

/// The lines of a file, read one at a time into one buffer. A `%` begins a comment, which ends with
/// its line.
pub(super) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Bytes of the line in the buffer that stand before its comment.
    end: usize,
    /// Number of the line in the buffer, from 1.
    number: u64,
    /// Set if lines without text are skipped like comments: behind the last that counts.
    skip_blank: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            end: 0,
            number: 0,
            skip_blank: false,
        }
    }

    /// Returns the next line that is more than a comment.
    pub(super) fn next(
        &mut self,
        expected: impl FnOnce() -> String,
    ) -> Result<Line<'_>, FormatError> {
        match self.text()? {
            true => Ok(self.line()),
            false => Err(syntax(self.number, expected(), None)),
        }
    }

    /// Returns the next line, the one at place `at` (from 0) of `count` of a kind.
    pub(super) fn nth(
        &mut self,
        expected: &str,
        at: u32,
        count: u32,
    ) -> Result<Line<'_>, FormatError> {
        self.next(|| format!("{expected}, number {} of {count}", u64::from(at) + 1))
    }

    /// Checks that nothing but comments and blanks is left.
    pub(super) fn end(&mut self) -> Result<(), FormatError> {
        self.skip_blank = true;
        if self.text()? {
            Err(self.line().unexpected("the end of the file"))
        } else {
            Ok(())
        }
    }

    /// Moves on to the next line that is more than a comment; `false` at the end of the file.
    fn text(&mut self) -> Result<bool, FormatError> {
        while self.advance()? {
            let is_comment = self.end < self.buffer.len();
            let is_blank = self.buffer[..self.end].trim_ascii_start().is_empty();
            if !is_blank || !(is_comment || self.skip_blank) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn line(&self) -> Line<'_> {
        Line {
            text: self.buffer[..self.end].trim_ascii(),
            number: self.number,
        }
    }

    fn advance(&mut self) -> Result<bool, FormatError> {
        self.buffer.clear();
        self.number += 1;
        let bytes = self.reader.read_until(b'\n', &mut self.buffer)?;
        if self.number == 1 && self.buffer.starts_with(MARK) {
            self.buffer.drain(..MARK.len());
        }
        // `contains` takes many bytes at a time, and few lines have a comment.
        self.end = self.buffer.len();
        if self.buffer.contains(&b'%') {
            let comment = self.buffer.iter().position(|&byte| byte == b'%');
            self.end = comment.unwrap_or(self.end);
        }
        Ok(bytes > 0)
    }
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

    /// Makes the error that something else should stand in place of this line.
    pub(super) fn unexpected(self, expected: impl Into<String>) -> FormatError {
        syntax(self.number, expected, Some(self.text))
    }
}

/// The words that are left of a line.
pub(super) struct Fields<'a> {
    line: Line<'a>,
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Returns the next word; `None` at the end of the line.
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

    /// Returns the next word as a number.
    pub(super) fn number(&mut self, expected: &str) -> Result<u32, FormatError> {
        let (value, digits) = leading_integer(self.rest);
        let ends = self.rest.get(digits).is_none_or(u8::is_ascii_whitespace);
        if digits == 0 || !ends {
            return Err(match self.word() {
                None => self.line.unexpected(expected),
                Some(_) => {
                    let expected = format!("{expected} in integers from 0");
                    self.line.unexpected(expected)
                }
            });
        }
        self.rest = self.rest[digits..].trim_ascii_start();
        u32::try_from(value).map_err(|_| {
            let expected = format!("{expected} in integers below 2^32");
            self.line.unexpected(expected)
        })
    }

    /// Returns the next word as a number, `default` at the end of the line.
    pub(super) fn number_or(&mut self, default: u32, expected: &str) -> Result<u32, FormatError> {
        if self.rest.is_empty() {
            Ok(default)
        } else {
            self.number(expected)
        }
    }

    /// Checks that nothing but integers, of any sign and size, is left of the line.
    pub(super) fn integers(mut self, expected: &str) -> Result<(), FormatError> {
        while let Some(word) = self.word() {
            if integer(word.strip_prefix(b"-").unwrap_or(word)).is_none() {
                return Err(self
                    .line
                    .unexpected(format!("{expected} and further integers")));
            }
        }
        Ok(())
    }
}

/// Returns a decimal number, `u64::MAX` if it is larger; `None` when the word is none.
pub(super) fn integer(word: &[u8]) -> Option<u64> {
    let (value, bytes) = leading_integer(word);
    (bytes > 0 && bytes == word.len()).then_some(value)
}

/// Returns the number that a text begins with, `u64::MAX` if it is larger, and of how many bytes:
/// none if it begins with no digit.
fn leading_integer(text: &[u8]) -> (u64, usize) {
    let sign = usize::from(text.first() == Some(&b'+'));
    let (mut value, mut bytes) = (0_u64, sign);
    while let Some(digit) = text.get(bytes).filter(|byte| byte.is_ascii_digit()) {
        value = value
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
        bytes += 1;
    }
    (value, if bytes > sign { bytes } else { 0 })
}
