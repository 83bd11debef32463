//! Words that are moved before anything is computed with them.

use superstep_scheduler::Schedule;
use superstep_tracer::Trace;

use crate::layout::Layout;
use crate::prediction::is_move;
use crate::tasks::Tasks;

/// The schedule with all such moves in a superstep before all others, on processor 0; none, if they are not on several processors.
///
/// The caller has written the words, on the core of processor 0. To share the moves out takes every line of them from one cache to another
/// before its words are on the way to where they are needed (of a bit reversal, each line has words for all processors), and afterwards half
/// of them again. Which of the two is faster is for a [prediction](crate::Program::predict) to say.
///
/// Each task then stands in one place. Cost: linear in the tasks, where a statement moves words.
///
/// ```
/// use superstep_codegen::moves::gathered;
/// use superstep_scheduler::Schedule;
/// use superstep_tracer::{Kernel, Role, record};
///
/// let mut kernel = Kernel::new("reverse");
/// let x = kernel.add_array("x", Role::Input, None);
/// let y = kernel.add_array("y", Role::InOut, None);
/// kernel.add_statement("y[i] = x[n - 1 - i]", y, &[x]);
/// kernel.add_statement("y[i] *= y[i]", y, &[y, y]);
/// let trace = record(kernel, 100, |recorder| {
///     (0..4).for_each(|i| recorder.push(0, i, &[3 - i]));
///     (0..4).for_each(|i| recorder.push(1, i, &[i, i]));
/// })?;
/// let schedule = Schedule::from_lists(2, [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]);
/// let gathered = gathered(&trace, &schedule).expect("both processors move words");
/// assert_eq!((gathered.tasks(0, 0), gathered.tasks(0, 1)), (&[0, 1, 2, 3][..], &[][..]));
/// assert_eq!((gathered.tasks(1, 0), gathered.tasks(1, 1)), (&[4, 5][..], &[6, 7][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gathered(trace: &Trace, schedule: &Schedule) -> Option<Schedule> {
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
    let mut gathered = Schedule::new(processors as u32);
    gathered.push((0..trace.tasks() as u32).filter(|&task| is_first(task)));
    (1..processors).for_each(|_| gathered.push([]));
    for superstep in 0..schedule.supersteps() {
        let lists = schedule.superstep(superstep);
        let rest = lists.map(|list| list.iter().copied().filter(|&task| !is_first(task)));
        if rest.clone().any(|mut rest| rest.next().is_some()) {
            rest.for_each(|rest| gathered.push(rest));
        }
    }
    Some(gathered)
}

/// Per task: whether it does nothing but move a word that nothing is computed from before; none, if no statement moves words.
fn first_moves(trace: &Trace) -> Option<Vec<bool>> {
    let moves: Vec<bool> = trace.kernel().statements.iter().map(is_move).collect();
    if !moves.contains(&true) {
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
        is_first[task as usize] = moves[usize::from(tasks.statement(task))] && waits_for_none();
    }
    Some(is_first)
}
