//! Relations of the components of a run to each other: all that its signature follows from.

use super::signature::{Step, Use};

/// Stands for no component.
const NONE: u16 = u16::MAX;

/// Most words from a written word to another that is in one row with it in any run, however short.
/// Stencils of five words have two on each side, and lines of a triangle begin with none.
///
/// Words farther off are in one row, too, where a run is so long that it writes them, as slices
/// would overlap. Each distance is a run function of its own. Times of programs for one processor,
/// over those of the function:
///
/// | kernel of the collection | with rows | without |
/// |---|---|---|
/// | `options` | 0.28 | 3.98 |
/// | `reverb`, 100 words and more | 0.19 | 9.7 |
/// | `seidel`, n = 20 | 0.41 | 1.0 |
/// | `dither` | 1.04 | 2.67 |
const NEAR: i64 = 2;

/// Starts and steps of a run as polynomials in the variables of the loops around.
#[derive(Default)]
pub(super) struct Polynomials {
    /// Coefficients of each, the constant one first, those with the variable of the innermost loop
    /// in the second half.
    width: usize,
    /// Iterations of the run when all these variables are 0.
    count: i64,
    starts: Vec<i64>,
    steps: Vec<i64>,
}

impl Polynomials {
    /// Reads those of so many components; their images in `values` begin with the run's count.
    pub(super) fn read(&mut self, components: usize, values: &[i64], images: &[usize]) {
        self.width = images.len();
        self.count = values[images[0]];
        let read = |to: &mut Vec<i64>, skipped: usize| {
            to.clear();
            to.resize(components * images.len(), 0);
            let mut at = 0;
            for component in skipped..skipped + components {
                for image in images {
                    to[at] = values[image + component];
                    at += 1;
                }
            }
        };
        read(&mut self.starts, 1);
        read(&mut self.steps, 1 + components);
    }

    /// Returns how far component `c` starts from component `base`.
    pub(super) fn distance(&self, c: usize, base: usize) -> i64 {
        self.starts[c * self.width].wrapping_sub(self.starts[base * self.width])
    }

    fn start(&self, c: usize) -> &[i64] {
        &self.starts[c * self.width..][..self.width]
    }

    fn step(&self, c: usize) -> &[i64] {
        &self.steps[c * self.width..][..self.width]
    }

    fn equal_steps(&self, a: usize, b: usize) -> bool {
        equal(self.step(a), self.step(b))
    }

    fn are_equal(&self, a: usize, b: usize) -> bool {
        equal(self.start(a), self.start(b)) && self.equal_steps(a, b)
    }

    /// Returns whether two components are at the same distance in all runs of the loops around.
    fn move_together(&self, a: usize, b: usize) -> bool {
        equal(&self.start(a)[1..], &self.start(b)[1..])
    }

    /// Returns whether `c` is one iteration behind `d`.
    fn is_behind(&self, c: usize, d: usize) -> bool {
        let (start, step, ahead) = (self.start(c), self.step(c), self.start(d));
        self.equal_steps(c, d)
            && (0..self.width).all(|at| start[at].wrapping_add(step[at]) == ahead[at])
    }

    fn own_step(&self, c: usize) -> Step {
        match self.step(c) {
            [0, rest @ ..] if is_zero(rest) => Step::Zero,
            [1, rest @ ..] if is_zero(rest) => Step::One,
            _ => Step::Any,
        }
    }
}

/// Returns whether two slices are equal. `==` costs more for the one or two numbers that there are.
fn equal(a: &[i64], b: &[i64]) -> bool {
    let mut at = 0;
    while at < a.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len()
}

fn is_zero(coefficients: &[i64]) -> bool {
    coefficients.iter().all(|&coefficient| coefficient == 0)
}

/// Context of a run: its body, and where it stands.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) body: u16,
    /// Set if it has one iteration.
    pub(super) is_single: bool,
    /// Set if besides it stands in no loop, and its values have 32 bits.
    pub(super) is_loose: bool,
    /// Set if the innermost loop consists of this run, each time of as many iterations.
    pub(super) has_equal_lines: bool,
}

impl Context {
    /// Finds the context of a run; `is_line`: whether the innermost loop consists of it.
    pub(super) fn new(
        body: u16,
        values: &[i64],
        images: &[usize],
        is_line: bool,
        polynomials: &Polynomials,
    ) -> Self {
        let is_still = |images: &[usize]| images.iter().all(|&image| values[image] == 0);
        let is_single = values[images[0]] == 1 && is_still(&images[1..]);
        let is_small = |&start: &i64| i32::try_from(start).is_ok();
        Self {
            body,
            is_single,
            is_loose: is_single && images.len() == 1 && polynomials.starts.iter().all(is_small),
            has_equal_lines: is_line && !is_single && is_still(&images[images.len() / 2..]),
        }
    }
}

