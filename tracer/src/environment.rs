//! Values that control read beside its arguments.

use std::cell::RefCell;

/// Calls of one function that are kept from the first on; of later ones every one whose number is a
/// power of two. Tens of them show a function that differs at all, and are compared in
/// microseconds.
const CALLS: u64 = 32;

/// A value that control read: a constant, or the result of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Observation {
    /// Number of the constant or function in its kernel.
    pub number: u16,
    /// The function's arguments.
    pub arguments: Vec<i64>,
    /// A digest of the value.
    pub digest: u64,
}

/// The observations of a run.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    /// Calls so far, per number.
    calls: Vec<u64>,
    kept: Vec<Observation>,
}

impl Observations {
    /// Keeps a few calls of each function.
    pub(crate) fn call(
        this: &RefCell<Self>,
        number: u16,
        arguments: &[i64],
        digest: impl FnOnce() -> u64,
    ) {
        let mut this = this.borrow_mut();
        let at = usize::from(number);
        if this.calls.len() <= at {
            this.calls.resize(at + 1, 0);
        }
        this.calls[at] += 1;
        let calls = this.calls[at];
        let is_known = |other: &Observation| other.number == number && other.arguments == arguments;
        if (calls <= CALLS || calls.is_power_of_two()) && !this.kept.iter().any(is_known) {
            this.kept.push(Observation {
                number,
                arguments: arguments.to_vec(),
                digest: digest(),
            });
        }
    }

    pub(crate) fn into_kept(self) -> Vec<Observation> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_calls_are_kept_and_each_once() {
        let observations = RefCell::default();
        for k in 0..1000 {
            Observations::call(&observations, 2, &[k / 2], || k as u64);
            Observations::call(&observations, 0, &[7], || 9);
        }
        let kept = observations.into_inner().into_kept();
        let arguments: Vec<i64> = kept
            .iter()
            .filter(|o| o.number == 2)
            .map(|o| o.arguments[0])
            .collect();
        let first: Vec<i64> = (0..16).chain([31, 63, 127, 255]).collect();
        assert_eq!(arguments, first);
        assert_eq!(kept.len(), 1 + first.len());
    }
}
