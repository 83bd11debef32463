//! What one run executes.

/// A number of iterations, and the values from which the components of its [`Body`](super::Body) follow; or a list of runs of one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    count: usize,
    values: &'a [i64],
    offsets: &'a [i64],
    listed: &'a [i32],
}

impl<'a> Run<'a> {
    /// `count` iterations with these values, of a body with these [offsets](super::Body::offsets).
    #[inline(always)]
    pub const fn new(count: usize, values: &'a [i64], offsets: &'a [i64]) -> Self {
        Self {
            count,
            values,
            offsets,
            listed: &[],
        }
    }

    /// One iteration for each entry of a list, which has the values of all, one entry after the other.
    #[inline(always)]
    pub(super) const fn list(listed: &'a [i32], offsets: &'a [i64]) -> Self {
        Self {
            count: 1,
            values: &[],
            offsets,
            listed,
        }
    }

    /// Number of iterations, at least 1 in a walk.
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

    /// The values of all entries of a list; empty for other runs.
    pub(super) const fn listed(self) -> &'a [i32] {
        self.listed
    }

    /// The entries of a list, of a body with `V` [values](super::Body::values) and `C` components.
    ///
    /// # Panics
    /// When the body has fewer components.
    #[inline(always)]
    pub fn entries<const V: usize, const C: usize>(self) -> impl Iterator<Item = Entry<'a, V, C>> {
        let offsets = self
            .offsets
            .first_chunk()
            .expect("one offset for each component");
        let (entries, _) = self.listed.as_chunks();
        entries.iter().map(move |values| Entry { values, offsets })
    }
}

/// A run of one iteration, in a list: `V` values from which `C` components follow.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a, const V: usize, const C: usize> {
    values: &'a [i32; V],
    offsets: &'a [i64; C],
}

impl<const V: usize, const C: usize> Entry<'_, V, C> {
    /// Component `c`, whose base is `base`.
    #[inline(always)]
    pub const fn start(self, base: usize, c: usize) -> i64 {
        (self.values[base] as i64).wrapping_add(self.offsets[c])
    }

    /// Component `c`, whose base is `base`, as a slot.
    #[inline(always)]
    pub const fn slot(self, base: usize, c: usize) -> usize {
        self.start(base, c) as usize
    }
}
