//! Every plan gives the bits of the functions, and minima are minima.

use superstep_example_ldl_qp::kernels::WrongSign;
use superstep_example_ldl_qp::{
    Functions, Kkt, NoMinimum, Operations, Outcome, Plans, Program, Unsuitable, first, minimise,
};
use superstep_matrix::Compressed;
use superstep_side_by_side::SameBits;
use superstep_sparse::grids;

fn written(program: &Program) -> Outcome {
    let kkt = Kkt::new(program).unwrap();
    minimise(program, &kkt, &Functions::new(&kkt), 4000).unwrap()
}

/// Plans that run on so many processors, where it pays and where not.
fn exactly(kkt: &Kkt, processors: usize) -> Plans<'_> {
    Plans {
        sign: &kkt.sign,
        refactor: kkt.refactor().exactly(processors).build().unwrap(),
        solve: kkt.solve().exactly(processors).build().unwrap(),
    }
}

fn planned(program: &Program, processors: usize) -> Outcome {
    let kkt = Kkt::new(program).unwrap();
    minimise(program, &kkt, &exactly(&kkt, processors), 4000).unwrap()
}

/// Optimality conditions of a chain of variables: each constraint has three neighbours, and each
/// variable a bound.
fn chain(variables: usize) -> Compressed<f64> {
    let constraints = variables - 2;
    let lower = |line: usize| {
        let mut line: Vec<usize> = match line.checked_sub(variables) {
            None => vec![line],
            Some(row) if row < constraints => vec![row, row + 1, row + 2, line],
            Some(row) => vec![row - constraints, line],
        };
        line.sort_unstable();
        line.into_iter().map(|at| (at, 1.0))
    };
    let lines = variables + constraints + variables;
    Compressed::from_lines(lines, (0..lines).map(lower)).mirrored()
}

fn programs() -> Vec<Program> {
    vec![
        Program::flow(2),
        Program::flow(9),
        Program::flow(16),
        Program::on(&chain(60)).unwrap(),
        Program::on(&grids::five_point(8)).unwrap(),
        Program::on(&grids::band(60, 3, 1)).unwrap(),
        Program::on(&Compressed::from_lines(4, (0..4).map(|at| [(at, 1.0)]))).unwrap(),
        Program::on(&Compressed::<f64>::from_lines(3, vec![[]; 3])).unwrap(),
    ]
}

#[test]
fn every_plan_is_identical() {
    for program in programs() {
        let expected = written(&program);
        for processors in [1, 2, 3, 4, 7] {
            let found = planned(&program, processors);
            assert!(found.x.same_bits(&expected.x), "P = {processors}");
            assert!(found.z.same_bits(&expected.z), "P = {processors}");
            assert!(found.y.same_bits(&expected.y), "P = {processors}");
            assert_eq!(found.iterations, expected.iterations);
        }
    }
}

#[test]
fn the_last_bit_of_a_cost_counts() {
    let mut program = Program::flow(9);
    let expected = written(&program);
    program.q[20] = program.q[20].next_up();
    assert!(!planned(&program, 2).x.same_bits(&expected.x));
}

/// Points of constraints that hold cost no less: steps towards others that hold.
#[test]
fn minima_are_minima() {
    for program in programs() {
        let found = written(&program);
        let values = |x: &[f64]| -> Vec<f64> {
            let row = |row| program.a.line(row).map(|(at, value)| value * x[at]).sum();
            (0..program.a.lines()).map(row).collect()
        };
        for ((value, l), u) in values(&found.x).iter().zip(&program.l).zip(&program.u) {
            assert!(
                (l - 1e-4..=u + 1e-4).contains(value),
                "{l} <= {value} <= {u}"
            );
        }
        // Strong duality: the cost is that of the dual, x' P x / -2 - u' y+ - l' y-.
        let bounds = program.l.iter().zip(&program.u).zip(&found.y);
        let supports: f64 = bounds
            .map(|((l, u), y)| if *y > 0.0 { u * y } else { l * y })
            .sum();
        let linear: f64 = found.x.iter().zip(&program.q).map(|(x, q)| x * q).sum();
        let quadratic = program.cost(&found.x) - linear;
        let gap = program.cost(&found.x) + quadratic + supports;
        let size = quadratic.abs() + linear.abs() + supports.abs();
        assert!(gap.abs() <= 1e-4 * (1.0 + size), "{gap} of {size}");
    }
}

