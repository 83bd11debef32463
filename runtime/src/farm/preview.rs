//! Preview of a farm: what is planned, to look at before it runs.

use std::fmt;

use superstep_farm::{Deal, Interval, Policy};

/// Preview of a farm: how its items are dealt, and how long they are predicted to take.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Number of items.
    pub items: usize,
    /// Number of workers.
    pub workers: usize,
    /// Rule by which the items are dealt.
    pub policy: Policy,
    /// Chunks as the rule deals them. Workers that are done share what is left of others' chunks.
    pub deal: Deal,
    /// Number of items that have been run as a sample, whose results are kept.
    pub sampled: usize,
    /// Predicted time from the start of the sample to the end of the run, in seconds, if there is a
    /// sample. Of 100 intervals about 90 hold the truth, unless other programs come or go.
    pub time: Option<Interval>,
}

impl Preview {
    /// Returns the number of chunks.
    pub fn chunks(&self) -> usize {
        let mut dealer = self.deal.pulled.dealer();
        let pulled = std::iter::from_fn(|| dealer.next(0)).count();
        self.deal.sent.len() + pulled
    }
}

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (items, workers, chunks) = (self.items, self.workers, self.chunks());
        let plural = if workers == 1 { "" } else { "s" };
        let policy = self.policy.name();
        write!(
            f,
            "{items} items on {workers} worker{plural} in {chunks} chunks ({policy})"
        )?;
        if let Some(Interval { value, low, high }) = self.time {
            let sampled = self.sampled;
            write!(
                f,
                ", predicted from {sampled} of them to take {value:.3} s ({low:.3} to {high:.3})"
            )?;
        }
        Ok(())
    }
}
