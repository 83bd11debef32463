//! Sharing: finds the arrays that all processors can use where the caller has them, and the waits
//! that this takes.
//!
//! Processors may read each other's values where they were written, in place of copies in private
//! memories and messages between these. That is right for an array if none of its words needs two
//! values at the same time. So when a word is overwritten, each of its readers has read it in an
//! earlier superstep or is the processor that overwrites it. Nothing can be computed twice, as two
//! processors would write the same word. Arrays that a program only reads can always be shared.

use superstep_plan::Precedence;
use superstep_tracer::{INPUT, Role};

use crate::place::placement::Placement;
use crate::place::tasks::Tasks;

/// Users of the present value of a word, its readers and its writer: the three latest on different
/// processors, and until when there were others. With a fixed number of them a word takes 16 bytes.
#[derive(Clone, Copy, Default)]
struct Users {
    latest: [User; 3],
    /// Last superstep in which yet others have used it, plus one; 0 if there are none.
    more: u32,
}

/// User of a word: its superstep in the high bits, its processor plus one in the low ones. 0 is
/// nobody.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct User(u32);

/// Number of low bits that the number of a processor takes.
#[derive(Clone, Copy)]
struct Bits(u32);

impl Bits {
    fn new(placement: &Placement) -> Self {
        let bits = usize::BITS - placement.processors().leading_zeros();
        assert!(
            placement.supersteps() <= 1 << (u32::BITS - bits),
            "a placement has fewer than 2^31 lists"
        );
        Self(bits)
    }

    fn user(self, superstep: u32, processor: u32) -> User {
        User(superstep << self.0 | processor)
    }

    fn superstep(self, user: User) -> u32 {
        user.0 >> self.0
    }

    fn processor(self, user: User) -> u32 {
        user.0 & ((1 << self.0) - 1)
    }

    /// Returns the key by which users are ordered by age: nobody comes before anybody.
    fn age(self, user: User) -> (bool, u32) {
        (user != User::default(), self.superstep(user))
    }
}

impl Users {
    /// Adds a user. Of four users on different processors the earliest one goes into `more`.
    fn note(&mut self, mut user: User, bits: Bits) {
        let same = self
            .latest
            .iter_mut()
            .find(|known| bits.processor(**known) == bits.processor(user));
        if let Some(known) = same {
            // Of one processor the later superstep is the larger number.
            known.0 = known.0.max(user.0);
            return;
        }
        let [a, b, c] = &mut self.latest;
        let earliest = [b, c]
            .into_iter()
            .fold(a, |a, b| if bits.age(*b) < bits.age(*a) { b } else { a });
        if bits.age(*earliest) < bits.age(user) {
            std::mem::swap(earliest, &mut user);
        }
        if user != User::default() {
            self.more = self.more.max(bits.superstep(user) + 1);
        }
    }

    /// Returns whether `user` may overwrite the word. All others must have used the value in
    /// earlier supersteps, and its own processor in no later one. Users in `more` are no later than
    /// those that are looked at.
    fn may_overwrite(self, user: User, bits: Bits) -> bool {
        self.latest.iter().all(|&known| {
            known == User::default()
                || bits.superstep(known) < bits.superstep(user)
                || known == user
        })
    }
}

/// Holders of every task: the lists in which it runs.
struct Holders {
    /// Number of the last list that has it, plus one, per task; 0 if none has.
    list: Vec<u32>,
    /// (task, number of a list plus one) for each further list, sorted.
    copies: Vec<(u32, u32)>,
    processors: u32,
    bits: Bits,
}

impl Holders {
    fn new(tasks: usize, placement: &Placement) -> Self {
        let mut holders = Self {
            list: vec![0; tasks],
            copies: Vec::new(),
            processors: placement.processors() as u32,
            bits: Bits::new(placement),
        };
        for (list, (_, _, tasks)) in (1..).zip(placement.lists()) {
            for &task in tasks {
                let first = std::mem::replace(&mut holders.list[task as usize], list);
                if first != 0 {
                    holders.copies.push((task, first));
                }
            }
        }
        holders.copies.sort_unstable();
        holders
    }

