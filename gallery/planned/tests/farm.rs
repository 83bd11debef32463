//! Farms: parts that do not depend on each other are shared by the processors, and every run has
//! the bits of the function.

mod patterns;

use std::path::Path;

use patterns::{Pattern, bits, costs, start};
use proptest::prelude::*;
use superstep::{
    Reason,
    plan::{Costs, Schedule},
};
use superstep_planned::kernels;

/// Chains of rows: row i needs the one `stride` before it, if that is of the same block.
fn chains(n: usize, stride: usize, block: usize) -> Pattern {
    let row = |i: usize| {
        let before = i
            .checked_sub(stride)
            .filter(|before| before / block == i / block);
        before.into_iter().chain([i]).map(|j| j as u32).collect()
    };
    Pattern::of((0..n).map(row).collect())
}

fn solution(pattern: &Pattern) -> Vec<u64> {
    let mut x = start(pattern.size());
    kernels::forward(
        pattern.size(),
        &pattern.row,
        &pattern.col,
        &pattern.values(),
        &mut x,
    );
    bits(&x)
}

proptest! {
    #[test]
    fn batches_have_the_bits_of_the_function(n in 1..400_usize, stride in 1..40_usize, block in 1..200_usize, processors in 1..9_usize, costs in costs()) {
        let pattern = chains(n, stride, block);
        let (values, expected) = (pattern.values(), solution(&pattern));
        let planner = kernels::forward::plan(n, &pattern.row, &pattern.col).exactly(processors).costs(costs);
        for schedule in [Schedule::Farm, Schedule::Fastest] {
            let plan = planner.schedule(schedule).build().unwrap();
            let loaded = plan.load(&values).unwrap();
            for _ in 0..2 {
                let (mut x, mut y) = (start(n), start(n));
                plan.run(&values, &mut x).unwrap();
                if let Some(ran) = superstep::last_run() {
                    prop_assert!(ran.processors <= processors);
                }
                loaded.run(&mut y).unwrap();
                prop_assert_eq!(bits(&x), expected.clone());
                prop_assert_eq!(bits(&y), expected.clone());
            }
        }
    }

    #[test]
    fn the_first_failure_is_the_error_whoever_runs_it(bad in prop::collection::btree_set(0..2000_usize, 0..5), processors in 2..9_usize) {
        let n = 2000;
        let bad: Vec<bool> = (0..n).map(|i| bad.contains(&i)).collect();
        let before: Vec<usize> = (0..n).collect();
        let plan = kernels::failing::plan(n, &before).exactly(processors).schedule(Schedule::Farm).build().unwrap();
        let message = bad.iter().position(|&bad| bad).map(|first| format!("row {first} is bad"));
        for _ in 0..3 {
            let ended = plan.run(&bad, &mut vec![1; n]).err().map(|error| error.to_string());
            match (&ended, &message) {
                (Some(ended), Some(message)) => prop_assert!(ended.ends_with(message), "{} {}", ended, message),
                _ => prop_assert_eq!(ended, message.clone()),
            }
        }
    }
}

#[test]
fn a_batch_is_a_farm_for_any_number_of_processors_and_threads() {
    let pattern = chains(40_000, 1, 100);
    let (n, values, expected) = (pattern.size(), pattern.values(), solution(&pattern));
    for processors in [2, 3, 8, 64] {
        let planner = kernels::forward::plan(n, &pattern.row, &pattern.col).exactly(processors);
        let plan = planner.build().unwrap();
        assert!(
            plan.report().to_string().contains("* farm"),
            "{}",
            plan.report()
        );
        let solve = || {
            for _ in 0..10 {
                let mut x = start(n);
                plan.run(&values, &mut x).unwrap();
                assert_eq!(bits(&x), expected);
                let ran = superstep::last_run().unwrap();
                assert_eq!(ran.processors, processors);
                assert!((1..=processors).contains(&ran.worked));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(solve);
            scope.spawn(solve);
        });
    }
}

#[test]
fn a_farm_in_a_file_is_a_farm() {
    let pattern = chains(40_000, 1, 100);
    let (n, values, expected) = (pattern.size(), pattern.values(), solution(&pattern));
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col).exactly(3);
    let plan = planner.build().unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("farm.plan");
    plan.save(&path).unwrap();
    let opened = planner.open(&path).unwrap();
    assert_eq!(opened.report(), plan.report());
    let mut x = start(n);
    opened.run(&values, &mut x).unwrap();
    assert_eq!(bits(&x), expected);
    assert_eq!(superstep::last_run().unwrap().processors, 3);
}

#[test]
fn one_chain_is_no_farm() {
    let pattern = chains(3000, 1, 3000);
    let (n, values, expected) = (pattern.size(), pattern.values(), solution(&pattern));
    let costs = Costs {
        wait: 1.0,
        ..Costs::default()
    };
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col)
        .exactly(2)
        .costs(costs);
    let plan = planner.schedule(Schedule::Farm).build().unwrap();
    let mut x = start(n);
    plan.run(&values, &mut x).unwrap();
    assert_eq!(bits(&x), expected);
    assert_eq!(superstep::last_run().unwrap().processors, 1);
    assert_eq!(superstep::last_reason(), Some(Reason::Sequential));
}
