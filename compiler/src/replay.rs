//! Replay: symbolic execution of a program.
//!
//! The program is executed with the *names* of values in place of values. Every slot of every
//! processor's memory holds the task that computed its word, or the input that it is. Beside it
//! goes the expected order of tasks:
//!
//! * every statement that the folded loops run must be the next task's;
//! * every slot that it reads must hold the value that the trace's flow edge names;
//! * every control value must be the recorded one.
//!
//! Messages copy names; the results are gathered from slots that hold their last writers, each
//! once. Arrays that all processors share hold names, too, and who wrote and read each word. Of a
//! processor that uses a word, and one that writes it, the later must have waited for the earlier.
//!
//! So errors of the schedule, the messages, the slots and the folding are all found here. None of
//! the code that decides on them is used: the walk is the one that runs the program. The replay
//! runs on every build, in about 20 ns for each task instance.

mod common;
pub(crate) mod error;

use common::Common;
use error::{NOTHING, Name};
use superstep_plan::Strided;
use superstep_plan::synchronisation::Synchronisation;
use superstep_tracer::{INPUT, Role, Trace};

use crate::place::layout::Layout;
use crate::place::tasks::Tasks;
use crate::program::Program;

pub use error::ReplayError;

/// Checks that `program` computes what `trace` says.
///
/// # Errors
/// The first departure.
pub fn replay(trace: &Trace, program: &Program) -> Result<(), ReplayError> {
    let tasks = Tasks::new(trace, Layout::given(trace));
    let plan = &program.plan;
    let processors = plan.processors as usize;
    let array = |&words: &u32| vec![NOTHING; words as usize];
    let memory = |processor| Memory {
        processor,
        arrays: plan.lengths(processor).iter().map(array).collect(),
    };
    let mut memories: Vec<Memory> = (0..processors).map(memory).collect();
    for (memory, scatter) in memories.iter_mut().zip(&plan.scatter) {
        memory.scatter(trace, scatter)?;
    }
    let synchronisation = Synchronisation::new(plan)?;
    let mut common = Common::new(&plan.shared, trace.extents(), plan);
    for superstep in 0..plan.supersteps as usize {
        for (processor, memory) in memories.iter_mut().enumerate() {
            common.wait(&synchronisation, superstep, processor);
            ListReplay {
                tasks: &tasks,
                program,
                superstep,
                processor,
            }
            .run(memory, &mut common)?;
        }
        let pack = |m: &superstep_plan::Message| memories[m.from as usize].pack(&m.strided);
        let packets: Vec<Vec<u32>> = plan
            .messages(superstep)
            .iter()
            .map(pack)
            .collect::<Result<_, _>>()?;
        for (message, packet) in plan.messages(superstep).iter().zip(&packets) {
            memories[message.to as usize].unpack(&message.strided, packet)?;
        }
    }
    gather(trace, program, &memories, &common)
}

/// One processor's memory, with names in it.
struct Memory {
    processor: usize,
    arrays: Vec<Vec<u32>>,
}

impl Memory {
    fn slot(&mut self, array: u16, slot: i64) -> Result<&mut u32, ReplayError> {
        let words = self.arrays[usize::from(array)].len();
        let processor = self.processor;
        usize::try_from(slot)
            .ok()
            .and_then(|slot| self.arrays[usize::from(array)].get_mut(slot))
            .ok_or(ReplayError::Slot {
                processor,
                array,
                slot,
                words,
            })
    }

    fn scatter(&mut self, trace: &Trace, scatter: &[Strided]) -> Result<(), ReplayError> {
        for strided in scatter {
            let array = strided.array;
            for (from, to) in strided.words() {
                let exists = from < trace.extents()[usize::from(array)] as usize;
                if !exists || trace.kernel().array(array).role == Role::Local {
                    return Err(ReplayError::Word {
                        what: "scattering word",
                        array,
                        index: from,
                        found: Name(NOTHING),
                    });
                }
                *self.slot(array, to as i64)? = INPUT | from as u32;
            }
        }
        Ok(())
    }

    fn pack(&self, strided: &[Strided]) -> Result<Vec<u32>, ReplayError> {
        let mut packet = Vec::new();
        for strided in strided {
            for (from, _) in strided.words() {
                let name = self.arrays[usize::from(strided.array)]
                    .get(from)
                    .copied()
                    .unwrap_or(NOTHING);
                if name == NOTHING {
                    return Err(ReplayError::Word {
                        what: "sending slot",
                        array: strided.array,
                        index: from,
                        found: Name(name),
                    });
                }
                packet.push(name);
            }
        }
        Ok(packet)
    }

    fn unpack(&mut self, strided: &[Strided], packet: &[u32]) -> Result<(), ReplayError> {
        let mut names = packet.iter();
        for strided in strided {
            for ((_, to), name) in strided.words().zip(&mut names) {
                *self.slot(strided.array, to as i64)? = *name;
            }
        }
        Ok(())
    }
}

