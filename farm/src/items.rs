//! Items: what each costs to compute and to send, as sums over all before it.

use std::ops::Range;

use crate::Invalid;

/// Independent items in a fixed order, with their costs in units of work, and the bytes of their
/// inputs and results.
#[derive(Clone, Debug, PartialEq)]
pub struct Items {
    costs: Vec<f64>,
    bytes: Vec<f64>,
    results: Vec<f64>,
}

impl Items {
    /// Makes items of their costs, which need no bytes.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is no item, or a cost is negative or no number.
    pub fn new(costs: &[f64]) -> Result<Self, Invalid> {
        if costs.is_empty() {
            return Err(Invalid::NoItems);
        }
        Ok(Self {
            costs: sums("costs", costs)?,
            bytes: Vec::new(),
            results: Vec::new(),
        })
    }

    /// Replaces the costs.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is not one for each item, or a cost is negative or no number.
    pub fn with_costs(&self, costs: &[f64]) -> Result<Self, Invalid> {
        self.one_each("costs", costs)?;
        Ok(Self {
            costs: sums("costs", costs)?,
            ..self.clone()
        })
    }

    /// Sets how many bytes are sent to a worker for each item.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is not one number for each item, or one is negative or no number.
    pub fn with_bytes(mut self, bytes: &[f64]) -> Result<Self, Invalid> {
        self.one_each("bytes", bytes)?;
        self.bytes = sums("bytes", bytes)?;
        Ok(self)
    }

    /// Sets how many bytes are returned to the master for each item.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is not one number for each item, or one is negative or no number.
    pub fn with_results(mut self, bytes: &[f64]) -> Result<Self, Invalid> {
        self.one_each("result bytes", bytes)?;
        self.results = sums("result bytes", bytes)?;
        Ok(self)
    }

    fn one_each(&self, name: &'static str, list: &[f64]) -> Result<(), Invalid> {
        let (found, expected) = (list.len(), self.len());
        if found == expected {
            return Ok(());
        }
        Err(Invalid::Count {
            name,
            found,
            expected,
            why: "each item has one",
        })
    }

    /// Returns the number of items, which is not zero.
    #[expect(clippy::len_without_is_empty, reason = "there is always an item")]
    pub fn len(&self) -> usize {
        self.costs.len() - 1
    }

    /// Returns the sums of the costs of all items before each, and of all.
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// Returns the cost of some items, in units of work.
    pub fn cost(&self, items: &Range<usize>) -> f64 {
        self.costs[items.end] - self.costs[items.start]
    }

    /// Returns the cost of all items, in units of work.
    pub fn total_cost(&self) -> f64 {
        self.cost(&(0..self.len()))
    }

    /// Returns how many bytes are sent for some items.
    pub fn bytes(&self, items: &Range<usize>) -> f64 {
        between(&self.bytes, items)
    }

    /// Returns how many bytes are sent for all items.
    pub fn total_bytes(&self) -> f64 {
        self.bytes(&(0..self.len()))
    }

    /// Returns how many bytes are returned for some items.
    pub fn results(&self, items: &Range<usize>) -> f64 {
        between(&self.results, items)
    }
}

fn between(sums: &[f64], items: &Range<usize>) -> f64 {
    match (sums.get(items.start), sums.get(items.end)) {
        (Some(before), Some(with)) => with - before,
        _ => 0.0,
    }
}

/// Returns the sums of all values before each, and of all, if each is a number from 0 and so is
/// their sum.
fn sums(name: &'static str, values: &[f64]) -> Result<Vec<f64>, Invalid> {
    let mut sums = Vec::with_capacity(values.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for (position, &value) in values.iter().enumerate() {
        sum += value;
        if !(value >= 0.0 && sum.is_finite()) {
            return Err(Invalid::Entry {
                name,
                position,
                value,
                range: "a number from 0",
            });
        }
        sums.push(sum);
    }
    Ok(sums)
}
