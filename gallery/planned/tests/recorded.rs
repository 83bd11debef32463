//! Recorded runs: what a timeline tells of plans, farms, functions and failures.

mod patterns;

use std::fs;
use std::path::Path;

use patterns::{Pattern, bits, start};
use superstep::plan::Schedule;
use superstep::{Reason, last_timeline};
use superstep_order::Recording;
use superstep_planned::kernels;

/// Rows that need the row before and, every third, one ten rows before.
fn band(n: usize) -> Pattern {
    let row = |i: usize| {
        let far = i.checked_sub(10).filter(|_| i.is_multiple_of(3));
        let near = i.checked_sub(4);
        let columns = far.into_iter().chain(near).chain([i]);
        columns.map(|column| column as u32).collect()
    };
    Pattern::of((0..n).map(row).collect())
}

/// Rows that need nothing but themselves.
fn diagonal(n: usize) -> Pattern {
    Pattern::of((0..n).map(|i| vec![i as u32]).collect())
}

#[test]
fn each_step_of_a_plan_has_its_times_and_the_bits_are_the_same() {
    let pattern = band(3000);
    let n = pattern.size();
    let values = pattern.values();
    for schedule in [Schedule::GrowLocal, Schedule::Levels] {
        let planner = kernels::forward::plan(n, &pattern.row, &pattern.col).schedule(schedule);
        let plain = planner.exactly(3).build().unwrap();
        let recorded = planner.exactly(3).record(true).build().unwrap();
        let (mut x, mut y) = (start(n), start(n));
        plain.run(&values, &mut x).unwrap();
        assert!(last_timeline().is_none(), "nobody asked for it");
        recorded.run(&values, &mut y).unwrap();
        assert_eq!(bits(&x), bits(&y));
        let timeline = last_timeline().expect("it is recorded");
        assert_eq!(timeline.kernel(), "forward");
        assert_eq!((timeline.processors(), timeline.reason()), (3, None));
        assert!(!timeline.has_failed());
        let mut steps = 0;
        for processor in 0..3 {
            let times: u64 = timeline
                .steps_of(processor)
                .map(|(wait, work)| wait + work)
                .sum();
            assert!(u128::from(times) <= timeline.call().as_nanos());
            assert!(
                timeline.steps_of(processor).all(|(_, work)| work > 0),
                "every step has run"
            );
            steps += timeline.steps_of(processor).len();
        }
        assert!(steps >= 3);
        plain.run(&values, &mut x).unwrap();
        assert!(last_timeline().is_none(), "the last call is not recorded");
    }
}

#[test]
fn parts_of_a_farm_are_recorded() {
    let pattern = diagonal(4000);
    let n = pattern.size();
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col).schedule(Schedule::Farm);
    let plan = planner.exactly(2).record(true).build().unwrap();
    let mut x = start(n);
    plan.run(&pattern.values(), &mut x).unwrap();
    let timeline = last_timeline().expect("it is recorded");
    let parts = timeline.processors();
    assert!(parts >= 2);
    assert!((0..parts).all(|part| timeline.steps_of(part).all(|(_, work)| work > 0)));
}

#[test]
fn chunks_of_a_farm_over_items_are_recorded() {
    let items: Vec<u64> = (0..2000).collect();
    let square = |&item: &u64| item * item;
    let plain = superstep::farm::map(items.clone(), square)
        .workers(2)
        .run()
        .unwrap();
    assert!(last_timeline().is_none(), "nobody asked for it");
    let farm = superstep::farm::map(items, square).workers(2).record(true);
    assert_eq!(farm.run().unwrap(), plain);
    let timeline = last_timeline().expect("it is recorded");
    assert_eq!((timeline.kernel(), timeline.reason()), ("a farm", None));
    let chunks = |thread| timeline.steps_of(thread).len();
    assert!((0..timeline.processors()).map(chunks).sum::<usize>() > 0);
    let failing = superstep::farm::map(vec![1, 0], |&item: &u64| 1 / item).record(true);
    failing.run().unwrap_err();
    assert!(last_timeline().is_some_and(|timeline| timeline.has_failed()));
}

#[test]
fn a_call_that_runs_the_function_says_why_and_has_no_steps() {
    let pattern = band(40);
    let n = pattern.size();
    let mut x = start(n);
    let call = kernels::forward::with().record(true);
    call.run(n, &pattern.row, &pattern.col, &pattern.values(), &mut x)
        .unwrap();
    let timeline = last_timeline().expect("it was asked for");
    assert_eq!(
        (timeline.processors(), timeline.reason()),
        (0, Some(Reason::NotBuilt))
    );
    assert!(
        timeline
            .to_string()
            .ends_with("no program was built for these control arguments")
    );
}

#[test]
fn a_failed_run_says_so() {
    let mut bad = vec![false; 600];
    bad[500] = true;
    let planner = kernels::failing_first::plan(599).schedule(Schedule::GrowLocal);
    let plan = planner.exactly(2).record(true).build().unwrap();
    plan.run(&bad, &mut 0, &mut vec![1; 599]).unwrap_err();
    let timeline = last_timeline().expect("it is recorded");
    assert!(timeline.has_failed());
    assert!(timeline.to_string().contains(", and failed"));
}

#[test]
fn a_written_timeline_is_read_again() {
    let pattern = band(3000);
    let n = pattern.size();
    let planner = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let plan = planner
        .schedule(Schedule::GrowLocal)
        .exactly(2)
        .record(true)
        .build()
        .unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recorded.timeline");
    let mut x = start(n);
    plan.run(&pattern.values(), &mut x).unwrap();
    let timeline = last_timeline().expect("it is recorded");
    timeline.write(&file).unwrap();
    let read = Recording::decode(&fs::read(&file).unwrap()).unwrap();
    assert_eq!((read.kernel.as_str(), read.has_failed), ("forward", false));
    assert_ne!(read.identity, 0);
    for processor in 0..2 {
        let steps = read
            .timeline
            .steps_of(processor)
            .iter()
            .map(|step| (step.wait, step.work));
        assert!(timeline.steps_of(processor).eq(steps));
    }
}
