//! Plans give the bits of the functions, whatever the pattern, the schedule and the number of
//! processors; and what they compute is the solution.

use proptest::prelude::*;
use superstep::plan::{Costs, Schedule, Windows, Within};
use superstep_example_ilu_cg::kernels::Unfit;
use superstep_example_ilu_cg::{
    Functions, Matrix, Operations, Plans, Solution, SolveError, Solver, kernels, solve,
};
use superstep_example_matrices::{Input, System};
use superstep_matrix::Compressed;
use superstep_side_by_side::SameBits;

const FACTOR: f64 = 1e-10;
const MOST: usize = 500;

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
    let Matrix { a, lower } = matrix;
    let (n, row, col) = (matrix.size(), &lower.starts, &lower.indices);
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
    plans.factor = plan!(kernels::factor::plan(n, row, col));
    plans.precondition = plan!(kernels::precondition::plan(n, row, col)).load(&lower.values)?;
    plans.product = plan!(kernels::product::plan(n, &a.starts, &a.indices)).load(&a.values)?;
    Ok(plans)
}

fn by_functions(matrix: &Matrix, b: &[f64]) -> Solution {
    solve(&mut Functions::new(matrix), b, FACTOR, MOST).unwrap()
}

fn assert_same(matrix: &Matrix, b: &[f64], processors: usize, schedule: Schedule) {
    let expected = by_functions(matrix, b);
    let mut plans = exactly(matrix, processors, schedule).unwrap();
    let solution = solve(&mut plans, b, FACTOR, MOST).unwrap();
    assert!(
        solution.x.same_bits(&expected.x),
        "{processors} processors, {schedule:?}"
    );
    assert_eq!(solution, expected);
    let ran = superstep::last_run().map(|ran| ran.processors);
    assert_eq!(ran, Some(processors));
}

/// Computes the residual from scratch, as a part of the right-hand side.
fn residual(a: &Compressed<f64>, x: &[f64], b: &[f64]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
    let product = |row| a.line(row).map(|(at, value)| value * x[at]).sum::<f64>();
    norm(&mut (0..b.len()).map(|row| b[row] - product(row))) / norm(&mut b.iter().copied())
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
        let matrix = Matrix::new(system.a);
        assert_same(&matrix, &system.b, processors, SCHEDULES[schedule]);
    }

    #[test]
    fn the_factor_gives_the_matrix_on_its_pattern(system in systems()) {
        let matrix = Matrix::new(system.a);
        let mut functions = Functions::new(&matrix);
        functions.factor().unwrap();
        let Compressed { starts, indices, .. } = &matrix.lower;
        let line = |row: usize| (starts[row]..starts[row + 1]).map(|e| (indices[e], functions.l[e]));
        for row in 0..matrix.size() {
            for (column, value) in matrix.lower.line(row) {
                let other = |at| line(column).find(|&(column, _)| column == at).map_or(0.0, |(_, l)| l);
                let product: f64 = line(row).map(|(at, l)| l * other(at)).sum();
                prop_assert!((product - value).abs() < 1e-12 * matrix.size() as f64, "{}, {}", row, column);
            }
        }
    }

    #[test]
    fn any_system_is_solved(system in systems()) {
        let matrix = Matrix::new(system.a);
        let solution = by_functions(&matrix, &system.b);
        prop_assert!(residual(&matrix.a, &solution.x, &system.b) < 1e-9);
    }
}

