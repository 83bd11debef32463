//! The words and signs of a Graphviz file.

use std::io::BufRead;

use super::{FormatError, MARK, syntax};

/// Part of a file: a word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier, number, quoted string or HTML string; [`Lexer::text`] is what it says.
    Word,
    /// `{ } [ ] ; , = :`.
    Sign(u8),
    /// `->`.
    Arrow,
    /// The end of the file.
    End,
}

/// Form in which a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Plain word: it may be a keyword.
    Plain,
    /// `"..."`.
    Quoted,
    /// `<...>`.
    Html,
}

/// A file with the token that comes next.
pub(super) struct Lexer<R> {
    reader: R,
    line: u64,
    /// Bytes that have been read.
    bytes: u64,
    /// The token that comes next.
    pub(super) token: Token,
    /// Text of a token that is a word, without quotes.
    pub(super) text: Vec<u8>,
    /// Form of a token that is a word.
    pub(super) form: Form,
    /// Line on which the token begins.
    pub(super) token_line: u64,
}

impl<R: BufRead> Lexer<R> {
    /// Begins with the file's first token.
    pub(super) fn new(reader: R) -> Result<Self, FormatError> {
        let mut lexer = Self {
            reader,
            line: 1,
            bytes: 0,
            token: Token::End,
            text: Vec::new(),
            form: Form::Plain,
            token_line: 1,
        };
        for &byte in MARK {
            if lexer.peek()? == Some(byte) {
                lexer.skip();
            }
        }
        lexer.advance()?;
        Ok(lexer)
    }

    /// Returns the number of bytes that have been read.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes the error that something else should stand in place of the next token.
    pub(super) fn unexpected(&self, expected: impl Into<String>) -> FormatError {
        let word;
        let found = match &self.token {
            Token::Word => {
                let [before, after] = match self.form {
                    Form::Plain => ["", ""],
                    Form::Quoted => ["\"", "\""],
                    Form::Html => ["<", ">"],
                };
                word = [before.as_bytes(), &self.text, after.as_bytes()].concat();
                Some(&word[..])
            }
            Token::Sign(sign) => Some(std::slice::from_ref(sign)),
            Token::Arrow => Some(&b"->"[..]),
            Token::End => None,
        };
        syntax(self.token_line, expected, found)
    }

    /// Moves on if that token comes next.
    pub(super) fn accept(&mut self, token: Token) -> Result<bool, FormatError> {
        let here = self.token == token;
        if here && token != Token::End {
            self.advance()?;
        }
        Ok(here)
    }

