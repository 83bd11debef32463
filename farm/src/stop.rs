//! Stop rule of sampling: at an error of the total, or at a share of the items.

use crate::{Invalid, Prediction, Sampling, error::check, shape};

/// Samples before the first look at the interval. So many keep its coverage where it ends sampling.
/// At targets of 2 to 20 %, 84 to 100 % of 200 intervals hold the total. Costs are those of the
/// table at [`Prediction`], without rare heavy items; without lognormal costs of deviation 1.5 it
/// is 87 % at least.
const FIRST: usize = 64;

/// Stop rule: when a sample is large enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Relative distance of the interval's upper end from the total that is small enough.
    pub error: f64,
    /// Most items to run, as a share of all. They take about the same share of the time.
    pub share: f64,
}

impl Default for Target {
    /// Returns one per cent, from at most 1/64 of the items.
    fn default() -> Self {
        Self {
            error: 0.01,
            share: 1.0 / 64.0,
        }
    }
}

/// A sample that was run, and what it predicts.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The items.
    pub sampling: Sampling,
    /// Costs of the items, in the same order.
    pub costs: Vec<f64>,
    /// The prediction from these.
    pub prediction: Prediction,
    /// Set if the target was reached, and not the share.
    pub reached: bool,
}

impl Target {
    /// Runs samples until the target is reached, each refinement's new items in one go.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if the shape has no items or too many, the error or the share is not positive,
    /// or the share is above 1. It is also for costs that are not as many as items, finite and not
    /// negative. Those of `run`.
    pub fn sample<E: From<Invalid>>(
        &self,
        shape: &[usize],
        seed: u64,
        run: impl FnMut(&[usize]) -> Result<Vec<f64>, E>,
    ) -> Result<Sampled, E> {
        self.sample_parts(shape, seed, 1.0, run)
    }

    /// Runs samples as [`sample`](Self::sample) does, where only a `part` of each item is run:
    /// items are blocks, and some items of each are run. The cost of an item is that of the part
    /// divided by it. What is not run of a block stays uncertain.
    ///
    /// # Errors
    ///
    /// As [`sample`](Self::sample), and [`Invalid`] if the part is not above 0 and at most 1.
    pub fn sample_parts<E: From<Invalid>>(
        &self,
        shape: &[usize],
        seed: u64,
        part: f64,
        mut run: impl FnMut(&[usize]) -> Result<Vec<f64>, E>,
    ) -> Result<Sampled, E> {
        check_share("part", part)?;
        let budget = self.budget(shape)?;
        let sampling = Sampling::new(shape, budget.min(FIRST), seed)?;
        let mut sampling = sampling.of_parts(part);
        let mut costs = run(sampling.items())?;
        loop {
            let reached = sampling.total(&costs)?.relative_error() <= self.error;
            let done = sampling.items().len();
            // A refinement doubles the samples.
            if reached || 2 * done > budget || !sampling.refine() {
                let prediction = sampling.predict(&costs)?;
                return Ok(Sampled {
                    sampling,
                    costs,
                    prediction,
                    reached,
                });
            }
            costs.extend(run(&sampling.items()[done..])?);
        }
    }

    /// Returns the most items of a shape to run: two at least, where there are two.
    ///
    /// # Errors
    ///
    /// [`Invalid`] as [`sample`](Self::sample).
    pub fn budget(&self, shape: &[usize]) -> Result<usize, Invalid> {
        let items = shape::items(shape)?;
        check("error", self.error, self.error > 0.0, "above 0")?;
        check_share("share", self.share)?;
        Ok(((items as f64 * self.share) as usize).clamp(items.min(2), items))
    }
}

fn check_share(name: &'static str, share: f64) -> Result<(), Invalid> {
    let fits = 0.0 < share && share <= 1.0;
    check(name, share, fits, "above 0 and at most 1")
}
