//! Which arrays all processors can use where the caller has them.
//!
//! In place of a copy in each processor's memory, and of messages between these, processors may read each other's values where they
//! were written. That is right when an array never needs two values of one word at the same time: a word is only overwritten when all
//! who read it have done so in an earlier superstep, or are the processor that overwrites it. Nothing can be computed twice, as two
//! processors would write the same word. What a program only reads can always be shared.

use superstep_tracer::{INPUT, Role};

use crate::messages::Placement;
use crate::tasks::Tasks;

/// Who has used the present value of a word last, and who else: the two latest users on different processors.
#[derive(Clone, Copy, Default)]
struct Users {
    last: User,
    other: User,
}

/// A superstep, and a processor and one more; 0: nobody.
#[derive(Clone, Copy, Default)]
struct User {
    superstep: u32,
    processor: u32,
}

impl Users {
    fn note(&mut self, user: User) {
        if user.processor == self.last.processor {
            self.last.superstep = self.last.superstep.max(user.superstep);
        } else if self.last.processor == 0 || user.superstep > self.last.superstep {
            self.other = std::mem::replace(&mut self.last, user);
        } else if self.other.processor == 0 || user.superstep > self.other.superstep {
            self.other = user;
        }
    }

    /// The last superstep in which another processor used the value.
    fn others(self, processor: u32) -> Option<u32> {
        let other = if self.last.processor == processor {
            self.other
        } else {
            self.last
        };
        (other.processor != 0).then_some(other.superstep)
    }

    /// Whether that processor may overwrite the word then.
    fn may_overwrite(self, user: User) -> bool {
        let own = if self.last.processor == user.processor {
            self.last
        } else {
            self.other
        };
        let is_own = own.processor == user.processor;
        !(is_own && own.superstep > user.superstep)
            && self
                .others(user.processor)
                .is_none_or(|superstep| superstep < user.superstep)
    }
}

/// Where every task runs.
struct Places {
    /// Per task: the number of its list and one more.
    list: Vec<u32>,
    /// (task, number of a list and one more) for each further list.
    copies: Vec<(u32, u32)>,
    processors: u32,
}

impl Places {
    fn new(tasks: usize, placement: &Placement) -> Self {
        let mut places = Self {
            list: vec![0; tasks],
            copies: Vec::new(),
            processors: placement.processors() as u32,
        };
        for (list, (_, _, instances)) in (1..).zip(placement.lists()) {
            for &task in instances {
                let first = std::mem::replace(&mut places.list[task as usize], list);
                if first != 0 {
                    places.copies.push((task, first));
                }
            }
        }
        places.copies.sort_unstable();
        places
    }

    fn user(&self, list: u32) -> User {
        User {
            superstep: (list - 1) / self.processors,
            processor: (list - 1) % self.processors + 1,
        }
    }

    /// Where a task runs that has one place.
    fn of(&self, task: u32) -> User {
        self.user(self.list[task as usize])
    }

    /// Visits the tasks in trace order, each with all its places.
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

/// Per word of each array: nobody.
fn nobody(tasks: &Tasks<'_>, shared: &[bool]) -> Vec<Vec<Users>> {
    let extents = tasks.trace().extents().iter().zip(shared);
    let words = |(&extent, &shared): (&u32, &bool)| if shared { extent as usize } else { 0 };
    extents
        .map(|array| vec![Users::default(); words(array)])
        .collect()
}

/// The words that a task reads in `shared` arrays: array, index, value.
fn reads<'a>(
    tasks: &'a Tasks<'_>,
    shared: &'a [bool],
    task: u32,
) -> impl Iterator<Item = (usize, usize, u32)> + 'a {
    let arrays = tasks.reads(task).iter().map(|&array| usize::from(array));
    let all = arrays
        .zip(tasks.operands(task))
        .filter(|(array, _)| shared[*array]);
    all.map(|(array, &value)| {
        let index = if value & INPUT == 0 {
            tasks.trace().writes()[value as usize]
        } else {
            value & !INPUT
        };
        (array, index as usize, value)
    })
}

