//! Signatures: what all runs of a body have in common.

use superstep_plan::{Body, Component, Stride};
use superstep_tracer::Kernel;

/// Lines of a block that are executed side by side. A core adds up as many sums at the same time,
/// and they are few enough for its registers.
pub const LINES: usize = 4;

/// Statements of a block in one pass: with as many lines, they read no more words than there are
/// registers.
pub(crate) const PASS: usize = 4;

/// Words of a vector, at most: bytes in one of 64.
const FAR: i16 = 64;

/// Step of a component from one iteration of a run to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// No step: the slot stays the same.
    Zero,
    /// Step to the next word.
    One,
    /// Step that only the run knows, the same for all such components of the array.
    Row,
    /// One iteration behind the word that this component writes, and that no other writes: its
    /// value is at hand.
    Behind(u16),
    /// Step to the next word, in all runs this far from the word that this component writes. Words
    /// that are written lie between, so both are in one row.
    Near(u16, i16),
    /// Any other step that only the run knows.
    Any,
}

/// Use of a component by its statement: what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The slot that the statement writes, in that array.
    Write(u16),
    /// The slot of an operand, in that array.
    Read(u16),
    /// A control value.
    Control,
}

impl Use {
    /// Returns the array of the slot; none of a control value.
    pub fn array(self) -> Option<u16> {
        match self {
            Self::Write(array) | Self::Read(array) => Some(array),
            Self::Control => None,
        }
    }
}

/// A statement sequence and what is known about its components.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The statements of one iteration.
    pub statements: Vec<u16>,
    /// Step of each component.
    pub steps: Vec<Step>,
    /// First component, for each one, that is always the same slot of the same array (itself, if
    /// there is none before).
    pub same: Vec<u16>,
    /// Source of each component: the run's value from which it follows.
    pub components: Vec<Component>,
    /// Set if runs have one iteration and values of 32 bits, and stand in no loop: then they are
    /// [loose](super::tabulate).
    pub is_loose: bool,
    /// Marks components that are the same in all lines. Set if runs are the lines of blocks that
    /// are worth executing side by side.
    pub side_by_side: Option<Vec<bool>>,
}

impl Signature {
    /// Returns the signature about which nothing is known: right for every run of `statements`.
    pub fn general(kernel: &Kernel, statements: &[u16]) -> Self {
        Self::of_nothing(statements, uses(kernel, statements).len())
    }

    pub(super) fn of_nothing(statements: &[u16], components: usize) -> Self {
        let body = Body::own(statements.to_vec(), components as u16);
        Self {
            statements: statements.to_vec(),
            steps: vec![Step::Any; components],
            same: (0..components as u16).collect(),
            components: body.components().to_vec(),
            is_loose: false,
            side_by_side: None,
        }
    }

    /// Returns the signature of a run that gives the start of each slot by itself.
    pub(super) fn apart(&self) -> Self {
        let bases: Vec<u16> = (0..)
            .zip(&self.same)
            .filter(|(c, same)| c == *same)
            .map(|(c, _)| c)
            .collect();
        let base = |c: u16| bases.partition_point(|&base| base < c) as u16;
        let given = |component: &Component| match component.stride {
            Stride::Given(value) => Some(value),
            Stride::Always(_) => None,
        };
        let first_given = self.components.iter().filter_map(given).min().unwrap_or(0);
        let component = |(component, &same): (&Component, &u16)| Component {
            base: base(same),
            stride: match component.stride {
                Stride::Given(value) => Stride::Given(value - first_given + bases.len() as u16),
                always => always,
            },
        };
        Self {
            components: self
                .components
                .iter()
                .zip(&self.same)
                .map(component)
                .collect(),
            ..self.clone()
        }
    }

    /// Returns the position of each of a run's values among the starts and steps of all components.
    pub fn sources(&self) -> Vec<usize> {
        let values = Body::new(
            Vec::new(),
            self.components.clone(),
            vec![0; self.components.len()],
        )
        .values();
        let mut sources = vec![0; values];
        for (c, component) in self.components.iter().enumerate().rev() {
            sources[usize::from(component.base)] = c;
            if let Stride::Given(value) = component.stride {
                sources[usize::from(value)] = self.components.len() + c;
            }
        }
        sources
    }

    /// Returns whether the loops of this signature, told the values of its own runs, are right for
    /// all runs of the other one. Both do the same, and components that advance by the same value
    /// here do so there.
    pub fn serves(&self, other: &Self) -> bool {
        let has_loops = |s: &Self| s.takes_blocks() && s.side_by_side.is_none();
        let known = |c: usize| match self.components[c].stride {
            Stride::Always(_) => other.components[c].stride == self.components[c].stride,
            given => {
                let mut like = (0..c).filter(|&d| self.components[d].stride == given);
                like.all(|d| other.components[d].stride == other.components[c].stride)
            }
        };
        (&self.statements, &self.steps, &self.same)
            == (&other.statements, &other.steps, &other.same)
            && has_loops(self)
            && has_loops(other)
            && (0..self.components.len()).all(known)
    }

