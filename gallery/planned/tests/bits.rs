//! Plans give the bits of the function, for any pattern and number of processors.

use proptest::prelude::*;
use superstep::plan::{Costs, Schedule, Windows, Within};
use superstep_planned::kernels;

/// Lower triangular pattern in compressed rows: entries of a row ascend, the diagonal is last.
#[derive(Clone, Debug)]
struct Pattern {
    row: Vec<usize>,
    col: Vec<u32>,
}

impl Pattern {
    fn size(&self) -> usize {
        self.row.len() - 1
    }

    /// The transposed pattern: the diagonal is first in its row.
    fn transposed(&self) -> Self {
        let n = self.size();
        let mut rows = vec![Vec::new(); n];
        for i in 0..n {
            for &j in &self.col[self.row[i]..self.row[i + 1]] {
                rows[j as usize].push(i as u32);
            }
        }
        Self::of(rows)
    }

    fn of(rows: Vec<Vec<u32>>) -> Self {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        Self {
            row: [0].into_iter().chain(ends).collect(),
            col: rows.concat(),
        }
    }

    /// Values that keep solutions within bounds.
    fn values(&self) -> Vec<f64> {
        let value = |at: usize| 0.3 + ((at * 7919) % 97) as f64 / 300.0;
        (0..self.col.len()).map(value).collect()
    }
}

/// Rows of all kinds: empty ones, chains, dense ones, bands, stars, random ones; entries may repeat.
fn lower() -> impl Strategy<Value = Pattern> {
    let kinds = prop::collection::vec((0..6_u8, any::<u32>(), 0..5_usize), 1..60);
    kinds.prop_map(|kinds| {
        let row = |(i, (kind, seed, count)): (usize, (u8, u32, usize))| {
            let below = i as u32;
            let mut entries: Vec<u32> = match kind {
                0 => Vec::new(),
                1 => below.checked_sub(1).into_iter().collect(),
                2 if i < 20 => (0..below).collect(),
                3 => (below.saturating_sub(3)..below).collect(),
                4 if i > 0 => vec![0],
                _ if i > 0 => (0..count as u32)
                    .map(|k| seed.rotate_left(7 * k) % below)
                    .collect(),
                _ => Vec::new(),
            };
            entries.sort_unstable();
            entries.push(below);
            entries
        };
        Pattern::of(kinds.into_iter().enumerate().map(row).collect())
    })
}

/// Checks that a plan for several processors has run, if one was asked for.
fn assert_ran(schedule: Schedule, processors: usize) {
    if schedule != Schedule::Fastest && processors > 1 {
        let ran = superstep::last_run().map(|ran| ran.processors);
        assert_eq!(ran, Some(processors), "{:?}", superstep::last_reason());
    }
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn start(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + (i % 17) as f64 / 8.0).collect()
}

/// Small grains, each of one iteration or of a few.
fn costs() -> impl Strategy<Value = Costs> {
    (1..40_u32).prop_map(|least| Costs {
        least: f64::from(least),
        ..Costs::default()
    })
}

fn schedules() -> impl Strategy<Value = Schedule> {
    prop_oneof![
        (1..20_u32, 1..8_u32, any::<bool>()).prop_map(|(grains, chunks, by_level)| {
            let within = if by_level {
                Within::Levels
            } else {
                Within::Run
            };
            Schedule::Doacross(Windows {
                grains,
                chunks,
                within,
            })
        }),
        Just(Schedule::GrowLocal),
        Just(Schedule::Fastest),
    ]
}

