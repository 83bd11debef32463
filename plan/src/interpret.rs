//! Running a plan from its tables, task by task.
//!
//! Slow (a call per task), and independent of everything that is printed: the oracle for generated
//! code.
//!
//! The runtime has one driver of supersteps for all transports, and [`run`] is a second one on
//! purpose. It knows no packets, links or waits, but reads messages straight off the plan, boundary
//! by boundary. So a mistake of the driver, or of the [table](crate::synchronisation) by which it
//! goes, shows as a difference. An interpreter that shared either would repeat it.

use super::{Message, Plan, Strided};

/// Statements and arrays of a kernel: their meaning, as the interpreter needs it.
pub trait Statements {
    /// One processor's private memory.
    type Memory;

    /// Executes `statement` with its `components`: the written slot, the operands' slots, the
    /// control values.
    fn execute(&self, statement: u16, memory: &mut Self::Memory, components: &[i64]);
}

/// Runs what `processor` does in `superstep`; whether that was any task.
///
/// `components` is the number of components of each statement.
///
/// # Panics
/// Where `statements` does, and for a statement without entry in `components`.
pub fn execute<S: Statements>(
    statements: &S,
    plan: &Plan,
    components: &[u32],
    superstep: usize,
    processor: usize,
    memory: &mut S::Memory,
) -> bool {
    let mut current = Vec::new();
    let mut worked = false;
    plan.code(superstep, processor)
        .walk(&plan.bodies, &mut |body, run| {
            current.clear();
            current.extend(plan.bodies[body].starts(run));
            worked = true;
            for _ in 0..run.count() {
                let mut at = 0;
                for &statement in plan.bodies[body].statements() {
                    let end = at + components[statement as usize] as usize;
                    statements.execute(statement, memory, &current[at..end]);
                    at = end;
                }
                for (value, step) in current.iter_mut().zip(plan.bodies[body].steps(run)) {
                    *value = value.wrapping_add(step);
                }
            }
        });
    worked
}

/// Runs all processors of `plan` one after the other in this thread, on memories of one word type.
///
/// `inputs[array]` are the caller's words, and hold the results afterwards. Messages are packed
/// from every sender before any receiver unpacks, as in a parallel run.
///
/// # Panics
/// Where [`execute`] does, and when an argument is shorter than the plan's extents.
pub fn run<T, S>(statements: &S, plan: &Plan, components: &[u32], arguments: &mut [Vec<T>])
where
    T: Copy + Default,
    S: Statements<Memory = Vec<Vec<T>>>,
{
    let processors = plan.processors as usize;
    let mut memories: Vec<Vec<Vec<T>>> = (0..processors)
        .map(|p| {
            let mut memory: Vec<Vec<T>> = plan
                .lengths(p)
                .iter()
                .map(|&words| vec![T::default(); words as usize])
                .collect();
            for strided in &plan.scatter[p] {
                copy(
                    &arguments[strided.array as usize],
                    &mut memory[strided.array as usize],
                    strided,
                );
            }
            memory
        })
        .collect();
    for superstep in 0..plan.supersteps as usize {
        for (processor, memory) in memories.iter_mut().enumerate() {
            share(plan, memory, arguments);
            execute(statements, plan, components, superstep, processor, memory);
            share(plan, memory, arguments);
        }
        let packets: Vec<Vec<T>> = plan
            .messages(superstep)
            .iter()
            .map(|m| pack(&memories[m.from as usize], m))
            .collect();
        for (message, packet) in plan.messages(superstep).iter().zip(&packets) {
            unpack(&mut memories[message.to as usize], message, packet);
        }
    }
    for (memory, gather) in memories.iter().zip(&plan.gather) {
        for strided in gather {
            copy(
                &memory[strided.array as usize],
                &mut arguments[strided.array as usize],
                strided,
            );
        }
    }
}

/// Puts the arguments that all processors share into a memory, or back.
fn share<T>(plan: &Plan, memory: &mut [Vec<T>], arguments: &mut [Vec<T>]) {
    let arrays = memory.iter_mut().zip(arguments).zip(&plan.shared);
    for ((own, argument), _) in arrays.filter(|(_, shared)| **shared) {
        std::mem::swap(own, argument);
    }
}

fn copy<T: Copy>(source: &[T], destination: &mut [T], strided: &Strided) {
    for (from, to) in strided.words() {
        destination[to] = source[from];
    }
}

fn pack<T: Copy>(memory: &[Vec<T>], message: &Message) -> Vec<T> {
    message
        .strided
        .iter()
        .flat_map(|c| {
            c.words()
                .map(move |(from, _)| memory[c.array as usize][from])
        })
        .collect()
}

fn unpack<T: Copy>(memory: &mut [Vec<T>], message: &Message, packet: &[T]) {
    let mut words = packet.iter();
    for strided in &message.strided {
        for ((_, to), word) in strided.words().zip(&mut words) {
            memory[strided.array as usize][to] = *word;
        }
    }
}