    /// Returns whether its function takes blocks: side by side, or line by line.
    pub(crate) fn takes_blocks(&self) -> bool {
        !self.is_loose && !self.is_general()
    }

    /// Returns whether every component is of any step.
    pub fn is_general(&self) -> bool {
        self.steps.iter().all(|step| *step == Step::Any)
    }

    /// Returns whether a run on slices must test for aliases first: it reads or writes other words
    /// of an array that it writes.
    pub fn may_overlap(&self, uses: &[Use]) -> bool {
        let written = |c: usize| matches!(uses[c], Use::Write(_));
        let row = |c: usize| self.near(c).map_or(self.same[c], |(leader, _)| leader);
        (0..uses.len()).any(|c| {
            let is_beside = |d: usize| uses[d].array() == uses[c].array() && row(d) != row(c);
            written(c) && (0..uses.len()).any(is_beside)
        })
    }

    /// Returns the written word that component `c` is near, and how far from it.
    pub fn near(&self, c: usize) -> Option<(u16, i16)> {
        match self.steps[c] {
            Step::Near(leader, distance) => Some((leader, distance)),
            _ => None,
        }
    }

    /// Returns the word of the row of component `c` that is written as the same word the fewest
    /// iterations before, and how many these are.
    pub(crate) fn written_before(&self, uses: &[Use], c: usize) -> Option<(usize, u16)> {
        let place = |c: usize| self.near(c).unwrap_or((self.same[c], 0));
        let (row, own) = place(c);
        let writes = (0..uses.len()).filter(|&d| matches!(uses[d], Use::Write(_)));
        let before = writes.filter_map(|d| {
            let (other, written) = place(d);
            let iterations = u16::try_from(written - own).ok()?;
            (other == row && iterations > 0).then_some((d, iterations))
        });
        before.min_by_key(|&(_, iterations)| iterations)
    }

    /// Returns what is known about the components in `array` as a whole.
    pub fn view(&self, uses: &[Use], array: u16) -> View {
        let is_own = |each: &Use| each.array() == Some(array);
        let steps = || self.steps.iter().zip(uses).filter(|(_, each)| is_own(each));
        let is_beside = |step: &Step| matches!(step, Step::Behind(_) | Step::Near(..));
        let all =
            |allowed: &[Step]| steps().all(|(step, _)| is_beside(step) || allowed.contains(step));
        let mut writes = steps().filter(|(_, each)| matches!(each, Use::Write(_)));
        let (words, stay) = writes
            .clone()
            .fold((false, true), |(words, stay), (step, _)| {
                let is_word = *step == Step::Zero;
                (words || is_word, stay && is_word)
            });
        if writes.next().is_none() {
            View::ReadOnly
        } else if all(&[Step::Zero, Step::One]) {
            View::Slices
        } else if all(&[Step::Zero, Step::Row]) && !words {
            View::Rows
        } else if stay && !steps().any(|(step, _)| is_beside(step)) {
            View::Fixed
        } else {
            View::Words
        }
    }

    /// Returns whether a compiler can execute several iterations at once.
    ///
    /// All words lie one after the other, are [packed](Self::is_packed), or stay the same and do
    /// not wait for themselves.
    pub(crate) fn is_vector(&self, uses: &[Use]) -> bool {
        let moves = |c: usize| match (uses[c], self.steps[c]) {
            (Use::Control, _) | (_, Step::One) => true,
            (Use::Read(_), Step::Zero) => true,
            // Of words that are written later, or so long before that no vector has both.
            (Use::Read(_), Step::Near(_, distance)) => distance > 0 || distance <= -FAR,
            (Use::Write(_), Step::Zero) => !self.reads_first(uses, usize::from(self.same[c])),
            _ => self.is_apart(uses, c),
        };
        let slices = |c: usize| match uses[c] {
            Use::Write(array) => matches!(self.view(uses, array), View::Slices),
            _ => true,
        };
        (0..uses.len()).all(|c| moves(c) && slices(c))
    }

    /// Returns whether it reads words of component `c` that stand apart, in an array that it does
    /// not write.
    fn is_apart(&self, uses: &[Use], c: usize) -> bool {
        let is_only_read = |array| self.view(uses, array) == View::ReadOnly;
        matches!(uses[c], Use::Read(array) if is_only_read(array))
            && matches!(self.steps[c], Step::Row | Step::Any)
    }

    /// Returns whether loops first pack the words of component `c`, so that the compiler can
    /// execute several iterations at once.
    pub fn is_packed(&self, uses: &[Use], c: usize) -> bool {
        self.is_apart(uses, c) && self.is_vector(uses)
    }

