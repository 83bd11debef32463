//! Every plan gives the bits of the functions; and these tests would notice if one did not.

use superstep::plan::Schedule;
use superstep_example_matrices::{Input, System};
use superstep_example_sparse_lu::kernels::SmallPivot;
use superstep_example_sparse_lu::{Functions, Network, NoRoot, Operations, Path, Plans, follow};
use superstep_matrix::Compressed;
use superstep_side_by_side::SameBits;
use superstep_sparse::{Unsuitable, grids};

fn written(network: &Network, steps: usize) -> Path {
    follow(&Functions::new(network), network, steps).unwrap()
}

/// Plans that run on so many processors, where it pays and where not.
fn exactly(network: &Network, processors: usize) -> Plans<'_> {
    Plans {
        weight: &network.elements.values,
        evaluate: network.evaluate().exactly(processors).build().unwrap(),
        refactor: network.refactor().exactly(processors).build().unwrap(),
        solve: network.solve().exactly(processors).build().unwrap(),
    }
}

fn planned(network: &Network, processors: usize, steps: usize) -> Path {
    follow(&exactly(network, processors), network, steps).unwrap()
}

fn circuit() -> Network {
    let system = System::new(Input::named("rajat01").unwrap());
    Network::new(&system.a).unwrap()
}

#[test]
fn every_plan_is_identical() {
    let of = |pattern: &Compressed<f64>| Network::new(pattern).unwrap();
    let dense = Compressed::from_lines(
        70,
        vec![(0..70).map(|at| (at, 1.0)).collect::<Vec<_>>(); 70],
    );
    for (network, steps) in [
        (circuit(), 8),
        (of(&grids::five_point(25)), 20),
        (of(&grids::random(300, 6, 1)), 20),
        (of(&grids::band(500, 4, 1)), 20),
        (of(&dense), 20),
        (
            of(&Compressed::from_lines(9, (0..9).map(|at| [(at, 1.0)]))),
            20,
        ),
        (of(&Compressed::from_lines(5, vec![[]; 5])), 20),
        (of(&Compressed::from_lines(1, [[(0, 1.0)]])), 20),
    ] {
        let expected = written(&network, steps);
        assert!(expected.steps >= steps);
        for processors in [1, 2, 3, 4, 7] {
            let found = planned(&network, processors, steps);
            assert!(found.roots.same_bits(&expected.roots), "P = {processors}");
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn plans_as_they_are_chosen_are_identical() {
    let network = circuit();
    let expected = written(&network, 8);
    for processors in [1, 2, 4] {
        let plans = Plans::new(&network, processors).unwrap();
        assert_eq!(follow(&plans, &network, 8).unwrap(), expected);
    }
}

#[test]
fn the_last_bit_of_an_element_counts() {
    let mut network = Network::new(&grids::five_point(12)).unwrap();
    let expected = written(&network, 6);
    let weight = &mut network.elements.values[100];
    *weight = weight.next_up();
    assert!(!planned(&network, 2, 6).roots.same_bits(&expected.roots));
}

/// Some five steps a root: without the right slopes and factors it would be many more, if any.
#[test]
fn roots_are_found_in_few_steps() {
    let path = written(&circuit(), 40);
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
fn a_network_without_a_root_is_an_error() {
    let mut network = Network::new(&grids::five_point(4)).unwrap();
    network.elements.values[0] = f64::NAN;
    let error = follow(&Functions::new(&network), &network, 1).unwrap_err();
    assert!(matches!(error, NoRoot::Diverged { state: 0, .. }));
}

/// Nodes without elements have no flow to balance their sources.
#[test]
fn the_first_pivot_that_is_too_small_is_told() {
    let network = {
        let mut network = Network::new(&grids::five_point(20)).unwrap();
        for node in [311, 57] {
            let elements = &mut network.elements;
            elements.values[elements.starts[node]..elements.starts[node + 1]].fill(0.0);
        }
        network
    };
    let source = network.sources(0.0);
    let refused = |operations: &dyn Operations| {
        let mut arrays = network.arrays();
        operations.evaluate(&source, &mut arrays).unwrap();
        match operations.refactor(&mut arrays).unwrap_err() {
            NoRoot::SmallPivot(error) => error,
            error => panic!("{error}"),
        }
    };
    let expected = refused(&Functions::new(&network));
    let node = 57;
    assert!(matches!(expected, SmallPivot { node: at, .. } if at == node));
    for processors in [1, 2, 4, 7] {
        assert_eq!(refused(&exactly(&network, processors)), expected);
        let grown = Plans {
            refactor: {
                let planner = network.refactor().exactly(processors);
                planner.schedule(Schedule::GrowLocal).build().unwrap()
            },
            ..exactly(&network, processors)
        };
        assert_eq!(refused(&grown), expected);
    }
}

#[test]
fn a_solve_says_which_pivot_is_too_small() {
    let network = Network::new(&grids::five_point(6)).unwrap();
    let refused = |operations: &dyn Operations| {
        let mut arrays = network.arrays();
        arrays.a.fill(1.0);
        for node in [31, 17] {
            arrays.a[network.diagonal[node]] = 0.0;
        }
        match operations.solve(&mut arrays).unwrap_err() {
            NoRoot::SmallPivot(error) => error,
            error => panic!("{error}"),
        }
    };
    let (node, pivot) = (17, 0.0);
    let expected = SmallPivot { node, pivot };
    assert_eq!(refused(&Functions::new(&network)), expected);
    for processors in [1, 2, 4] {
        assert_eq!(refused(&exactly(&network, processors)), expected);
    }
}

#[test]
fn oblong_patterns_are_refused() {
    let (rows, columns) = (1, 2);
    let refused = Network::new(&Compressed::from_lines(columns, [[(0, 1.0)]])).map(drop);
    assert_eq!(refused, Err(Unsuitable::Oblong { rows, columns }));
}
