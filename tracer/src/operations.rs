//! Operations of a statement, as the macro counts them in its syntax tree.

/// Operations of an expression, outside of the indices of the words that it reads.
///
/// Numbers count what stands in the text. Ways of a choice have their own; what they cost, and how
/// often each is taken, is for predictions to say.
///
/// ```
/// use superstep_tracer::{Choice, Operations};
///
/// // if a[i] == b[j] { x[i - 1] + 1 } else { x[i].max(y[i]) }
/// let longer = Operations { additions: 1, ..Operations::default() };
/// let larger = Operations { extremes: 1, ..Operations::default() };
/// let chosen = Choice { operands: vec![0, 1], ways: vec![longer, larger], ..Choice::default() };
/// let all = Operations { choices: vec![chosen], ..Operations::default() };
/// assert_eq!((all.total().additions, all.total().extremes), (1, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Operations {
    /// Additions, subtractions and negations.
    pub additions: u32,
    /// Multiplications.
    pub multiplications: u32,
    /// Minima and maxima, of two values each.
    pub extremes: u32,
    /// Operations on bits, and shifts.
    pub bits: u32,
    /// Divisions and remainders.
    pub divisions: u32,
    /// Square roots.
    pub roots: u32,
    /// Conversions by `as`.
    pub casts: u32,
    /// Names of the other functions, methods and macros that it calls, as written, one for each
    /// call.
    pub calls: Vec<String>,
    /// Choices between values, in order.
    pub choices: Vec<Choice>,
    /// Nanoseconds that an execution takes, all of the above included, where the kernel says so by
    /// `#[cost]`.
    pub cost: Option<u32>,
    /// Correction of its predicted work: the thousandths of it that an execution takes, where a
    /// recorded run has told.
    pub correction: Option<u32>,
}

/// Choice of a value by an `if` or a `match`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Choice {
    /// Operands of the statement that decide it, ascending: places in
    /// [`Statement::operands`](crate::Statement::operands).
    pub operands: Vec<u16>,
    /// Operations of its condition.
    pub condition: Operations,
    /// Operations of each way. An `if` without `else` has a second way without any.
    pub ways: Vec<Operations>,
}

impl Operations {
    /// Returns all that stands in the expression: its own operations, and those of the conditions
    /// and the ways of its choices, which are left out.
    #[must_use]
    pub fn total(&self) -> Self {
        let mut all = Self {
            choices: Vec::new(),
            ..self.clone()
        };
        for choice in &self.choices {
            for part in std::iter::once(&choice.condition).chain(&choice.ways) {
                let part = part.total();
                all.additions += part.additions;
                all.multiplications += part.multiplications;
                all.extremes += part.extremes;
                all.bits += part.bits;
                all.divisions += part.divisions;
                all.roots += part.roots;
                all.casts += part.casts;
                all.calls.extend(part.calls);
            }
        }
        all
    }
}
