//! Tests of plans made at run time over ranks that are threads: the bits of the function, for any
//! pattern, schedule and number of ranks.

#[path = "../../../gallery/planned/tests/patterns/mod.rs"]
mod patterns;

use patterns::{Pattern, bits, costs, lower, schedules, start};
use proptest::prelude::*;
use superstep::ranks::{Communicator, Inputs, Over, RankError, Results, local};
use superstep_mpi_plans::kernels::{self, backward, columns, forward, sweeps};
use superstep_mpi_plans::{common, ic0, ilu0, swapped};

/// Ways to give inputs and to get results.
const WAYS: [Way; 4] = [
    Way(Inputs::First, Results::First),
    Way(Inputs::First, Results::Each),
    Way(Inputs::Each, Results::Each),
    Way(Inputs::Each, Results::Own),
];

#[derive(Clone, Copy, Debug)]
struct Way(Inputs, Results);

impl Way {
    fn over<'r>(self, ranks: &'r mut dyn Communicator) -> Over<'r> {
        Over::new(ranks).inputs(self.0).results(self.1)
    }
}

/// Runs a kernel over ranks in all ways, and compares the results of those that get them with
/// those of the function. Of own results each word is some rank's.
fn same(
    size: usize,
    inputs: &[Vec<f64>],
    outputs: &[Vec<f64>],
    expected: &[Vec<f64>],
    run: impl Fn(&mut dyn Communicator, Way, &[Vec<f64>], &mut [Vec<f64>]) -> Result<(), RankError>
    + Sync,
) -> Result<(), TestCaseError> {
    for way in WAYS {
        let found = local::run(size, |ranks| {
            let has = ranks.rank() == 0 || way.0 == Inputs::Each;
            let gets = way.1 != Results::First;
            let held = |all: &[Vec<f64>], is_long: bool| -> Vec<Vec<f64>> {
                let words = |words: &Vec<f64>| match (has, is_long) {
                    (true, _) => words.clone(),
                    (false, true) => vec![f64::NAN; words.len()],
                    (false, false) => Vec::new(),
                };
                all.iter().map(words).collect()
            };
            // As long as the whole arrays, if it uses its arguments.
            let (inputs, mut own) = (held(inputs, gets), held(outputs, gets));
            run(ranks, way, &inputs, &mut own).expect("it runs");
            own
        });
        for (at, expected) in expected.iter().enumerate() {
            for (word, value) in expected.iter().enumerate() {
                let before = outputs[at][word].to_bits();
                let is = |rank: usize| found[rank][at].get(word).map(|word| word.to_bits());
                let is_right = |rank: usize| {
                    // What no iteration writes stays.
                    let is_unwritten =
                        before == value.to_bits() && way.0 == Inputs::First && rank > 0;
                    is(rank) == Some(value.to_bits()) || is_unwritten
                };
                let is_same = match way.1 {
                    Results::First => is_right(0),
                    Results::Each => (0..size).all(is_right),
                    Results::Own => (0..size).any(is_right),
                };
                prop_assert!(is_same, "{way:?}: word {word} of output {at}");
            }
        }
    }
    Ok(())
}

/// Pattern and values of a diagonally dominant matrix, and the places of its diagonal.
fn matrix(lower: &Pattern) -> (Pattern, Vec<usize>, Vec<f64>) {
    let n = lower.size();
    let mut rows = vec![Vec::new(); n];
    for i in 0..n {
        for &j in &lower.col[lower.row[i]..lower.row[i + 1]] {
            rows[i].push(j);
            rows[j as usize].push(i as u32);
        }
    }
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
    }
    let pattern = Pattern::of(rows);
    let place = |i: usize| {
        let row = &pattern.col[pattern.row[i]..pattern.row[i + 1]];
        pattern.row[i] + row.iter().position(|&j| j as usize == i).unwrap()
    };
    let diagonal: Vec<usize> = (0..n).map(place).collect();
    let mut values = pattern.values();
    diagonal.iter().for_each(|&at| values[at] += 40.0);
    (pattern, diagonal, values)
}

