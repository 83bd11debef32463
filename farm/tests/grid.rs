//! Interpolation, for any grid.

use proptest::prelude::*;
use superstep_farm::{Axis, Grid, Invalid};

/// Axes with 1 to 4 nodes among the first coordinates.
fn axes() -> impl Strategy<Value = Vec<Axis>> {
    let axis = prop::collection::btree_set(0u8..12, 1..5)
        .prop_map(|nodes| Axis::new(nodes.into_iter().map(f64::from).collect()).unwrap());
    prop::collection::vec(axis, 1..4)
}

fn grid() -> impl Strategy<Value = Grid> {
    axes().prop_flat_map(|axes| {
        let nodes = axes
            .iter()
            .map(|axis| axis.nodes().len())
            .product::<usize>();
        prop::collection::vec(0.0..1e6f64, nodes)
            .prop_map(move |values| Grid::new(axes.clone(), values).unwrap())
    })
}

/// Returns all nodes of a grid, the last axis running fastest.
fn nodes(axes: &[Axis]) -> Vec<Vec<f64>> {
    axes.iter().fold(vec![vec![]], |points, axis| {
        let longer = |point: &Vec<f64>| {
            let point = point.clone();
            let append = move |&node: &f64| [&point[..], &[node]].concat();
            axis.nodes().iter().map(append).collect::<Vec<_>>()
        };
        points.iter().flat_map(longer).collect()
    })
}

/// Returns a product of one linear function for each axis.
fn multilinear(point: &[f64], factors: &[(f64, f64)]) -> f64 {
    let values = point.iter().zip(factors);
    values
        .map(|(at, (constant, slope))| constant + slope * at)
        .product()
}

proptest! {
    #[test]
    fn nodes_have_their_values(grid in grid()) {
        let points = nodes(grid.axes());
        let found: Vec<f64> = points.iter().map(|point| grid.at(point).unwrap()).collect();
        prop_assert_eq!(Grid::new(grid.axes().to_vec(), found).unwrap(), grid);
    }

    #[test]
    fn multilinear_functions_are_exact_within_the_grid(
        axes in axes(),
        factors in prop::collection::vec((-3.0..3.0f64, -3.0..3.0f64), 3),
        shares in prop::collection::vec(0.0..1.0f64, 3),
    ) {
        let values = nodes(&axes).iter().map(|point| multilinear(point, &factors)).collect();
        let point: Vec<f64> = axes
            .iter()
            .zip(shares)
            .map(|(axis, share)| {
                let (first, last) = (axis.nodes()[0], axis.nodes()[axis.nodes().len() - 1]);
                first + share * (last - first)
            })
            .collect();
        let found = Grid::new(axes, values).unwrap().at(&point).unwrap();
        prop_assert!((found - multilinear(&point, &factors)).abs() < 1e-9);
    }

    #[test]
    fn values_stay_between_those_of_the_nodes(
        grid in grid(),
        point in prop::collection::vec(-5.0..20.0f64, 3),
    ) {
        let found = grid.at(&point[..grid.axes().len()]).unwrap();
        let values: Vec<f64> = nodes(grid.axes()).iter().map(|at| grid.at(at).unwrap()).collect();
        prop_assert!(values.iter().any(|&value| value <= found));
        prop_assert!(values.iter().any(|&value| found <= value));
    }

    #[test]
    fn the_order_of_the_axes_does_not_matter(
        grid in grid(),
        point in prop::collection::vec(-2.0..14.0f64, 3),
    ) {
        let point = &point[..grid.axes().len()];
        let reverse = |list: &[f64]| list.iter().rev().copied().collect::<Vec<_>>();
        let axes: Vec<Axis> = grid.axes().iter().rev().cloned().collect();
        let points = nodes(&axes);
        let values = points.iter().map(|at| grid.at(&reverse(at)).unwrap());
        let reversed = Grid::new(axes.clone(), values.collect()).unwrap();
        let [one, other] = [grid.at(point).unwrap(), reversed.at(&reverse(point)).unwrap()];
        prop_assert!((one - other).abs() <= 1e-9 * one.abs());
    }

    #[test]
    fn all_items_are_what_each_is(grid in grid(), shape in prop::collection::vec(1usize..14, 3)) {
        let shape = &shape[..grid.axes().len()];
        let items: Vec<Axis> = shape
            .iter()
            .map(|&length| Axis::new((0..length).map(|at| at as f64).collect()).unwrap())
            .collect();
        let each: Vec<f64> = nodes(&items).iter().map(|at| grid.at(at).unwrap()).collect();
        prop_assert_eq!(grid.everywhere(shape).unwrap(), each);
    }

    #[test]
    fn the_coarser_grid_has_every_second_node(grid in grid()) {
        let lengths: Vec<usize> = grid.axes().iter().map(|axis| axis.nodes().len()).collect();
        let halves = lengths.iter().all(|length| length % 2 == 1) && lengths.iter().any(|&length| length > 1);
        prop_assert_eq!(grid.coarser().is_some(), halves);
        if let Some(coarser) = grid.coarser() {
            for node in nodes(coarser.axes()) {
                prop_assert_eq!(coarser.at(&node), grid.at(&node));
            }
        }
    }
}

