//! Waits in programs whose processors share arrays: all who must wait, and nobody else.

mod support;

use proptest::prelude::*;
use superstep_compiler::replay::{ReplayError, replay};
use superstep_compiler::{Passes, Program, lower};
use superstep_dag_builder::from_trace;
use superstep_machine::{Memory, Times};
use superstep_plan::Precedence;
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_tracer::{Kernel, Role, Trace};
use support::{by_owner, jacobi, lcs, lu};

fn assembled(trace: &Trace, schedule: Schedule) -> Program {
    let graph = from_trace(trace);
    let schedule = CheckedSchedule::new(&graph, schedule).expect("valid");
    let program = lower(
        trace,
        &schedule,
        Memory::Shared,
        &Times::default(),
        Passes::ALL,
    )
    .expect("a schedule of the trace");
    assert_eq!(replay(trace, &program), Ok(()));
    program
}

/// Returns the pairs of processors, first who waits.
fn pairs(program: &Program) -> Vec<(u32, u32)> {
    let waits = program.plan.precedences.iter();
    let mut pairs: Vec<_> = waits.map(|wait| (wait.processor, wait.peer)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[test]
fn in_a_pipeline_nobody_waits_for_those_behind() {
    const N: usize = 24;
    let trace = lcs(N, N);
    // Blocks of rows.
    let owner = |trace: &Trace, task: u32| {
        (trace.writes()[task as usize] / (N as u32 + 1)).saturating_sub(1) / (N as u32 / 4)
    };
    let program = assembled(&trace, by_owner(&trace, 4, owner));
    assert_eq!(pairs(&program), [(1, 0), (2, 1), (3, 2)]);
}

#[test]
fn in_a_stencil_neighbours_wait_for_each_other() {
    const N: usize = 18;
    let trace = jacobi(N, 3);
    let owner = |trace: &Trace, task: u32| (trace.writes()[task as usize] / N as u32 - 1) / 4;
    let program = assembled(&trace, by_owner(&trace, 4, owner));
    assert_eq!(
        pairs(&program),
        [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]
    );
}

/// Makes a program in which `x[0]` is read by the first `readers` of processors, one after the
/// other, and then overwritten by the last one.
fn overwritten(readers: u32) -> (Trace, Program) {
    let mut kernel = Kernel::new("overwritten");
    let x = kernel.add_array("x", Role::InOut, None);
    let y = kernel.add_array("y", Role::InOut, None);
    kernel.add_statement("y[i] = f(x[0])", y, &[x]);
    kernel.add_statement("x[0] = g()", x, &[]);
    let trace = support::traced(kernel, |recorder| {
        (0..readers as usize).for_each(|i| recorder.push(0, i, &[0]));
        recorder.push(1, 0, &[]);
    });
    let processors = readers as usize + 1;
    let supersteps = (0..=readers).map(|task| {
        let mut lists = vec![vec![]; processors];
        lists[task as usize] = vec![task];
        lists
    });
    let program = assembled(&trace, Schedule::from_lists(processors as u32, supersteps));
    (trace, program)
}

#[test]
fn who_overwrites_waits_for_all_readers() {
    for readers in 1..8 {
        let (trace, mut program) = overwritten(readers);
        assert_eq!(program.plan.shared, [true, true]);
        let plan = &mut program.plan;
        assert!(
            plan.precedences
                .iter()
                .all(|wait| wait.superstep == readers && wait.processor == readers)
        );
        let peers: Vec<u32> = plan.precedences.iter().map(|wait| wait.peer).collect();
        assert_eq!(peers, Vec::from_iter(0..readers));
        for missing in 0..readers {
            let mut broken = program.clone();
            broken.plan.precedences.remove(missing as usize);
            let found = replay(&trace, &broken);
            assert!(
                matches!(found, Err(ReplayError::Race { .. })),
                "{readers} readers, without {missing}: {found:?}"
            );
        }
    }
}

#[test]
fn contradictions_are_refused() {
    let (trace, mut program) = overwritten(2);
    program.plan.precedences.push(Precedence {
        superstep: 9,
        processor: 0,
        peer: 1,
        ended: 0,
    });
    assert!(matches!(
        replay(&trace, &program),
        Err(ReplayError::Plan(_))
    ));
}

/// Makes a trace of some hundred tasks, and a program of it. The words that it writes are dealt to
/// owners at random in blocks of random length.
fn dealt(which: usize, seed: u64, processors: u64) -> (Trace, Program) {
    let trace = [|| lcs(9, 9), || jacobi(8, 4), || lu(9)][which]();
    let block = 1 + seed % 7;
    let owner = |trace: &Trace, task: u32| {
        let word = (u64::from(trace.writes()[task as usize]) / block).wrapping_add(seed);
        (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 % processors as u32
    };
    let program = assembled(&trace, by_owner(&trace, processors as u32, owner));
    (trace, program)
}

proptest! {
    /// Between two processors, each precedence is for a word that one of them writes.
    #[test]
    fn none_can_be_left_out(which in 0..3_usize, seed: u64, place: prop::sample::Index) {
        let (trace, mut program) = dealt(which, seed, 2);
        prop_assert!(program.plan.messages.is_empty() && !program.plan.precedences.is_empty());
        let missing = program.plan.precedences.remove(place.index(program.plan.precedences.len()));
        let found = replay(&trace, &program);
        prop_assert!(matches!(found, Err(ReplayError::Race { .. })), "{:?}: {:?}", missing, found);
    }

    /// Between more processors, not all precedences can be left out together.
    #[test]
    fn not_all_can_be_left_out(which in 0..3_usize, seed: u64, processors in 3..7_u64) {
        let (trace, mut program) = dealt(which, seed, processors);
        program.plan.precedences.clear();
        let found = replay(&trace, &program);
        prop_assert!(matches!(found, Err(ReplayError::Race { .. })), "{:?}", found);
    }
}