#[test]
fn values_change_while_the_iteration_goes_on() {
    let outcome = written(&Program::flow(16));
    assert!(outcome.factorisations > 2);
    assert_eq!(outcome.iterations, 10 * outcome.factorisations);
}

#[test]
fn the_first_pivot_of_the_wrong_sign_is_told() {
    let mut program = Program::flow(16);
    for flow in [3, 200] {
        program.p.values[flow] = -1e9;
    }
    let kkt = Kkt::new(&program).unwrap();
    let refused =
        |operations: &dyn Operations| match operations.refactor(&mut first(&program, &kkt)) {
            Err(NoMinimum::WrongSign(error)) => error,
            ended => panic!("{ended:?}"),
        };
    let expected = refused(&Functions::new(&kkt));
    let WrongSign { column, pivot } = expected;
    assert!([3, 200].iter().any(|&flow| kkt.places[flow] == column));
    assert!(pivot < 0.0);
    for processors in [1, 2, 4, 7] {
        assert_eq!(refused(&exactly(&kkt, processors)), expected);
    }
    let ended = minimise(&program, &kkt, &exactly(&kkt, 2), 100);
    assert!(matches!(ended, Err(NoMinimum::WrongSign(error)) if error == expected));
}

#[test]
fn iterations_are_as_many_as_are_allowed() {
    let program = Program::flow(6);
    let kkt = Kkt::new(&program).unwrap();
    for most in [0, 5, 10, 15] {
        let ended = minimise(&program, &kkt, &Functions::new(&kkt), most);
        assert!(matches!(ended, Err(NoMinimum::Diverged { iterations, .. }) if iterations == most));
    }
}

#[test]
fn a_solve_says_which_pivot_is_zero() {
    let program = Program::flow(9);
    let kkt = Kkt::new(&program).unwrap();
    let mut a = first(&program, &kkt);
    a.fill(1.0);
    for column in [40, 12] {
        a[kkt.columns.starts[column]] = 0.0;
    }
    let (column, pivot) = (12, 0.0);
    let expected = WrongSign { column, pivot };
    let is_told = |operations: &dyn Operations| {
        let solved = operations.solve(&a, &mut vec![1.0; kkt.places.len()]);
        assert!(matches!(solved, Err(NoMinimum::WrongSign(error)) if error == expected));
    };
    is_told(&Functions::new(&kkt));
    for processors in [1, 2, 4] {
        is_told(&exactly(&kkt, processors));
    }
}

#[test]
fn what_does_not_converge_is_an_error() {
    let program = Program::flow(9);
    let kkt = Kkt::new(&program).unwrap();
    let refused = minimise(&program, &kkt, &Functions::new(&kkt), 10).unwrap_err();
    assert!(matches!(
        refused,
        NoMinimum::Diverged { iterations: 10, .. }
    ));
}

#[test]
fn other_patterns_are_refused() {
    let oblong = Compressed::from_lines(2, [[(0, 1.0)]]);
    let (rows, columns) = (1, 2);
    let refused = Program::on(&oblong).unwrap_err();
    assert_eq!(refused, Unsuitable::Oblong { rows, columns });
    let lopsided = Compressed::from_lines(3, [vec![(0, 1.0)], vec![(2, 1.0)], vec![]]);
    let refused = Program::on(&lopsided).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a symmetric pattern is needed, this one has row 2, column 3 alone"
    );
}