    /// Returns whether the word of component `root` is read before an iteration writes it.
    pub(crate) fn reads_first(&self, uses: &[Use], root: usize) -> bool {
        let first = |is_access: &dyn Fn(Use) -> bool| {
            (0..uses.len()).find(|&c| usize::from(self.same[c]) == root && is_access(uses[c]))
        };
        let write = first(&|each| matches!(each, Use::Write(_)));
        let read = first(&|each| matches!(each, Use::Read(_)));
        match (write, read) {
            // The operands of a statement stand behind the word that it writes, and are read
            // before.
            (Some(write), Some(read)) => {
                let next = (write + 1..uses.len()).find(|&c| matches!(uses[c], Use::Write(_)));
                read < next.unwrap_or(uses.len())
            }
            (write, read) => write.is_none() && read.is_some(),
        }
    }

    /// Returns the number of passes over its iterations that a block takes: those with four
    /// statements at most, where all update the same word.
    ///
    /// The words that such statements read for each line have room in registers then. Those of one
    /// iteration have room in one set of L1 (a core's first cache). They fall into one set if rows
    /// stand a multiple of a page apart.
    pub fn passes(&self, uses: &[Use]) -> usize {
        let mut written = (0..uses.len()).filter(|&c| matches!(uses[c], Use::Write(_)));
        let is_updated = |c: usize| self.same[c] == 0 && self.steps[c] == Step::One;
        if self.side_by_side.is_some() && written.all(is_updated) {
            self.statements.len().div_ceil(PASS)
        } else {
            1
        }
    }

    /// Returns whether loops write the words before the first vector that stands in one cache line
    /// by themselves, if vectors are not [few](superstep_plan::loops::FEW). A line of several
    /// statements computes too much for its words to matter, and packing takes longer.
    pub fn is_aligned(&self, uses: &[Use]) -> bool {
        let packs = (0..uses.len()).any(|c| self.is_packed(uses, c));
        let is_one = self.statements.len() == 1 && self.is_vector(uses);
        self.side_by_side.is_some() || (is_one && !packs)
    }

    /// Returns the signature of these runs each by itself.
    pub fn of_lines(&self) -> Self {
        Self {
            side_by_side: None,
            ..self.clone()
        }
    }

    /// Returns whether lines, between which the components that are not `still` advance, are worth
    /// executing side by side. They load the same words, or each waits for its own sum. Lines that
    /// write the same word are never worth it: its order would change.
    pub(super) fn is_worth_blocks(&self, uses: &[Use], still: &[bool]) -> bool {
        let root = |c: usize| usize::from(self.same[c]);
        let is_written =
            |r: usize| (0..uses.len()).any(|c| root(c) == r && matches!(uses[c], Use::Write(_)));
        let is_read =
            |r: usize| (0..uses.len()).any(|c| root(c) == r && matches!(uses[c], Use::Read(_)));
        let is_simple = |c: usize| match uses[c] {
            Use::Control => false,
            Use::Read(array) | Use::Write(array) => {
                let is_seen = match self.view(uses, array) {
                    View::Slices => true,
                    View::ReadOnly => matches!(self.steps[c], Step::Zero | Step::One),
                    View::Rows | View::Fixed | View::Words => false,
                };
                is_seen
                    && !matches!(self.steps[c], Step::Behind(_) | Step::Near(..))
                    && !(still[c] && is_written(root(c)))
            }
        };
        let is_gain = |c: usize| match (self.steps[c], is_written(root(c))) {
            (Step::One, false) => still[c],
            (Step::Zero, true) => is_read(root(c)),
            _ => false,
        };
        let roots = || (0..uses.len()).filter(|&c| root(c) == c);
        self.has_usual_length() && (0..uses.len()).all(is_simple) && roots().any(is_gain)
    }

    /// Returns whether this repeats one statement 1, 2, 4 or 8 times, as lists are made, or is no
    /// repetition.
    ///
    /// The rest of such a block at the ends of a list has any number, and is short. Line by
    /// line it takes as long, to within a hundredth of a factorisation, and compilers take a
    /// quarter less time for its program.
    fn has_usual_length(&self) -> bool {
        let is_repeated = self.statements.iter().all(|s| *s == self.statements[0]);
        !is_repeated || self.statements.len().is_power_of_two()
    }

    /// Returns whether there is a better loop than word by word.
    pub(super) fn is_special(&self, uses: &[Use]) -> bool {
        let mut arrays = uses.iter().filter_map(|each| match *each {
            Use::Write(array) => Some(array),
            _ => None,
        });
        arrays.all(|array| self.view(uses, array) != View::Words)
    }
}

