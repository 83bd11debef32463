//! Deals: chunks of items that are sent to given workers, and boundaries of those that workers
//! pull.

use std::ops::Range;

use crate::{
    Invalid, Sums,
    error::{check, check_count, check_weights},
};

/// Items for one worker, in one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The worker, from 0.
    pub worker: usize,
    /// The items, which are not none.
    pub items: Range<usize>,
}

/// Deal of all items: what a runtime executes and the simulator simulates.
#[derive(Clone, Debug, PartialEq)]
pub struct Deal {
    /// Sends that the master has open at a time.
    pub open: usize,
    /// Lets a worker ask for the next chunk when its last one starts, not when that ends.
    pub prefetch: bool,
    /// Chunks that are sent unasked, in this order, from item 0 on.
    pub sent: Vec<Chunk>,
    /// Chunks that are pulled, of the items behind.
    pub pulled: Pulled,
}

impl Deal {
    /// Checks that each item is dealt once, to workers that there are.
    ///
    /// # Errors
    ///
    /// [`Invalid`] names the first item that is not, or the first number that is out of its range.
    pub fn validate(&self, workers: usize, items: usize) -> Result<(), Invalid> {
        let mut next = 0;
        for chunk in &self.sent {
            let (worker, range) = (chunk.worker, "below the number of workers");
            check("worker", worker as f64, worker < workers, range)?;
            follows(&mut next, chunk.items.start, chunk.items.end)?;
        }
        match &self.pulled {
            Pulled::Bounds(bounds) => {
                for pair in bounds.windows(2) {
                    follows(&mut next, pair[0], pair[1])?;
                }
            }
            Pulled::Weighted(weighted) => {
                weighted.validate(workers)?;
                follows(&mut next, weighted.first, weighted.key.items())?;
            }
        }
        if next == items {
            Ok(())
        } else {
            Err(Invalid::NotOnce {
                item: next.min(items),
            })
        }
    }
}

/// Checks that a chunk begins at the next item, and that it is not empty.
fn follows(next: &mut usize, start: usize, end: usize) -> Result<(), Invalid> {
    if start != *next || end <= start {
        return Err(Invalid::NotOnce { item: *next });
    }
    *next = end;
    Ok(())
}

impl Weighted {
    fn validate(&self, workers: usize) -> Result<(), Invalid> {
        let (weights, items) = (self.weights.len(), self.key.items());
        check_count("weights", weights, workers, "each worker has one")?;
        let least = items.max(self.first + 1);
        check_count("sums", items, least, "each item has one")?;
        check_weights(&self.weights)?;
        let divides = self.divisor >= 1.0 && self.divisor.is_finite();
        check("divisor", self.divisor, divides, "finite and at least 1")?;
        self.key.validate()
    }
}

/// Chunks that go to whoever asks next.
#[derive(Clone, Debug, PartialEq)]
pub enum Pulled {
    /// Chunks between these boundaries in turn; none between fewer than two.
    Bounds(Vec<usize>),
    /// Chunks in proportion to the speed of whoever asks.
    Weighted(Weighted),
}

/// Items whose boundaries depend on who asks: of what is left, every N chunks begin with a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted {
    /// First item that is pulled.
    pub first: usize,
    /// Sums of what items count.
    pub key: Sums,
    /// Speed of each worker by the mean speed.
    pub weights: Vec<f64>,
    /// Divisor of the part of one of N workers of what is left.
    pub divisor: f64,
    /// Least that a chunk of a worker of mean speed counts.
    pub least: f64,
}

/// Deals chunks to workers that ask, one after the other.
#[derive(Clone, Debug)]
pub struct Dealer<'a> {
    pulled: &'a Pulled,
    next: usize,
    turn: usize,
    part: f64,
}

impl Pulled {
    /// Begins to deal.
    pub fn dealer(&self) -> Dealer<'_> {
        Dealer {
            pulled: self,
            next: match self {
                Self::Bounds(_) => 0,
                Self::Weighted(weighted) => weighted.first,
            },
            turn: 0,
            part: 0.0,
        }
    }
}

impl Dealer<'_> {
    /// Returns the next chunk, for the worker that asks; none when all are dealt.
    pub fn next(&mut self, worker: usize) -> Option<Range<usize>> {
        match self.pulled {
            Pulled::Bounds(bounds) => {
                let chunk = *bounds.get(self.next)?..*bounds.get(self.next + 1)?;
                self.next += 1;
                Some(chunk)
            }
            Pulled::Weighted(weighted) => {
                let key = &weighted.key;
                if self.next >= key.items() {
                    return None;
                }
                let workers = weighted.weights.len();
                if self.turn.is_multiple_of(workers) {
                    let rest = key.all() - key.before(self.next);
                    let part = rest / (weighted.divisor * workers as f64);
                    self.part = part.max(weighted.least);
                }
                self.turn += 1;
                let to = key.cut(self.next, self.part * weighted.weights[worker]);
                Some(std::mem::replace(&mut self.next, to)..to)
            }
        }
    }

    /// Returns whether all chunks are dealt.
    pub fn is_done(&self) -> bool {
        match self.pulled {
            Pulled::Bounds(bounds) => self.next + 1 >= bounds.len(),
            Pulled::Weighted(weighted) => self.next >= weighted.key.items(),
        }
    }
}
