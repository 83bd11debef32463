//! Passes that a compilation can do without: to see what each gains.

use std::fmt;
use std::str::FromStr;

/// A pass that makes programs, or builds, faster and that no program needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Pass {
    /// Expansion: values of locals have words of their own, if that is predicted to be faster.
    Expand,
    /// Contraction: temporaries are scheduled as one task with their reader.
    Contract,
    /// Moves: words that are only moved are moved by one processor, if that is predicted to be
    /// faster.
    Moves,
    /// Bound: candidates are left out that take too long by a sample of their lists.
    Bound,
    /// Columns: arrays are kept transposed where programs go down their columns.
    Columns,
    /// Chains: lists are ordered so that words stay in registers while they are updated.
    Chains,
    /// Jamming: a few loops run side by side where each waits for itself.
    Jam,
    /// Fusion: phases run together where few of their iterations are connected.
    Fuse,
    /// Depths: lists are ordered by depth where that makes longer runs.
    Depths,
    /// Nearness: loose iterations run near each other that share cache lines.
    Near,
    /// Loose: runs of one iteration stand in tables without loops around them.
    Loose,
}

impl Pass {
    /// All passes, in the order of the road.
    pub const ALL: [Self; 11] = [
        Self::Expand,
        Self::Contract,
        Self::Moves,
        Self::Bound,
        Self::Columns,
        Self::Chains,
        Self::Jam,
        Self::Fuse,
        Self::Depths,
        Self::Near,
        Self::Loose,
    ];

    /// Returns the name by which benches know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Contract => "contract",
            Self::Moves => "moves",
            Self::Bound => "bound",
            Self::Columns => "columns",
            Self::Chains => "chains",
            Self::Jam => "jam",
            Self::Fuse => "fuse",
            Self::Depths => "depths",
            Self::Near => "near",
            Self::Loose => "loose",
        }
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no pass has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no pass is called `{0}`; there are {names}", names = Pass::ALL.map(Pass::name).join(", "))]
pub struct UnknownPass(String);

impl FromStr for Pass {
    type Err = UnknownPass;

    fn from_str(name: &str) -> Result<Self, UnknownPass> {
        let all = Self::ALL.into_iter();
        all.into_iter()
            .find(|pass| pass.name() == name)
            .ok_or_else(|| UnknownPass(name.to_owned()))
    }
}

/// The set of passes that a compilation runs: all, unless some are taken out.
///
/// ```
/// use superstep_compiler::{Pass, Passes};
///
/// let passes = Passes::ALL.without(Pass::Fuse);
/// assert!(passes.has(Pass::Jam) && !passes.has(Pass::Fuse));
/// assert!("fuse".parse() == Ok(Pass::Fuse));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes(u16);

impl Passes {
    /// Set of all passes.
    pub const ALL: Self = Self((1 << Pass::ALL.len()) - 1);

    /// Takes a pass out.
    #[must_use]
    pub fn without(self, pass: Pass) -> Self {
        Self(self.0 & !(1 << pass as u16))
    }

    /// Returns whether a pass is in the set.
    pub fn has(self, pass: Pass) -> bool {
        self.0 & (1 << pass as u16) != 0
    }
}

impl Default for Passes {
    fn default() -> Self {
        Self::ALL
    }
}