/// View of an array that a run can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Array in which it writes nothing.
    ReadOnly,
    /// Slices: every component steps by 0 or 1.
    Slices,
    /// Rows at equal distances: every component steps by 0, and is then only read, or by the
    /// distance.
    Rows,
    /// Words that it writes stay the same, as in a dot product, and are kept in variables; what it
    /// reads steps by any distance.
    Fixed,
    /// Word by word.
    Words,
}

/// Returns what the components of a statement sequence stand for, in order.
pub fn uses(kernel: &Kernel, statements: &[u16]) -> Vec<Use> {
    let of = |statement: &u16| {
        let statement = kernel.statement(*statement);
        let reads = statement.operands.iter().map(|&array| Use::Read(array));
        let control = statement.control.iter().map(|_| Use::Control);
        std::iter::once(Use::Write(statement.target))
            .chain(reads)
            .chain(control)
    };
    statements.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a signature of one statement that reads a word and writes another, all by steps that
    /// the run gives, or always these.
    fn signature(steps: [Step; 2], bases: [u16; 2], strides: [Stride; 2]) -> Signature {
        let component = |c| Component {
            base: bases[c],
            stride: strides[c],
        };
        Signature {
            statements: vec![0],
            steps: steps.to_vec(),
            same: vec![0, 1],
            components: vec![component(0), component(1)],
            is_loose: false,
            side_by_side: None,
        }
    }

    #[test]
    fn loops_serve_where_no_step_that_they_take_for_one_is_two() {
        let rows =
            |bases, given: [u16; 2]| signature([Step::Row; 2], bases, given.map(Stride::Given));
        let (one, two) = (rows([0, 1], [2, 2]), rows([0, 1], [2, 3]));
        assert!(two.serves(&one) && !one.serves(&two));
        // Which values of the run these are, and how many, is nothing to the loop.
        let apart = rows([0, 0], [1, 1]);
        assert!(one.serves(&apart) && apart.serves(&one) && !apart.serves(&two));
    }

    #[test]
    fn loops_serve_for_no_other_steps_statements_or_forms() {
        let always = |steps: [i64; 2]| signature([Step::Row; 2], [0, 1], steps.map(Stride::Always));
        let one = always([1, 1]);
        assert!(one.serves(&one) && !one.serves(&always([1, 2])));
        let others = [
            Signature {
                steps: vec![Step::Row, Step::Zero],
                ..one.clone()
            },
            Signature {
                statements: vec![1],
                ..one.clone()
            },
            Signature {
                same: vec![0, 0],
                ..one.clone()
            },
            Signature {
                is_loose: true,
                ..one.clone()
            },
            Signature {
                side_by_side: Some(vec![false; 2]),
                ..one.clone()
            },
            Signature {
                steps: vec![Step::Any; 2],
                ..one.clone()
            },
        ];
        for other in &others {
            assert!(!one.serves(other) && !other.serves(&one), "{other:?}");
        }
    }

    #[test]
    fn words_of_one_row_are_vectors_unless_they_are_written_soon_before() {
        let near = |distance| {
            let steps = [Step::One, Step::Near(0, distance)];
            signature(steps, [0, 0], [1; 2].map(Stride::Always))
        };
        let reads = [Use::Write(0), Use::Read(0)];
        let is_vector = |distance| near(distance).is_vector(&reads);
        assert_eq!([1, 100, -64].map(is_vector), [true; 3]);
        assert_eq!([-2, -63].map(is_vector), [false; 2]);
        assert!(!near(1).is_vector(&[Use::Write(0); 2]));
        assert!(!near(1).may_overlap(&reads) && near(1).view(&reads, 0) == View::Slices);
        let before = |distance| near(distance).written_before(&reads, 1);
        assert_eq!((before(-3), before(3)), (Some((0, 3)), None));
    }

    /// Words that a loop writes have to lie one after the other, as the next statement looks for
    /// them there.
    #[test]
    fn words_that_stand_apart_are_packed_where_nothing_is_written() {
        let apart = signature([Step::One, Step::Any], [0, 1], [1, 5].map(Stride::Always));
        let (other, same) = ([Use::Write(0), Use::Read(1)], [Use::Write(0), Use::Read(0)]);
        assert!(apart.is_vector(&other) && apart.is_packed(&other, 1));
        assert!(!apart.is_packed(&other, 0) && !apart.is_aligned(&other));
        assert!(!apart.is_vector(&same) && !apart.is_packed(&same, 1));
        let rows = signature([Step::Row; 2], [0, 1], [5; 2].map(Stride::Always));
        assert!(!rows.is_vector(&other) && !rows.is_packed(&other, 1));
        let together = signature([Step::One; 2], [0, 1], [1; 2].map(Stride::Always));
        assert!(together.is_vector(&other) && !together.is_packed(&other, 1));
        assert!(together.is_aligned(&other));
    }
}
