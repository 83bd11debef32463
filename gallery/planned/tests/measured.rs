//! Plans by measured costs: the same bits, other choices, and refusals.

mod patterns;

use std::fs;
use std::path::Path;

use patterns::{Pattern, bits, lower, schedules, start};
use proptest::prelude::*;
use superstep::plan::{Costs, MeasuredError, PlanningError, Schedule, Windows, Within};
use superstep::{Timeline, last_timeline};
use superstep_order::{Recording, Times};
use superstep_planned::kernels;

/// Rows of which each needs the one so many rows before.
fn strides(n: usize, stride: usize) -> Pattern {
    let row = |i: usize| {
        let columns = i.checked_sub(stride).into_iter().chain([i]);
        columns.map(|column| column as u32).collect()
    };
    Pattern::of((0..n).map(row).collect())
}

/// Runs a plan that is recorded, and returns its timeline.
fn recorded(plan: &kernels::forward::Planned<'_>, pattern: &Pattern) -> Timeline {
    plan.run(&pattern.values(), &mut start(pattern.size()))
        .unwrap();
    last_timeline().expect("it is recorded")
}

/// Returns what is recorded of a timeline, through a file.
fn recording(timeline: &Timeline, name: &str) -> Recording {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.timeline"));
    timeline.write(&file).unwrap();
    let recording = Recording::decode(&fs::read(&file).unwrap()).unwrap();
    let read = Timeline::read(&file).unwrap();
    assert_eq!(read.to_string(), timeline.to_string());
    recording
}

