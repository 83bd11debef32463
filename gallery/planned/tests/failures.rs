//! Failures: a run's error is the sequential run's, for any number of processors; wrong arguments
//! are named.

mod patterns;

use patterns::{WINDOWS, assert_ran, bits, costs, is_parallel, schedules, small};
use proptest::prelude::*;
use superstep::plan::Schedule;
use superstep_planned::kernels;

proptest! {
    #[test]
    fn the_failure_of_a_statement_comes_before_those_of_the_loop_behind_it(bad in prop::collection::vec(any::<bool>(), 3..40), processors in 2..6_usize, schedule in schedules(), costs in costs()) {
        let n = bad.len() - 1;
        let plan = kernels::failing_first::plan(n).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let expected = bad.iter().position(|&bad| bad).map(|first| format!("row {first} is bad"));
        for _ in 0..3 {
            let ended = plan.run(&bad, &mut 0, &mut vec![1; n]).err().map(|error| error.to_string());
            let fits = match (&ended, &expected) {
                (Some(ended), Some(expected)) => ended.ends_with(expected),
                _ => ended == expected,
            };
            prop_assert!(fits, "{:?} {:?}", ended, expected);
        }
    }

    #[test]
    fn the_error_of_the_first_guard_is_the_functions(
        start in prop_oneof![9 => Just(0.0), 1 => Just(-1.0)],
        rows in prop::collection::vec((any::<u32>(), prop_oneof![30 => 2.0..3.0, 1 => 1.0..2.0], prop_oneof![30 => 0.0..1.0, 1 => -5.0..1.0]), 0..60),
        processors in 1..9_usize, schedule in schedules(), costs in costs(),
    ) {
        let n = rows.len();
        let before: Vec<usize> = rows.iter().enumerate().map(|(i, row)| row.0 as usize % (i + 1)).collect();
        let by: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let mut fall: Vec<f64> = rows.iter().map(|row| row.2).collect();
        if let Some(first) = fall.first_mut() {
            *first = start;
        }
        let x = || vec![0.0; n];
        let mut expected = x();
        let given = kernels::guarded(n, &before, &by, &fall, &mut expected);
        let plan = kernels::guarded::plan(n, &before).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let loaded = plan.load(&by).unwrap();
        // A run that has given up leaves nothing behind for the next.
        for _ in 0..2 {
            let (mut found, mut replayed) = (x(), x());
            prop_assert_eq!(&plan.run(&by, &fall, &mut found).unwrap(), &given);
            prop_assert_eq!(&loaded.run(&fall, &mut replayed).unwrap(), &given);
            if given.is_ok() {
                assert_ran(schedule, if n == 0 { 1 } else { processors });
                prop_assert_eq!(bits(&found), bits(&expected));
                prop_assert_eq!(bits(&replayed), bits(&expected));
            }
        }
    }

    #[test]
    fn the_first_failure_of_the_sequential_run_is_the_error(
        from in prop::collection::vec(any::<u32>(), 20..300),
        bad in prop::collection::btree_set(0..300_usize, 1..40),
        processors in 1..7_usize, schedule in schedules(), costs in costs(),
    ) {
        let n = from.len();
        // Half of them depend on an earlier one, the others on none.
        let before = |(i, from): (usize, &u32)| if from % 2 == 0 { i } else { *from as usize % (i + 1) };
        let before: Vec<usize> = from.iter().enumerate().map(before).collect();
        let bad: Vec<bool> = (0..n).map(|i| bad.contains(&i)).collect();
        let first = bad.iter().position(|&bad| bad);
        let plan = kernels::failing::plan(n, &before).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let loaded = plan.load().unwrap();
        let expected = first.map(|first| format!("row {first} is bad"));
        let ended = |run: Result<(), superstep::RunError>| run.err().map(|error| error.to_string());
        let fits = |found: Option<String>| match (&found, &expected) {
            (Some(found), Some(expected)) => found.ends_with(expected),
            _ => found == expected,
        };
        let in_place = std::panic::catch_unwind(|| plan.run(&bad, &mut vec![1; n]));
        match in_place {
            Ok(run) => prop_assert!(fits(ended(run))),
            // The function itself.
            Err(_) => prop_assert!(!is_parallel(schedule, processors)),
        }
        let found = ended(loaded.run(&bad, &mut vec![1; n]));
        prop_assert!(fits(found.clone()), "{:?} {:?}", found, expected);
    }
}

