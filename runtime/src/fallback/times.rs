//! Time of a form of calls: of a program, a plan, or the function as written.
//!
//! It is the median of timed calls, so that neither one that was interrupted nor an old one
//! decides.

/// Window of timed calls, after which a form's time is their median, whatever was known before. A
/// median is moved neither by a call that was interrupted nor by one whose data was easy.
const WINDOW: usize = 8;

/// Time of a form's calls, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Time {
    known: Option<i64>,
    /// Set once a window was full or has been [settled](Self::settle). Until then `known` follows
    /// each call.
    is_settled: bool,
    /// Times of the calls since the last such window, of which the first `calls` are set.
    window: [i64; WINDOW],
    calls: usize,
}

impl Time {
    /// Returns the time, if a call was timed.
    pub(super) fn known(&self) -> Option<i64> {
        self.known
    }

    /// Takes note of a call's time.
    pub(super) fn took(&mut self, time: i64) {
        self.window[self.calls] = time;
        self.calls += 1;
        let is_full = self.calls == WINDOW;
        if is_full || !self.is_settled {
            self.known = self.median();
        }
        if is_full {
            self.is_settled = true;
            self.calls = 0;
        }
    }

    /// Settles a window that is not full, as the form's turn ends. A median below the known time
    /// replaces it. One above moves it by a third of the difference, if there are `least` calls. So
    /// one call that was interrupted changes little.
    pub(super) fn settle(&mut self, least: usize) {
        if let (Some(known), Some(median)) = (self.known, self.median()) {
            self.known = Some(match median < known {
                true => median,
                false if self.calls < least => known,
                false => known + (median - known) / 3,
            });
            self.is_settled = true;
            self.calls = 0;
        }
    }

    /// Returns the lower median of the window's calls.
    fn median(&self) -> Option<i64> {
        let mut calls = self.window;
        let calls = &mut calls[..self.calls];
        calls.sort_unstable();
        let middle = calls.len().checked_sub(1)? / 2;
        Some(calls[middle])
    }
}