proptest! {
    #[test]
    fn forward_substitution(pattern in lower(), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (n, values) = (pattern.size(), pattern.values());
        let mut expected = start(n);
        kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
        let plan = kernels::forward::plan(n, &pattern.row, &pattern.col).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        for _ in 0..2 {
            let mut x = start(n);
            plan.run(&values, &mut x).unwrap();
            assert_ran(schedule, processors);
            prop_assert_eq!(bits(&x), bits(&expected));
        }
        let others = vec![2.5; values.len()];
        let mut loaded = plan.load(&others).unwrap();
        loaded.update(&values).unwrap();
        for _ in 0..2 {
            let mut x = start(n);
            loaded.run(&mut x).unwrap();
            assert_ran(schedule, processors);
            prop_assert_eq!(bits(&x), bits(&expected));
        }
    }

    #[test]
    fn backward_substitution(pattern in lower(), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let pattern = pattern.transposed();
        let (n, values) = (pattern.size(), pattern.values());
        let (b, mut expected) = (start(n), vec![0.0; n]);
        kernels::backward(n, &pattern.row, &pattern.col, &values, &b, &mut expected);
        let plan = kernels::backward::plan(n, &pattern.row, &pattern.col).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut x = vec![0.0; n];
        plan.run(&values, &b, &mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
        let mut x = vec![0.0; n];
        plan.load(&values).unwrap().run(&b, &mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
    }

    #[test]
    fn symmetric_sweeps(pattern in lower(), times in 0..3_usize, processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (n, values) = (pattern.size(), pattern.values());
        let (b, mut expected) = (start(n), start(n));
        kernels::sweeps(n, times, &pattern.row, &pattern.col, &values, &b, &mut expected);
        let plan = kernels::sweeps::plan(n, times, &pattern.row, &pattern.col).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut x = start(n);
        plan.run(&values, &b, &mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
        let mut x = start(n);
        plan.load(&values).unwrap().run(&b, &mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
    }

    #[test]
    fn constants_and_methods_in_control(by in prop::collection::vec(any::<u8>(), 3..80), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = by.len();
        let start = || (0..n).map(|i| i as f32 / 3.0).collect::<Vec<_>>();
        let mut expected = start();
        kernels::shifted(n, &by, &mut expected);
        let plan = kernels::shifted::plan(n, &by).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut x = start();
        plan.run(&mut x).unwrap();
        assert_ran(schedule, processors);
        let mut loaded = start();
        plan.load().unwrap().run(&mut loaded).unwrap();
        assert_ran(schedule, processors);
        prop_assert!(loaded.iter().map(|x| x.to_bits()).eq(expected.iter().map(|x| x.to_bits())));
        prop_assert!(x.iter().map(|x| x.to_bits()).eq(expected.iter().map(|x| x.to_bits())));
    }

    #[test]
    fn factors_of_any_size(n in 0..40_usize, processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let matrix: Vec<f64> = (0..n * n).map(|i| if i % (n + 1) == 0 { 50.0 } else { (i % 13) as f64 }).collect();
        let mut expected = matrix.clone();
        kernels::lu(n, &mut expected);
        let plan = kernels::lu::plan(n).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut a = matrix.clone();
        plan.run(&mut a).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&a), bits(&expected));
        let mut a = matrix.clone();
        plan.load().unwrap().run(&mut a).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&a), bits(&expected));
    }

    #[test]
    fn control_between_loops(sizes in prop::collection::vec(0..30_usize, 1..12), by in any::<u32>(), processors in 1..6_usize, schedule in schedules(), costs in costs()) {
        let start: Vec<usize> = [0].into_iter().chain(sizes.iter().scan(0, |end, size| { *end += size; Some(*end) })).collect();
        let n = *start.last().unwrap();
        let from: Vec<u32> = (0..n.max(1) as u32).map(|i| by.rotate_left(i) % (i + 1)).collect();
        let weight: Vec<f64> = (0..=n).map(|i| i as f64 / 64.0).collect();
        let x = || (0..2 * n + 1).map(|i| 1.0 + (i % 5) as f64).collect::<Vec<f64>>();
        let mut expected = x();
        kernels::levels(sizes.len(), &start, &from, &weight, &mut expected);
        let plan = kernels::levels::plan(sizes.len(), &start, &from).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut found, mut loaded) = (x(), x());
        plan.run(&weight, &mut found).unwrap();
        plan.load(&weight).unwrap().run(&mut loaded).unwrap();
        prop_assert_eq!(bits(&found), bits(&expected));
        prop_assert_eq!(bits(&loaded), bits(&expected));
    }

    #[test]
    fn bytes_that_wrap(at in prop::collection::vec(0..256_usize, 1..12), processors in 1..6_usize, schedule in schedules(), costs in costs()) {
        let x = || (0..256).map(|i| 1.0 + (i % 7) as f64).collect::<Vec<f64>>();
        let mut expected = x();
        kernels::wrapping(at.len(), &at, &mut expected);
        let plan = kernels::wrapping::plan(at.len(), &at).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        // Each iteration writes all words, so they are one chain.
        prop_assert_eq!(plan.report().levels, plan.report().grains);
        let (mut found, mut loaded) = (x(), x());
        plan.run(&mut found).unwrap();
        plan.load().unwrap().run(&mut loaded).unwrap();
        prop_assert_eq!(bits(&found), bits(&expected));
        prop_assert_eq!(bits(&loaded), bits(&expected));
    }

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
    fn blocks_of_words(from in prop::collection::vec([0..50_u16, 0..50_u16], 1..50), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = from.len();
        let from: Vec<[u16; 2]> = from.into_iter().map(|pair| pair.map(|at| at % n as u16)).collect();
        let blocks = || (0..n).map(|i| [0, 1, 2].map(|k| ((3 * i + k) % 11) as f32 / 7.0)).collect::<Vec<_>>();
        let (mut expected, mut sum) = (blocks(), 0.0);
        kernels::blocks(n, &from, &mut expected, &mut sum);
        let plan = kernels::blocks::plan(n, &from).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut x, mut total) = (blocks(), 0.0);
        plan.run(&mut x, &mut total).unwrap();
        assert_ran(schedule, processors);
        let flat = |x: &[[f32; 3]]| x.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!((flat(&x), total.to_bits()), (flat(&expected), sum.to_bits()));
        let (mut x, mut total) = (blocks(), 0.0);
        plan.load().unwrap().run(&mut x, &mut total).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((flat(&x), total.to_bits()), (flat(&expected), sum.to_bits()));
    }
}

