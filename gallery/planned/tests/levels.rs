//! Iterations of inner loops are planned as those of outer ones: with the same bits, and where that
//! is faster.

mod patterns;

use patterns::{assert_ran, bits, costs, schedules, start};
use proptest::prelude::*;
use superstep::plan::{Costs, PlanningError, Schedule};
use superstep_planned::{common, kernels};

proptest! {
    #[test]
    fn factors(n in 1..14_usize, level in 0..2_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let mut expected = start(n * n);
        kernels::cholesky(n, &mut expected);
        let plan = kernels::cholesky::plan(n).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
        prop_assert_eq!(plan.report().level, level as u32);
        let mut a = start(n * n);
        plan.run(&mut a).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&a), bits(&expected));
    }

    #[test]
    fn statements_between_loops(m in 1..9_usize, n in 1..9_usize, level in 0..2_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let m = m + n;
        let (mut expected, mut expected_tau) = (start(m * n), vec![0.0; n]);
        kernels::householder(m, n, &mut expected, &mut expected_tau);
        let plan = kernels::householder::plan(m, n).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
        let (mut a, mut tau) = (start(m * n), vec![0.0; n]);
        plan.run(&mut a, &mut tau).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((bits(&a), bits(&tau)), (bits(&expected), bits(&expected_tau)));
        let (mut a, mut tau) = (start(m * n), vec![0.0; n]);
        plan.load().unwrap().run(&mut a, &mut tau).unwrap();
        prop_assert_eq!((bits(&a), bits(&tau)), (bits(&expected), bits(&expected_tau)));
    }

    #[test]
    fn numbers_and_rows_between_loops(n in 1..9_usize, steps in 0..4_usize, level in 0..2_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let (a, q, mut expected, mut expected_t) = (start(n * n), start(n * n), start(n), start(n));
        common::iterated(n, steps, &a, &q, &mut expected, &mut expected_t);
        let plan = common::iterated::plan(n, steps).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
        for _ in 0..2 {
            let (mut p, mut t) = (start(n), start(n));
            plan.run(&a, &q, &mut p, &mut t).unwrap();
            assert_ran(schedule, processors);
            prop_assert_eq!((bits(&p), bits(&t)), (bits(&expected), bits(&expected_t)));
        }
        let (mut p, mut t) = (start(n), start(n));
        plan.load(&q).unwrap().run(&a, &mut p, &mut t).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((bits(&p), bits(&t)), (bits(&expected), bits(&expected_t)));
    }

    #[test]
    fn pivots_before_loops(n in 1..14_usize, level in 1..3_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let (mut expected, mut expected_last) = (start(n * n), 0.0);
        common::pivoted(n, &mut expected, &mut expected_last);
        let plan = common::pivoted::plan(n).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
        let (mut a, mut last) = (start(n * n), 0.0);
        plan.run(&mut a, &mut last).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((bits(&a), last.to_bits()), (bits(&expected), expected_last.to_bits()));
    }

    #[test]
    fn jumps_to_the_next_step(n in 1..12_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let (mut expected, mut expected_d) = (start(n * n), start(n));
        common::skipped(n, &mut expected, &mut expected_d);
        let plan = common::skipped::plan(n).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut a, mut d) = (start(n * n), start(n));
        plan.run(&mut a, &mut d).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((bits(&a), bits(&d)), (bits(&expected), bits(&expected_d)));
    }

    #[test]
    fn planes_lines_and_points(side in 1..7_usize, sweeps in 1..4_usize, level in 0..3_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let words = side * side * side;
        let (by, mut expected) = (start(words), start(words));
        kernels::planes(side, sweeps, &by, &mut expected);
        let plan = kernels::planes::plan(side, sweeps).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
        let mut x = start(words);
        plan.run(&by, &mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
        let mut x = start(words);
        plan.load(&by).unwrap().run(&mut x).unwrap();
        prop_assert_eq!(bits(&x), bits(&expected));
    }

    #[test]
    fn control_that_changes_between_loops(log in 0..7_u32, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let n = 1 << log;
        let mut expected = start(n);
        kernels::passes(n, &mut expected);
        for level in [1, 2] {
            let plan = kernels::passes::plan(n).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
            let (mut x, mut loaded) = (start(n), start(n));
            plan.run(&mut x).unwrap();
            assert_ran(schedule, processors);
            plan.load().unwrap().run(&mut loaded).unwrap();
            prop_assert_eq!((bits(&x), bits(&loaded)), (bits(&expected), bits(&expected)));
        }
    }

    #[test]
    fn calls_with_control_that_changes(n in 1..60_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let mut expected = start(2 * n);
        kernels::pyramid(n, &mut expected);
        let plan = kernels::pyramid::plan(n).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut x, mut loaded) = (start(2 * n), start(2 * n));
        plan.run(&mut x).unwrap();
        assert_ran(schedule, processors);
        plan.load().unwrap().run(&mut loaded).unwrap();
        prop_assert_eq!((bits(&x), bits(&loaded)), (bits(&expected), bits(&expected)));
    }

    #[test]
    fn sweeps_that_nobody_counts(n in 2..30_usize, sweeps in 1..5_usize, level in 0..2_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let (mut expected, mut expected_moved) = (start(n), vec![0.0; n]);
        kernels::relaxed(n, sweeps, &mut expected, &mut expected_moved);
        let plan = kernels::relaxed::plan(n, sweeps).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
        let (mut x, mut moved) = (start(n), vec![0.0; n]);
        plan.run(&mut x, &mut moved).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((bits(&x), bits(&moved)), (bits(&expected), bits(&expected_moved)));
    }
}

