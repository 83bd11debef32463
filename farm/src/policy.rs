//! Policies: rules by which items are dealt.

use crate::{
    Algorithm, Chunk, Deal, Invalid, Items, Platform, Pulled, Rounds, Sums, Weighted, error::check,
    search_all_workers,
};

/// Measure by which chunks are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The number of items.
    Count,
    /// The costs of items.
    Cost,
}

/// Technique by which chunks are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Technique {
    /// One block for each worker, in proportion to its speed.
    Static,
    /// So many items at a time, for who asks (SS, and chunked self-scheduling).
    SelfScheduling(usize),
    /// An Nth of what is left, for who asks (GSS).
    Guided,
    /// Batches of N equal chunks for who asks, each half of what is left (FAC2).
    Factoring,
    /// Batches as in factoring, whose chunks are in proportion to the speed of who asks (WF2).
    WeightedFactoring,
    /// Rounds, and factoring of the last part of all work, from 0 to 1.
    Rounds {
        /// Algorithm that finds the rounds.
        algorithm: Algorithm,
        /// Part of all work that is pulled.
        tail: f64,
    },
}

/// Rule by which items are dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// Technique by which chunks are cut.
    pub technique: Technique,
    /// Measure by which chunks are cut; rounds are always cut by costs.
    pub key: Key,
    /// Sends that the master has open at a time; rounds have the size of their groups.
    pub open: usize,
    /// Lets a worker ask when its last chunk starts, not when that ends.
    pub prefetch: bool,
    /// Least time to compute a chunk of factoring, by the time that any chunk costs beside its
    /// work.
    pub least: f64,
}

impl Policy {
    /// Makes a policy with one open send and without prefetch.
    pub fn new(technique: Technique, key: Key) -> Self {
        Self {
            technique,
            key,
            open: 1,
            prefetch: false,
            least: 0.0,
        }
    }

    /// Sets the least time to compute a chunk of factoring, by the time that any chunk costs beside
    /// its work.
    pub fn with_least(self, least: f64) -> Self {
        Self { least, ..self }
    }

    /// Sets how many sends the master has open at a time.
    pub fn with_open(self, open: usize) -> Self {
        Self { open, ..self }
    }

    /// Lets a worker ask for the next chunk when its last one starts.
    pub fn with_prefetch(self) -> Self {
        let prefetch = true;
        Self { prefetch, ..self }
    }

    /// Returns the name of the technique, as the command line has it.
    pub fn family(&self) -> &'static str {
        match self.technique {
            Technique::Static => "static",
            Technique::SelfScheduling(_) => "ss",
            Technique::Guided => "gss",
            Technique::Factoring => "fac2",
            Technique::WeightedFactoring => "wf2",
            Technique::Rounds { algorithm, tail } => match (algorithm, tail > 0.0) {
                (Algorithm::Single, false) => "single",
                (Algorithm::Single, true) => "single+fac2",
                (Algorithm::Umr, false) => "umr",
                (Algorithm::Umr, true) => "umr+fac2",
                (Algorithm::Ptumr | Algorithm::Auto, false) => "ptumr",
                (Algorithm::Ptumr | Algorithm::Auto, true) => "ptumr+fac2",
            },
        }
    }

    /// Returns the name, with what distinguishes it from other policies of its technique.
    pub fn name(&self) -> String {
        let mut name = self.family().to_owned();
        match self.technique {
            Technique::SelfScheduling(items) if items > 1 => name += &format!(" of {items}"),
            Technique::Rounds { tail, .. } if tail > 0.0 => name += &format!(" of {tail}"),
            _ => {}
        }
        let has_key = !matches!(
            self.technique,
            Technique::SelfScheduling(_) | Technique::Rounds { .. }
        );
        if has_key && self.key == Key::Cost {
            name += " by cost";
        }
        if self.least > 0.0 {
            name += &format!(", chunks of {} overheads", self.least);
        }
        if self.prefetch {
            name += ", prefetch";
        }
        name
    }

    /// Deals items by what they are predicted to cost.
    ///
    /// # Errors
    ///
    /// [`Invalid`] names a quantity of the platform or the policy that is out of its range.
    pub fn deal(&self, platform: &Platform, items: &Items) -> Result<Deal, Invalid> {
        self.deal_with(platform, items, &mut Vec::new())
    }

    /// Deals items, with rounds that were found before for this platform and these items, or that
    /// are added to them.
    pub(crate) fn deal_with(
        &self,
        platform: &Platform,
        items: &Items,
        found: &mut Vec<(Technique, Rounds)>,
    ) -> Result<Deal, Invalid> {
        platform.validate()?;
        let counts;
        let key = match self.key {
            Key::Cost if items.total_cost() > 0.0 => items.costs(),
            _ => {
                counts = Sums::Each(items.len());
                &counts
            }
        };
        let mut deal = Deal {
            open: self.open.max(1),
            prefetch: self.prefetch,
            sent: Vec::new(),
            pulled: Pulled::Bounds(Vec::new()),
        };
        let workers = platform.workers;
        let all = key.all();
        let cost = items.total_cost();
        let total = if cost > 0.0 { cost } else { 1.0 };
        let least = self.least * platform.chunk_cost() * platform.speed * (all / total);
        match self.technique {
            Technique::Static => deal.sent = blocks(platform, key),
            Technique::SelfScheduling(count) => {
                let bounds = (0..items.len()).step_by(count.max(1));
                deal.pulled = Pulled::Bounds(bounds.chain([items.len()]).collect());
            }
            Technique::Guided => deal.pulled = shrinking(key, 0, 1, workers, least),
            Technique::Factoring => deal.pulled = factoring(key, 0, workers, least),
            Technique::WeightedFactoring => deal.pulled = weighted(platform, key, 0, least),
            Technique::Rounds { algorithm, tail } => {
                let fits = (0.0..1.0).contains(&tail);
                check("tail", tail, fits, "from 0 and below 1")?;
                let rounds = match found.iter().find(|known| known.0 == self.technique) {
                    Some((_, rounds)) => rounds.clone(),
                    None => {
                        let (scaled, total) = in_work(platform, items);
                        let rounds = search_all_workers(&scaled, total * (1.0 - tail), algorithm)?;
                        found.push((self.technique, rounds.clone()));
                        rounds
                    }
                };
                deal.open = rounds.group;
                deal.sent = sent(platform, &rounds, items.costs());
                let first = deal.sent.last().map_or(0, |chunk| chunk.items.end);
                deal.pulled = match (first < items.len(), platform.weights.is_empty()) {
                    (false, _) => Pulled::Bounds(Vec::new()),
                    (true, true) => factoring(items.costs(), first, workers, least),
                    (true, false) => weighted(platform, items.costs(), first, least),
                };
            }
        }
        Ok(deal)
    }
}

