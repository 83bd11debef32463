//! Records to runs.

use std::collections::HashMap;

use super::shapes::{MOST_STATEMENTS, Shape, Shapes, USUAL};
use super::steps::{advance, all_advance, mark};
use super::terms::Terms;

/// Repetitions of those that are longer than usual.
const OFTEN: usize = 8;

/// Records that a run must cover before no longer body is tried for it.
const LONG: usize = 24;

/// Records one after the other that fit nowhere, after which only the likely bodies are tried at
/// most places.
const PATIENCE: usize = 64;

/// Records: a list of task instances.
pub trait Records {
    /// Returns the number of records.
    fn len(&self) -> usize;

    /// Returns whether there are no records.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the most components that a record has.
    fn width(&self) -> usize;

    /// Returns the number of components of a record of `statement`.
    fn components(&self, statement: u16) -> usize;

    /// Writes the components of record `at` to the start of `record`; returns its statement. Called
    /// once for each record, in order.
    fn read(&mut self, at: usize, record: &mut [i64]) -> u16;

    /// Returns the components of a record of `statement` that read the array that it writes, as
    /// bits.
    fn readers(&self, _statement: u16) -> u64 {
        0
    }
}

/// Records from a position on, as far as they were looked at. They have equal width, filled up with
/// zeros.
struct Ahead<'a, R> {
    records: &'a mut R,
    width: usize,
    first: usize,
    statements: Vec<u16>,
    components: Vec<i64>,
    /// The [mark] of each record's statement and components.
    marks: Vec<i64>,
    /// The components by which each record reads the word that it writes, as bits.
    own: Vec<u64>,
    /// The [readers](Records::readers) of each statement, once it was met.
    readers: Vec<Option<u64>>,
}

