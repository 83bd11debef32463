//! Processors with memory of their own hold the words that they use, and no others.

mod support;

use superstep_compiler::CheckedProgram;
use superstep_plan::Plan;
use superstep_tracer::Trace;
use support::{by_owner, jacobi, lu, program};

/// Makes the program in which each word has one owner.
fn owned(trace: &Trace, processors: u32, owner: impl Fn(u32) -> u32) -> CheckedProgram {
    let owner = |trace: &Trace, task: u32| owner(trace.writes()[task as usize]);
    program(trace, &by_owner(trace, processors, owner))
}

/// Returns the largest part of an array that any processor holds.
fn share(trace: &Trace, plan: &Plan, array: usize) -> f64 {
    let words = (0..plan.processors as usize).map(|processor| plan.lengths(processor)[array]);
    f64::from(words.max().unwrap_or(0)) / f64::from(trace.extents()[array])
}

/// A processor has its part of the matrix, and what it received last. Of the columns or rows that
/// pass through all processors this is one, or one of both.
#[test]
fn a_part_of_a_matrix_is_held_by_its_owner() {
    for (n, processors) in [(64_u32, 4), (64, 2), (48, 3), (50, 4)] {
        let trace = lu(n as usize);
        let own = f64::from(n.div_ceil(processors)) / f64::from(n);
        let most = |others: u32| own + f64::from(others) / f64::from(n);
        let columns = owned(&trace, processors, |word| word % n % processors);
        let of_columns = share(&trace, columns.plan(), 0);
        assert!(of_columns <= most(1), "{n} {processors}: {of_columns}");
        let rows = owned(&trace, processors, |word| word / n % processors);
        let of_rows = share(&trace, rows.plan(), 0);
        assert!(of_rows <= most(2), "{n} {processors}: {of_rows}");
    }
    let n = 64;
    let trace = lu(n);
    let n = n as u32;
    let grid = owned(&trace, 4, |word| word / n % 2 + 2 * (word % n % 2));
    let of_grid = share(&trace, grid.plan(), 0);
    assert!(of_grid <= 0.25 + 2.0 / f64::from(n), "{of_grid}");
}

/// A processor has its rows, and those next to them.
#[test]
fn rows_of_a_grid_are_held_by_their_owner_with_halos() {
    let n = 66;
    let trace = jacobi(n, 2);
    for processors in [2, 4, 8] {
        let rows = (n as u32).div_ceil(processors);
        let by_rows = owned(&trace, processors, |word| word / n as u32 / rows);
        for array in 0..2 {
            let share = share(&trace, by_rows.plan(), array);
            let most = f64::from(rows + 2) / n as f64;
            assert!(share <= most, "{processors} processors, {array}: {share}");
        }
    }
}

/// Loops of one processor are those of another with other slots: all step by the same.
#[test]
fn loops_over_columns_stay_few() {
    let n = 64;
    let trace = lu(n);
    let runs = |processors| {
        let by_columns = owned(&trace, processors, |word| word % n as u32 % processors);
        let plan = by_columns.plan();
        let terms: usize = plan.code.iter().map(|code| code.terms.len()).sum();
        terms as u32 / plan.supersteps / processors
    };
    for processors in [2, 4] {
        assert!(runs(processors) <= 6, "{processors}: {}", runs(processors));
    }
}
