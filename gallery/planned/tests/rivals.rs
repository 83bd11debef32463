//! Calls try both of two plans that are worth timing, and every call has the bits of the function.

mod patterns;

use std::collections::BTreeSet;
use std::path::Path;

use patterns::{Pattern, bits, costs, lower, start};
use proptest::prelude::*;
use superstep::Ran;
use superstep::plan::{Costs, Schedule};
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

/// The most runs until both plans were tried.
const MOST: usize = 500_000;

/// A system with the bits of its solution.
struct System {
    pattern: Pattern,
    values: Vec<f64>,
    expected: Vec<u64>,
}

impl System {
    fn of(pattern: Pattern) -> Self {
        let (n, values) = (pattern.size(), pattern.values());
        let mut x = start(n);
        kernels::forward(n, &pattern.row, &pattern.col, &values, &mut x);
        Self {
            expected: bits(&x),
            pattern,
            values,
        }
    }

    fn grid() -> Self {
        Self::of(grid(40))
    }

    fn planner(&self) -> kernels::forward::Planner<'_> {
        kernels::forward::plan(self.pattern.size(), &self.pattern.row, &self.pattern.col)
    }

    /// Two plans for two processors.
    fn rivals(&self) -> kernels::forward::Planned<'_> {
        let planner = self.planner().processors(2).costs(CHEAP);
        planner.build().unwrap()
    }

    /// Solves by runs until two plans have run, and some more: the supersteps of these. Where
    /// others keep the cores, runs wait with a plan until its trial is paid for.
    fn tried<E: std::fmt::Debug>(
        &self,
        mut run: impl FnMut(&mut [f64]) -> Result<(), E>,
    ) -> BTreeSet<usize> {
        let mut supersteps = BTreeSet::new();
        let mut solve = |supersteps: &mut BTreeSet<usize>| supersteps.extend(self.solve(&mut run));
        for _ in 0..MOST {
            solve(&mut supersteps);
            if supersteps.len() == 2 {
                (0..40).for_each(|_| solve(&mut supersteps));
                break;
            }
        }
        supersteps
    }

    /// Solves by a run: its supersteps, if it was one of a plan on several processors.
    fn solve<E: std::fmt::Debug>(
        &self,
        run: impl FnOnce(&mut [f64]) -> Result<(), E>,
    ) -> Option<usize> {
        let mut x = start(self.pattern.size());
        run(&mut x).unwrap();
        assert_eq!(bits(&x), self.expected);
        let ran = superstep::last_run().filter(|ran| ran.processors > 1);
        ran.map(|ran| ran.supersteps)
    }
}

#[test]
fn plans_for_few_calls_are_in_order_and_have_the_bits_of_the_function() {
    let System {
        pattern,
        values,
        expected,
    } = System::of(grid(60));
    let plan = |calls| {
        kernels::forward::plan(pattern.size(), &pattern.row, &pattern.col)
            .processors(2)
            .costs(CHEAP)
            .expected_calls(calls)
            .build()
            .unwrap()
    };
    let few = plan(1);
    let [_, least] = few.report().unpaid.expect("one call cannot pay");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("few.plan");
    few.save(&file).unwrap();
    let planner = kernels::forward::plan(pattern.size(), &pattern.row, &pattern.col);
    let opened = planner.open(&file).unwrap();
    let reason = opened.report().why_sequential().unwrap();
    assert!(reason.starts_with("nothing was scheduled: "), "{reason}");
    assert!(plan(least).report().unpaid.is_none());
    for plan in [few, plan(least)] {
        for _ in 0..20 {
            let mut x = start(pattern.size());
            plan.run(&values, &mut x).unwrap();
            assert_eq!(bits(&x), expected);
        }
    }
}

#[test]
fn calls_try_both_plans_and_keep_the_bits() {
    let system = System::grid();
    let plan = system.rivals();
    let supersteps = system.tried(|x| plan.run(&system.values, x));
    assert_eq!(supersteps.len(), 2, "{}", plan.report());

    // The faster one is kept.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rivals.plan");
    plan.save(&path).unwrap();
    let opened = system.planner().open(&path).unwrap();
    assert_eq!(opened.report(), plan.report());
    for _ in 0..20 {
        system.solve(|x| opened.run(&system.values, x));
    }
}

