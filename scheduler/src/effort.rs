//! Effort of the algorithms that search.

use std::fmt;
use std::str::FromStr;

/// Time that an algorithm which searches may take.
///
/// Effort is counted in steps, not in seconds. So a schedule does not depend on the machine that
/// computes it, nor on its threads for candidates. The times are those of two common cores in
/// 2026. Each effort includes the ones before, so that more effort is never worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Least effort: about 100 ns per edge, or some hundredths of a second.
    Fast,
    /// Middle effort: about 2 us per edge, or some tenths of a second.
    #[default]
    Balanced,
    /// Largest effort: about 100 us per edge: some seconds, and minutes for millions of edges.
    Thorough,
}

impl Effort {
    /// All efforts, the least first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Balanced, Self::Thorough];

    /// Returns the name under which the command line knows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::Thorough => "thorough",
        }
    }

    /// Returns a text about the time that it takes.
    pub fn about(self) -> &'static str {
        match self {
            Self::Fast => "about 100 ns per edge",
            Self::Balanced => "about 2 us per edge",
            Self::Thorough => "about 100 us per edge, up to some seconds",
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Name that no effort has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no effort is called `{0}`; there are fast, balanced, thorough")]
pub struct UnknownEffort(String);

impl FromStr for Effort {
    type Err = UnknownEffort;

    fn from_str(name: &str) -> Result<Self, UnknownEffort> {
        let mut all = Self::ALL.into_iter();
        all.find(|effort| effort.name() == name)
            .ok_or_else(|| UnknownEffort(name.to_owned()))
    }
}
