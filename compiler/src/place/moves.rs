//! Moves of inputs: tasks that only copy a word, as in a bit reversal, gathered on processor 0.
//!
//! The pass makes another schedule of a trace. It touches neither tasks nor values, and knows
//! nothing of slots.

use superstep_schedule::Schedule;
use superstep_tracer::{Form, Trace};

use crate::place::layout::Layout;
use crate::place::tasks::Tasks;

/// Tasks of which at least one must move an input, for the schedule to be changed. With fewer moves
/// it can't matter which processor runs them.
const SHARE: usize = 64;

/// Returns the schedule with all moves of inputs on processor 0, in a superstep before all others.
/// Returns none if fewer than two processors have such moves, or if they are too few to matter.
///
/// The caller has written the words on the core of processor 0, whose cache has them. To share the
/// moves out takes every cache line to another cache, before any word is on the way to where it is
/// needed. (In a bit reversal each line has words for all processors.) Afterwards it takes half of
/// them again. Which of the two is faster is for a [prediction](crate::Program::predict) to say.
///
/// Each of the moves then runs on one processor alone. Cost: linear in the tasks, where a statement
/// moves words.
///
/// # Panics
/// When the schedule has other tasks than the trace.
///
/// ```
/// use superstep_compiler::place::moves::on_first;
/// use superstep_schedule::Schedule;
/// use superstep_tracer::{Form, Kernel, Operations, Role, record};
///
/// let mut kernel = Kernel::new("reverse");
/// let x = kernel.add_array("x", Role::Input, None);
/// let y = kernel.add_array("y", Role::InOut, None);
/// let nothing = Operations::default();
/// kernel.add_statement_with("y[i] = x[n - 1 - i]", y, &[x], Form::Move, nothing);
/// kernel.add_statement("y[i] *= y[i]", y, &[y, y]);
/// let trace = record(kernel, 100, |recorder| {
///     (0..4).for_each(|i| recorder.push(0, i, &[3 - i]));
///     (0..4).for_each(|i| recorder.push(1, i, &[i, i]));
/// })?;
/// let schedule = Schedule::from_lists(2, [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]);
/// let schedule = on_first(&trace, &schedule).expect("both processors move words");
/// assert_eq!((schedule.tasks(0, 0), schedule.tasks(0, 1)), (&[0, 1, 2, 3][..], &[][..]));
/// assert_eq!((schedule.tasks(1, 0), schedule.tasks(1, 1)), (&[4, 5][..], &[6, 7][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_first(trace: &Trace, schedule: &Schedule) -> Option<Schedule> {
    let is_first = first_moves(trace)?;
    let is_first = |task: u32| is_first[task as usize];
    let processors = schedule.processors();
    let has_moves = |&processor: &usize| {
        let mut lists = (0..schedule.supersteps()).map(|step| schedule.tasks(step, processor));
        lists.any(|list| list.iter().any(|&task| is_first(task)))
    };
    if (0..processors).filter(has_moves).count() < 2 {
        return None;
    }
    let mut on_first = Schedule::new(processors as u32);
    on_first.push((0..trace.tasks() as u32).filter(|&task| is_first(task)));
    (1..processors).for_each(|_| on_first.push([]));
    for superstep in 0..schedule.supersteps() {
        let lists = schedule.superstep(superstep);
        let rest = lists.map(|list| list.iter().copied().filter(|&task| !is_first(task)));
        if rest.clone().any(|mut rest| rest.next().is_some()) {
            rest.for_each(|rest| on_first.push(rest));
        }
    }
    Some(on_first)
}

