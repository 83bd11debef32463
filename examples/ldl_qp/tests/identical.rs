//! Every plan gives the bits of the functions, and minima are minima.

use superstep_example_ldl_qp::{Kkt, NoMinimum, Outcome, Plans, Program, Unsuitable, minimise};
use superstep_matrix::Compressed;
use superstep_side_by_side::SameBits;
use superstep_sparse::grids;

fn written(program: &Program) -> Outcome {
    let kkt = Kkt::new(program).unwrap();
    minimise(program, &kkt, None, 4000, &mut Default::default()).unwrap()
}

fn planned(program: &Program, processors: usize) -> Outcome {
    let kkt = Kkt::new(program).unwrap();
    let plans = Plans::new(&kkt, processors, true).unwrap();
    minimise(program, &kkt, Some(&plans), 4000, &mut Default::default()).unwrap()
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
        Program::flow(2, 1),
        Program::flow(9, 2),
        Program::flow(16, 3),
        Program::on(&chain(60), 1).unwrap(),
        Program::on(&grids::five_point(8), 1).unwrap(),
        Program::on(&grids::band(60, 3, 1), 1).unwrap(),
        Program::on(&Compressed::from_lines(4, (0..4).map(|at| [(at, 1.0)])), 1).unwrap(),
        Program::on(&Compressed::<f64>::from_lines(3, vec![[]; 3]), 1).unwrap(),
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
    let mut program = Program::flow(9, 2);
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
    let outcome = written(&Program::flow(16, 3));
    assert!(outcome.factorisations > 2);
    assert_eq!(outcome.iterations, 10 * outcome.factorisations);
}

#[test]
fn costs_without_a_minimum_are_refused() {
    let mut program = Program::flow(4, 1);
    program.p.values[3] = -1e9;
    let kkt = Kkt::new(&program).unwrap();
    let refused = minimise(&program, &kkt, None, 100, &mut Default::default()).unwrap_err();
    assert!(matches!(refused, NoMinimum::Indefinite));
    let program = Program::flow(9, 1);
    let kkt = Kkt::new(&program).unwrap();
    let refused = minimise(&program, &kkt, None, 10, &mut Default::default()).unwrap_err();
    assert!(matches!(
        refused,
        NoMinimum::Diverged { iterations: 10, .. }
    ));
}

#[test]
fn other_patterns_are_refused() {
    let oblong = Compressed::from_lines(2, [[(0, 1.0)]]);
    let (rows, columns) = (1, 2);
    let refused = Program::on(&oblong, 1).unwrap_err();
    assert_eq!(refused, Unsuitable::Oblong { rows, columns });
    let lopsided = Compressed::from_lines(3, [vec![(0, 1.0)], vec![(2, 1.0)], vec![]]);
    let refused = Program::on(&lopsided, 1).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a symmetric pattern is needed, this one has row 2, column 3 alone"
    );
}