/// Replay of one list: a processor's tasks in a superstep.
#[derive(Clone, Copy)]
struct ListReplay<'a> {
    tasks: &'a Tasks<'a>,
    program: &'a Program,
    superstep: usize,
    processor: usize,
}

impl ListReplay<'_> {
    fn run(self, memory: &mut Memory, common: &mut Common) -> Result<(), ReplayError> {
        let plan = &self.program.plan;
        let expected = self.program.placement.tasks(self.superstep, self.processor);
        let mut next = 0;
        let mut row = Vec::new();
        let mut result = Ok(());
        plan.code(self.superstep, self.processor)
            .walk(&plan.bodies, &mut |body, run| {
                if result.is_err() {
                    return;
                }
                row.clear();
                row.extend(plan.bodies[body].starts(run));
                for _ in 0..run.count() {
                    let mut at = 0;
                    for &statement in plan.bodies[body].statements() {
                        let task = expected.get(next).copied();
                        let executed = task.ok_or_else(|| self.order(next)).and_then(|task| {
                            self.execute(memory, common, task, statement, next, &row[at..])
                        });
                        match executed {
                            Ok(components) => at += components,
                            Err(error) => {
                                result = Err(error);
                                return;
                            }
                        }
                        next += 1;
                    }
                    for (value, step) in row.iter_mut().zip(plan.bodies[body].steps(run)) {
                        *value = value.wrapping_add(step);
                    }
                }
            });
        result?;
        if next == expected.len() {
            Ok(())
        } else {
            Err(self.order(next))
        }
    }

    fn order(self, task_instance: usize) -> ReplayError {
        ReplayError::Order {
            processor: self.processor,
            superstep: self.superstep,
            task_instance,
        }
    }

    /// Runs task `id` with the components at the start of `row`; returns how many they are.
    fn execute(
        self,
        memory: &mut Memory,
        common: &mut Common,
        id: u32,
        statement: u16,
        task_instance: usize,
        row: &[i64],
    ) -> Result<usize, ReplayError> {
        let Self {
            tasks,
            superstep,
            processor,
            ..
        } = self;
        let (operands, recorded) = (tasks.operands(id), tasks.control(id));
        let components = 1 + operands.len() + recorded.len();
        if tasks.statement(id) != statement || row.len() < components {
            return Err(self.order(task_instance));
        }
        let text = tasks.trace().kernel().statement(statement);
        let (slots, control) = row[1..components].split_at(operands.len());
        for (operand, ((&slot, &wanted), &array)) in
            slots.iter().zip(operands).zip(&text.operands).enumerate()
        {
            let found = if common.is_shared(array) {
                common.touch((superstep, processor), array, slot, None)?
            } else {
                *memory.slot(array, slot)?
            };
            if found != wanted {
                let (found, wanted) = (Name(found), Name(wanted));
                return Err(ReplayError::Operand {
                    processor,
                    superstep,
                    task: id,
                    operand,
                    slot,
                    found,
                    wanted,
                });
            }
        }
        for (&found, &wanted) in control.iter().zip(recorded) {
            if found != wanted {
                return Err(ReplayError::Control {
                    processor,
                    superstep,
                    task: id,
                    found,
                    wanted,
                });
            }
        }
        if common.is_shared(text.target) {
            common.touch((superstep, processor), text.target, row[0], Some(id))?;
        } else {
            *memory.slot(text.target, row[0])? = id;
        }
        Ok(components)
    }
}

/// Checks that every result is gathered once, from a slot that holds its last writer, or is where
/// all processors share it.
fn gather(
    trace: &Trace,
    program: &Program,
    memories: &[Memory],
    common: &Common,
) -> Result<(), ReplayError> {
    let arrays = trace.kernel().arrays.len() as u16;
    let mut missing: Vec<Vec<u32>> = (0..arrays)
        .map(|array| trace.last(array).to_vec())
        .collect();
    for (memory, gather) in memories.iter().zip(&program.plan.gather) {
        for strided in gather {
            let array = usize::from(strided.array);
            for (from, to) in strided.words() {
                let found = memory.arrays[array].get(from).copied().unwrap_or(NOTHING);
                let wanted = missing[array]
                    .get_mut(to)
                    .filter(|wanted| **wanted == found && found & INPUT == 0);
                let what = "gathering word";
                let error = ReplayError::Word {
                    what,
                    array: strided.array,
                    index: to,
                    found: Name(found),
                };
                *wanted.ok_or(error)? = NOTHING;
            }
        }
    }
    for (names, missing) in common.names.iter().zip(&mut missing) {
        for (name, missing) in names.iter().zip(missing) {
            if *missing == *name {
                *missing = NOTHING;
            }
        }
    }
    for (array, words) in missing.iter().enumerate() {
        if let Some(index) = words.iter().position(|writer| writer & INPUT == 0) {
            let found = Name(words[index]);
            return Err(ReplayError::Word {
                what: "never gathered: word",
                array: array as u16,
                index,
                found,
            });
        }
    }
    Ok(())
}
