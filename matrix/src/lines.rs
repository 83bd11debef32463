//! Lines of words, with their places.

use std::io::BufRead;

use crate::ReadError;

/// Bytes of a line, at most: 2^16. A line has four numbers; a gzip file of 1 MB may have a line of
/// 1 GB.
const LONGEST: u64 = 1 << 16;

/// The lines of a file, read one at a time into one buffer.
pub(crate) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Number of the line in the buffer, from 1.
    number: u64,
    /// Bytes of all lines so far.
    bytes: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            number: 0,
            bytes: 0,
        }
    }

    /// Returns the number of bytes of all lines so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the first line, with its comment.
    pub(crate) fn first(&mut self) -> Result<Option<Words<'_>>, ReadError> {
        let is_there = self.advance()?;
        let mark: &[u8] = b"\xef\xbb\xbf";
        if self.buffer.starts_with(mark) {
            self.buffer.drain(..mark.len());
        }
        Ok(is_there.then(|| self.words()))
    }

    /// Moves on to the next line that has more than a comment; `false` at the end of the file.
    pub(crate) fn is_next(&mut self) -> Result<bool, ReadError> {
        while self.advance()? {
            if let Some(comment) = self.buffer.iter().position(|&byte| byte == b'%') {
                self.buffer.truncate(comment);
            }
            if !self.buffer.trim_ascii_start().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the present line.
    pub(crate) fn words(&self) -> Words<'_> {
        Words {
            line: &self.buffer,
            number: self.number,
            at: 0,
        }
    }

    fn advance(&mut self) -> Result<bool, ReadError> {
        self.buffer.clear();
        self.number += 1;
        let mut most = std::io::Read::take(&mut self.reader, LONGEST);
        let bytes = most.read_until(b'\n', &mut self.buffer);
        let bytes = bytes.map_err(|error| ReadError::of(self.number, error))?;
        self.bytes += bytes as u64;
        if bytes as u64 == LONGEST && self.buffer.last() != Some(&b'\n') {
            let expected = format!("a line of at most {LONGEST} bytes");
            return Err(self.words().unexpected(expected));
        }
        Ok(bytes > 0)
    }
}

/// Words of a line, from a place on.
#[derive(Clone, Copy)]
pub(crate) struct Words<'l> {
    line: &'l [u8],
    number: u64,
    /// Bytes before the next word.
    at: usize,
}

impl<'l> Words<'l> {
    /// Returns the next word; `None` at the end of the line.
    pub(crate) fn peek(&self) -> Option<&'l [u8]> {
        let rest = self.line[self.at..].trim_ascii_start();
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let word = &rest[..end.unwrap_or(rest.len())];
        (!word.is_empty()).then_some(word)
    }

    /// Moves behind the next word.
    pub(crate) fn skip(&mut self) {
        let rest = self.line[self.at..].trim_ascii_start();
        let end = rest.iter().position(u8::is_ascii_whitespace);
        self.at = self.line.len() - rest.len() + end.unwrap_or(rest.len());
    }

    /// Takes the next word as a value.
    pub(crate) fn take<T>(
        &mut self,
        expected: impl Fn() -> String,
        value: impl FnOnce(&'l [u8]) -> Option<T>,
    ) -> Result<T, ReadError> {
        match self.peek().and_then(value) {
            Some(value) => {
                self.skip();
                Ok(value)
            }
            None => Err(self.unexpected(expected())),
        }
    }

    /// Checks that the line ends here.
    pub(crate) fn end(&self) -> Result<(), ReadError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the line")),
        }
    }

    /// Returns the error that something else should stand at the next word.
    pub(crate) fn unexpected(&self, expected: impl Into<String>) -> ReadError {
        let rest = self.line[self.at..].trim_ascii_start();
        let column = match self.peek() {
            Some(_) => self.line.len() - rest.len(),
            None => self.line.trim_ascii_end().len(),
        };
        ReadError::Syntax {
            line: self.number,
            column: column as u64 + 1,
            expected: expected.into(),
            found: self.peek().map_or("the end of the line".into(), shown),
        }
    }

    /// Returns the error that something else should stand in place of the line.
    pub(crate) fn refused(&self, expected: impl Into<String>) -> ReadError {
        let line = self.line.trim_ascii();
        ReadError::Syntax {
            line: self.number,
            column: (self.line.len() - self.line.trim_ascii_start().len()) as u64 + 1,
            expected: expected.into(),
            found: shown(line),
        }
    }

    /// Returns the error that something else should stand where the file ends.
    pub(crate) fn ended(number: u64, expected: impl Into<String>) -> ReadError {
        ReadError::Syntax {
            line: number,
            column: 1,
            expected: expected.into(),
            found: "the end of the file".into(),
        }
    }

    /// Returns the number of the line, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

/// Quotes a word, cut short where it is long.
fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(80)]);
    let dots = if word.len() > 80 { "..." } else { "" };
    format!("`{}{dots}`", text.escape_debug())
}