#[test]
fn two_forms_are_loaded_until_one_is_known_to_be_faster() {
    let system = System::grid();
    let (plan, values) = (system.rivals(), &system.values);
    let mut loaded = plan.load(&vec![2.5; values.len()]).unwrap();
    let both = loaded.bytes();
    loaded.update(values).unwrap();
    assert_eq!(loaded.bytes(), both);
    let is_known = (0..MOST).any(|_| {
        system.solve(|x| loaded.run(x));
        loaded.update(values).unwrap();
        loaded.bytes() < both
    });
    assert!(is_known);
    for _ in 0..40 {
        system.solve(|x| loaded.run(x));
    }
}

#[test]
fn loaded_is_the_plan_that_is_predicted_to_be_fastest_so() {
    let side = 400;
    let row = |i: usize| {
        let left = (!i.is_multiple_of(side)).then(|| i - 1);
        let before = i.checked_sub(side).into_iter().chain(left).chain([i]);
        before.map(|j| j as u32).collect()
    };
    let system = System::of(Pattern::of((0..side * side).map(row).collect()));
    let plan = system.planner().processors(2).build().unwrap();
    let loaded = plan.load(&system.values).unwrap();
    // In place lines go by lines, loaded by level.
    let [in_place, by_tape] = [plan.report(), loaded.report()];
    assert_ne!(in_place.chosen().algorithm, by_tape.chosen().algorithm);
    assert!(by_tape.predicted_loaded() < in_place.predicted_loaded());
    system.solve(|x| loaded.run(x));
}

#[test]
fn one_thread_runs_all_processors_of_a_loaded_plan() {
    // Chains of 20 rows, which may be a farm.
    let chained = |i: usize| {
        let before = (!i.is_multiple_of(20)).then(|| i as u32 - 1);
        before.into_iter().chain([i as u32]).collect()
    };
    let chains = System::of(Pattern::of((0..4000).map(chained).collect()));
    let grid = System::grid();
    let schedules = [
        Schedule::Farm,
        Schedule::Levels,
        Schedule::GrowLocal,
        Schedule::Owners(2),
        Schedule::Fastest,
    ];
    let mut longest = 0;
    for (system, schedules) in [(&chains, &schedules[..]), (&grid, &schedules[1..])] {
        for (&schedule, processors) in schedules.iter().zip([2, 3, 8].into_iter().cycle()) {
            let planner = system.planner().processors(processors).costs(CHEAP);
            let plan = planner.schedule(schedule).build().unwrap();
            let loaded = plan.load(&system.values).unwrap();
            let is_alone = (0..MOST).any(|_| {
                system.solve(|x| loaded.run(x));
                let of = |ran: &Ran| ran.processors == 1 && ran.instead_of == Some(processors);
                let ran = superstep::last_run().filter(of);
                longest = ran.as_ref().map_or(0, |ran| ran.supersteps).max(longest);
                ran.is_some()
            });
            assert!(is_alone, "{schedule:?}, {processors} processors");
        }
    }
    assert!(
        longest > 1,
        "one thread ran the chunks of several processors"
    );
}

#[test]
fn who_insists_on_processors_has_one_plan() {
    let system = System::grid();
    let plan = system.planner().exactly(2).costs(CHEAP).build().unwrap();
    let runs = (0..40).map(|_| system.solve(|x| plan.run(&system.values, x)).unwrap());
    assert_eq!(runs.collect::<BTreeSet<_>>().len(), 1);
}

#[test]
fn two_plans_are_shared_by_threads() {
    let system = System::grid();
    let plan = system.rivals();
    let solve = || {
        for _ in 0..60 {
            system.solve(|x| plan.run(&system.values, x));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(solve);
        }
    });
}

proptest! {
    #[test]
    fn every_call_of_any_pattern_has_the_bits(pattern in lower(), processors in 2..9_usize, costs in costs()) {
        let system = System::of(pattern);
        let costs = Costs { wait: 10.0, chunk: 1.0, jump: 0.5, crossing: 1.0, ..costs };
        let plan = system.planner().processors(processors).costs(costs).build().unwrap();
        for _ in 0..13 {
            system.solve(|x| plan.run(&system.values, x));
        }
    }
}