/// Returns, for each task, whether it moves an input, directly or behind other such moves. Returns
/// none if fewer than one task in [`SHARE`] does.
fn first_moves(trace: &Trace) -> Option<Vec<bool>> {
    let statements = trace.kernel().statements.iter();
    let moves: Vec<bool> = statements.map(|s| s.form == Form::Move).collect();
    let is_move = |&statement: &u16| moves[usize::from(statement)];
    let many = trace.tasks().div_ceil(SHARE);
    if trace.statements().iter().filter(|s| is_move(s)).count() < many {
        return None;
    }
    let tasks = Tasks::new(trace, Layout::given(trace));
    let mut is_first = vec![false; trace.tasks()];
    for task in 0..trace.tasks() as u32 {
        let waits_for_none = || {
            tasks
                .producers(task)
                .all(|producer| is_first[producer as usize])
        };
        is_first[task as usize] = is_move(&tasks.statement(task)) && waits_for_none();
    }
    (is_first.iter().filter(|is_first| **is_first).count() >= many).then_some(is_first)
}

#[cfg(test)]
mod tests {
    use superstep_dag_builder::from_trace;
    use superstep_schedule::CheckedSchedule;
    use superstep_tracer::{Form, Kernel, Operations, Role, Trace, record};

    use super::{Schedule, on_first};

    /// Traces `y[i] = x[i]` for two words, their squares, and a move of the first square.
    fn trace(squares: usize) -> Trace {
        let mut kernel = Kernel::new("moves");
        let x = kernel.add_array("x", Role::Input, None);
        let y = kernel.add_array("y", Role::InOut, None);
        let nothing = Operations::default;
        kernel.add_statement_with("y[i] = x[i]", y, &[x], Form::Move, nothing());
        kernel.add_statement("y[i] *= y[i]", y, &[y, y]);
        kernel.add_statement_with("y[2] = y[0]", y, &[y], Form::Move, nothing());
        let run = |recorder: &mut superstep_tracer::Recorder| {
            (0..2).for_each(|i| recorder.push(0, i, &[i]));
            (0..squares).for_each(|i| recorder.push(1, i % 2, &[i % 2, i % 2]));
            recorder.push(2, 2, &[0]);
        };
        record(kernel, 1000, run).unwrap()
    }

    fn moved(trace: &Trace, schedule: Schedule) -> Option<Vec<Vec<u32>>> {
        let graph = from_trace(trace);
        let schedule = CheckedSchedule::new(&graph, schedule).unwrap();
        let schedule = CheckedSchedule::new(&graph, on_first(trace, schedule.schedule())?).unwrap();
        let schedule = schedule.into_schedule();
        let lists = (0..schedule.supersteps()).flat_map(|superstep| schedule.superstep(superstep));
        Some(lists.map(<[u32]>::to_vec).collect())
    }

    #[test]
    fn what_is_moved_later_stays_where_it_is() {
        let schedule = Schedule::from_lists(2, [[vec![0, 2], vec![1, 3]], [vec![], vec![4]]]);
        let expected = [vec![0, 1], vec![], vec![2], vec![3], vec![], vec![4]];
        assert_eq!(moved(&trace(2), schedule).unwrap(), expected);
    }

    /// Both processors move both words.
    #[test]
    fn copies_become_one() {
        let both = [vec![0, 1, 2], vec![0, 1, 3]];
        let schedule = Schedule::from_lists(2, [both, [vec![4], vec![]]]);
        let expected = [vec![0, 1], vec![], vec![2], vec![3], vec![4], vec![]];
        assert_eq!(moved(&trace(2), schedule).unwrap(), expected);
    }

    #[test]
    fn moves_of_one_processor_and_few_moves_stay() {
        let one = Schedule::from_lists(2, [[vec![0, 1, 2, 3], vec![]], [vec![], vec![4]]]);
        assert_eq!(moved(&trace(2), one), None);
        let squares =
            |first| std::iter::once(first).chain((0..200).map(move |i| 2 + 2 * i + first));
        let few = Schedule::from_lists(2, [[squares(0), squares(1)]]);
        let few = {
            let mut lists = few;
            lists.push([402]);
            lists.push([]);
            lists
        };
        assert_eq!(moved(&trace(400), few), None);
    }
}
