//! Reports of plans: the one report of all programs, as a page too, and what would make plans
//! faster.

mod patterns;

use std::fs;
use std::path::Path;

use patterns::{Pattern, start};
use superstep::plan::{Report, Schedule};
use superstep_planned::{common, kernels};

/// Points of a square grid that need those to the left and above.
fn grid(width: usize) -> Pattern {
    let row = |i: usize| {
        let above = i.checked_sub(width);
        let left = i.checked_sub(1).filter(|_| !i.is_multiple_of(width));
        let columns = above.into_iter().chain(left).chain([i]);
        columns.map(|column| column as u32).collect()
    };
    Pattern::of((0..width * width).map(row).collect())
}

#[test]
fn a_page_has_all_iterations_and_the_times_of_a_recorded_run() {
    let pattern = grid(100);
    let n = pattern.size();
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let plan = planner
        .schedule(Schedule::GrowLocal)
        .exactly(3)
        .record(true)
        .build()
        .unwrap();
    let before = plan.report().in_full().unwrap();
    assert!(
        before.times.is_some_and(|times| times.measured.is_none()),
        "nothing has run"
    );
    plan.run(&pattern.values(), &mut start(n)).unwrap();
    let report = plan.report().in_full().unwrap();
    assert_eq!((report.tasks, report.processors), (n, 3));
    let tasks: u64 = report.loads.iter().map(|load| load.tasks).sum();
    assert_eq!(tasks, n as u64, "each iteration is in a chunk");
    assert!(
        report.loads.iter().any(|load| load.words_sent > 0),
        "rows need rows of others"
    );
    let times = report.times.clone().unwrap();
    assert!(times.measured.is_some_and(|measured| measured.run_ns > 0));
    // The timeline ends when the plan is predicted to.
    let end = times.predicted.run_ns as f64;
    let predicted = plan.report().predicted();
    assert!((end / predicted - 1.0).abs() < 0.01, "{end} {predicted}");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
    plan.report().write_html(&path).unwrap();
    let html = fs::read_to_string(&path).unwrap();
    for part in [
        "id=\"plan\"",
        "id=\"times\"",
        "id=\"traffic\"",
        "\"kind\":\"plan\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(
        !html.contains(env!("CARGO_TARGET_TMPDIR")),
        "no absolute path is shown"
    );
    let missing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no/such/folder.html");
    let error = plan.report().write_html(&missing).unwrap_err().to_string();
    assert!(error.contains("folder.html cannot be written"), "{error}");
}

/// Returns the answer with a title, and its gain.
fn told(report: Report<'_>, title: &str) -> f64 {
    let answers = report.explained().in_full().unwrap().answers;
    let found = answers.iter().find(|answer| answer.title.contains(title));
    found.unwrap_or_else(|| panic!("{answers:#?}")).gain
}

#[test]
fn another_schedule_is_better_than_one_that_was_named() {
    let pattern = grid(150);
    let planner = kernels::forward::plan(pattern.size(), &pattern.row, &pattern.col).processors(2);
    let named = planner.schedule(Schedule::Levels).build().unwrap();
    let free = planner.build().unwrap();
    let gain = told(named.report(), "let the planner choose the schedule");
    let after = free.report().predicted() / named.report().predicted();
    assert!((1.0 - gain - after).abs() < 0.01, "{gain} {after}");
}

#[test]
fn an_array_that_is_written_before_it_is_read_is_scratch() {
    let before = common::lent::plan(40_000).processors(2).build().unwrap();
    let after = common::lent_marked::plan(40_000)
        .processors(2)
        .build()
        .unwrap();
    let gain = told(before.report(), "mark `kept` with `#[scratch]`");
    let after = after.report().predicted() / before.report().predicted();
    assert!(
        gain > 0.3 && (1.0 - gain - after).abs() < 0.01,
        "{gain} {after}"
    );
}

#[test]
fn a_word_that_is_set_in_each_iteration_is_declared_there() {
    let before = common::swapped::plan(40_000).processors(2).build().unwrap();
    let after = common::swapped_inside::plan(40_000)
        .processors(2)
        .build()
        .unwrap();
    let gain = told(before.report(), "declare `kept` inside the loop");
    let after = after.report().predicted() / before.report().predicted();
    assert!(
        gain > 0.3 && (1.0 - gain - after).abs() < 0.01,
        "{gain} {after}"
    );
}

#[test]
fn a_plan_that_is_faster_loaded_is_to_be_loaded() {
    let pattern = grid(300);
    let planner = kernels::forward::plan(pattern.size(), &pattern.row, &pattern.col);
    let plan = planner
        .schedule(Schedule::Levels)
        .processors(2)
        .build()
        .unwrap();
    let report = plan.report();
    let loaded = report.predicted_loaded() / report.predicted();
    assert!(loaded < 0.95, "{loaded}");
    let gain = told(plan.report(), "load the plan");
    assert!((1.0 - gain - loaded).abs() < 0.01, "{gain} {loaded}");
}

#[test]
fn a_chain_has_nothing_to_gain_and_says_so() {
    let row = |i: usize| (i.saturating_sub(1)..=i).map(|j| j as u32).collect();
    let pattern = Pattern::of((0..5000).map(row).collect());
    let plan = kernels::forward::plan(5000, &pattern.row, &pattern.col)
        .processors(2)
        .build();
    let answers = plan
        .unwrap()
        .report()
        .explained()
        .in_full()
        .unwrap()
        .answers;
    assert_eq!(
        (answers.len(), &*answers[0].title),
        (1, "nothing to gain"),
        "{answers:#?}"
    );
    assert!(answers[0].body.contains("chain"), "{answers:#?}");
}