#[test]
fn inner_loops_are_planned_where_that_is_predicted_to_be_faster() {
    let level = |n, costs| {
        let plan = kernels::cholesky::plan(n).processors(2).costs(costs);
        let report = plan.build().unwrap().report().clone();
        (report.level, report.chosen().ratio)
    };
    let (deeper, ratio) = level(120, Costs::default());
    assert!(deeper == 1 && ratio < 0.8, "{ratio}");
    // Rows take less than a wait: their entries are not looked at.
    assert_eq!(level(12, Costs::default()), (0, 1.0));
    let waits = Costs {
        wait: 1e6,
        ..Costs::default()
    };
    assert_eq!(level(120, waits), (0, 1.0));
}

#[test]
fn a_report_says_after_how_many_calls_inner_loops_can_pay() {
    let planner = kernels::cholesky::plan(120).processors(2);
    // The outer loop is a chain, however many calls there are.
    let few = planner.expected_calls(1).build().unwrap();
    let [expected, least] = few.report().unpaid.expect("rows cannot pay at once");
    let reason = few.report().why_sequential().expect("it is sequential");
    assert_eq!(
        reason,
        format!("expected calls: {expected}; a schedule pays after {least} at the earliest")
    );
    assert!(
        few.report().to_string().contains("not scheduled"),
        "{}",
        few.report()
    );
    let report = planner
        .expected_calls(least)
        .build()
        .unwrap()
        .report()
        .clone();
    assert_eq!((report.level, report.unpaid), (1, None));
}

#[test]
fn words_that_are_written_again_and_again_have_owners() {
    let plan = kernels::passes::plan(1 << 14).processors(2).build();
    let report = plan.unwrap().report().clone();
    let mut candidates = report.candidates.iter();
    let owners = candidates.find(|one| one.algorithm.to_string().starts_with("owners "));
    assert!(owners.is_some_and(|owners| owners.ratio < 0.7), "{report}");
}

#[test]
fn a_plan_file_keeps_the_level() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("levels.plan");
    let planner = kernels::cholesky::plan(40).exactly(3).level(1);
    let plan = planner.schedule(Schedule::GrowLocal).build().unwrap();
    plan.save(&path).unwrap();
    let opened = kernels::cholesky::plan(40).exactly(3).open(&path).unwrap();
    assert_eq!(opened.report(), plan.report());
    let (mut a, mut expected) = (start(1600), start(1600));
    opened.run(&mut a).unwrap();
    kernels::cholesky(40, &mut expected);
    assert_eq!(bits(&a), bits(&expected));
}

#[test]
fn levels_that_a_kernel_lacks_are_refused() {
    let refused = |result: Result<(), PlanningError>| result.unwrap_err().to_string();
    let planned = kernels::cholesky::plan(4).level(3).build().map(drop);
    assert_eq!(
        refused(planned),
        "cholesky: no iterations to schedule at level 3, but at [0, 1]"
    );
    let planned = kernels::passes::plan(4).level(0).build().map(drop);
    assert_eq!(
        refused(planned),
        "passes: no iterations to schedule at level 0, but at [1, 2]"
    );
}

/// Inner iterations gain by themselves here, but take somewhat longer than the outer ones in order.
#[test]
fn who_insists_has_the_level_that_is_predicted_to_be_fastest() {
    let at = [135];
    let mut between = 0;
    let all = (0..6).flat_map(|iteration| [1.0, 5.0, 20.0, 80.0].map(|wait| (iteration, wait)));
    for (iteration, wait) in all {
        let costs = Costs {
            iteration,
            wait,
            chunk: 1.0,
            jump: 0.0,
            crossing: 0.0,
            least: 15.0,
            ..Costs::default()
        };
        let predicted = |level: Option<usize>| {
            let planner = kernels::wrapping::plan(1, &at).exactly(2).costs(costs);
            let planner = match level {
                Some(level) => planner.level(level),
                None => planner,
            };
            planner.build().unwrap().report().predicted()
        };
        let levels = [0, 1].map(|level| predicted(Some(level)));
        assert!(predicted(None) <= levels[0], "{costs:?}: {levels:?}");
        between += u32::from(levels[0] < levels[1] && levels[1] < 1.3 * levels[0]);
    }
    assert!(between > 0);
}

