//! Run: one execution of an innermost loop.

/// Number of iterations, and the values from which the components of its [`Body`](super::Body)
/// follow.
///
/// Also several such runs: a *block*, or loose runs, of one iteration each. The *lines* of a block
/// have equally many iterations, and values that advance by constant steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    count: usize,
    values: &'a [i64],
    offsets: &'a [i64],
    loose: &'a [i32],
    lines: usize,
    /// Advance of each value from line to line; empty for a single one.
    advance: &'a [i64],
}

impl<'a> Run<'a> {
    /// Makes a run of `count` iterations with these values, of a body with these
    /// [offsets](super::Body::offsets).
    #[inline(always)]
    pub const fn new(count: usize, values: &'a [i64], offsets: &'a [i64]) -> Self {
        Self::block(count, values, offsets, 1, &[])
    }

    /// Makes a block of `lines` runs of `count` iterations each. It is given the values of the
    /// first run, and what is added to them from one to the next.
    #[inline(always)]
    pub const fn block(
        count: usize,
        values: &'a [i64],
        offsets: &'a [i64],
        lines: usize,
        advance: &'a [i64],
    ) -> Self {
        Self {
            count,
            values,
            offsets,
            loose: &[],
            lines,
            advance,
        }
    }

    /// Makes a run of one iteration for each entry of `loose`, which has the values of all, one
    /// entry after the other.
    #[inline(always)]
    pub(super) const fn loose(loose: &'a [i32], offsets: &'a [i64]) -> Self {
        Self {
            loose,
            ..Self::new(1, &[], offsets)
        }
    }

    /// Returns the number of iterations, at least 1 in a walk.
    #[inline(always)]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns a value of the run.
    #[inline(always)]
    pub const fn given(&self, value: usize) -> i64 {
        self.values[value]
    }

    /// Returns component `c`, whose base is `base`, in the first iteration.
    #[inline(always)]
    pub const fn start(&self, base: usize, c: usize) -> i64 {
        self.values[base].wrapping_add(self.offsets[c])
    }

    /// Returns whether the places of so many iterations, from `start` on at equal distances, have
    /// one word among them.
    ///
    /// ```
    /// use superstep_plan::Run;
    ///
    /// let meets = |step, word| Run::meets(3, 10, step, word);
    /// assert!(meets(2, 10) && meets(2, 14));
    /// assert!(!meets(2, 13) && !meets(2, 16) && !meets(2, 8));
    /// assert_eq!([6, 9].map(|word| meets(-2, word)), [true, false]);
    /// assert!(meets(0, 10) && !meets(0, 11) && !Run::meets(0, 10, 0, 10));
    /// ```
    #[inline(always)]
    pub fn meets(count: usize, start: i64, step: i64, word: i64) -> bool {
        let last = start.wrapping_add(step.wrapping_mul(count as i64 - 1));
        if count == 0 || word < start.min(last) || word > start.max(last) {
            return false;
        }
        step == 0 || word.wrapping_sub(start).wrapping_rem(step) == 0
    }

    /// Returns a component in iteration `x`, from where it starts and its step.
    #[inline(always)]
    pub const fn advance(start: i64, step: i64, x: usize) -> i64 {
        start.wrapping_add(step.wrapping_mul(x as i64))
    }

    /// Returns the run of a body with `V` [values](super::Body::values) and `C` components: checked
    /// here once, and then as arrays of known lengths.
    ///
    /// ```
    /// use superstep_plan::Run;
    ///
    /// // Two components, the second one 4 behind the first; both advance by the second value.
    /// let run = Run::new(10, &[100, 3], &[0, -4]).known::<2, 2>();
    /// assert_eq!((run.start(0, 0), run.start(0, 1), run.given(1)), (100, 96, 3));
    /// assert_eq!(run.in_full(&[0, 0], [3; 2]), [[100, 96], [3, 3]]);
    /// ```
    ///
    /// # Panics
    /// When the body has fewer, or a block says what is added to some of its values and not to all.
    #[inline(always)]
    pub fn known<const V: usize, const C: usize>(self) -> Known<'a, V, C> {
        let values = self.values.first_chunk();
        let offsets = self.offsets.first_chunk();
        Known {
            count: u32::try_from(self.count).expect("a run of at most 2^32 - 1 iterations"),
            values: values.expect("a run has the values of its body"),
            offsets: offsets.expect("one offset for each component"),
            lines: self.lines,
            advance: match self.advance {
                [] => const { &[0; V] },
                advance => advance.first_chunk().expect("a step for each value"),
            },
        }
    }

    /// Calls `run` for each single run, of a body with that many values; `room` is overwritten.
    pub(super) fn each(self, values: usize, room: &mut Vec<i64>, mut run: impl FnMut(Run<'_>)) {
        for entry in self.loose.chunks_exact(values.max(1)) {
            room.clear();
            room.extend(entry.iter().map(|&value| i64::from(value)));
            run(Run::new(1, room, self.offsets));
        }
        if !self.loose.is_empty() {
            return;
        }
        if self.advance.is_empty() {
            return (0..self.lines)
                .for_each(|_| run(Run::new(self.count, self.values, self.offsets)));
        }
        for line in 0..self.lines {
            let values = self.values.iter().zip(self.advance);
            room.clear();
            room.extend(values.map(|(&first, &step)| Self::advance(first, step, line)));
            run(Run::new(self.count, room, self.offsets));
        }
    }

    /// Iterates over the entries of loose runs of a body with `V` [values](super::Body::values)
    /// and `C` components.
    ///
    /// # Panics
    /// When the body has fewer components.
    #[inline(always)]
    pub fn entries<const V: usize, const C: usize>(self) -> impl Iterator<Item = Entry<'a, V, C>> {
        let offsets = self
            .offsets
            .first_chunk()
            .expect("one offset for each component");
        let (entries, _) = self.loose.as_chunks();
        entries.iter().map(move |values| Entry { values, offsets })
    }
}