/// The relations of the components of a run.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Relations {
    pub(super) context: Context,
    /// [`FIELDS`](Self::FIELDS) numbers for each component, field by field.
    numbers: Vec<u16>,
}

impl Relations {
    /// Numbers that are kept of a component: `same`, `like`, `base`, `behind`, `near`, `distance`
    /// and `own`.
    const FIELDS: usize = 7;

    /// Finds the relations of components with these uses.
    ///
    /// Cost: comparisons with the components before each, until one is like it.
    pub(super) fn find(&mut self, context: Context, uses: &[Use], run: &Polynomials) {
        let components = uses.len();
        self.context = context;
        self.numbers.clear();
        self.numbers.resize(Self::FIELDS * components, 0);
        let mut fields = self.numbers.chunks_exact_mut(components.max(1));
        let mut field = || fields.next().unwrap_or_default();
        let [same, like, base, behind, near, distance, own] = std::array::from_fn(|_| field());
        let is_one_array = |a: usize, b: usize| uses[a].array() == uses[b].array();
        for c in 0..components {
            let is_control = uses[c] == Use::Control;
            same[c] = match is_control {
                true => c as u16,
                false => first(c, |b| is_one_array(b, c) && run.are_equal(b, c)),
            };
            // Outside all loops distances are nothing that runs of one iteration have in common.
            base[c] = match is_control || context.is_single && run.width == 1 {
                true => same[c],
                false => first(c, |b| uses[b] != Use::Control && run.move_together(b, c)),
            };
        }
        if context.is_single {
            // Nothing else matters, as its words are found one by one.
            same.fill(0);
            behind.fill(NONE);
            near.fill(NONE);
            return;
        }
        for c in 0..components {
            like[c] = first(c, |b| run.equal_steps(b, c));
            let is_still = context.has_equal_lines && is_zero(&run.start(c)[run.width / 2..]);
            own[c] = 2 * match run.own_step(c) {
                Step::Zero => 0,
                Step::One => 1,
                _ => 2,
            } + u16::from(is_still);
        }
        for c in 0..components {
            behind[c] = match uses[c] {
                Use::Read(_) if own[c] / 2 != 0 => leader(c, uses, run, same, own[c] / 2 == 1),
                _ => NONE,
            };
        }
        for c in 0..components {
            let neighbour = match own[c] / 2 {
                1 if behind[c] == NONE => neighbour(same[c].into(), uses, run),
                _ => None,
            };
            (near[c], distance[c]) = match neighbour {
                Some((leader, distance)) => (same[leader], distance as u16),
                None => (NONE, 0),
            };
        }
    }

    fn field(&self, field: usize, c: usize) -> u16 {
        self.numbers[field * (self.numbers.len() / Self::FIELDS) + c]
    }

    /// Returns the first component that is always the same word.
    pub(super) fn same(&self, c: usize) -> u16 {
        self.field(0, c)
    }

    /// Returns whether two components have the same step.
    pub(super) fn equal_steps(&self, a: usize, b: usize) -> bool {
        self.field(1, a) == self.field(1, b)
    }

    /// Returns the first component at a fixed distance.
    pub(super) fn base(&self, c: usize) -> usize {
        self.field(2, c).into()
    }

    /// Returns the written word that it is one iteration behind, and that nothing else writes
    /// before it is read.
    pub(super) fn leader(&self, c: usize) -> Option<u16> {
        Some(self.field(3, c)).filter(|&leader| leader != NONE)
    }

    /// Returns the written word that it stands near, and its distance from that.
    pub(super) fn near(&self, c: usize) -> Option<(u16, i16)> {
        let near = Some(self.field(4, c)).filter(|&near| near != NONE)?;
        Some((near, self.field(5, c) as i16))
    }

    /// Returns the step by itself: zero, one or any.
    pub(super) fn own(&self, c: usize) -> Step {
        [Step::Zero, Step::One, Step::Any][usize::from(self.field(6, c) / 2)]
    }

    /// Returns whether it is the same in all lines of a block.
    pub(super) fn is_still(&self, c: usize) -> bool {
        self.field(6, c) % 2 == 1
    }
}

/// Returns the first component before `c` that is like it; `c` if there is none.
fn first(c: usize, is_like: impl Fn(usize) -> bool) -> u16 {
    let mut before = 0;
    while before < c && !is_like(before) {
        before += 1;
    }
    before as u16
}