#[test]
fn the_report_of_a_chain_names_what_could_be_scratch() {
    let n = 2000;
    let row: Vec<usize> = (0..=n).map(|i| 4 * i).collect();
    let col: Vec<u32> = (0..4 * n as u32).map(|e| e % 4).collect();
    let plan = kernels::unmarked::plan(n, &row, &col).processors(2);
    let plan = plan.build().unwrap();
    assert!(plan.report().is_chain());
    assert_eq!(plan.report().scratch, ["work"]);
    let text = plan.report().to_string();
    assert!(text.contains("mark it `#[scratch]`"), "{text}");
    // Of a chain for other reasons there is nothing to say.
    let row: Vec<usize> = (0..=n).map(|i| 2 * i).collect();
    let col: Vec<u32> = (0..2 * n as u32)
        .map(|e| (e / 2 + e % 2).saturating_sub(1))
        .collect();
    let plan = kernels::forward::plan(n, &row, &col).processors(2);
    let plan = plan.build().unwrap();
    assert!(plan.report().is_chain());
    assert_eq!(plan.report().scratch, [""; 0]);
}

#[test]
fn the_report_of_a_chain_names_what_could_be_declared_inside() {
    let n = 2000;
    let mut expected = start(2 * n);
    common::swapped(n, &mut expected);
    let plan = common::swapped::plan(n).exactly(2).build().unwrap();
    assert!(plan.report().is_chain());
    assert_eq!(plan.report().outside, ["kept"]);
    assert_eq!(plan.report().scratch, [""; 0]);
    let text = plan.report().to_string();
    assert!(
        text.contains("in each iteration: declare it there"),
        "{text}"
    );
    let mut x = start(2 * n);
    plan.run(&mut x).unwrap();
    assert_eq!(bits(&x), bits(&expected));
}

#[test]
fn reports_tell_of_the_levels_that_were_not_taken() {
    let report = |level: Option<usize>| {
        let planner = kernels::cholesky::plan(120).processors(2);
        let planner = level.map_or(planner.clone(), |level| planner.level(level));
        planner.build().unwrap().report().clone()
    };
    let chosen = report(None);
    let others: Vec<u32> = chosen.others.iter().map(|other| other.level).collect();
    assert_eq!(others, [1 - chosen.level]);
    let other = report(Some(others[0] as usize));
    assert!(other.others.is_empty());
    assert_eq!(chosen.others[0].iterations, other.iterations);
    assert!(chosen.predicted() <= other.predicted(), "{chosen}{other}");
}

#[test]
fn words_beyond_the_kernels_own_are_an_error_of_planning() {
    let (x, mut y) = (start(8), vec![0.0; 4]);
    let plan = |m| common::beyond::plan(4, m).exactly(2).build();
    plan(8).unwrap().run(&x, &mut y).unwrap();
    assert_eq!(bits(&y), bits(&[x.iter().fold(0.0, |sum, x| sum + x); 4]));
    let text = plan(9).unwrap_err().to_string();
    let expected = "uses `w[8]`, but `w` has 8 words only";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn sums_are_one_grain_and_rows_are_not() {
    let (n, m, x) = (100, 4, start(100));
    let plan = common::headed::plan(n, m).exactly(2).build().unwrap();
    assert_eq!(plan.report().iterations, 101);
    let (mut a, mut expected) = (start(n * m), start(n * m));
    common::headed(n, m, &x, &mut expected);
    plan.run(&x, &mut a).unwrap();
    assert_eq!(bits(&a), bits(&expected));
    let plan = common::shares::plan(n).exactly(2).build().unwrap();
    assert_eq!(plan.report().iterations, 101);
    let (mut y, mut expected) = (start(n), start(n));
    common::shares(n, &x, &mut expected);
    plan.run(&x, &mut y).unwrap();
    assert_eq!(bits(&y), bits(&expected));
}

#[test]
fn numbers_of_each_iteration_are_common_to_inner_loops_alone() {
    let n = 30;
    let mut expected = start(n * n);
    common::balanced(n, &mut expected);
    for level in [0, 1] {
        let plan = common::balanced::plan(n).exactly(2).level(level);
        let plan = plan.build().unwrap();
        // Sums follow each other in one word.
        let levels = [1, 2 * n as u32][level];
        assert_eq!(plan.report().levels, levels);
        let mut a = start(n * n);
        plan.run(&mut a).unwrap();
        assert_eq!(bits(&a), bits(&expected));
    }
}
