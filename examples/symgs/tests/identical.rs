//! Plans give the bits of the functions, whatever the pattern, the schedule and the number of
//! processors; and what they compute is the solution.

use proptest::prelude::*;
use superstep::plan::{Costs, Schedule, Windows, Within};
use superstep_example_matrices::{Input, System};
use superstep_example_symgs::kernels::Unfit;
use superstep_example_symgs::{Functions, Matrix, Plans, Solution, SolveError, kernels, solve};
use superstep_matrix::Compressed;
use superstep_side_by_side::SameBits;

const FACTOR: f64 = 1e-3;
const MOST: usize = 1000;

const SCHEDULES: [Schedule; 3] = [
    Schedule::Doacross(Windows {
        grains: 3,
        chunks: 2,
        within: Within::Run,
    }),
    Schedule::Doacross(Windows {
        grains: 8,
        chunks: 8,
        within: Within::Levels,
    }),
    Schedule::GrowLocal,
];

/// Plans that run on so many processors, in grains of some rows, where it pays and where not.
fn exactly(
    matrix: &Matrix,
    processors: usize,
    schedule: Schedule,
) -> Result<Plans<'_>, SolveError> {
    let costs = Costs {
        least: 12.0,
        ..Costs::default()
    };
    let Matrix { a, diagonal } = matrix;
    let (n, row, col) = (a.lines(), &a.starts, &a.indices);
    macro_rules! plan {
        ($planner:expr) => {
            $planner
                .exactly(processors)
                .schedule(schedule)
                .costs(costs)
                .build()?
        };
    }
    let mut plans = Plans::new(matrix, processors)?;
    plans.sweep = plan!(kernels::sweep::plan(n, row, col, diagonal)).load(&a.values)?;
    plans.residual = plan!(kernels::residual::plan(n, row, col)).load(&a.values)?;
    Ok(plans)
}

fn by_functions(matrix: &Matrix, b: &[f64]) -> Solution {
    solve(&Functions::new(matrix), b, FACTOR, MOST).unwrap()
}

fn assert_same(matrix: &Matrix, b: &[f64], processors: usize, schedule: Schedule) {
    let expected = by_functions(matrix, b);
    let plans = exactly(matrix, processors, schedule).unwrap();
    let solution = solve(&plans, b, FACTOR, MOST).unwrap();
    assert!(
        solution.x.same_bits(&expected.x),
        "{processors} processors, {schedule:?}"
    );
    assert_eq!(solution, expected);
    let ran = superstep::last_run().map(|ran| ran.processors);
    assert_eq!(ran, Some(processors));
}

fn systems() -> impl Strategy<Value = System> {
    let lines = prop::collection::vec(any::<u64>(), 1..50);
    (lines, any::<u64>()).prop_map(|(lines, thin)| {
        let n = lines.len();
        let line = |bits: u64| {
            (0..n)
                .filter(move |at| bits >> at & 1 == 1)
                .map(|at| (at, 1.0))
        };
        let pattern = Compressed::from_lines(n, lines.iter().map(|bits| line(bits & thin)));
        System::drawn("drawn", &pattern)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn plans_of_any_pattern_give_the_bits(system in systems(), processors in 1..6_usize, schedule in 0..3_usize) {
        let matrix = Matrix::new(system.a).unwrap();
        assert_same(&matrix, &system.b, processors, SCHEDULES[schedule]);
    }

    /// After the backward half of a sweep each row holds with the values that it then saw. The rows
    /// behind it are new, those before it are of the forward half.
    #[test]
    fn rows_take_the_newest_values(system in systems()) {
        let matrix = Matrix::new(system.a).unwrap();
        let (a, b, n) = (&matrix.a, &system.b, matrix.size());
        let mut x = vec![0.0; n];
        kernels::sweep(n, &a.starts, &a.indices, &matrix.diagonal, &a.values, b, &mut x).unwrap();
        let mut expected = vec![0.0; n];
        for row in (0..n).chain((0..n).rev()) {
            let others = a.line(row).filter(|&(at, _)| at != row);
            let sum: f64 = others.map(|(at, value)| value * expected[at]).sum();
            expected[row] = (b[row] - sum) / a.values[matrix.diagonal[row]];
        }
        for (found, expected) in x.iter().zip(&expected) {
            prop_assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn the_residual_is_as_told(system in systems()) {
        let matrix = Matrix::new(system.a).unwrap();
        let (a, b) = (&matrix.a, &system.b);
        let solution = by_functions(&matrix, b);
        prop_assert!(solution.residual <= FACTOR);
        let product = |row| a.line(row).map(|(at, value)| value * solution.x[at]).sum::<f64>();
        let norm = |values: Vec<f64>| values.iter().map(|v| v * v).sum::<f64>().sqrt();
        let found = norm((0..b.len()).map(|row| b[row] - product(row)).collect()) / norm(b.clone());
        prop_assert!((found - solution.residual).abs() < 1e-12);
    }
}

#[test]
fn plans_of_grids_give_the_bits() {
    for side in [2, 3, 8, 13] {
        let system = System::poisson(side);
        let matrix = Matrix::new(system.a).unwrap();
        for processors in [1, 2, 4, 7] {
            for schedule in SCHEDULES {
                assert_same(&matrix, &system.b, processors, schedule);
            }
        }
    }
}

#[test]
fn a_circuit_is_solved_with_the_same_bits() {
    let system = System::new(Input::named("rajat01").unwrap());
    let matrix = Matrix::new(system.a).unwrap();
    let expected = by_functions(&matrix, &system.b);
    assert!(expected.residual <= FACTOR, "{}", expected.residual);
    for processors in [1, 2, 4] {
        let plans = Plans::new(&matrix, processors).unwrap();
        let solution = solve(&plans, &system.b, FACTOR, MOST).unwrap();
        assert_eq!(solution, expected, "{processors} processors");
    }
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let system = System::poisson(6);
    let matrix = Matrix::new(system.a).unwrap();
    let mut b = system.b.clone();
    b[107] = b[107].next_up();
    let plans = exactly(&matrix, 2, Schedule::GrowLocal).unwrap();
    let solution = solve(&plans, &b, FACTOR, MOST).unwrap();
    assert!(!solution.x.same_bits(&by_functions(&matrix, &system.b).x));
}

#[test]
fn a_diagonal_of_zero_says_which_row() {
    let system = System::poisson(4);
    let mut matrix = Matrix::new(system.a).unwrap();
    for row in [40, 21] {
        matrix.a.values[matrix.diagonal[row]] = 0.0;
    }
    let is_told = |error| {
        let expected = Unfit::Value {
            row: 21,
            value: 0.0,
        };
        assert!(matches!(error, SolveError::Unfit(found) if found == expected));
    };
    is_told(solve(&Functions::new(&matrix), &system.b, FACTOR, MOST).unwrap_err());
    for processors in [1, 2, 4] {
        let plans = exactly(&matrix, processors, Schedule::GrowLocal).unwrap();
        is_told(solve(&plans, &system.b, FACTOR, MOST).unwrap_err());
    }
}

#[test]
fn a_row_without_its_diagonal_is_no_matrix_to_sweep() {
    let a = Compressed::from_lines(2, [vec![(0, 1.0)], vec![(0, 1.0)]]);
    assert_eq!(
        Matrix::new(a).unwrap_err().to_string(),
        "a row of the matrix lacks its diagonal"
    );
}
