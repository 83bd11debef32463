//! Unroll and jam: runs that wait for themselves, a few of them side by side.
//!
//! A sweep (dynamic programming, Gauss-Seidel, a substitution on a grid) goes along a row in which
//! every word waits for the one before. A core has little else to do meanwhile. The next row needs
//! of this one only what is there already, so rows that follow each other are executed together. An
//! iteration of the first comes first, then one of the second, and so on; then the next iteration
//! of each. What a row hands on to the one below it stays in a register besides.
//!
//! The order is only good if it respects flow; that is tested task by task.

use superstep_plan::{Body, Code, Run};
use superstep_tracer::Kernel;

use crate::pattern::signature::{Use, uses};
use crate::place::tasks::Tasks;
use crate::reorder::flow::Flow;

/// Numbers of runs side by side that are tried: with more there are too few registers.
///
/// A row of a sweep waits word for word. Two or four rows at a time take half the time
/// (substitution) or a tenth less (longest common subsequences).
pub(crate) const RUNS: [usize; 2] = [2, 4];

/// Most tasks between two runs, which are executed before both.
const BETWEEN: usize = 8;

/// Fewest iterations of a run that is worth it.
const SHORT: usize = 8;

/// A run of a list in which every iteration waits for the one before.
pub(crate) struct WaitingRun {
    /// Position in the list of its first task.
    begin: usize,
    /// Tasks of an iteration.
    tasks: usize,
    count: usize,
    /// Set if it has the body, the count and the steps of the waiting run before it.
    is_like_before: bool,
}

impl WaitingRun {
    fn end(&self) -> usize {
        self.begin + self.tasks * self.count
    }
}

/// Finds the runs that wait for themselves in the `code` of a list, of which the `bodies` know
/// nothing.
///
/// Cost: a look at each run.
pub(crate) fn waiting_runs(kernel: &Kernel, bodies: &[Body], code: &Code) -> Vec<WaitingRun> {
    let uses: Vec<Vec<Use>> = bodies
        .iter()
        .map(|body| uses(kernel, body.statements()))
        .collect();
    let (mut runs, mut steps): (Vec<WaitingRun>, Vec<i64>) = (Vec::new(), Vec::new());
    let (mut position, mut last) = (0, 0);
    code.walk(bodies, &mut |number, run| {
        let body = &bodies[number];
        let one = WaitingRun {
            begin: position,
            tasks: body.statements().len(),
            count: run.count(),
            is_like_before: runs.last().is_some_and(|before| {
                last == number
                    && before.count == run.count()
                    && body.steps(run).eq(steps.iter().copied())
            }),
        };
        position = one.end();
        if one.count >= SHORT && waits(&uses[number], body, run) {
            if !one.is_like_before {
                steps.clear();
                steps.extend(body.steps(run));
                last = number;
            }
            runs.push(one);
        }
    });
    runs
}

/// Returns whether an iteration of a run reads what the one before has written to another word.
fn waits(uses: &[Use], body: &Body, run: Run<'_>) -> bool {
    let is_behind = |read: usize, written: usize| {
        let step = body.step(read, run);
        step != 0
            && step == body.step(written, run)
            && body.start(read, run) + step == body.start(written, run)
    };
    (0..uses.len()).any(|read| {
        let Use::Read(array) = uses[read] else {
            return false;
        };
        (0..uses.len()).any(|c| uses[c] == Use::Write(array) && is_behind(read, c))
    })
}

/// Returns the tasks of a list with its waiting `runs` side by side, at most `most` of them. There
/// are none if no two can be, or if that breaks a flow dependence.
///
/// Cost: two walks over the operands.
pub(crate) fn jam(
    tasks: &Tasks<'_>,
    flow: &mut Flow,
    list: &[u32],
    runs: &[WaitingRun],
    most: usize,
) -> Option<Vec<u32>> {
    let mut sorted = Vec::with_capacity(list.len());
    let mut at = 0;
    let follows = |a: &WaitingRun, b: &WaitingRun| b.is_like_before && b.begin - a.end() <= BETWEEN;
    let neighbours = runs.chunk_by(follows).flat_map(|alike| alike.chunks(most));
    for group in neighbours.filter(|group| group.len() > 1) {
        sorted.extend_from_slice(&list[at..group[0].begin]);
        for pair in group.windows(2) {
            sorted.extend_from_slice(&list[pair[0].end()..pair[1].begin]);
        }
        for iteration in 0..group[0].count {
            for one in group {
                let begin = one.begin + iteration * one.tasks;
                sorted.extend_from_slice(&list[begin..begin + one.tasks]);
            }
        }
        at = group[group.len() - 1].end();
    }
    sorted.extend_from_slice(&list[at..]);
    (at > 0 && flow.is_respected(tasks, &sorted)).then_some(sorted)
}