#[test]
fn a_number_behind_a_guard_is_not_computed_before_it() {
    let planner = kernels::shared::plan(64).exactly(2);
    let plan = planner.schedule(Schedule::GrowLocal).build().unwrap();
    for by in [0, 7] {
        let (mut expected, mut x) = ([3; 64], [3; 64]);
        let given = kernels::shared(64, &[by], &mut expected);
        assert_eq!(given.is_err(), by == 0);
        assert_eq!(plan.run(&[by], &mut x).unwrap(), given);
        assert!(given.is_err() || x == expected);
    }
}

#[test]
fn structure_that_leads_astray_is_an_error_of_planning() {
    let plan = |row: &[usize], col: &[u32]| {
        let plan = kernels::forward::plan(2, row, col).exactly(2).build();
        plan.map(|_| ()).unwrap_err().to_string()
    };
    let beyond = plan(&[0, 1, 9], &[0, 0, 1]);
    assert!(beyond.contains("index out of bounds"), "{beyond}");
    let falling = plan(&[0, 0, 3], &[0, 0, 1]);
    assert!(falling.contains("0 - 1 overflows `usize`"), "{falling}");
    let source = include_str!("../src/kernels.rs").lines();
    let line = 1 + source
        .take_while(|line| !line.contains("..row[i + 1] - 1"))
        .count();
    assert!(
        falling.ends_with(&format!("src/kernels.rs:{line}")),
        "{falling}"
    );
}

#[test]
fn scratch_that_another_iteration_has_written_is_an_error_of_planning() {
    let error = kernels::left::plan(9).processors(2).build().unwrap_err();
    let expected = "left: iteration 1 reads `work[0]`, which is scratch, before it writes it";
    assert_eq!(error.to_string(), expected);
    assert!(kernels::left::plan(2).processors(2).build().is_err());
    assert!(kernels::left::plan(1).processors(2).build().is_ok());
}

#[test]
fn a_panic_is_an_error_and_the_plan_goes_on() {
    let n = 200;
    let before: Vec<usize> = (0..n).map(|i: usize| i.saturating_sub(7)).collect();
    let (schedule, costs) = small(WINDOWS);
    for processors in 2..6 {
        let plan = kernels::quotients::plan(n, &before);
        let plan = plan.exactly(processors).schedule(schedule).costs(costs);
        let plan = plan.build().unwrap();
        let by: Vec<i64> = (0..n).map(|i| i64::from(i != 150)).collect();
        let loaded = plan.load().unwrap();
        let runs = [
            plan.run(&by, &mut vec![1; n]),
            loaded.run(&by, &mut vec![1; n]),
        ];
        for error in runs.map(|run| run.unwrap_err().to_string()) {
            let place = "panicked in superstep";
            assert!(
                error.contains(place) && error.contains("kernels.rs"),
                "{error}"
            );
            assert!(error.ends_with("attempt to divide by zero"), "{error}");
        }
        let by = vec![3; n];
        let (mut x, mut loads, mut expected) = (vec![1; n], vec![1; n], vec![1; n]);
        plan.run(&by, &mut x).unwrap();
        loaded.run(&by, &mut loads).unwrap();
        kernels::quotients(n, &before, &by, &mut expected);
        assert_eq!([&x, &loads], [&expected; 2]);
        assert_ran(schedule, processors);
    }
}