impl<R: Records> Ahead<'_, R> {
    /// Loads records so that `at` is there; returns whether there is such a record.
    fn load(&mut self, at: usize) -> bool {
        if at >= self.records.len() {
            return false;
        }
        while self.first + self.statements.len() <= at {
            let next = self.first + self.statements.len();
            let start = self.components.len();
            self.components.resize(start + self.width, 0);
            let statement = self.records.read(next, &mut self.components[start..]);
            let record = &self.components[start..];
            self.marks.push(mark(statement.into(), record));
            self.statements.push(statement);
            let readers = self.readers_of(statement);
            let record = &self.components[start..];
            self.own.push(own_word(readers, record));
        }
        true
    }

    fn readers_of(&mut self, statement: u16) -> u64 {
        let at = usize::from(statement);
        if at >= self.readers.len() {
            self.readers.resize(at + 1, None);
        }
        *self.readers[at].get_or_insert_with(|| self.records.readers(statement))
    }

    /// Forgets the records before `at`, now and then.
    fn forget(&mut self, at: usize) {
        const MANY: usize = 1 << 12;
        let behind = at - self.first;
        if behind >= MANY && 2 * behind >= self.statements.len() {
            self.statements.drain(..behind);
            self.components.drain(..behind * self.width);
            self.marks.drain(..behind);
            self.own.drain(..behind);
            self.first = at;
        }
    }

    fn statement(&self, at: usize) -> u16 {
        self.statements[at - self.first]
    }

    fn sequence(&self, at: usize, length: usize) -> Vec<u16> {
        (at..at + length)
            .map(|record| self.statement(record))
            .collect()
    }

    fn record(&self, at: usize) -> &[i64] {
        &self.components[(at - self.first) * self.width..][..self.width]
    }

    /// Returns whether record `c` goes on from records `a` and `b`, all of one statement.
    fn advances(&self, a: usize, b: usize, c: usize) -> bool {
        let (statements, marks) = (&self.statements[..], &self.marks[..]);
        let [i, j, k] = [a, b, c].map(|record| record - self.first);
        advance(marks[i], marks[j], marks[k])
            && statements[i] == statements[j]
            && statements[i] == statements[k]
            && all_advance(self.record(a), self.record(b), self.record(c))
            && !self.meet(a, b)
            && !self.meet(b, c)
    }

    /// Returns whether one of two records writes a word that both read.
    ///
    /// In `d[i][j] = d[i][j].min(d[i][k] + d[k][j])` that is `d[i][k]` where `j` comes to `k`. A
    /// run that ends there never writes what it reads again and again.
    fn meet(&self, a: usize, b: usize) -> bool {
        let mut others = self.own[a - self.first] ^ self.own[b - self.first];
        while others != 0 {
            let c = others.trailing_zeros() as usize;
            if self.record(a)[c] == self.record(b)[c] {
                return true;
            }
            others &= others - 1;
        }
        false
    }

    /// Returns whether record `record` and the two behind it are iterations of a loop.
    fn is_run(&self, record: usize) -> bool {
        self.advances(record, record + 1, record + 2)
    }

    /// Returns whether the `length` records at `at` have an inner loop among them.
    fn has_run(&self, at: usize, length: usize) -> bool {
        length > 2 && (at..at + length - 2).any(|record| self.is_run(record))
    }

    /// Returns whether the `length` records at `at` have a run that is worth its own function, and
    /// are more than [usual](USUAL).
    fn has_long_run(&self, at: usize, length: usize) -> bool {
        let mut records = 0;
        length > USUAL
            && (at..at + length - 2).any(|record| {
                records = if self.is_run(record) { records + 1 } else { 0 };
                records + 2 > USUAL
            })
    }

    /// Returns the length of the sequence of different statements at `at` that is repeated at least
    /// three times, with whatever components. It is 1 if there is none. Such a sequence is what is
    /// left of a loop body when nothing else is regular.
    fn repeated_sequence(&mut self, at: usize, shapes: &Shapes) -> usize {
        let repeats = |length: &usize| {
            self.load(at + 3 * length - 1)
                && !self.has_run(at, *length)
                && (at..at + 2 * length)
                    .all(|record| self.statement(record) == self.statement(record + length))
                && shapes.admits(&self.sequence(at, *length))
        };
        let length = (1..=USUAL).find(repeats);
        length.unwrap_or(1)
    }

    /// Counts the first records of a run that belong, by the numbers that they share, to an
    /// iteration before. A body that begins where the kernel's own does writes and reads the fewest
    /// words. The count is 0 where the run is too short for that to matter.
    fn early(&self, at: usize, length: usize, count: usize) -> usize {
        if length == 1 || length * count < LONG {
            return 0;
        }
        let distinct = |numbers: &mut Vec<(i64, i64)>| {
            numbers.sort_unstable();
            numbers.dedup();
            numbers.len()
        };
        let words = |early: usize| {
            let (mut written, mut all) = (Vec::new(), Vec::new());
            for record in at + early..at + early + length {
                let width = self.records.components(self.statement(record));
                let next = self.record(record + length).iter();
                let numbers = self.record(record).iter().zip(next).take(width);
                let start = all.len();
                all.extend(numbers.map(|(a, b)| (*a, b.wrapping_sub(*a))));
                written.push(all[start]);
            }
            (distinct(&mut written), distinct(&mut all))
        };
        // The first of several best ones.
        (0..length).min_by_key(|&early| words(early)).unwrap_or(0)
    }

    /// Returns whether the `length` records at `at` are repeated with constant steps, at least
    /// three times.
    fn is_repeated(&mut self, at: usize, length: usize) -> bool {
        let same = |ahead: &Self, at: usize| ahead.advances(at, at + length, at + 2 * length);
        self.load(at + 3 * length - 1) && (at..at + length).all(|at| same(self, at))
    }

    /// Returns how often records are, of which that is known. Looks at all of them.
    fn repeats(&mut self, at: usize, length: usize) -> usize {
        let mut next = at + 3 * length;
        while self.load(next) && self.advances(next - 2 * length, next - length, next) {
            next += 1;
        }
        (next - at) / length
    }
}

/// Returns the components among `readers` that are the word which a record writes, as bits.
fn own_word(mut readers: u64, record: &[i64]) -> u64 {
    let mut own = 0;
    while readers != 0 {
        let c = readers.trailing_zeros();
        own |= u64::from(record[c as usize] == record[0]) << c;
        readers &= readers - 1;
    }
    own
}