    /// Moves on if that token comes next, fails if not.
    pub(super) fn expect(&mut self, token: Token, expected: &str) -> Result<(), FormatError> {
        if self.accept(token)? {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// Returns whether that keyword comes next, in any case.
    pub(super) fn is_keyword(&self, keyword: &[u8]) -> bool {
        self.token == Token::Word
            && self.form == Form::Plain
            && self.text.eq_ignore_ascii_case(keyword)
    }

    /// Moves on to the next token.
    pub(super) fn advance(&mut self) -> Result<(), FormatError> {
        self.text.clear();
        self.form = Form::Plain;
        self.blanks()?;
        self.token_line = self.line;
        let Some(byte) = self.peek()? else {
            self.token = Token::End;
            return Ok(());
        };
        self.token = Token::Word;
        match byte {
            b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' | b':' => {
                self.skip();
                self.token = Token::Sign(byte);
                Ok(())
            }
            b'"' => self.quotation(),
            b'<' => self.html(),
            b'-' => self.arrow_or_number(),
            _ if is_word(byte) => self.word(),
            _ => Err(syntax(self.line, "a word or a sign", Some(&[byte]))),
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, FormatError> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    /// Moves past the byte that was peeked at.
    fn skip(&mut self) {
        if let Ok([b'\n', ..]) = self.reader.fill_buf() {
            self.line += 1;
        }
        self.bytes += 1;
        self.reader.consume(1);
    }

    /// Moves past blanks and comments.
    fn blanks(&mut self) -> Result<(), FormatError> {
        while let Some(byte) = self.peek()? {
            match byte {
                b'#' => self.rest_of_line()?,
                b'/' => self.comment()?,
                _ if byte.is_ascii_whitespace() => self.skip(),
                _ => break,
            }
        }
        Ok(())
    }

    fn word(&mut self) -> Result<(), FormatError> {
        while let Some(byte) = self.peek()?.filter(|&b| is_word(b)) {
            self.text.push(byte);
            self.skip();
        }
        Ok(())
    }

    fn arrow_or_number(&mut self) -> Result<(), FormatError> {
        self.skip();
        match self.peek()? {
            Some(b'>') => {
                self.skip();
                self.token = Token::Arrow;
                Ok(())
            }
            Some(b'0'..=b'9' | b'.') => {
                self.text.push(b'-');
                self.word()
            }
            Some(b'-') => Err(syntax(
                self.line,
                "`->` (edges have directions)",
                Some(b"--"),
            )),
            _ => Err(syntax(self.line, "`->`", Some(b"-"))),
        }
    }

    /// Reads `"..."`, or several, joined by `+`.
    fn quotation(&mut self) -> Result<(), FormatError> {
        self.form = Form::Quoted;
        loop {
            self.quoted()?;
            self.blanks()?;
            if self.peek()? != Some(b'+') {
                return Ok(());
            }
            self.skip();
            self.blanks()?;
            match self.peek()? {
                Some(b'"') => {}
                found => {
                    let found = found.as_ref().map(std::slice::from_ref);
                    return Err(syntax(self.line, "a quotation after `+`", found));
                }
            }
        }
    }

    /// Appends one quotation. `\"` is a quote, and a backslash at the end of a line joins it to the
    /// next one. Other backslashes stay, as `\\` does, which is no half of `\"`.
    fn quoted(&mut self) -> Result<(), FormatError> {
        let begin = self.line;
        self.skip();
        loop {
            let Some(byte) = self.peek()? else {
                let expected = format!("the end of a quotation that begins in line {begin}");
                return Err(syntax(self.line, expected, None));
            };
            self.skip();
            match (byte, self.peek()?) {
                (b'"', _) => return Ok(()),
                (b'\\', Some(b'"')) => {
                    self.skip();
                    self.text.push(b'"');
                }
                (b'\\', Some(b'\\')) => {
                    self.skip();
                    self.text.extend(b"\\\\");
                }
                (b'\\', Some(b'\n')) => self.skip(),
                (b'\\', Some(b'\r')) => {
                    self.skip();
                    if self.peek()? == Some(b'\n') {
                        self.skip();
                    }
                }
                _ => self.text.push(byte),
            }
        }
    }

    /// Reads `<...>` with `<` and `>` in pairs, but in comments.
    fn html(&mut self) -> Result<(), FormatError> {
        const COMMENT: [&[u8]; 2] = [b"<!--", b"-->"];
        self.form = Form::Html;
        let begin = self.line;
        self.skip();
        // Where a comment begins, if this is in one.
        let (mut depth, mut comment) = (1_u64, None);
        while depth > 0 {
            let Some(byte) = self.peek()? else {
                let expected = format!("the end of an HTML string that begins in line {begin}");
                return Err(syntax(self.line, expected, None));
            };
            self.skip();
            self.text.push(byte);
            match (comment, byte) {
                // The tag that a comment looks like ends with it, too.
                (Some(start), _) if self.text[start..].ends_with(COMMENT[1]) => {
                    comment = None;
                    depth -= 1;
                }
                (None, b'<') => depth += 1,
                (None, b'>') => depth -= 1,
                (None, _) if self.text.ends_with(COMMENT[0]) => comment = Some(self.text.len()),
                _ => {}
            }
        }
        self.text.pop();
        Ok(())
    }

    fn rest_of_line(&mut self) -> Result<(), FormatError> {
        while self.peek()?.is_some_and(|b| b != b'\n') {
            self.skip();
        }
        Ok(())
    }

    /// Skips `// ...` or `/* ... */`.
    fn comment(&mut self) -> Result<(), FormatError> {
        let begin = self.line;
        self.skip();
        match self.peek()? {
            Some(b'/') => self.rest_of_line(),
            Some(b'*') => {
                let mut before = 0;
                self.skip();
                while let Some(byte) = self.peek()? {
                    self.skip();
                    if (before, byte) == (b'*', b'/') {
                        return Ok(());
                    }
                    before = byte;
                }
                let expected = format!("the end of a comment that begins in line {begin}");
                Err(syntax(self.line, expected, None))
            }
            _ => Err(syntax(self.line, "a comment", Some(b"/"))),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80
}
