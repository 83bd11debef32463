//! Tokens as text: on one line, spaced as written (what was not written is spaced as usual), and
//! their identifiers.

use std::collections::BTreeSet;

use proc_macro2::{Ident, LineColumn, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns the text of something parsed, on one line: a space wherever the source has space.
pub(crate) fn of(tokens: &impl ToTokens) -> String {
    let mut line = Line::default();
    line.stream(tokens.to_token_stream());
    line.text
}

/// Returns all identifiers among the tokens.
pub(crate) fn identifiers(tokens: impl ToTokens) -> BTreeSet<String> {
    let tokens = tokens.to_token_stream().into_iter();
    let found = tokens.map(|token| match token {
        TokenTree::Ident(ident) => BTreeSet::from([ident.to_string()]),
        TokenTree::Group(group) => identifiers(group.stream()),
        _ => BTreeSet::new(),
    });
    found.flatten().collect()
}

/// Returns whether an identifier is among the tokens.
pub(crate) fn mentions(tokens: impl ToTokens, name: &Ident) -> bool {
    identifiers(tokens).contains(&name.to_string())
}

#[derive(Default)]
struct Line {
    text: String,
    /// Position of the last word.
    last: Option<(LineColumn, LineColumn)>,
    /// Set if the last word is the beginning of an operator.
    joint: bool,
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
                    // What was parsed and printed again has the span of the whole for both
                    // delimiters.
                    let (start, end) = (group.span().start(), group.span().end());
                    let after = |at: LineColumn| LineColumn {
                        column: at.column + 1,
                        ..at
                    };
                    let before = |at: LineColumn| LineColumn {
                        column: at.column.saturating_sub(1),
                        ..at
                    };
                    self.word(open, start, after(start));
                    self.stream(group.stream());
                    self.word(close, before(end), end);
                }
                other => {
                    self.word(&other.to_string(), other.span().start(), other.span().end());
                    self.joint = matches!(&other, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
                }
            }
        }
    }

    fn word(&mut self, word: &str, start: LineColumn, end: LineColumn) {
        if word.is_empty() {
            return;
        }
        let joint = std::mem::take(&mut self.joint);
        let spaced = self.last.is_some_and(|(last_start, last_end)| {
            // Words of the source do not begin or end at one place: these were made for one.
            let made = last_start == start || last_end == end;
            if made {
                !joint && !word.starts_with(['[', ']', ')']) && !self.text.ends_with(['[', '('])
            } else {
                last_end != start
            }
        });
        if spaced {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.last = Some((start, end));
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

    #[test]
    fn what_was_parsed_reads_as_written() {
        let expression: syn::Expr = syn::parse_str("f( a[i*n+k], [0.0;  4])").unwrap();
        assert_eq!(super::of(&expression), "f( a[i*n+k], [0.0; 4])");
        let statement: syn::Stmt = syn::parse_str("assert!(n > 0);").unwrap();
        assert_eq!(super::of(&statement), "assert!(n > 0);");
    }

    #[test]
    fn what_was_made_for_one_word_is_spaced_as_usual() {
        let place: syn::Ident = syn::parse_str("total").unwrap();
        let made = quote::quote_spanned!(place.span()=> a[i + 1] += b[j]);
        assert_eq!(super::of(&made), "a[i + 1] += b[j]");
    }
}