#[test]
fn an_argument_that_is_too_short_is_the_functions_own_affair() {
    let (row, col, values) = ([0, 1, 3], [0, 0, 1], [1.0, 2.0, 4.0]);
    let plan = kernels::forward::plan(2, &row, &col)
        .exactly(2)
        .build()
        .unwrap();
    let short = std::panic::catch_unwind(|| plan.run(&values, &mut [1.0]));
    let panic = short.unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.contains("the len is 1 but the index is 1"), "{text}");
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
}

/// Single iterations as grains, four to a window.
fn small(planner: Schedule) -> (Schedule, Costs) {
    let costs = Costs {
        least: 1.0,
        ..Costs::default()
    };
    (planner, costs)
}

const WINDOWS: Schedule = Schedule::Doacross(Windows {
    grains: 4,
    chunks: 4,
    within: Within::Run,
});

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

proptest! {
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
            Err(_) => prop_assert!(processors == 1 || schedule == Schedule::Fastest),
        }
        let found = ended(loaded.run(&bad, &mut vec![1; n]));
        prop_assert!(fits(found.clone()), "{:?} {:?}", found, expected);
    }
}

#[test]
fn loaded_plans_run_where_there_are_no_processors() {
    let solve = |_: &usize| {
        let pattern = Pattern::of((0..500_u32).map(|i| vec![i.saturating_sub(9), i]).collect());
        let (n, values) = (pattern.size(), pattern.values());
        let (mut x, mut expected) = (start(n), start(n));
        kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
        let (schedule, costs) = small(WINDOWS);
        let plan = kernels::forward::plan(n, &pattern.row, &pattern.col).exactly(3);
        let plan = plan.schedule(schedule).costs(costs).build().unwrap();
        plan.load(&values).unwrap().run(&mut x).unwrap();
        assert_eq!(superstep::last_run(), None);
        assert_eq!(superstep::last_reason(), Some(superstep::Reason::Nested));
        assert_eq!(bits(&x), bits(&expected));
    };
    // Threads of a farm are processors, whose calls start no others.
    let items: Vec<usize> = (0..8).collect();
    superstep::farm::map(items, solve).workers(2).run().unwrap();
}

#[test]
fn values_that_are_too_short_are_errors() {
    let (row, col) = ([0, 1, 3], [0, 0, 1]);
    let (schedule, costs) = small(WINDOWS);
    let plan = kernels::forward::plan(2, &row, &col).exactly(2);
    let plan = plan.schedule(schedule).costs(costs).build().unwrap();
    let short = plan.load(&[1.0, 2.0]).unwrap_err().to_string();
    assert!(short.contains("index out of bounds"), "{short}");
    let mut loaded = plan.load(&[1.0, 2.0, 4.0]).unwrap();
    let short = std::panic::catch_unwind(|| loaded.run(&mut [1.0]));
    let panic = short.unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.contains("the len is 1 but the index is 1"), "{text}");
    let error = loaded.update(&[1.0]).unwrap_err().to_string();
    assert_eq!(
        error,
        "forward: an argument is not as long as it was planned for"
    );
    let mut x = [1.0, 10.0];
    loaded.run(&mut x).unwrap();
    assert_eq!(x, [1.0, 2.0], "the values that were loaded stay");
    loaded.update(&[1.0, 2.0, 8.0]).unwrap();
    let mut x = [1.0, 10.0];
    loaded.run(&mut x).unwrap();
    assert_eq!(x, [1.0, 1.0]);
}

#[test]
fn several_threads_run_one_plan() {
    let pattern = Pattern::of((0..500_u32).map(|i| vec![i.saturating_sub(9), i]).collect());
    let (n, values) = (pattern.size(), pattern.values());
    let mut expected = start(n);
    kernels::forward(n, &pattern.row, &pattern.col, &values, &mut expected);
    let (schedule, costs) = small(WINDOWS);
    let plan = kernels::forward::plan(n, &pattern.row, &pattern.col);
    let plan = plan
        .exactly(3)
        .schedule(schedule)
        .costs(costs)
        .build()
        .unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let mut x = start(n);
                    plan.run(&values, &mut x).unwrap();
                    assert_ran(schedule, 3);
                    assert_eq!(bits(&x), bits(&expected));
                }
            });
        }
    });
}