/// Per array: whether all processors can use the caller's.
///
/// Cost: two visits of each operand, some 20 ns per task.
pub(crate) fn shareable(tasks: &Tasks<'_>, placement: &Placement) -> Vec<bool> {
    let trace = tasks.trace();
    let arrays = trace.kernel().arrays.iter();
    let mut shareable: Vec<bool> = arrays.map(|array| array.role != Role::Local).collect();
    let places = Places::new(trace.tasks(), placement);
    for &(task, _) in &places.copies {
        shareable[usize::from(target(tasks, task))] = false;
    }
    let mut words = nobody(tasks, &shareable);
    places.visit(|task, copies, user| {
        for user in copies.iter().map(|copy| places.user(copy.1)).chain([user]) {
            reads(tasks, &shareable, task)
                .for_each(|(array, index, _)| words[array][index].note(user));
        }
        let array = usize::from(target(tasks, task));
        if shareable[array] {
            let word = &mut words[array][trace.writes()[task as usize] as usize];
            shareable[array] = word.may_overwrite(user);
            *word = Users::default();
            word.note(user);
        }
    });
    shareable
}

/// The fewest supersteps after which all processors must wait for each other, besides those after which there are messages: one between
/// any two uses of a shared word by different processors, of which one is a write.
///
/// Cost: a visit of each operand.
pub(crate) fn barriers(tasks: &Tasks<'_>, placement: &Placement, shared: &[bool]) -> Vec<u32> {
    let trace = tasks.trace();
    let places = Places::new(trace.tasks(), placement);
    let mut words = nobody(tasks, shared);
    // Per superstep: the last one before it with something that it has to wait for, and one more.
    let mut waits = vec![0; placement.supersteps()];
    let mut wait = |user: User, other: u32| {
        let wait = &mut waits[user.superstep as usize];
        *wait = other.saturating_add(1).max(*wait);
    };
    places.visit(|task, copies, user| {
        for user in copies.iter().map(|copy| places.user(copy.1)).chain([user]) {
            for (array, index, value) in reads(tasks, shared, task) {
                words[array][index].note(user);
                if value & INPUT == 0 {
                    let writer = places.of(value);
                    if writer.processor != user.processor {
                        wait(user, writer.superstep);
                    }
                }
            }
        }
        let array = usize::from(target(tasks, task));
        if shared[array] {
            let word = &mut words[array][trace.writes()[task as usize] as usize];
            if let Some(other) = word.others(user.processor) {
                wait(user, other);
            }
            *word = Users::default();
            word.note(user);
        }
    });
    let mut exchanges = placement
        .sends()
        .iter()
        .map(|send| send.superstep)
        .peekable();
    let mut barriers = Vec::new();
    // Supersteps before this one are over for all processors.
    let mut over = 0;
    for (superstep, &wait) in (0..).zip(&waits) {
        if over < wait {
            barriers.push(superstep - 1);
            over = superstep;
        }
        while exchanges
            .next_if(|&exchange| exchange <= superstep)
            .is_some()
        {
            over = superstep + 1;
        }
    }
    barriers
}

/// Whether tasks can run in that order on one processor with the `shared` arrays where they are: no word is overwritten before it is
/// read, and each is written in trace order. `current` holds `NOTHING` for each word, and does so again afterwards.
pub(crate) fn respects(
    tasks: &Tasks<'_>,
    shared: &[bool],
    sorted: &[u32],
    current: &mut [Vec<u32>],
) -> bool {
    let home = |array: usize, value: u32| tasks.home(array as u16, value) as usize;
    let respected = sorted.iter().all(|&task| {
        let reads = tasks.reads(task).iter().zip(tasks.operands(task));
        let reads_right = reads
            .map(|(&array, &value)| (usize::from(array), value))
            .filter(|&(array, _)| shared[array])
            .all(|(array, value)| {
                let current = current[array][home(array, value)];
                current == NOTHING || current == value
            });
        let array = usize::from(target(tasks, task));
        if !shared[array] {
            return reads_right;
        }
        let current = &mut current[array][home(array, task)];
        let in_order = *current == NOTHING || *current < task;
        *current = task;
        reads_right && in_order
    });
    for &task in sorted {
        let array = usize::from(target(tasks, task));
        if shared[array] {
            current[array][home(array, task)] = NOTHING;
        }
    }
    respected
}

fn target(tasks: &Tasks<'_>, task: u32) -> u16 {
    let kernel = tasks.trace().kernel();
    kernel.statement(tasks.statement(task)).target
}

/// No task of the list has written the word yet.
pub(crate) const NOTHING: u32 = u32::MAX;
