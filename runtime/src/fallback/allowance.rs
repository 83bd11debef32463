//! Allowance for first trials: what calls may take, from the first one on, beyond the function.

/// Time that calls may take beyond the function before any was saved, in nanoseconds: about what it
/// takes to start a thread. And so many calls of the function more, as who calls once or twice has
/// nothing to save on.
const START: i64 = 50_000;
const CALLS: i64 = 2;

/// Share of the function's time by which the allowance grows with each call, as a divisor. In the
/// [first](FIRST) calls it is what these may take beyond the function. In later ones it is what
/// other measurements leave of the three hundredths that all may take.
const SHARES: (i64, i64) = (20, 100);

/// Number of first calls: who calls a thousand times has tried what gains.
const FIRST: u64 = 1000;

/// Allowance that is kept for later, at most: nanoseconds, or calls of the function, whichever is
/// longer. It is twice what a trial beside others may lose. What is predicted to lose more than
/// both is not tried.
const MOST: (i64, i64) = (2 * BUSY.0, 4 * BUSY.1);

/// Debt, at most, in nanoseconds, of the allowance and of parallel calls: after a call that was
/// stopped for hours others are tried within minutes.
pub(super) const DEBT: i64 = 3_000_000_000;

/// Time that a trial on several cores loses where others keep them, in nanoseconds and in calls of
/// the function. The first are two to three time slices of the system's scheduler, of 3 to 4 ms.
/// The second are for long calls, which wait for several. `superstep-bench contended` shows what
/// trials lose there.
pub(super) const BUSY: (i64, i64) = (10_000_000, 4);

/// Time that all calls so far might have taken beyond the function, and have not, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    left: i64,
    /// Time of a call of the function, once it is known.
    function: Option<i64>,
    /// Timed calls of other forms before that.
    before: i64,
}

impl Allowance {
    /// Takes note of time beyond calls.
    pub(super) fn spend(&mut self, time: i64) {
        self.add(-time);
    }

    /// Takes note of a timed call of another form than the function.
    pub(super) fn took(&mut self, time: i64) {
        self.before += i64::from(self.function.is_none());
        self.add(self.function.unwrap_or(0).saturating_sub(time));
    }

    /// Takes note of the time of a call of the function.
    pub(super) fn know(&mut self, function: i64) {
        if self.function.replace(function).is_none() {
            self.add(START.saturating_add(function.saturating_mul(CALLS + self.before)));
        }
    }

    /// Grows by calls, of whichever form, after so many.
    pub(super) fn pass(&mut self, calls: u64, after: u64) {
        let share = if after < FIRST { SHARES.0 } else { SHARES.1 };
        let calls = i64::try_from(calls).unwrap_or(i64::MAX);
        self.add(self.function.unwrap_or(0).saturating_mul(calls) / share);
    }

    /// Returns whether so much time may be lost.
    pub(super) fn pays(&self, time: i64) -> bool {
        time <= self.left
    }

    /// Returns whether so much time may be lost by a form that was tried before, or all that is
    /// ever kept. What was lost to a machine that was busy may be gained on one that is idle.
    pub(super) fn pays_again(&self, time: i64) -> bool {
        self.pays(time.min(self.most() / 2))
    }

    /// Returns the time that may be lost.
    pub(super) fn left(&self) -> i64 {
        self.left.max(0)
    }

    fn add(&mut self, time: i64) {
        self.left = self.left.saturating_add(time).clamp(-DEBT, self.most());
    }

    fn most(&self) -> i64 {
        let function = self.function.unwrap_or(0);
        MOST.0.max(function.saturating_mul(MOST.1))
    }
}
