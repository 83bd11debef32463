//! Body: the statements that one iteration of an innermost loop executes, and the values that a run
//! of it gives.

use super::Run;

/// Body of an innermost loop: the statements that one iteration executes, in order.
///
/// Its *components* are, statement by statement, the written slot, the operands' slots, and the
/// control values. In a run each component has a start and a step. Most of them follow from others:
/// a tile of a matrix reads words at fixed distances, in steps of 1. So a run only gives some
/// *values*, from which the body's components follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    statements: Vec<u16>,
    components: Vec<Component>,
    offsets: Vec<i64>,
    values: u32,
    is_block: bool,
}

/// Component of a body: its place in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component {
    /// Value of the run from which it starts at a fixed distance.
    pub base: u16,
    /// Stride that is added from one iteration to the next.
    pub stride: Stride,
}

impl Component {
    /// Returns the number of values that a run must give for it.
    pub fn values(&self) -> usize {
        let last = match self.stride {
            Stride::Always(_) => self.base,
            Stride::Given(value) => self.base.max(value),
        };
        usize::from(last) + 1
    }
}

/// A step, known or given by the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stride {
    /// Step that is always this.
    Always(i64),
    /// Step that is this value of the run.
    Given(u16),
}

impl Body {
    /// Makes a body whose components begin at these distances from their bases.
    ///
    /// # Panics
    /// When there is not one distance for each component.
    pub fn new(statements: Vec<u16>, components: Vec<Component>, offsets: Vec<i64>) -> Self {
        assert_eq!(components.len(), offsets.len(), "one distance each");
        Self {
            values: components.iter().map(Component::values).max().unwrap_or(0) as u32,
            statements,
            components,
            offsets,
            is_block: false,
        }
    }

    /// Makes the body's code take [blocks](Run::block) of runs.
    pub fn in_blocks(self) -> Self {
        Self {
            is_block: true,
            ..self
        }
    }

    /// Returns whether its code takes blocks of runs.
    pub fn is_block(&self) -> bool {
        self.is_block
    }

    /// Makes a body of that many components of which nothing is known: a run gives all their
    /// starts, then all their steps.
    ///
    /// # Panics
    /// When they are 2^15 or more.
    pub fn own(statements: Vec<u16>, components: u16) -> Self {
        assert!(components < 1 << 15, "values have numbers of 16 bits");
        let component = |base| Component {
            base,
            stride: Stride::Given(components + base),
        };
        Self::new(
            statements,
            (0..components).map(component).collect(),
            vec![0; components.into()],
        )
    }

    /// Returns the statements (indices into the kernel's statement table).
    pub fn statements(&self) -> &[u16] {
        &self.statements
    }

    /// Returns the components, each with its place in a run.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Returns the distance of each component from its base.
    pub fn offsets(&self) -> &[i64] {
        &self.offsets
    }

    /// Returns the number of values that a run gives, besides its count.
    pub fn values(&self) -> usize {
        self.values as usize
    }

    /// Returns the numbers that a run takes in all: its count and its values.
    pub fn width(&self) -> usize {
        1 + self.values()
    }

    /// Returns component `c` in the first iteration of a run of this body.
    ///
    /// # Panics
    /// When there is no such component, or the run is of another body.
    pub fn start(&self, c: usize, run: Run<'_>) -> i64 {
        run.start(self.components[c].base.into(), c)
    }

    /// Returns the step of component `c` from one iteration to the next.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub fn step(&self, c: usize, run: Run<'_>) -> i64 {
        match self.components[c].stride {
            Stride::Always(step) => step,
            Stride::Given(value) => run.given(value.into()),
        }
    }

    /// Iterates over the starts of all components of a run of this body, in order.
    pub fn starts(&self, run: Run<'_>) -> impl ExactSizeIterator<Item = i64> {
        (0..self.components.len()).map(move |c| self.start(c, run))
    }

    /// Iterates over the steps of all components of a run of this body, in order.
    pub fn steps(&self, run: Run<'_>) -> impl ExactSizeIterator<Item = i64> {
        (0..self.components.len()).map(move |c| self.step(c, run))
    }
}