/// Form of a [`Run`] of a body with `V` values and `C` components for generated loops: their
/// indices are constants, which the compiler checks.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a, const V: usize, const C: usize> {
    /// Number of iterations. With 32 bits compilers know that a few more are no overflow. So they
    /// know that places behind the last iteration are in a row that has them.
    count: u32,
    values: &'a [i64; V],
    offsets: &'a [i64; C],
    lines: usize,
    advance: &'a [i64; V],
}

impl<const V: usize, const C: usize> Known<'_, V, C> {
    /// Returns the number of iterations of a line.
    #[inline(always)]
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// Returns a value of the run.
    #[inline(always)]
    pub const fn given(&self, value: usize) -> i64 {
        self.values[value]
    }

    /// Returns component `c`, whose base is `base`, in the first iteration.
    #[inline(always)]
    pub const fn start(&self, base: usize, c: usize) -> i64 {
        self.values[base].wrapping_add(self.offsets[c])
    }

    /// Returns component `c`, whose base is `base`, in the first iteration, as a slot.
    #[inline(always)]
    pub const fn slot(&self, base: usize, c: usize) -> usize {
        self.start(base, c) as usize
    }

    /// Returns the start of each component, whose base is that of `bases`, and then its step. These
    /// are the values of a run of which nothing is known.
    #[inline]
    pub fn in_full(&self, bases: &[u16; C], steps: [i64; C]) -> [[i64; C]; 2] {
        let start = |c| self.values[usize::from(bases[c])].wrapping_add(self.offsets[c]);
        [std::array::from_fn(start), steps]
    }

    /// Returns the components from `first` on, in iteration `x`, as those of a run of one
    /// iteration. The run gives all starts and then all steps.
    ///
    /// ```
    /// use superstep_plan::Run;
    ///
    /// let run = Run::new(10, &[100, 200, 300, 1, 2, 3], &[0; 3]).known::<6, 3>();
    /// assert_eq!(run.once::<2>(1, 5), [[210, 315], [0, 0]]);
    /// ```
    ///
    /// # Panics
    /// When the run has fewer.
    #[inline]
    pub fn once<const N: usize>(&self, first: usize, x: usize) -> [[i64; N]; 2] {
        let start = |c: usize| Run::advance(self.start(c, c), self.values[C + c], x);
        [std::array::from_fn(|c| start(first + c)), [0; N]]
    }

    /// Returns the number of iterations of all lines together.
    #[inline(always)]
    pub const fn iterations(&self) -> usize {
        self.count().saturating_mul(self.lines)
    }

    /// Returns the number of lines: 1 for a run that is no block.
    #[inline(always)]
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// Returns the advance of a value from line to line.
    #[inline(always)]
    pub const fn advance_of(&self, value: usize) -> i64 {
        self.advance[value]
    }

    /// Calls `run` for each line, one after the other.
    #[inline(always)]
    pub fn each(self, mut run: impl FnMut(Known<'_, V, C>)) {
        for line in 0..self.lines {
            let values = self.values_in(line);
            run(Known {
                values: &values,
                lines: 1,
                advance: const { &[0; V] },
                ..self
            });
        }
    }

    /// Returns the values of a line. With `from_fn`, short runs take a tenth longer in debug
    /// builds.
    #[inline(always)]
    const fn values_in(&self, line: usize) -> [i64; V] {
        let mut values = [0; V];
        let mut at = 0;
        while at < V {
            values[at] = Run::advance(self.values[at], self.advance[at], line);
            at += 1;
        }
        values
    }

    /// Returns component `c` of a line, whose base is `base`, in the first iteration, as a slot.
    #[inline(always)]
    pub const fn slot_in(&self, line: usize, base: usize, c: usize) -> usize {
        let first = Run::advance(self.values[base], self.advance[base], line);
        first.wrapping_add(self.offsets[c]) as usize
    }

    /// Calls `run` for up to `many` lines from `first` on, one after the other.
    #[inline(always)]
    pub fn each_line(self, first: usize, many: usize, mut run: impl FnMut(Run<'_>)) {
        for line in first..self.lines.min(first + many) {
            run(Run::new(self.count(), &self.values_in(line), self.offsets));
        }
    }
}

/// A loose run: `V` values from which `C` components follow.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a, const V: usize, const C: usize> {
    values: &'a [i32; V],
    offsets: &'a [i64; C],
}

impl<const V: usize, const C: usize> Entry<'_, V, C> {
    /// Returns component `c`, whose base is `base`.
    #[inline(always)]
    pub const fn start(&self, base: usize, c: usize) -> i64 {
        (self.values[base] as i64).wrapping_add(self.offsets[c])
    }

    /// Returns component `c`, whose base is `base`, as a slot.
    #[inline(always)]
    pub const fn slot(&self, base: usize, c: usize) -> usize {
        self.start(base, c) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Run;

    #[test]
    #[should_panic(expected = "values of its body")]
    fn a_run_with_fewer_values_than_its_body_is_not_known() {
        Run::new(1, &[7], &[0]).known::<2, 1>();
    }

    #[test]
    #[should_panic(expected = "a step for each value")]
    fn a_block_that_moves_some_values_only_is_not_known() {
        Run::block(1, &[100, 3], &[0], 3, &[10]).known::<2, 1>();
    }
}