/// Lower triangle without repeated entries.
fn unique(lower: &Pattern) -> Pattern {
    let rows = (0..lower.size()).map(|i| {
        let mut row = lower.col[lower.row[i]..lower.row[i + 1]].to_vec();
        row.dedup();
        row
    });
    Pattern::of(rows.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn forward_substitution(pattern in lower(), size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (n, values) = (pattern.size(), pattern.values());
        let (x, mut expected) = (start(n), start(n));
        forward(n, &pattern.row, &pattern.col, &values, &mut expected);
        let planner = forward::plan(n, &pattern.row, &pattern.col).schedule(schedule).costs(costs);
        same(size, &[values], &[x], &[expected], |ranks, way, inputs, x| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &inputs[0], &mut x[0])
        })?;
    }

    #[test]
    fn backward_substitution(pattern in lower(), size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let pattern = pattern.transposed();
        let (n, values) = (pattern.size(), pattern.values());
        let (b, mut expected) = (start(n), vec![0.0; n]);
        backward(n, &pattern.row, &pattern.col, &values, &b, &mut expected);
        let planner = backward::plan(n, &pattern.row, &pattern.col).schedule(schedule).costs(costs);
        same(size, &[values, b], &[vec![0.0; n]], &[expected], |ranks, way, inputs, x| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &inputs[0], &inputs[1], &mut x[0])
        })?;
    }

    #[test]
    fn substitution_by_columns(pattern in lower(), size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let pattern = pattern.transposed();
        let (n, values) = (pattern.size(), pattern.values());
        let column: Vec<u32> = pattern.row.iter().map(|&start| start as u32).collect();
        let (x, mut expected) = (start(n), start(n));
        columns(n, &column, &pattern.col, &values, &mut expected);
        let planner = columns::plan(n, &column, &pattern.col).schedule(schedule).costs(costs);
        same(size, &[values], &[x], &[expected], |ranks, way, inputs, x| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &inputs[0], &mut x[0])
        })?;
    }

    #[test]
    fn symmetric_sweeps(pattern in lower(), times in 0..3_usize, size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (pattern, _, values) = matrix(&pattern);
        let n = pattern.size();
        let (b, x, mut expected) = (start(n), start(n), start(n));
        sweeps(n, times, &pattern.row, &pattern.col, &values, &b, &mut expected);
        let planner = sweeps::plan(n, times, &pattern.row, &pattern.col).schedule(schedule).costs(costs);
        same(size, &[values, b], &[x], &[expected], |ranks, way, inputs, x| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &inputs[0], &inputs[1], &mut x[0])
        })?;
    }

    #[test]
    fn incomplete_factors(pattern in lower(), size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (whole, diagonal, values) = matrix(&pattern);
        let n = whole.size();
        let mut expected = values.clone();
        ilu0(n, &whole.row, &whole.col, &diagonal, &mut expected);
        let planner = ilu0::plan(n, &whole.row, &whole.col, &diagonal).schedule(schedule).costs(costs);
        same(size, &[], &[values], &[expected], |ranks, way, _, a| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &mut a[0])
        })?;
        let half = unique(&pattern);
        let values: Vec<f64> = half.values().iter().map(|value| value + 1.0).collect();
        let mut expected = values.clone();
        ic0(n, &half.row, &half.col, &mut expected);
        let planner = ic0::plan(n, &half.row, &half.col).schedule(schedule).costs(costs);
        same(size, &[], &[values], &[expected], |ranks, way, _, a| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &mut a[0])
        })?;
    }

    #[test]
    fn dense_factors(n in 1..30_usize, size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let a: Vec<f64> = (0..n * n).map(|i| if i % (n + 1) == 0 { 50.0 } else { (i % 13) as f64 }).collect();
        let mut expected = a.clone();
        kernels::lu(n, &mut expected);
        let planner = kernels::lu::plan(n).schedule(schedule).costs(costs);
        same(size, &[], std::slice::from_ref(&a), &[expected], |ranks, way, _, a| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &mut a[0])
        })?;
        let mut expected = a.clone();
        kernels::cholesky(n, &mut expected);
        let planner = kernels::cholesky::plan(n).schedule(schedule).costs(costs);
        same(size, &[], &[a], &[expected], |ranks, way, _, a| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &mut a[0])
        })?;
    }

    #[test]
    fn reflections(m in 1..16_usize, n in 1..16_usize, size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = n.min(m);
        let a: Vec<f64> = (0..m * n).map(|i| ((i * 37) % 23) as f64 / 7.0 + if i % (n + 1) == 0 { 5.0 } else { 0.0 }).collect();
        let mut expected = (a.clone(), vec![0.0; n]);
        kernels::householder(m, n, &mut expected.0, &mut expected.1);
        let planner = kernels::householder::plan(m, n).schedule(schedule).costs(costs);
        same(size, &[], &[a, vec![0.0; n]], &[expected.0, expected.1], |ranks, way, _, outputs| {
            let [a, tau] = outputs else { unreachable!() };
            planner.build_over(ranks)?.run_over(way.over(ranks), a, tau)
        })?;
    }

    /// Numbers and arrays of the kernel's own, which live on from grain to grain.
    #[test]
    fn words_of_the_kernel(n in 1..16_usize, steps in 0..4_usize, size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let (a, q) = (start(n * n), start(n * n));
        let mut expected = (start(n), vec![0.0; n]);
        common::iterated(n, steps, &a, &q, &mut expected.0, &mut expected.1);
        let planner = common::iterated::plan(n, steps).schedule(schedule).costs(costs);
        same(size, &[a.clone(), q], &[start(n), vec![0.0; n]], &[expected.0, expected.1], |ranks, way, inputs, outputs| {
            let [p, t] = outputs else { unreachable!() };
            planner.build_over(ranks)?.run_over(way.over(ranks), &inputs[0], &inputs[1], p, t)
        })?;
        let mut expected = (a.clone(), 0.0);
        common::pivoted(n, &mut expected.0, &mut expected.1);
        let planner = common::pivoted::plan(n).schedule(schedule).costs(costs);
        same(size, &[], &[a, vec![0.0]], &[expected.0, vec![expected.1]], |ranks, way, _, outputs| {
            let [a, last] = outputs else { unreachable!() };
            let mut scalar = last.first().copied().unwrap_or(0.0);
            let ran = planner.build_over(ranks)?.run_over(way.over(ranks), a, &mut scalar);
            last.iter_mut().for_each(|last| *last = scalar);
            ran
        })?;
    }

    /// Nested arrays, control that reads structure, and levels of loops.
    #[test]
    fn loops_of_all_kinds(n in 1..30_usize, seed in any::<u32>(), size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let before: Vec<usize> = (0..n).map(|i| seed.rotate_left(i as u32) as usize % (i + 1)).collect();
        let mut expected = start(3 * n);
        kernels::parts(n, &before, &mut expected);
        let planner = kernels::parts::plan(n, &before).schedule(schedule).costs(costs);
        same(size, &[], &[start(3 * n)], &[expected], |ranks, way, _, x| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &mut x[0])
        })?;
        let mut expected = start(n.next_power_of_two());
        let whole = expected.len();
        kernels::passes(whole, &mut expected);
        let planner = kernels::passes::plan(whole).schedule(schedule).costs(costs);
        same(size, &[], &[start(whole)], &[expected], |ranks, way, _, x| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &mut x[0])
        })?;
        for level in [0, 1] {
            let (weights, mut expected) = (start(n), start(2 * n));
            kernels::damped(n, 2, &before, 0.375, &weights, &mut expected);
            let planner = kernels::damped::plan(n, 2, &before).schedule(schedule).costs(costs).level(level);
            same(size, &[weights], &[start(2 * n)], &[expected], |ranks, way, inputs, x| {
                planner.build_over(ranks)?.run_over(way.over(ranks), 0.375, &inputs[0], &mut x[0])
            })?;
        }
        // Each rank has scratch of its own.
        let mut expected = start(2 * n);
        swapped(n, &mut [0.0; 3], &mut expected);
        let planner = swapped::plan(n).schedule(schedule).costs(costs);
        same(size, &[], &[start(2 * n)], &[expected], |ranks, way, _, x| {
            planner.build_over(ranks)?.run_over(way.over(ranks), &mut [0.0; 3], &mut x[0])
        })?;
    }

    #[test]
    fn nested_arrays(from in prop::collection::vec([0..50_u16, 0..50_u16], 1..50), size in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = from.len();
        let from: Vec<[u16; 2]> = from.into_iter().map(|pair| pair.map(|at| at % n as u16)).collect();
        let blocks = || (0..n).map(|i| [0, 1, 2].map(|k| ((3 * i + k) % 11) as f32 / 7.0)).collect::<Vec<_>>();
        let (mut expected, mut sum) = (blocks(), 0.0);
        kernels::blocks(n, &from, &mut expected, &mut sum);
        let planner = kernels::blocks::plan(n, &from).schedule(schedule).costs(costs);
        let flat = |x: &[[f32; 3]]| x.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let found = local::run(size, |ranks| {
            let (mut x, mut total) = (blocks(), 0.0);
            if ranks.rank() > 0 {
                x.clear();
            }
            let plan = planner.build_over(ranks).unwrap();
            plan.run_over(Over::new(ranks), &mut x, &mut total).unwrap();
            (x, total)
        });
        prop_assert_eq!((flat(&found[0].0), found[0].1.to_bits()), (flat(&expected), sum.to_bits()));
    }
}

#[test]
fn bits_are_compared() {
    assert_ne!(bits(&[0.0]), bits(&[-0.0]));
}
