//! Plans give the bits of the function, for any pattern and number of processors.

mod patterns;

use patterns::{Pattern, WINDOWS, assert_ran, bits, costs, lower, schedules, small, start};
use proptest::prelude::*;
use superstep_planned::{common, kernels};

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
        prop_assert_eq!(loaded.report(), plan.report());
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
    fn two_kernels_in_one_plan(pattern in lower(), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let transposed = pattern.transposed();
        let (n, values, others) = (pattern.size(), pattern.values(), transposed.values());
        let (mut x, mut expected) = (start(n), vec![0.0; n]);
        kernels::both(n, &pattern.row, &pattern.col, &transposed.row, &transposed.col, &values, &others, &mut x, &mut expected);
        let plan = kernels::both::plan(n, &pattern.row, &pattern.col, &transposed.row, &transposed.col);
        let plan = plan.exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut half, mut found) = (start(n), vec![0.0; n]);
        plan.run(&values, &others, &mut half, &mut found).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((bits(&half), bits(&found)), (bits(&x), bits(&expected)));
        let (mut half, mut found) = (start(n), vec![0.0; n]);
        plan.load(&values, &others).unwrap().run(&mut half, &mut found).unwrap();
        prop_assert_eq!((bits(&half), bits(&found)), (bits(&x), bits(&expected)));
    }

    #[test]
    fn numbers_before_the_loops(before in prop::collection::vec(any::<u32>(), 1..50), steps in 1..5_usize, processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = before.len();
        let before: Vec<usize> = before.iter().enumerate().map(|(i, &before)| before as usize % (i + 1)).collect();
        let (weights, mut expected) = (start(n), start(2 * n));
        kernels::damped(n, steps, &before, 0.375, &weights, &mut expected);
        for level in [0, 1] {
            let plan = kernels::damped::plan(n, steps, &before).exactly(processors).schedule(schedule).costs(costs).level(level).build().unwrap();
            let (mut x, mut loaded) = (start(2 * n), start(2 * n));
            plan.run(0.375, &weights, &mut x).unwrap();
            assert_ran(schedule, processors);
            plan.load().unwrap().run(0.375, &weights, &mut loaded).unwrap();
            prop_assert_eq!(bits(&x), bits(&expected));
            prop_assert_eq!(bits(&loaded), bits(&expected));
        }
    }

    #[test]
    fn numbers_that_live_on(skip in prop::collection::vec(any::<bool>(), 1..50), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = skip.len();
        let (mut expected, mut expected_was) = (start(n), vec![0; n]);
        common::normalised(n, &skip, &mut expected, &mut expected_was);
        let plan = common::normalised::plan(n, &skip).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        for _ in 0..2 {
            let (mut x, mut was) = (start(n), vec![0; n]);
            plan.run(&mut x, &mut was).unwrap();
            assert_ran(schedule, processors);
            prop_assert_eq!((bits(&x), &was), (bits(&expected), &expected_was));
            let (mut x, mut was) = (start(n), vec![0; n]);
            plan.load().unwrap().run(&mut x, &mut was).unwrap();
            prop_assert_eq!((bits(&x), &was), (bits(&expected), &expected_was));
        }
    }

    #[test]
    fn numbers_whose_control_changes(n in 1..40_usize, steps in 0..5_usize, processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (w, mut expected) = (start(n), start(n));
        common::stepped(n, steps, &w, &mut expected);
        let plan = common::stepped::plan(n, steps).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut x, mut loaded) = (start(n), start(n));
        plan.run(&w, &mut x).unwrap();
        assert_ran(schedule, processors);
        plan.load().unwrap().run(&w, &mut loaded).unwrap();
        prop_assert_eq!((bits(&x), bits(&loaded)), (bits(&expected), bits(&expected)));
    }

    #[test]
    fn numbers_that_change_at_times(n in 1..40_usize, flag: bool, processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (v, mut expected) = (start(1), (start(n), start(n), 0.0));
        common::flagged(n, flag, &v, &mut expected.0, &mut expected.1, &mut expected.2);
        let plan = common::flagged::plan(n, flag).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut x, mut y, mut out) = (start(n), start(n), 0.0);
        plan.run(&v, &mut x, &mut y, &mut out).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!((bits(&x), bits(&y), out), (bits(&expected.0), bits(&expected.1), expected.2));
    }

    #[test]
    fn calls_inside_grains(before in prop::collection::vec(any::<u32>(), 1..50), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = before.len();
        let before: Vec<usize> = before.iter().enumerate().map(|(i, &before)| before as usize % (i + 1)).collect();
        let mut expected = start(3 * n);
        kernels::parts(n, &before, &mut expected);
        let plan = kernels::parts::plan(n, &before).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut x, mut loaded) = (start(3 * n), start(3 * n));
        plan.run(&mut x).unwrap();
        assert_ran(schedule, processors);
        plan.load().unwrap().run(&mut loaded).unwrap();
        prop_assert_eq!(bits(&x), bits(&expected));
        prop_assert_eq!(bits(&loaded), bits(&expected));
    }

    #[test]
    fn scratch_of_each_processor(pattern in lower(), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (n, values) = (pattern.size(), pattern.values());
        let scratch = || (vec![f64::NAN; n], vec![true; n]);
        let mut expected = vec![0.0; n];
        let (mut dense, mut mark) = scratch();
        let given = kernels::gathered(n, &pattern.row, &pattern.col, &values, &mut dense, &mut mark, &mut expected);
        let plan = kernels::gathered::plan(n, &pattern.row, &pattern.col).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let loaded = plan.load(&values).unwrap();
        for _ in 0..2 {
            let (mut found, mut replayed) = (vec![0.0; n], vec![0.0; n]);
            let (mut dense, mut mark) = scratch();
            prop_assert_eq!(plan.run(&values, &mut dense, &mut mark, &mut found).unwrap(), given);
            prop_assert_eq!(loaded.run(&mut dense, &mut mark, &mut replayed).unwrap(), given);
            if given.is_ok() {
                assert_ran(schedule, processors);
                prop_assert_eq!(bits(&found), bits(&expected));
                prop_assert_eq!(bits(&replayed), bits(&expected));
                if superstep::last_run().is_some() {
                    // Each processor has used scratch of its own.
                    prop_assert!(dense.iter().all(|word| word.is_nan()) && mark.iter().all(|&mark| mark));
                }
            }
        }
    }

    #[test]
    fn substitution_by_columns(pattern in lower(), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let pattern = pattern.transposed();
        let (n, values) = (pattern.size(), pattern.values());
        let column: Vec<u32> = pattern.row.iter().map(|&start| start as u32).collect();
        let mut expected = start(n);
        kernels::columns(n, &column, &pattern.col, &values, &mut expected);
        let plan = kernels::columns::plan(n, &column, &pattern.col).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut x = start(n);
        plan.run(&values, &mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
        let mut x = start(n);
        plan.load(&values).unwrap().run(&mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
    }

    #[test]
    fn reductions_inside_grains(pattern in lower(), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (n, values) = (pattern.size(), pattern.values());
        let mut expected = start(n);
        kernels::row_sums(n, &pattern.row, &pattern.col, &values, &mut expected);
        let plan = kernels::row_sums::plan(n, &pattern.row, &pattern.col).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut x = start(n);
        plan.run(&values, &mut x).unwrap();
        assert_ran(schedule, processors);
        prop_assert_eq!(bits(&x), bits(&expected));
        let mut x = start(n);
        plan.load(&values).unwrap().run(&mut x).unwrap();
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
        let plan = kernels::wrapping::plan(at.len(), &at).exactly(processors).level(0).schedule(schedule).costs(costs).build().unwrap();
        // Each iteration writes all words, so they are one chain.
        prop_assert_eq!(plan.report().levels, plan.report().grains);
        let (mut found, mut loaded) = (x(), x());
        plan.run(&mut found).unwrap();
        plan.load().unwrap().run(&mut loaded).unwrap();
        prop_assert_eq!(bits(&found), bits(&expected));
        prop_assert_eq!(bits(&loaded), bits(&expected));
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
