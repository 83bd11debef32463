//! Runs of one body, one after the other.

/// What one run executes: a number of iterations, and the values from which the components of its [`Body`](super::Body) follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    count: usize,
    values: &'a [i64],
    offsets: &'a [i64],
}

impl<'a> Run<'a> {
    /// Number of iterations, at least 1.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.count
    }

    /// A value of the run.
    #[inline(always)]
    pub const fn given(self, value: usize) -> i64 {
        self.values[value]
    }

    /// Component `c`, whose base is `base`, in the first iteration.
    #[inline(always)]
    pub const fn start(self, base: usize, c: usize) -> i64 {
        self.values[base].wrapping_add(self.offsets[c])
    }

    /// A component in iteration `x`, from where it starts and its step.
    #[inline(always)]
    pub const fn advance(start: i64, step: i64, x: usize) -> i64 {
        start.wrapping_add(step.wrapping_mul(x as i64))
    }

    /// Component `c`, whose base is `base`, in the first iteration, as a slot.
    #[inline(always)]
    pub const fn slot(self, base: usize, c: usize) -> usize {
        self.start(base, c) as usize
    }
}

/// Runs of one body, one after the other: those of a loop, of a list, or only one.
///
/// Generated code asks for the next one until there is none. Between two runs it so stays in one function.
///
/// ```
/// use superstep_runtime::plan::Runs;
///
/// // 2 iterations from word 10, then 4 from word 30.
/// let mut runs = Runs::list(&[2, 10, 0, 30, 4, 30], &mut [0; 2], &[0]);
/// let mut seen = Vec::new();
/// while let Some(run) = runs.advance() {
///     seen.push((run.count(), run.slot(0, 0)));
/// }
/// assert_eq!(seen, [(2, 10), (4, 30)]);
/// ```
#[derive(Debug)]
pub struct Runs<'a> {
    left: usize,
    offsets: &'a [i64],
    source: Source<'a>,
}

/// Where runs come from: each is a count and values.
#[derive(Debug)]
enum Source<'a> {
    One(&'a [i64]),
    /// The run before the next, and what is added to it.
    Loop {
        current: &'a mut [i64],
        step: &'a [i64],
    },
    /// Room for the next one, and those after it.
    List {
        current: &'a mut [i64],
        table: &'a [i32],
    },
}

impl<'a> Runs<'a> {
    /// One run of a body with these [offsets](super::Body::offsets): its count, then its values.
    #[inline(always)]
    pub const fn one(run: &'a [i64], offsets: &'a [i64]) -> Self {
        Self {
            left: 1,
            offsets,
            source: Source::One(run),
        }
    }

    /// `count` runs: `current`, and then always `step` more.
    #[inline(always)]
    pub(super) fn repeated(
        count: i64,
        current: &'a mut [i64],
        step: &'a [i64],
        offsets: &'a [i64],
    ) -> Self {
        // Each run begins with a step.
        for (value, step) in current.iter_mut().zip(step) {
            *value = value.wrapping_sub(*step);
        }
        Self {
            left: usize::try_from(count).unwrap_or(0),
            offsets,
            source: Source::Loop { current, step },
        }
    }

    /// The runs of a table, in which each is as long as `current`, which is room for one.
    #[inline(always)]
    pub fn list(table: &'a [i32], current: &'a mut [i64], offsets: &'a [i64]) -> Self {
        Self {
            left: table.len() / current.len().max(1),
            offsets,
            source: Source::List { current, table },
        }
    }

    /// The next run of at least one iteration.
    ///
    /// # Panics
    /// When a run is nothing, not even a count.
    #[inline(always)]
    pub fn advance(&mut self) -> Option<Run<'_>> {
        while self.left > 0 {
            self.left -= 1;
            self.source.advance();
            if self.source.current()[0] > 0 {
                let (count, values) = self.source.current().split_at(1);
                return Some(Run {
                    count: count[0] as usize,
                    values,
                    offsets: self.offsets,
                });
            }
        }
        None
    }
}

impl Source<'_> {
    #[inline(always)]
    fn advance(&mut self) {
        match self {
            Self::One(_) => {}
            Self::Loop { current, step } => {
                for (value, step) in current.iter_mut().zip(*step) {
                    *value = value.wrapping_add(*step);
                }
            }
            Self::List { current, table } => {
                let (next, rest) = table.split_at(current.len());
                for (value, next) in current.iter_mut().zip(next) {
                    *value = i64::from(*next);
                }
                *table = rest;
            }
        }
    }

    #[inline(always)]
    fn current(&self) -> &[i64] {
        match self {
            Self::One(run) => run,
            Self::Loop { current, .. } | Self::List { current, .. } => current,
        }
    }
}