#[test]
fn plans_of_grids_give_the_bits() {
    for side in [2, 3, 8, 13] {
        let system = System::poisson(side);
        let matrix = Matrix::new(system.a);
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
    let matrix = Matrix::new(system.a);
    let expected = by_functions(&matrix, &system.b);
    assert!(expected.steps < 100, "{} steps", expected.steps);
    assert!(residual(&matrix.a, &expected.x, &system.b) < 2.0 * FACTOR);
    for processors in [1, 2, 4] {
        let mut plans = Plans::new(&matrix, processors).unwrap();
        let solution = solve(&mut plans, &system.b, FACTOR, MOST).unwrap();
        assert_eq!(solution, expected, "{processors} processors");
    }
}

#[test]
fn a_matrix_is_factored_anew_with_its_values() {
    let system = System::poisson(6);
    let matrix = Matrix::new(system.a);
    let mut plans = exactly(&matrix, 2, Schedule::GrowLocal).unwrap();
    let expected = by_functions(&matrix, &system.b);
    for _ in 0..3 {
        let solution = solve(&mut plans, &system.b, FACTOR, MOST).unwrap();
        assert_eq!(solution, expected);
    }
}

/// Returns an object that has the matrix, its factor and all plans.
fn solver(system: System, processors: usize) -> Solver {
    Solver::new(Matrix::new(system.a), processors).unwrap()
}

#[test]
fn an_object_of_matrix_factor_and_plans_goes_to_another_thread() {
    let system = System::poisson(8);
    let expected = by_functions(&Matrix::new(system.a.clone()), &system.b);
    for processors in [1, 2, 4] {
        let mut solver = solver(System::poisson(8), processors);
        let b = system.b.clone();
        let solves =
            std::thread::spawn(move || [(); 3].map(|()| solver.solve(&b, FACTOR, MOST).unwrap()));
        for solution in solves.join().unwrap() {
            assert_eq!(solution, expected);
        }
    }
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let system = System::poisson(6);
    let matrix = Matrix::new(system.a);
    let mut b = system.b.clone();
    b[107] = b[107].next_up();
    let mut plans = exactly(&matrix, 2, Schedule::GrowLocal).unwrap();
    let solution = solve(&mut plans, &b, FACTOR, MOST).unwrap();
    assert!(!solution.x.same_bits(&by_functions(&matrix, &system.b).x));
}

#[test]
fn a_matrix_without_a_factor_says_which_row() {
    let system = System::poisson(6);
    let mut a = system.a.clone();
    // The diagonals of rows 50 and 171, which are in no row of each other.
    for row in [171, 50] {
        let at = (a.starts[row]..a.starts[row + 1]).find(|&at| a.indices[at] == row);
        a.values[at.unwrap()] = -1.0;
    }
    let matrix = Matrix::new(a);
    let error = solve(&mut Functions::new(&matrix), &system.b, FACTOR, MOST).unwrap_err();
    let SolveError::Unfit(expected) = error else {
        panic!("{error}");
    };
    assert!(matches!(expected, Unfit::NotPositive { row: 50, .. }));
    for processors in [1, 2, 4, 7] {
        for schedule in SCHEDULES {
            let mut plans = exactly(&matrix, processors, schedule).unwrap();
            let error = solve(&mut plans, &system.b, FACTOR, MOST).unwrap_err();
            assert!(matches!(error, SolveError::Unfit(found) if found == expected));
        }
    }
}

#[test]
fn a_row_that_does_not_end_with_its_diagonal_is_told() {
    let system = System::poisson(4);
    let mut matrix = Matrix::new(system.a);
    let Compressed {
        starts, indices, ..
    } = &mut matrix.lower;
    indices[starts[20]..starts[21]].rotate_right(1);
    let expected = Unfit::Diagonal { row: 20 };
    let (n, row, col) = (matrix.size(), &matrix.lower.starts, &matrix.lower.indices);
    let (l, mut z) = (&matrix.lower.values, vec![0.0; n]);
    let solved = kernels::precondition(n, row, col, l, &system.b, &mut z);
    assert_eq!(solved, Err(expected));
    for processors in [1, 2, 4] {
        let mut plans = exactly(&matrix, processors, Schedule::GrowLocal).unwrap();
        let solved = plans.precondition(&system.b, &mut z).unwrap_err();
        let factored = plans.factor().unwrap_err();
        for error in [solved, factored] {
            assert!(matches!(error, SolveError::Unfit(found) if found == expected));
        }
    }
}

#[test]
fn nothing_to_solve_takes_no_step() {
    let matrix = Matrix::new(System::poisson(3).a);
    let solution = by_functions(&matrix, &[0.0; 27]);
    assert_eq!((solution.steps, solution.residual), (0, 0.0));
    assert_eq!(solution.x, [0.0; 27]);
}
