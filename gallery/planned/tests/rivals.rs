//! Where two plans are worth timing, calls try both, and every call has the bits of the function.

mod patterns;

use std::collections::BTreeSet;
use std::path::Path;

use patterns::{Pattern, bits, costs, lower, start};
use proptest::prelude::*;
use superstep::plan::Costs;
use superstep_planned::kernels;

/// Lines of a grid, whose rows need those above and to the left; some need another one far above.
fn grid(side: usize) -> Pattern {
    let row = |i: usize| {
        let far = (i.is_multiple_of(7) && i > side).then_some(i / 3);
        let above = i.checked_sub(side);
        let left = (!i.is_multiple_of(side)).then(|| i - 1);
        let mut row: Vec<u32> = [far, above, left]
            .into_iter()
            .flatten()
            .map(|j| j as u32)
            .collect();
        row.sort_unstable();
        row.dedup();
        row.push(i as u32);
        row
    };
    Pattern::of((0..side * side).map(row).collect())
}

/// Waits that cost little: several schedules are predicted to gain, and none all that there is.
const CHEAP: Costs = Costs {
    word: 1.0,
    iteration: 4,
    wait: 60.0,
    chunk: 5.0,
    jump: 1.0,
    crossing: 4.0,
    least: 8.0,
};

#[test]
fn calls_try_both_plans_and_keep_the_bits() {
    let pattern = grid(40);
    let (n, values) = (pattern.size(), pattern.values());
    let mut expected = start(n);
    kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
    let plan = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let plan = plan.processors(2).costs(CHEAP).build().unwrap();
    let mut supersteps = BTreeSet::new();
    for _ in 0..40 {
        let mut x = start(n);
        plan.run(&values, &mut x).unwrap();
        supersteps.extend(superstep::last_run().map(|ran| ran.supersteps));
        assert_eq!(bits(&x), bits(&expected));
    }
    assert_eq!(supersteps.len(), 2, "{}", plan.report());

    // The faster one is kept.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rivals.plan");
    plan.save(&path).unwrap();
    let opened = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let opened = opened.open(&path).unwrap();
    assert_eq!(opened.report(), plan.report());
    for _ in 0..20 {
        let mut x = start(n);
        opened.run(&values, &mut x).unwrap();
        assert_eq!(bits(&x), bits(&expected));
    }
}

#[test]
fn both_plans_are_loaded_until_one_is_known_to_be_faster() {
    let pattern = grid(40);
    let (n, values) = (pattern.size(), pattern.values());
    let mut expected = start(n);
    kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
    let plan = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let plan = plan.processors(2).costs(CHEAP).build().unwrap();
    let mut loaded = plan.load(&vec![2.5; values.len()]).unwrap();
    let both = loaded.bytes();
    let mut supersteps = BTreeSet::new();
    let mut run = |loaded: &kernels::forward::Loaded<'_>, calls| {
        for _ in 0..calls {
            let mut x = start(n);
            loaded.run(&mut x).unwrap();
            supersteps.extend(superstep::last_run().map(|ran| ran.supersteps));
            assert_eq!(bits(&x), bits(&expected));
        }
    };
    loaded.update(&values).unwrap();
    assert_eq!(loaded.bytes(), both);
    run(&loaded, 40);
    loaded.update(&values).unwrap();
    assert!(loaded.bytes() < both, "{} {both}", loaded.bytes());
    run(&loaded, 40);
    assert_eq!(supersteps.len(), 2, "{}", plan.report());
    // Calls of the plan find out for what is loaded later.
    for _ in 0..40 {
        plan.run(&values, &mut start(n)).unwrap();
    }
    assert!(plan.load(&values).unwrap().bytes() < both);
}

#[test]
fn who_insists_on_processors_has_one_plan() {
    let pattern = grid(40);
    let (n, values) = (pattern.size(), pattern.values());
    let plan = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let plan = plan.exactly(2).costs(CHEAP).build().unwrap();
    let supersteps = (0..40).map(|_| {
        plan.run(&values, &mut start(n)).unwrap();
        superstep::last_run().unwrap().supersteps
    });
    assert_eq!(supersteps.collect::<BTreeSet<_>>().len(), 1);
}

#[test]
fn two_plans_are_shared_by_threads() {
    let pattern = grid(40);
    let (n, values) = (pattern.size(), pattern.values());
    let mut expected = start(n);
    kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
    let plan = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let plan = plan.processors(2).costs(CHEAP).build().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..60 {
                    let mut x = start(n);
                    plan.run(&values, &mut x).unwrap();
                    assert_eq!(bits(&x), bits(&expected));
                }
            });
        }
    });
}

proptest! {
    #[test]
    fn every_call_of_any_pattern_has_the_bits(pattern in lower(), processors in 2..9_usize, costs in costs()) {
        let (n, values) = (pattern.size(), pattern.values());
        let mut expected = start(n);
        kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
        let costs = Costs { wait: 10.0, chunk: 1.0, jump: 0.5, crossing: 1.0, ..costs };
        let plan = kernels::forward::plan(n, &pattern.row, &pattern.col).processors(processors).costs(costs).build().unwrap();
        for _ in 0..13 {
            let mut x = start(n);
            plan.run(&values, &mut x).unwrap();
            prop_assert_eq!(bits(&x), bits(&expected));
        }
    }
}
