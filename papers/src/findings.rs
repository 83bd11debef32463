//! Findings: what repeating an item of a source gives, beside what is published.

use std::fmt;

use serde::Serialize;

use crate::drawing::Drawing;

/// Findings of an item.
#[derive(Debug, Default, Serialize)]
pub struct Findings {
    /// Figures and statements, published and found.
    pub rows: Vec<Row>,
    /// Curves that the item draws.
    #[serde(skip)]
    pub drawings: Vec<Drawing>,
    /// Choices that the source leaves open, and that were made here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A published figure or statement beside what is found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Quantity, with its parameters.
    pub of: String,
    /// Published figure or statement.
    pub published: String,
    /// Finding.
    pub found: String,
    /// The finding over the published figure, of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Agreement of the two.
    pub verdict: Verdict,
}

/// Agreement of a finding with what is published.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The published digits, or the statement, hold.
    Equal,
    /// The ratio is off by at most this part.
    Within(f64),
    /// It is another figure, as the source leaves something open: what.
    Differs(&'static str),
    /// It is none of these: a defect.
    Off,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal => f.write_str("equal"),
            Self::Within(part) => write!(f, "within {:.1} %", 100.0 * part),
            Self::Differs(open) => write!(f, "differs: the source leaves open {open}"),
            Self::Off => f.write_str("off"),
        }
    }
}

impl Row {
    /// Compares a number with one that is published with so many digits after the point: it is
    /// equal, or within a part of it, or off.
    ///
    /// ```
    /// use superstep_papers::{Row, Verdict};
    ///
    /// let verdict = |found| Row::number("speed-up", 8.0, found, 0, 0.1).verdict;
    /// assert_eq!([verdict(8.4), verdict(7.3), verdict(7.0)], [Verdict::Equal, Verdict::Within(0.1), Verdict::Off]);
    /// ```
    pub fn number(of: &str, published: f64, found: f64, digits: usize, within: f64) -> Self {
        let scale = 10_f64.powi(digits as i32);
        let ratio = found / published;
        let verdict = match () {
            () if (found * scale).round() == (published * scale).round() => Verdict::Equal,
            () if (ratio - 1.0).abs() <= within => Verdict::Within(within),
            () => Verdict::Off,
        };
        Self {
            of: of.into(),
            published: format!("{published:.digits$}"),
            found: format!("{found:.*}", digits + 1),
            ratio: ratio.is_finite().then_some(ratio),
            verdict,
        }
    }

    /// Compares a number with one that depends on something that the source leaves open.
    #[must_use]
    pub fn open(self, open: &'static str) -> Self {
        let verdict = match self.verdict {
            Verdict::Off => Verdict::Differs(open),
            verdict => verdict,
        };
        Self { verdict, ..self }
    }

    /// Tells whether a statement of the source holds.
    pub fn statement(published: &str, found: String, holds: bool) -> Self {
        Self {
            of: String::new(),
            published: published.into(),
            found,
            ratio: None,
            verdict: if holds { Verdict::Equal } else { Verdict::Off },
        }
    }
}

impl Findings {
    /// Writes the rows as a table, and notes below.
    ///
    /// ```
    /// use superstep_papers::{Findings, Row};
    ///
    /// let rows = vec![Row::number("layers, p = 2", 2.0, 2.0, 0, 0.0)];
    /// let text = Findings { rows, ..Findings::default() }.text();
    /// assert!(text.starts_with("  layers, p = 2: published 2, found 2.0, 1.000: equal\n"));
    /// ```
    pub fn text(&self) -> String {
        let row = |row: &Row| {
            let Row {
                of,
                published,
                found,
                verdict,
                ..
            } = row;
            match row.ratio {
                Some(ratio) => {
                    format!("  {of}: published {published}, found {found}, {ratio:.3}: {verdict}\n")
                }
                None => format!("  published  {published}\n  found      {found}: {verdict}\n"),
            }
        };
        let notes = self.notes.iter().map(|note| format!("  {note}\n"));
        self.rows.iter().map(row).chain(notes).collect()
    }
}