/// Folds records into runs.
///
/// The shortest body wins that repeats at least three times and has no inner loop. A longer one
/// wins if it covers far more, as the inner loop of a kernel may be very short. Where nothing
/// repeats with constant steps, a repeated sequence of statements is kept together. A single record
/// gets the steps of the last run of its statement, and two records with such steps become a run.
/// So the ends of a triangle have the shape of the rest.
pub(super) fn runs(records: &mut impl Records, shapes: &mut Shapes) -> Terms {
    let width = records.width();
    let mut ahead = Ahead {
        records,
        width,
        first: 0,
        statements: Vec::new(),
        components: Vec::new(),
        marks: Vec::new(),
        own: Vec::new(),
        readers: Vec::new(),
    };
    let mut terms = Terms::default();
    let mut habits = Habits::default();
    let mut likely = 1;
    let mut failures = 0;
    let mut at = 0;
    while ahead.load(at) {
        ahead.forget(at);
        let (mut length, mut count) = (1, 1);
        let everywhere = failures < PATIENCE || failures % MOST_STATEMENTS == 0;
        for candidate in 1..=MOST_STATEMENTS {
            if !everywhere && candidate != 1 && candidate != likely {
                continue;
            }
            if !ahead.is_repeated(at, candidate) || ahead.has_long_run(at, candidate) {
                continue;
            }
            let sequence = ahead.sequence(at, candidate);
            let repeats = ahead.repeats(at, candidate);
            let is_rare = repeats < OFTEN && !shapes.has_body(&sequence);
            if candidate > USUAL && is_rare {
                continue;
            }
            let covers_far_more =
                repeats * candidate >= LONG && repeats * candidate >= 4 * count * length;
            // A body that was found before, with a run so far of less than one iteration of it: the
            // short end of something long.
            let is_known = count * length <= candidate && shapes.has_body(&sequence);
            if (covers_far_more || is_known || count == 1 && !ahead.has_run(at, candidate))
                && shapes.admits(&sequence)
            {
                (length, count) = (candidate, repeats);
            }
            if count * length >= LONG {
                break;
            }
        }
        if count > 1 {
            likely = length;
            failures = 0;
            let early = ahead.early(at, length, count);
            for record in at..at + early {
                write(&ahead, record, 1, 1, &mut habits, shapes, &mut terms);
            }
            if early > 0 {
                at += early;
                continue;
            }
        } else {
            failures += 1;
            if habits.continues(&mut ahead, at) {
                count = 2;
            } else {
                length = ahead.repeated_sequence(at, shapes);
            }
        }
        write(&ahead, at, length, count, &mut habits, shapes, &mut terms);
        at += length * count;
    }
    terms
}

/// Appends the run of `count` times the `length` records at `at`.
fn write<R: Records>(
    ahead: &Ahead<'_, R>,
    at: usize,
    length: usize,
    count: usize,
    habits: &mut Habits,
    shapes: &mut Shapes,
    terms: &mut Terms,
) {
    let values = &mut terms.values.items;
    values.push(count as i64);
    let statements = ahead.sequence(at, length);
    let width = |record: usize| ahead.records.components(ahead.statement(record));
    for record in at..at + length {
        values.extend_from_slice(&ahead.record(record)[..width(record)]);
    }
    let components = (at..at + length).map(width).sum();
    if count == 1 {
        values.extend_from_slice(habits.steps(&statements, components));
    } else {
        let start = values.len();
        for record in at..at + length {
            let next = ahead.record(record + length);
            let steps = ahead
                .record(record)
                .iter()
                .zip(next)
                .map(|(a, b)| b.wrapping_sub(*a));
            values.extend(steps.take(width(record)));
        }
        habits.learn(&statements, &values[start..]);
    }
    terms.end(shapes.number(Shape::Run {
        statements,
        components: components as u32,
    }));
}

/// The steps of the last run of each statement sequence.
#[derive(Default)]
struct Habits(HashMap<Vec<u16>, Vec<i64>>);

impl Habits {
    fn learn(&mut self, statements: &[u16], steps: &[i64]) {
        match self.0.get_mut(statements) {
            Some(known) => known.copy_from_slice(steps),
            None => drop(self.0.insert(statements.to_vec(), steps.to_vec())),
        }
    }

    /// Returns the steps of the last run of these statements; zeros if they were never seen to run.
    fn steps(&mut self, statements: &[u16], components: usize) -> &[i64] {
        self.0
            .entry(statements.to_vec())
            .or_insert_with(|| vec![0; components])
    }

    /// Returns whether the records at `at` and behind it are two of the usual steps.
    fn continues<R: Records>(&mut self, ahead: &mut Ahead<'_, R>, at: usize) -> bool {
        let is_like = |ahead: &Ahead<'_, R>| {
            ahead.statement(at) == ahead.statement(at + 1) && !ahead.meet(at, at + 1)
        };
        if !ahead.load(at + 1) || !is_like(ahead) {
            return false;
        }
        let Some(known) = self.0.get(&[ahead.statement(at)][..]) else {
            return false;
        };
        let steps = ahead
            .record(at)
            .iter()
            .zip(ahead.record(at + 1))
            .map(|(a, b)| b.wrapping_sub(*a));
        steps.zip(known).all(|(step, known)| step == *known)
    }
}