#[test]
fn spread_axes_have_both_ends_and_even_steps() {
    for length in 1..60 {
        for points in length.min(2)..=length {
            let axis = Axis::spread(length, points).unwrap();
            let nodes = axis.nodes();
            assert_eq!((nodes.len(), nodes[0]), (points, 0.0));
            assert_eq!(nodes[points - 1], (length - 1) as f64);
            let steps: Vec<f64> = nodes.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let most = steps.iter().copied().fold(0.0, f64::max);
            assert!(
                steps.iter().all(|&step| step >= 1.0 && most - step <= 1.0),
                "{nodes:?}"
            );
        }
    }
}

#[test]
fn grids_that_are_none_are_refused() {
    let message = |result: Result<Grid, Invalid>| result.unwrap_err().to_string();
    let grid = |axes: &[Vec<f64>], values: &[f64]| {
        let axes = axes.iter().cloned().map(Axis::new);
        Grid::new(axes.collect::<Result<_, _>>()?, values.to_vec())
    };
    for (axes, values, expected) in [
        (
            &[][..],
            &[1.0][..],
            "there are 0 axes, and 1 are needed: items are numbered along at least one",
        ),
        (
            &[vec![]],
            &[],
            "there are 0 nodes, and 1 are needed: an axis has at least one",
        ),
        (
            &[vec![1.0, 1.0]],
            &[1.0, 2.0],
            "nodes[1] is 1, which must be finite and above the node before",
        ),
        (
            &[vec![2.0, 1.0]],
            &[1.0, 2.0],
            "nodes[1] is 1, which must be finite and above the node before",
        ),
        (
            &[vec![f64::NAN]],
            &[1.0],
            "nodes[0] is NaN, which must be finite and above the node before",
        ),
        (
            &[vec![1.0, f64::INFINITY]],
            &[1.0, 2.0],
            "nodes[1] is inf, which must be finite and above the node before",
        ),
        (
            &[vec![1.0, 2.0]],
            &[1.0],
            "there are 1 values, and 2 are needed: each node of the grid has one",
        ),
        (
            &[vec![1.0, 2.0]],
            &[1.0, f64::NAN],
            "values[1] is NaN, which must be finite",
        ),
    ] {
        assert_eq!(message(grid(axes, values)), expected);
    }
    let flat = grid(&[vec![1.0, 2.0]], &[1.0, 2.0]).unwrap();
    let message = |error: Invalid| error.to_string();
    assert_eq!(
        message(flat.at(&[1.0, 1.0]).unwrap_err()),
        "there are 2 coordinates, and 1 are needed: each axis of the grid has one"
    );
    assert_eq!(
        message(flat.at(&[f64::NAN]).unwrap_err()),
        "point[0] is NaN, which must be a number"
    );
    assert_eq!(
        message(flat.everywhere(&[usize::MAX]).unwrap_err()),
        "items is 18446744073709552000, which must be from 1 to 268435456"
    );
    assert_eq!(
        message(flat.everywhere(&[0]).unwrap_err()),
        "items is 0, which must be from 1 to 268435456"
    );
    for (length, points) in [(0, 0), (0, 1), (5, 1), (5, 6), (1, 0)] {
        assert_eq!(
            message(Axis::spread(length, points).unwrap_err()),
            format!("points is {points}, which must be from 2 to the number of items of its axis")
        );
    }
}