/// Returns the leader of component `c`, a read that moves: see [`Relations::leader`].
fn leader(c: usize, uses: &[Use], run: &Polynomials, same: &[u16], is_one: bool) -> u16 {
    let is_written = |d: &usize| match uses[*d] {
        Use::Write(written) => Some(written) == uses[c].array(),
        _ => false,
    };
    let written = || (0..uses.len()).filter(is_written).map(|d| same[d]);
    let Some(leader) = written().find(|&d| run.is_behind(c, d.into())) else {
        return NONE;
    };
    // In the same place relative to each other in all runs, and not the same.
    let is_elsewhere =
        |d: usize| run.move_together(c, d) && run.distance(c, d) != 0 && run.equal_steps(c, d);
    let mut others = written().filter(|&d| d != leader).map(usize::from);
    match others.all(|d| is_one && is_elsewhere(d)) {
        true => leader,
        false => NONE,
    }
}

/// Finds the first written word that component `c` stands near in all runs, where `c` goes from
/// word to word. Returns it and their distance, as [`Relations::near`] has it. That word itself has
/// none.
fn neighbour(c: usize, uses: &[Use], run: &Polynomials) -> Option<(usize, i16)> {
    let most = run.count.clamp(NEAR + 1, i64::from(i16::MAX)) - 1;
    let first_near = |c: usize| {
        (0..uses.len()).find(|&d| {
            matches!(uses[d], Use::Write(written) if Some(written) == uses[c].array())
                && run.equal_steps(c, d)
                && run.move_together(c, d)
                && run.distance(c, d).abs() <= most
        })
    };
    let leader = first_near(c)?;
    let distance = run.distance(c, leader) as i16;
    (distance != 0 && first_near(leader) == Some(leader)).then_some((leader, distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds the relations of a run of ten iterations outside all loops. Its components start at
    /// these words of one array and go from word to word.
    fn relations(components: &[(Use, i64)]) -> Relations {
        let starts = components.iter().map(|&(_, start)| start);
        let steps = components.iter().map(|_| 1);
        let values: Vec<i64> = std::iter::once(10).chain(starts).chain(steps).collect();
        let uses: Vec<Use> = components.iter().map(|&(each, _)| each).collect();
        let mut run = Polynomials::default();
        run.read(components.len(), &values, &[0]);
        let context = Context::new(0, &values, &[0], false, &run);
        let mut relations = Relations::default();
        relations.find(context, &uses, &run);
        relations
    }

    fn leader_of_last(components: &[(Use, i64)]) -> Option<u16> {
        relations(components).leader(components.len() - 1)
    }

    fn near_of_last(components: &[(Use, i64)]) -> Option<(u16, i16)> {
        relations(components).near(components.len() - 1)
    }

    #[test]
    fn words_that_a_run_writes_are_near_others_of_their_array() {
        let (write, read) = (Use::Write(0), Use::Read(0));
        let at = |distance: i64| near_of_last(&[(write, 60), (read, 60 + distance)]);
        assert_eq!(
            [1, 2, 9, -2, -9].map(at),
            [1, 2, 9, -2, -9].map(|distance| Some((0, distance)))
        );
        // The word itself, that of the iteration before, and those that ten iterations do not
        // reach.
        assert_eq!([0, -1, 10, -10].map(at), [None; 4]);
        assert_eq!(near_of_last(&[(Use::Write(1), 60), (read, 61)]), None);
        // Of two writes the first is the leader, also of reads that the second one is nearer to.
        assert_eq!(near_of_last(&[(write, 60), (write, 63)]), Some((0, 3)));
        let both = [(write, 60), (write, 63), (read, 64)];
        assert_eq!(near_of_last(&both), Some((0, 4)));
        // No row is that long.
        let chain = [(write, 60), (write, 66), (read, 72)];
        assert_eq!(near_of_last(&chain), None);
    }

    #[test]
    fn a_word_that_another_statement_writes_again_has_no_leader() {
        let (write, read) = (Use::Write(0), Use::Read(0));
        assert_eq!(leader_of_last(&[(write, 6), (read, 5)]), Some(0));
        assert_eq!(leader_of_last(&[(write, 6), (read, 4)]), None);
        // Another word is written elsewhere, and then the word itself.
        let elsewhere = [(write, 6), (write, 20), (read, 5)];
        assert_eq!(leader_of_last(&elsewhere), Some(0));
        assert_eq!(leader_of_last(&[(write, 6), (write, 5), (read, 5)]), None);
        let other_array = [(Use::Write(1), 6), (read, 5)];
        assert_eq!(leader_of_last(&other_array), None);
    }
}
