//! Items: prefix sums of what each costs to compute, to send and to return.

use std::ops::Range;

use crate::{Invalid, Sums, error::check_count};

/// Independent items in a fixed order, with their costs in units of work, and the bytes of their
/// inputs and results (none: no bytes). There is at least one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Items {
    costs: Sums,
    bytes: Option<Sums>,
    results: Option<Sums>,
}

impl Items {
    /// Makes items of their costs, which need no bytes.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is no item, a cost is negative or not finite, or their sum is infinite.
    pub fn new(costs: &[f64]) -> Result<Self, Invalid> {
        if costs.is_empty() {
            return Err(Invalid::NoItems);
        }
        Ok(Self {
            costs: Sums::of("costs", costs)?,
            bytes: None,
            results: None,
        })
    }

    /// Makes so many items of cost 1.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is no item.
    pub fn equal(items: usize) -> Result<Self, Invalid> {
        if items == 0 {
            return Err(Invalid::NoItems);
        }
        Ok(Self {
            costs: Sums::Each(items),
            bytes: None,
            results: None,
        })
    }

    /// Replaces the costs.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is not one for each item, one is negative or not finite, or their sum
    /// is infinite.
    pub fn with_costs(mut self, costs: &[f64]) -> Result<Self, Invalid> {
        self.costs = self.one_each("costs", costs)?;
        Ok(self)
    }

    /// Sets how many bytes are sent to a worker for each item.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is not one number for each item, one is negative or not finite, or
    /// their sum is infinite.
    pub fn with_bytes(mut self, bytes: &[f64]) -> Result<Self, Invalid> {
        self.bytes = Some(self.one_each("bytes", bytes)?);
        Ok(self)
    }

    /// Sets how many bytes are returned to the master for each item.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is not one number for each item, one is negative or not finite, or
    /// their sum is infinite.
    pub fn with_results(mut self, bytes: &[f64]) -> Result<Self, Invalid> {
        self.results = Some(self.one_each("result bytes", bytes)?);
        Ok(self)
    }

    /// Sums up a list of which each item has one value.
    fn one_each(&self, name: &'static str, list: &[f64]) -> Result<Sums, Invalid> {
        check_count(name, list.len(), self.len(), "each item has one")?;
        Sums::of(name, list)
    }

    /// Returns the number of items, which is not zero.
    #[expect(clippy::len_without_is_empty, reason = "there is always an item")]
    pub fn len(&self) -> usize {
        self.costs.items()
    }

    /// Returns the prefix sums of the costs: before each item, and of all.
    pub fn costs(&self) -> &Sums {
        &self.costs
    }

    /// Returns the cost of some items, in units of work.
    pub fn cost(&self, items: &Range<usize>) -> f64 {
        between(Some(&self.costs), items)
    }

    /// Returns the cost of all items, in units of work.
    pub fn total_cost(&self) -> f64 {
        self.cost(&(0..self.len()))
    }

    /// Returns how many bytes are sent for some items.
    pub fn bytes(&self, items: &Range<usize>) -> f64 {
        between(self.bytes.as_ref(), items)
    }

    /// Returns how many bytes are sent for all items.
    pub fn total_bytes(&self) -> f64 {
        self.bytes(&(0..self.len()))
    }

    /// Returns how many bytes are returned for some items.
    pub fn results(&self, items: &Range<usize>) -> f64 {
        between(self.results.as_ref(), items)
    }
}

fn between(sums: Option<&Sums>, items: &Range<usize>) -> f64 {
    sums.map_or(0.0, |sums| {
        sums.before(items.end) - sums.before(items.start)
    })
}
