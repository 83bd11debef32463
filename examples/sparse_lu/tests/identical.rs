//! Every plan gives the bits of the functions; and these tests would notice if one did not.

use superstep_example_sparse_lu::{NoRoot, Path, Plans, System, follow};
use superstep_matrix::{Compressed, market};
use superstep_side_by_side::SameBits;
use superstep_sparse::{Unsuitable, grids};

fn written(system: &System, steps: usize) -> Path {
    follow(system, None, steps, &mut Default::default()).unwrap()
}

fn planned(system: &System, processors: usize, steps: usize) -> Path {
    let plans = Plans::new(system, processors, true).unwrap();
    follow(system, Some(&plans), steps, &mut Default::default()).unwrap()
}

fn circuit() -> Compressed<f64> {
    let file = include_bytes!("../data/rajat01.mtx.gz");
    market::read(&file[..]).unwrap().rows().unwrap()
}

#[test]
fn every_plan_is_identical() {
    let dense = Compressed::from_lines(
        70,
        vec![(0..70).map(|at| (at, 1.0)).collect::<Vec<_>>(); 70],
    );
    let diagonal = Compressed::from_lines(9, (0..9).map(|at| [(at, 1.0)]));
    let empty = Compressed::from_lines(5, vec![[]; 5]);
    for (pattern, steps) in [
        (circuit(), 8),
        (grids::five_point(25), 20),
        (grids::random(300, 6, 1), 20),
        (grids::band(500, 4, 1), 20),
        (dense, 20),
        (diagonal, 20),
        (empty, 20),
        (Compressed::from_lines(1, [[(0, 1.0)]]), 20),
    ] {
        let system = System::new(&pattern, 1).unwrap();
        let expected = written(&system, steps);
        assert!(expected.steps >= steps);
        for processors in [1, 2, 3, 4, 7] {
            let found = planned(&system, processors, steps);
            assert!(found.roots.same_bits(&expected.roots), "P = {processors}");
            assert_eq!(found.steps, expected.steps);
        }
    }
}

#[test]
fn the_last_bit_of_an_element_counts() {
    let mut system = System::new(&grids::five_point(12), 1).unwrap();
    let expected = written(&system, 6);
    let weight = &mut system.elements.values[100];
    *weight = weight.next_up();
    assert!(!planned(&system, 2, 6).roots.same_bits(&expected.roots));
}

/// Some five steps a root: without the right slopes and factors it would be many more, if any.
#[test]
fn roots_are_found_in_few_steps() {
    let path = written(&System::new(&circuit(), 3).unwrap(), 40);
    assert!(path.residual <= 1e-10);
    assert!(
        path.roots.len() * 6 >= path.steps,
        "{} roots",
        path.roots.len()
    );
    let moved = path.roots.windows(2).all(|pair| pair[0] != pair[1]);
    assert!(moved, "sources change");
}

#[test]
fn a_system_without_a_root_is_an_error() {
    let mut system = System::new(&grids::five_point(4), 1).unwrap();
    system.elements.values[0] = f64::NAN;
    let error = follow(&system, None, 1, &mut Default::default()).unwrap_err();
    assert!(matches!(error, NoRoot::Diverged { state: 0, .. }));
}

#[test]
fn oblong_patterns_are_refused() {
    let (rows, columns) = (1, 2);
    let refused = System::new(&Compressed::from_lines(columns, [[(0, 1.0)]]), 1).map(drop);
    assert_eq!(refused, Err(Unsuitable::Oblong { rows, columns }));
}
