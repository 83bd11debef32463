//! Groups of a trace's tasks that are one for schedulers: grains, and temporaries with the task
//! that uses them.
//!
//! The tasks of one [grain](Trace::grains) are one. They are an interval of the run, so that grains
//! never wait for each other in a circle.
//!
//! # Temporaries
//! `let t = a[i] * b[j]; y[i] += t;` is two tasks, of which the second is the only reader of the
//! first. Such pairs inflate the graph, and the values of one local scalar collide in memory as
//! soon as tasks change places. Merged, they are one task that runs its assignments in order.
//!
//! A task `u` joins its reader `v` when
//! 1. `u` writes a `Local` word and `v` is the only task that reads that value;
//! 2. that loses no parallelism: with `u` in it, `v` can still be done by its *latest finish*. That
//!    is the time that the rest of the graph leaves it if everything is to be done by the deadline.
//!    The deadline is `D = max(C, W / (8 P))`. There `C` is the critical path, `W` the total work
//!    and `P` the number of processors to plan for.
//!
//! So the critical path of the contracted graph is at most `D`. Every schedule that never idles
//! without cause takes at most `W / P + C` (Graham 1969; Brent 1974): contraction leaves that bound
//! as it is, or raises it to no more than 9/8 of the even share `W / P`. With `P` = [`ANY`],
//! `D = C`: the critical path stays what it was, and so does the average parallelism `W / C`.
//!
//! A chain `s += x` in which every task waits for nothing but the one before always becomes one
//! task.

use superstep_dag::{Contraction, Dag, earliest_finishes, latest_finishes};
use superstep_tracer::{Role, Statement, Trace};

/// Number that stands for as many processors as there may be: contraction never lengthens the
/// critical path.
pub const ANY: u32 = u32::MAX;

/// Part of each processor's even share of the work that the critical path may grow to.
const SHARE: u64 = 8;

/// Makes one task of each grain of `trace`, whose graph (weighted or not) is `graph`, and then
/// contracts temporaries; see the [module's page](self). None, where every task stays one by
/// itself.
///
/// Cost: a few passes over the edges, 28 bytes per task for their duration.
///
/// # Panics
/// When `graph` is not of that trace, and when the work of a grain is 2^32 or more.
///
/// ```
/// use superstep_dag_builder::contract::{ANY, contract};
/// use superstep_dag_builder::from_trace;
/// use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, record};
///
/// // for i in 0..2 { let mut s = 0.0; for j in 0..3 { s += a[3 * i + j]; } y[i] = s; }
/// let mut kernel = Kernel::new("sums");
/// let a = kernel.add_array("a", Role::Input, None);
/// let y = kernel.add_array("y", Role::InOut, None);
/// let s = kernel.add_array("s", Role::Local, Some(1));
/// let zero = kernel.add_statement("s = 0.0", s, &[]);
/// let add = kernel.add_statement("s += a[3 * i + j]", s, &[s, a]);
/// let store = kernel.add_statement("y[i] = s", y, &[s]);
/// let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
///     for i in 0..2 {
///         recorder.task(zero, s, 0, []);
///         for j in 0..3 {
///             recorder.task(add, s, 0, [(s, 0), (a, 3 * i + j)]);
///         }
///         recorder.task(store, y, i, [(s, 0)]);
///     }
/// })?;
/// let rows = contract(&trace, &from_trace(&trace), ANY).expect("there are temporaries");
/// assert_eq!(rows.graph().tasks(), 2);
/// assert_eq!(rows.members(1), [5, 6, 7, 8, 9]);
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn contract(trace: &Trace, graph: &Dag, processors: u32) -> Option<Contraction> {
    assert!(
        graph.tasks() == trace.tasks() && graph.ids_are_topological(),
        "the graph is the trace's"
    );
    let kernel = trace.kernel();
    let is_local = |s: &Statement| kernel.array(s.target).role == Role::Local;
    let local: Vec<bool> = kernel.statements.iter().map(is_local).collect();
    let is_local = |task: u32| local[usize::from(trace.statements()[task as usize])];
    if trace.grains().is_empty() {
        return local
            .contains(&true)
            .then(|| temporaries(graph, processors, is_local))?;
    }
    let grains = Contraction::of_intervals(graph, trace.grains());
    let joined = temporaries(
        grains.graph(),
        processors,
        |group| matches!(grains.members(group), &[task] if is_local(task)),
    );
    Some(match joined {
        Some(joined) => grains.then(joined),
        None => grains,
    })
}

/// Contracts the temporaries of a graph whose tasks may write local words; `None` without any.
fn temporaries(
    graph: &Dag,
    processors: u32,
    is_local: impl Fn(u32) -> bool,
) -> Option<Contraction> {
    let temporary: Vec<bool> = (0..graph.tasks() as u32)
        .map(|task| is_local(task) && graph.successors(task).len() == 1)
        .collect();
    if !temporary.contains(&true) {
        return None;
    }
    let critical = earliest_finishes(graph).into_iter().max().unwrap_or(0);
    let share = graph.total_work() / (SHARE * u64::from(processors.max(1)));
    let last = absorb(graph, &temporary, critical.max(share));
    // All that leaves a group leaves its last task: numbered by that, groups come after those that
    // they read.
    let mut groups = vec![0; last.len()];
    let mut count = 0;
    for task in 0..last.len() {
        if last[task] as usize == task {
            groups[task] = count;
            count += 1;
        }
    }
    for task in 0..last.len() {
        groups[task] = groups[last[task] as usize];
    }
    Some(Contraction::of_groups(graph, &groups, count as usize))
}

/// Finds, per task, the group's last task: itself, where it does not join its reader.
///
/// Tasks are decided on in trace order, so that all about the tasks before is known. `finishes`
/// keeps to the latest finishes throughout. Alone, `v` is done in time because its predecessors
/// are; with others in it, because that is what is asked.
fn absorb(graph: &Dag, temporary: &[bool], deadline: u64) -> Vec<u32> {
    let latest = latest_finishes(graph, deadline);
    let tasks = graph.tasks();
    let mut joined: Vec<u32> = (0..tasks as u32).collect();
    // Per group (at its last task): when its other operands are there, its work, and when it is
    // done.
    let (mut ready, mut work, mut finishes) =
        (vec![0_u64; tasks], vec![0_u32; tasks], vec![0_u64; tasks]);
    let mut candidates: Vec<u32> = Vec::new();
    for v in 0..tasks as u32 {
        let (mut start, mut weight) = (0, graph.weight(v));
        candidates.clear();
        for &u in graph.predecessors(v) {
            if temporary[u as usize] {
                candidates.push(u);
            } else {
                start = start.max(finishes[u as usize]);
            }
        }
        // The one that is done last is waited for anyway: joined, it costs least.
        candidates.sort_unstable_by_key(|&u| (finishes[u as usize], u));
        while let Some(u) = candidates.pop() {
            let others = candidates.last().map_or(0, |&c| finishes[c as usize]);
            let begin = start.max(ready[u as usize]);
            let sum = weight.checked_add(work[u as usize]);
            match sum.filter(|&w| begin.max(others) + u64::from(w) <= latest[v as usize]) {
                Some(sum) => {
                    joined[u as usize] = v;
                    (start, weight) = (begin, sum);
                }
                None => start = start.max(finishes[u as usize]),
            }
        }
        let at = v as usize;
        (ready[at], work[at], finishes[at]) = (start, weight, start + u64::from(weight));
    }
    // Readers come later, so their groups are known when a task is reached backwards.
    for u in (0..tasks).rev() {
        joined[u] = joined[joined[u] as usize];
    }
    joined
}