/// Returns the platform with bandwidths in units of work, at what the items have in all, and their
/// work.
fn in_work(platform: &Platform, items: &Items) -> (Platform, f64) {
    let (work, bytes) = (items.total_cost(), items.total_bytes());
    // Items without work or bytes say nothing of one by the other.
    let of_byte = if bytes > 0.0 && work > 0.0 {
        work / bytes
    } else {
        f64::INFINITY
    };
    let scaled = Platform {
        worker_bandwidth: platform.worker_bandwidth * of_byte,
        master_bandwidth: platform.master_bandwidth * of_byte,
        ..platform.clone()
    };
    (scaled, work)
}

/// Cuts one block for each worker.
fn blocks(platform: &Platform, key: &Sums) -> Vec<Chunk> {
    let total = platform.total_weight();
    let shares = (0..platform.workers).map(|worker| (worker, platform.weight(worker) / total));
    cumulated(shares, key, 1.0)
}

/// Cuts the chunks of rounds; what is left behind the last one is for the tail.
fn sent(platform: &Platform, rounds: &Rounds, key: &Sums) -> Vec<Chunk> {
    let groups = &rounds.groups;
    let all = key.all();
    let mut shares = Vec::new();
    for round in 0..rounds.count() {
        for (group, seconds) in groups.groups().iter().zip(rounds.round(round)) {
            for &worker in &groups.order()[group.members.clone()] {
                shares.push((worker, seconds * platform.speed_of(worker) / all));
            }
        }
    }
    let sum: f64 = shares.iter().map(|share| share.1).sum();
    cumulated(shares.into_iter(), key, sum)
}

/// Cuts chunks of these shares of all items, at the boundaries nearest to the sums of shares; the
/// sum of all is `sum`.
///
/// Rounding the sums, not each chunk, leaves no item over. A chunk that comes out empty is none.
fn cumulated(shares: impl Iterator<Item = (usize, f64)>, key: &Sums, sum: f64) -> Vec<Chunk> {
    let all = key.all();
    let (mut cumulated, mut from) = (0.0, 0);
    let mut chunks: Vec<Chunk> = Vec::new();
    for (worker, share) in shares {
        cumulated += share;
        let to = key.nearest(all * cumulated).max(from);
        if to > from {
            chunks.push(Chunk {
                worker,
                items: from..to,
            });
        }
        from = to;
    }
    // The last digits of the sum, and items without cost at the end.
    if sum > 1.0 - 1e-9
        && let Some(last) = chunks.last_mut()
    {
        last.items.end = key.items();
    }
    chunks
}

/// Cuts chunks that are part of what is left, in batches of equal ones.
fn shrinking(key: &Sums, first: usize, batch: usize, divisor: usize, least: f64) -> Pulled {
    let end = key.items();
    let mut bounds = vec![first];
    let (mut at, mut part) = (first, 0.0);
    while at < end {
        if (bounds.len() - 1).is_multiple_of(batch) {
            part = ((key.all() - key.before(at)) / divisor as f64).max(least);
        }
        at = key.cut(at, part);
        bounds.push(at);
    }
    Pulled::Bounds(bounds)
}

fn factoring(key: &Sums, first: usize, workers: usize, least: f64) -> Pulled {
    shrinking(key, first, workers, 2 * workers, least)
}

fn weighted(platform: &Platform, key: &Sums, first: usize, least: f64) -> Pulled {
    let mean = platform.total_weight() / platform.workers as f64;
    Pulled::Weighted(Weighted {
        first,
        key: key.clone(),
        weights: (0..platform.workers)
            .map(|worker| platform.weight(worker) / mean)
            .collect(),
        divisor: 2.0,
        least,
    })
}