/// Returns a recording whose steps take so many nanoseconds each.
fn taking(recording: &Recording, nanoseconds: impl Fn(usize) -> u64) -> Timeline {
    let Recording { timeline, .. } = recording;
    let (mut processors, mut steps) = (vec![0], Vec::new());
    for processor in 0..timeline.processors() {
        for _ in timeline.steps_of(processor) {
            steps.push(Times {
                work: nanoseconds(steps.len()),
                ..Times::default()
            });
        }
        processors.push(steps.len() as u32);
    }
    Timeline::from(Recording {
        timeline: superstep_order::Timeline::new(processors, steps),
        ..recording.clone()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn plans_by_measured_costs_compute_the_same_bits(
        pattern in lower(),
        schedule in schedules(),
        processors in 1..5_usize,
    ) {
        let (n, values) = (pattern.size(), pattern.values());
        let mut expected = start(n);
        kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
        let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
        let mut planner = planner.exactly(processors).schedule(schedule).record(true);
        for _ in 0..3 {
            let plan = planner.build().unwrap();
            let mut x = start(n);
            plan.run(&values, &mut x).unwrap();
            prop_assert_eq!(bits(&x), bits(&expected));
            planner = planner.measured(&last_timeline().expect("it is recorded"));
        }
    }
}

#[test]
fn what_takes_ten_times_as_long_is_cut_finer_and_becomes_worth_several_processors() {
    let pattern = strides(60, 20);
    let n = pattern.size();
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let planner = planner.exactly(2).record(true);
    let plan = planner.build().unwrap();
    let predicted = plan.report().nanoseconds;
    assert!(plan.report().why_sequential().is_some());
    let run = recording(&recorded(&plan, &pattern), "dear");
    let dear = taking(&run, |_| 10 * predicted as u64 + 50);
    let dear = planner.measured(&dear).build().unwrap();
    let (before, after) = (plan.report(), dear.report());
    assert_eq!(after.why_sequential(), None);
    assert!(after.grains > before.grains);
    assert!((after.nanoseconds / predicted - 10.0).abs() < 0.01);
    let text = after.to_string();
    assert!(
        text.contains("measured: 10.00 ns for a word, 150 ns for a wait as before: nobody waited"),
        "{text}"
    );
    // The whole report predicts by the same costs, too.
    let whole = after.in_full().unwrap();
    assert!(whole.statements[0].work_ns as f64 > 9.0 * predicted);
    // As predicted: the same plan.
    let same = taking(&run, |_| predicted as u64 + 50);
    let same = planner.measured(&same).build().unwrap();
    assert_eq!(same.report().candidates, before.candidates);
}

#[test]
fn what_takes_a_tenth_is_cut_coarser() {
    let pattern = strides(4000, 1);
    let n = pattern.size();
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let planner = planner.exactly(2).record(true).schedule(Schedule::Levels);
    let plan = planner.build().unwrap();
    let run = recording(&recorded(&plan, &pattern), "cheap");
    let cheap = planner.measured(&taking(&run, |_| 6)).build().unwrap();
    assert!(cheap.report().grains < plan.report().grains);
}

#[test]
fn a_run_on_one_thread_tells_of_words_and_not_of_waits() {
    let pattern = strides(4000, 10);
    let n = pattern.size();
    let windows = Windows {
        grains: 8,
        chunks: 2,
        within: Within::Run,
    };
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let planner = planner.exactly(2).schedule(Schedule::Doacross(windows));
    let plan = planner.record(true).build().unwrap();
    let mut alone = recording(&recorded(&plan, &pattern), "alone");
    alone.threads.fill(0);
    let plan = planner.measured(&taking(&alone, |_| 4000)).build().unwrap();
    let report = plan.report();
    let measured = report.measured.clone().unwrap();
    assert!(measured.costs.word > 2.0, "{measured}");
    assert_eq!(measured.costs.wait, Costs::default().wait);
    assert!(
        report
            .to_string()
            .contains("2 processors ran on one thread"),
        "{report}"
    );
}

#[test]
fn runs_in_order_of_the_plan_serve() {
    let pattern = strides(4000, 100);
    let n = pattern.size();
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let whole = Costs {
        least: 1e9,
        ..Costs::default()
    };
    for costs in [Costs::default(), whole] {
        // As calls run it on one processor: all in one grain, in the end.
        let plan = planner
            .exactly(1)
            .costs(costs)
            .record(true)
            .build()
            .unwrap();
        assert_eq!(plan.report().grains == 1, costs == whole);
        let run = recording(&recorded(&plan, &pattern), "in_order");
        let run = taking(&run, |_| 7 * plan.report().nanoseconds as u64 + 50);
        let two = planner.exactly(2).measured(&run).build().unwrap();
        let measured = two.report().measured.clone().unwrap();
        assert!((measured.costs.word - 7.0).abs() < 0.01, "{measured}");
    }
}

#[test]
fn a_run_that_is_not_of_the_plan_is_refused_and_says_why() {
    let pattern = strides(3000, 50);
    let n = pattern.size();
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let planner = planner.exactly(2).schedule(Schedule::Levels);
    let refused = |timeline: &Timeline| match planner.measured(timeline).build() {
        Err(PlanningError::Measured { source, .. }) => source,
        other => panic!("{other:?}"),
    };
    let plan = planner.record(true).build().unwrap();
    let run = recorded(&plan, &pattern);
    assert!(planner.measured(&run).build().is_ok());

    let others = [
        planner.exactly(3),
        planner.schedule(Schedule::Owners(2)),
        planner.costs(Costs {
            least: 500.0,
            ..Costs::default()
        }),
        kernels::forward::plan(n - 1, &pattern.row, &pattern.col).exactly(2),
    ];
    for other in others {
        let other = other.record(true).build().unwrap();
        assert_eq!(refused(&recorded(&other, &pattern)), MeasuredError::Plan);
    }

    let read = recording(&run, "refused");
    let refused_if = |change: fn(&mut Recording)| {
        let mut other = read.clone();
        change(&mut other);
        refused(&Timeline::from(other))
    };
    assert_eq!(refused_if(|run| run.identity ^= 1), MeasuredError::Plan);
    assert_eq!(
        refused_if(|run| run.has_failed = true),
        MeasuredError::Failed
    );
    assert_eq!(
        refused_if(|run| run.kernel = "backward".into()),
        MeasuredError::Kernel {
            found: "backward".into()
        }
    );
    // The identity of a file may lie: steps of another number are those of another plan.
    assert_eq!(
        refused_if(|run| {
            run.timeline = superstep_order::Timeline::new(vec![0, 1], vec![Times::default()]);
        }),
        MeasuredError::Plan
    );

    let call = kernels::forward::with().record(true);
    let (values, mut x) = (pattern.values(), start(n));
    call.run(n, &pattern.row, &pattern.col, &values, &mut x)
        .unwrap();
    let function = refused(&last_timeline().expect("it was asked for"));
    assert!(
        function.to_string().contains("no program was built for"),
        "{function}"
    );
}

#[test]
fn a_file_of_something_else_is_no_timeline() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no.timeline");
    fs::write(&file, "no").unwrap();
    let error = Timeline::read(&file).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}