    fn user(&self, list: u32) -> User {
        let (superstep, processor) = ((list - 1) / self.processors, (list - 1) % self.processors);
        self.bits.user(superstep, processor + 1)
    }

    /// Returns the holder of a task that has only one.
    fn of(&self, task: u32) -> User {
        self.user(self.list[task as usize])
    }

    /// Visits the tasks in trace order, each with all its holders: its entries of `copies`, and the
    /// user of its last list.
    fn visit(&self, mut task: impl FnMut(u32, &[(u32, u32)], User)) {
        let mut copies = &self.copies[..];
        for (number, &list) in (0..).zip(&self.list) {
            let own = copies.iter().take_while(|copy| copy.0 == number).count();
            let (others, rest) = copies.split_at(own);
            copies = rest;
            if list != 0 {
                task(number, others, self.user(list));
            }
        }
    }
}

/// Returns the users of each word of each array before anybody has used it.
fn nobody(tasks: &Tasks<'_>, shared: &[bool]) -> Vec<Vec<Users>> {
    let extents = tasks.trace().extents().iter().zip(shared);
    let words = |(&extent, &shared): (&u32, &bool)| if shared { extent as usize } else { 0 };
    extents
        .map(|array| vec![Users::default(); words(array)])
        .collect()
}

/// Iterates over the words that a task reads in `shared` arrays: array, index, value. They are
/// never transposed, so indices are home slots.
fn reads<'a>(
    tasks: &'a Tasks<'_>,
    shared: &'a [bool],
    task: u32,
) -> impl Iterator<Item = (usize, usize, u32)> + 'a {
    let reads = tasks.reads(task);
    let own = reads.filter(|&(array, _)| shared[usize::from(array)]);
    own.map(|(array, value)| {
        let index = tasks.home(array, value) as usize;
        (usize::from(array), index, value)
    })
}

/// Returns, per array, whether all processors can use the caller's.
///
/// Cost: a visit of each operand, some 20 ns per task.
pub(crate) fn shareable(tasks: &Tasks<'_>, placement: &Placement) -> Vec<bool> {
    let trace = tasks.trace();
    let arrays = trace.kernel().arrays.iter();
    let mut shareable: Vec<bool> = arrays.map(|array| array.role != Role::Local).collect();
    if placement.lists().count() == 1 {
        return shareable;
    }
    let holders = Holders::new(trace.tasks(), placement);
    for &(task, _) in &holders.copies {
        shareable[usize::from(tasks.target(task))] = false;
    }
    let mut words = nobody(tasks, &shareable);
    holders.visit(|task, copies, user| {
        for user in copies.iter().map(|copy| holders.user(copy.1)).chain([user]) {
            reads(tasks, &shareable, task)
                .for_each(|(array, index, _)| words[array][index].note(user, holders.bits));
        }
        let array = usize::from(tasks.target(task));
        if shareable[array] {
            let word = &mut words[array][tasks.home_of(task) as usize];
            shareable[array] = word.may_overwrite(user, holders.bits);
            *word = Users::default();
            word.note(user, holders.bits);
        }
    });
    shareable
}

