//! Assertions of the tests of a kernel crate.

use superstep::{RunError, Transport};

use crate::SameBits;

/// One kernel on one input, and what the original made of it.
#[derive(Debug)]
pub struct Check<T> {
    input: T,
    expected: T,
}

impl<T: Clone + SameBits> Check<T> {
    /// Runs `original` on a copy of `input`, which holds the kernel's `&mut` arguments.
    ///
    /// # Panics
    /// If the kernel leaves its arguments as they were: nothing could be concluded from equal
    /// results then.
    pub fn new(input: &T, original: impl FnOnce(&mut T)) -> Self {
        let mut expected = input.clone();
        original(&mut expected);
        assert!(!expected.same_bits(input), "the kernel changes nothing");
        Self {
            input: input.clone(),
            expected,
        }
    }

    /// Runs `generated` on copies of the same input, for each number of processors on both
    /// transports.
    ///
    /// Returns, for each number of processors, the supersteps of the program that ran and how many
    /// of its processors worked.
    ///
    /// # Panics
    /// If a result differs in any bit, a run fails, or the original ran in place of a generated
    /// program.
    pub fn programs(
        &self,
        processors: &[usize],
        mut generated: impl FnMut(usize, Transport, &mut T) -> Result<(), RunError>,
    ) -> Vec<(usize, usize)> {
        let mut shapes = Vec::new();
        for &processors in processors {
            let [on_threads, in_turn] = [Transport::Threads, Transport::InTurn].map(|transport| {
                let mut actual = self.input.clone();
                generated(processors, transport, &mut actual).unwrap_or_else(|error| {
                    panic!("{processors} processors, {transport:?}: {error}")
                });
                let ran = superstep::last_run().unwrap_or_else(|| {
                    panic!("{processors} processors, {transport:?}: the original ran")
                });
                assert!(
                    self.accepts(&actual),
                    "{processors} processors, {transport:?}: the results differ"
                );
                assert_eq!(ran.processors, processors);
                (ran.supersteps, ran.worked)
            });
            assert_eq!(on_threads, in_turn, "both transports run the same program");
            shapes.push(on_threads);
        }
        shapes
    }

    /// Returns whether `actual` is what the original gave. For controls that must not be.
    pub fn accepts(&self, actual: &T) -> bool {
        actual.same_bits(&self.expected)
    }

    /// Returns whether `generated` makes of a copy of `input` what the original made of its own.
    ///
    /// # Panics
    /// If the run fails or the original ran.
    pub fn accepts_run(
        &self,
        input: &T,
        generated: impl FnOnce(&mut T) -> Result<(), RunError>,
    ) -> bool {
        let mut actual = input.clone();
        generated(&mut actual).unwrap_or_else(|error| panic!("{error}"));
        assert!(superstep::last_run().is_some(), "the original ran");
        self.accepts(&actual)
    }
}
