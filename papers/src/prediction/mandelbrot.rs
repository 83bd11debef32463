//! The Mandelbrot set: costs of points in several windows, and predictions from some of them.
//!
//! The paper predicts the costs of all points from those on a coarse grid, by interpolation. It
//! does not name its window, so we try several. Iterations of a point are its cost, scaled so that
//! all points together take what they take in the paper.

use superstep_farm::{Axis, Grid, Invalid, Prediction, Sampling};

/// Points along each axis, as in the paper.
const POINTS: usize = 1024;

/// Seconds that all points take together in the paper, to which costs are scaled here.
pub(super) const TOTAL: f64 = 1820.0;

/// A square of the plane, and a limit of iterations.
pub(super) struct Window {
    /// Its real and its imaginary interval.
    pub(super) name: &'static str,
    /// The least real and imaginary part.
    corner: [f64; 2],
    side: f64,
    /// Iterations after which a point counts as one of the set.
    limit: u32,
}

const fn window(name: &'static str, corner: [f64; 2], side: f64, limit: u32) -> Window {
    Window {
        name,
        corner,
        side,
        limit,
    }
}

/// Windows that the paper may have had. Our figures are of the first. The others show how much
/// figures depend on the window. The last two lie for the most part within the Mandelbrot set.
pub(super) const WINDOWS: [Window; 7] = [
    window("[-2, 1] x [-1.5, 1.5]", [-2.0, -1.5], 3.0, 1000),
    window("[-2, 0.5] x [-1.25, 1.25]", [-2.0, -1.25], 2.5, 1000),
    window("[-1.5, 0.5] x [-1, 1]", [-1.5, -1.0], 2.0, 1000),
    window("[-2.2, 1] x [-1.6, 1.6]", [-2.2, -1.6], 3.2, 4096),
    window("[-2, 2] x [-2, 2]", [-2.0, -2.0], 4.0, 1000),
    window("[-0.5, 0.5] x [-0.5, 0.5]", [-0.5, -0.5], 1.0, 1000),
    window("[-0.7, 0.3] x [-0.5, 0.5]", [-0.7, -0.5], 1.0, 1000),
];

/// Points that the paper predicts all others from (its S1 to S3), or all points (S0).
pub(super) struct Set {
    pub(super) name: &'static str,
    /// Nodes along each axis.
    pub(super) nodes: usize,
    /// Predicted seconds of all points, in the paper.
    pub(super) published: f64,
    /// Seconds of each point: of S0 as computed, of the others as interpolated.
    pub(super) costs: Vec<f64>,
    /// Seconds of the points of the set, which are run.
    pub(super) partial: f64,
    /// Prediction from as many random points, one in each cell (strata), to compare with; none of
    /// S0.
    pub(super) strata: Option<Prediction>,
}

impl Set {
    /// Returns the seconds of all points.
    pub(super) fn total(&self) -> f64 {
        self.costs.iter().sum()
    }
}

/// Computes the costs of all points of a window, and predicts them from some: S0 to S3.
pub(super) fn sets(window: &Window) -> Result<Vec<Set>, Invalid> {
    let [left, low] = window.corner;
    let at = |from: f64, index: usize| from + window.side * index as f64 / (POINTS - 1) as f64;
    let row =
        |j| (0..POINTS).map(move |i| f64::from(iterations(at(left, i), at(low, j), window.limit)));
    let mut costs: Vec<f64> = (0..POINTS).flat_map(row).collect();
    let scale = TOTAL / costs.iter().sum::<f64>();
    costs.iter_mut().for_each(|cost| *cost *= scale);
    let mut sets = vec![Set {
        nodes: POINTS,
        name: "S0",
        published: TOTAL,
        partial: TOTAL,
        costs,
        strata: None,
    }];
    for (name, nodes, published) in [("S1", 256, 1816.0), ("S2", 32, 1744.0), ("S3", 4, 1292.0)] {
        let all = &sets[0].costs;
        let axis = Axis::spread(POINTS, nodes)?;
        let rows = axis.nodes().iter();
        let value = |x: &f64, y: &f64| all[*x as usize * POINTS + *y as usize];
        let values: Vec<f64> = rows
            .flat_map(|x| axis.nodes().iter().map(move |y| value(x, y)))
            .collect();
        sets.push(Set {
            name,
            nodes,
            published,
            partial: values.iter().sum(),
            strata: Some(from_strata(all, nodes)?),
            costs: Grid::new(vec![axis.clone(); 2], values)?.everywhere(&[POINTS; 2])?,
        });
    }
    Ok(sets)
}

/// Counts iterations of a point before it leaves the circle of radius 2, at most the limit.
fn iterations(x: f64, y: f64, limit: u32) -> u32 {
    // The cardioid and the circle beside it are of the set.
    let (near, up) = (x - 0.25, y * y);
    let square = near * near + up;
    if square * (square + near) <= 0.25 * up || (x + 1.0) * (x + 1.0) + up <= 0.0625 {
        return limit;
    }
    let (mut real, mut imaginary) = (0.0, 0.0);
    for count in 0..limit {
        if real * real + imaginary * imaginary > 4.0 {
            return count;
        }
        (real, imaginary) = (
            real * real - imaginary * imaginary + x,
            2.0 * real * imaginary + y,
        );
    }
    limit
}

/// Predicts all costs from as many random points as a grid of so many nodes along each axis has.
fn from_strata(costs: &[f64], nodes: usize) -> Result<Prediction, Invalid> {
    let sampling = Sampling::new(&[POINTS; 2], nodes * nodes, 1)?;
    let sampled: Vec<f64> = sampling.items().iter().map(|&item| costs[item]).collect();
    sampling.predict(&sampled)
}
