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
    /// Least and largest ratio over the plausible values of what the source leaves open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Agreement of the two.
    pub verdict: Verdict,
    /// The published figure of numbers, and by how much it may be rounded.
    #[serde(skip)]
    figure: Option<(f64, f64)>,
}

/// Agreement of a finding with what is published.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The published digits, or the statement, hold.
    Equal,
    /// The ratio is off by at most this part.
    Within(f64),
    /// The published figure lies between those of plausible values of what the source leaves open,
    /// which is named. Or the statement holds for some of them.
    InRange(&'static str),
    /// The published figure lies beyond those of all plausible values, or the statement holds for
    /// none.
    Differs(&'static str),
    /// It is none of these: a defect.
    Off,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal => f.write_str("equal"),
            Self::Within(part) => write!(f, "within {:.1} %", 100.0 * part),
            Self::InRange(open) => write!(f, "in range: the source leaves open {open}"),
            Self::Differs(open) => write!(f, "differs: the source leaves open {open}"),
            Self::Off => f.write_str("off"),
        }
    }
}

impl Row {
    /// Compares a number with one that is published with so many digits after the point. It is
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
            range: None,
            verdict,
            figure: Some((published, 0.5 / scale)),
        }
    }

    /// Takes in what is found for other plausible values of something that the source leaves open.
    /// A number that is off is then in their range, or differs.
    ///
    /// ```
    /// use superstep_papers::{Row, Verdict};
    ///
    /// let open = "the cost of a word";
    /// let row = |others| Row::number("speed-up", 8.0, 5.0, 0, 0.1).open(open, others);
    /// assert_eq!(row([6.0, 9.0]).verdict, Verdict::InRange(open));
    /// assert_eq!(row([6.0, 7.0]).verdict, Verdict::Differs(open));
    /// assert_eq!(row([6.0, 7.0]).range, Some([0.625, 0.875]));
    /// ```
    #[must_use]
    pub fn open(self, open: &'static str, others: impl IntoIterator<Item = f64>) -> Self {
        let (Verdict::Off, Some((published, rounding)), Some(ratio)) =
            (self.verdict, self.figure, self.ratio)
        else {
            return self;
        };
        let ratios = others.into_iter().map(|found| found / published);
        let [low, high] = ratios.fold([ratio; 2], |[low, high], ratio| {
            [low.min(ratio), high.max(ratio)]
        });
        let rounding = rounding / published.abs();
        let verdict = if (low - rounding..=high + rounding).contains(&1.0) {
            Verdict::InRange(open)
        } else {
            Verdict::Differs(open)
        };
        Self {
            range: Some([low, high]),
            verdict,
            ..self
        }
    }

    /// Tells whether a statement of the source holds.
    pub fn statement(published: &str, found: String, holds: bool) -> Self {
        Self {
            of: String::new(),
            published: published.into(),
            found,
            ratio: None,
            range: None,
            verdict: if holds { Verdict::Equal } else { Verdict::Off },
            figure: None,
        }
    }

    /// Tells for which plausible values of something that the source leaves open a statement
    /// holds: each value with what is found.
    ///
    /// ```
    /// use superstep_papers::{Row, Verdict};
    ///
    /// let cases = [("0.1: 1.1".to_owned(), true), ("1: 1.7".to_owned(), false)];
    /// let row = Row::cases("at most 1.2", "the set-up time", cases);
    /// assert_eq!(row.found, "0.1: 1.1, holds; 1: 1.7, does not");
    /// assert_eq!(row.verdict, Verdict::InRange("the set-up time"));
    /// ```
    pub fn cases(
        published: &str,
        open: &'static str,
        cases: impl IntoIterator<Item = (String, bool)>,
    ) -> Self {
        let (mut holding, mut all, mut found) = (0, 0, String::new());
        for (case, holds) in cases {
            if all > 0 {
                found += "; ";
            }
            found += &case;
            found += if holds { ", holds" } else { ", does not" };
            holding += usize::from(holds);
            all += 1;
        }
        let verdict = match holding {
            0 => Verdict::Differs(open),
            _ if holding == all => Verdict::Equal,
            _ => Verdict::InRange(open),
        };
        Self {
            verdict,
            ..Self::statement(published, found, false)
        }
    }
}

impl Findings {
    /// Makes findings of rows alone.
    pub(crate) fn of(rows: Vec<Row>) -> Self {
        Self {
            rows,
            ..Self::default()
        }
    }

    /// Adds drawings.
    pub(crate) fn drawn(mut self, drawings: impl IntoIterator<Item = Drawing>) -> Self {
        self.drawings.extend(drawings);
        self
    }

    /// Adds notes.
    pub(crate) fn noted<N: Into<String>>(mut self, notes: impl IntoIterator<Item = N>) -> Self {
        self.notes.extend(notes.into_iter().map(N::into));
        self
    }

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
            let Some(ratio) = row.ratio else {
                return format!("  published  {published}\n  found      {found}: {verdict}\n");
            };
            let range = row.range.map_or(String::new(), |[low, high]| {
                format!(" ({low:.3} to {high:.3})")
            });
            format!("  {of}: published {published}, found {found}, {ratio:.3}{range}: {verdict}\n")
        };
        let notes = self.notes.iter().map(|note| format!("  {note}\n"));
        self.rows.iter().map(row).chain(notes).collect()
    }
}