/// Finds the precedences that shared arrays need, beside the waits for messages. Whoever uses a
/// shared word waits for each other processor that uses it in an earlier superstep, if one of the
/// two writes it. Where more than three have used a word that is overwritten, the writer waits for
/// all processors.
///
/// Cost: a visit of each operand.
pub(crate) fn precedences(
    tasks: &Tasks<'_>,
    placement: &Placement,
    shared: &[bool],
) -> Vec<Precedence> {
    if placement.processors() == 1 {
        return Vec::new();
    }
    let trace = tasks.trace();
    let holders = Holders::new(trace.tasks(), placement);
    let mut words = nobody(tasks, shared);
    let mut waits = Waits {
        processors: placement.processors(),
        bits: holders.bits,
        lists: vec![Vec::new(); placement.lists().count()],
    };
    holders.visit(|task, copies, user| {
        for user in copies.iter().map(|copy| holders.user(copy.1)).chain([user]) {
            for (array, index, value) in reads(tasks, shared, task) {
                words[array][index].note(user, holders.bits);
                if value & INPUT == 0 {
                    waits.add(user, holders.of(value));
                }
            }
        }
        let array = usize::from(tasks.target(task));
        if shared[array] {
            let word = &mut words[array][tasks.home_of(task) as usize];
            word.latest.iter().for_each(|&other| waits.add(user, other));
            if let Some(superstep) = word.more.checked_sub(1) {
                (1..=holders.processors)
                    .for_each(|processor| waits.add(user, holders.bits.user(superstep, processor)));
            }
            *word = Users::default();
            word.note(user, holders.bits);
        }
    });
    waits.precedences()
}

/// Waits of each list: (peer, superstep), the latest of each peer.
struct Waits {
    processors: usize,
    bits: Bits,
    lists: Vec<Vec<(u32, u32)>>,
}

impl Waits {
    /// Makes `user` wait until `other` has ended its superstep, unless that is nobody or on the
    /// same processor.
    fn add(&mut self, user: User, other: User) {
        let [own, awaited] = [user, other].map(|user| self.bits.processor(user));
        if awaited == 0 || awaited == own {
            return;
        }
        let superstep = self.bits.superstep(other);
        let at = self.bits.superstep(user) as usize * self.processors + own as usize - 1;
        let peer = awaited - 1;
        match self.lists[at].iter_mut().find(|wait| wait.0 == peer) {
            Some(wait) => wait.1 = wait.1.max(superstep),
            None => self.lists[at].push((peer, superstep)),
        }
    }

    /// Returns the precedences that say more than earlier ones of the same processor.
    fn precedences(mut self) -> Vec<Precedence> {
        let mut known = vec![0; self.processors * self.processors];
        let mut precedences = Vec::new();
        for (at, list) in self.lists.iter_mut().enumerate() {
            list.sort_unstable();
            let (superstep, processor) = (at / self.processors, at % self.processors);
            for &(peer, ended) in &*list {
                let known = &mut known[processor * self.processors + peer as usize];
                if *known <= ended {
                    *known = ended + 1;
                    precedences.push(Precedence {
                        superstep: superstep as u32,
                        processor: processor as u32,
                        peer,
                        ended,
                    });
                }
            }
        }
        precedences
    }
}

/// Returns whether one processor can run tasks in the order `sorted` with the `shared` arrays where
/// they are. No word may be overwritten before it is read, and each must be written in trace order.
/// `current` holds [`NOTHING`] for each word, and does so again afterwards.
pub(crate) fn respects(
    tasks: &Tasks<'_>,
    shared: &[bool],
    sorted: &[u32],
    current: &mut [Vec<u32>],
) -> bool {
    let respected = sorted.iter().all(|&task| {
        let reads_right = reads(tasks, shared, task).all(|(array, index, value)| {
            let current = current[array][index];
            current == NOTHING || current == value
        });
        let array = usize::from(tasks.target(task));
        if !shared[array] {
            return reads_right;
        }
        let current = &mut current[array][tasks.home_of(task) as usize];
        let in_order = *current == NOTHING || *current < task;
        *current = task;
        reads_right && in_order
    });
    for &task in sorted {
        let array = usize::from(tasks.target(task));
        if shared[array] {
            current[array][tasks.home_of(task) as usize] = NOTHING;
        }
    }
    respected
}

/// Value of a word that no task of the list has written yet.
pub(crate) const NOTHING: u32 = u32::MAX;
