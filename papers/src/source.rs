//! Sources and their items: every table and figure, with what can be done about it.

use std::error::Error;

use crate::Findings;

/// A paper or thesis.
#[derive(Debug)]
pub struct Source {
    /// Short name, by which commands know it.
    pub name: &'static str,
    /// Authors, title and year.
    pub title: &'static str,
    /// Its tables and figures, in their order.
    pub items: &'static [Item],
}

/// A table or figure of a source.
#[derive(Debug)]
pub struct Item {
    /// Its number: `figure 4.4`, `table 3.7`.
    pub number: &'static str,
    /// Subject.
    pub title: &'static str,
    /// Way in which it is repeated, or why it is not.
    pub kind: Kind,
}

/// Way in which an item is repeated, or the reason why it is not.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// An experiment, a computation or a drawing that is repeated.
    Repeated(Experiment),
    /// A figure that explains; nothing is to be repeated.
    Explains,
    /// A table of settings or of notation.
    Settings,
    /// An item that cannot be had: why.
    Lost(&'static str),
}

/// Repeats an item.
pub type Experiment = fn(Effort) -> Result<Findings, Box<dyn Error>>;

/// Amount of what is repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As much as shows what the source states: seconds for each item.
    #[default]
    Quick,
    /// The published numbers of repetitions and sizes: up to minutes.
    Full,
}

impl Source {
    /// Returns the source of that name.
    ///
    /// ```
    /// use superstep_papers::Source;
    ///
    /// let thesis = Source::named("thesis").expect("it is one of five");
    /// assert!(thesis.item("figure 4.4").is_some() && thesis.item("4.4").is_some());
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        crate::SOURCES.iter().find(|source| source.name == name)
    }

    /// Returns the item of that number, `figure 4.4`; the word may be left out where one item alone
    /// has the number.
    pub fn item(&self, number: &str) -> Option<&Item> {
        let exact = self.items.iter().find(|item| item.number == number);
        let is_own = |item: &&Item| item.number.split(' ').nth(1) == Some(number);
        let mut own = self.items.iter().filter(is_own);
        exact.or_else(|| own.next().filter(|_| own.next().is_none()))
    }
}

impl Kind {
    /// Says in a few words how an item is repeated, or why it is not.
    pub fn text(&self) -> &'static str {
        match self {
            Self::Repeated(_) => "repeated",
            Self::Explains => "explains",
            Self::Settings => "settings",
            Self::Lost(why) => why,
        }
    }
}
