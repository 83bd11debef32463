//! Source text of tokens, on one line, spaced as written.

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use quote::ToTokens;

/// The text of something parsed, on one line: a space wherever the source has space.
pub(crate) fn of(tokens: &impl ToTokens) -> String {
    let mut line = Line::default();
    line.stream(tokens.to_token_stream());
    line.text
}

#[derive(Default)]
struct Line {
    text: String,
    end: Option<LineColumn>,
}

impl Line {
    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                        proc_macro2::Delimiter::Brace => ("{", "}"),
                        proc_macro2::Delimiter::Bracket => ("[", "]"),
                        proc_macro2::Delimiter::None => ("", ""),
                    };
                    self.word(open, group.span_open().start(), group.span_open().end());
                    self.stream(group.stream());
                    self.word(close, group.span_close().start(), group.span_close().end());
                }
                other => self.word(&other.to_string(), other.span().start(), other.span().end()),
            }
        }
    }

    fn word(&mut self, word: &str, start: LineColumn, end: LineColumn) {
        if word.is_empty() {
            return;
        }
        if self.end.is_some_and(|end| end != start) {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.end = Some(end);
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    #[test]
    fn spaces_are_those_of_the_source_and_lines_are_joined() {
        let tokens: TokenStream = "a[i*n + k]\n    -= f(x,  -1.0)\n  .sqrt()".parse().unwrap();
        assert_eq!(super::of(&tokens), "a[i*n + k] -= f(x, -1.0) .sqrt()");
    }
}
