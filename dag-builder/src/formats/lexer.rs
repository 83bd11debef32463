//! The words and signs of a Graphviz file.

use std::io::BufRead;

use super::{FormatError, syntax};

/// What a file consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier, number or quoted string; [`Lexer::text`] is what it says.
    Word,
    /// `{ } [ ] ; , =`.
    Sign(u8),
    /// `->`.
    Arrow,
    /// The end of the file.
    End,
}

/// A file with the token that comes next.
pub(super) struct Lexer<R> {
    reader: R,
    line: u64,
    /// The token that comes next.
    pub(super) token: Token,
    /// If it is a word: the word, without quotes.
    pub(super) text: Vec<u8>,
    /// Whether the word stood in quotes, so that it is no keyword.
    pub(super) quoted: bool,
    /// Line on which the token begins.
    token_line: u64,
}

impl<R: BufRead> Lexer<R> {
    /// Begins with the file's first token.
    pub(super) fn new(reader: R) -> Result<Self, FormatError> {
        let (token, text) = (Token::End, Vec::new());
        let mut lexer = Self {
            reader,
            line: 1,
            token,
            text,
            quoted: false,
            token_line: 1,
        };
        lexer.advance()?;
        Ok(lexer)
    }

    /// The next token is not what it should be.
    pub(super) fn unexpected(&self, expected: impl Into<String>) -> FormatError {
        let found = match &self.token {
            Token::Word => Some(&self.text[..]),
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

    /// Whether that keyword comes next, in any case.
    pub(super) fn is_keyword(&self, keyword: &[u8]) -> bool {
        self.token == Token::Word && !self.quoted && self.text.eq_ignore_ascii_case(keyword)
    }

    /// Moves on to the next token.
    pub(super) fn advance(&mut self) -> Result<(), FormatError> {
        self.text.clear();
        self.quoted = false;
        loop {
            self.token_line = self.line;
            let Some(byte) = self.peek()? else {
                self.token = Token::End;
                return Ok(());
            };
            match byte {
                b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' => {
                    self.skip();
                    self.token = Token::Sign(byte);
                    return Ok(());
                }
                b'"' => return self.quotation(),
                b'#' => self.rest_of_line()?,
                b'/' => self.comment()?,
                b'-' => {
                    self.skip();
                    if self.peek()? == Some(b'>') {
                        self.skip();
                        self.token = Token::Arrow;
                        return Ok(());
                    }
                    self.text.push(b'-');
                    return self.word();
                }
                _ if byte.is_ascii_whitespace() => self.skip(),
                _ if is_word(byte) => return self.word(),
                _ => return Err(syntax(self.line, "a word or a sign", Some(&[byte]))),
            }
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
        self.reader.consume(1);
    }

    fn word(&mut self) -> Result<(), FormatError> {
        self.token = Token::Word;
        while let Some(byte) = self.peek()?.filter(|&b| is_word(b)) {
            self.text.push(byte);
            self.skip();
        }
        Ok(())
    }

    fn quotation(&mut self) -> Result<(), FormatError> {
        self.skip();
        self.token = Token::Word;
        self.quoted = true;
        loop {
            let Some(byte) = self.peek()? else {
                return Err(syntax(self.line, "the end of a quotation", None));
            };
            self.skip();
            match byte {
                b'"' => return Ok(()),
                b'\\' if self.peek()? == Some(b'"') => {
                    self.skip();
                    self.text.push(b'"');
                }
                _ => self.text.push(byte),
            }
        }
    }

    fn rest_of_line(&mut self) -> Result<(), FormatError> {
        while self.peek()?.is_some_and(|b| b != b'\n') {
            self.skip();
        }
        Ok(())
    }

    /// `// ...` or `/* ... */`.
    fn comment(&mut self) -> Result<(), FormatError> {
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
                Err(syntax(self.line, "the end of a comment", None))
            }
            _ => Err(syntax(self.line, "a comment", Some(b"/"))),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80
}
