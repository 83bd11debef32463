//! Least squares: latencies of all links from all measurements, and links that are not told from
//! none.

use superstep_timing::median;

use super::{Observed, SIGNIFICANT};
use crate::topology::growing::Growing;

/// Part of the doubtful links that are contracted before the rest is fitted again, as each changes
/// the others.
const AT_A_TIME: f64 = 0.15;

/// Least scale of residuals, in standard errors: without noise the fit leaves rounding errors
/// alone.
const LEAST_SCALE: f64 = 0.02;

/// Largest scale of residuals: with larger ones the shape is wrong and not the noise, and must be
/// mended before links are doubted.
const LARGEST_SCALE: f64 = 10.0;

/// Returns the scale of the residuals that the best latencies leave, in standard errors.
pub(super) fn scale(tree: &Growing, observed: &[Observed]) -> f64 {
    Fit::new(tree, observed).map_or(1.0, |fit| fit.scale)
}

/// Fits latencies, and contracts links between switches until those that are left are significant.
pub(super) fn collapse(tree: &mut Growing, observed: &[Observed]) {
    // A link that should have stayed would raise the scale, and others would follow it.
    let mut scale = f64::INFINITY;
    loop {
        let Some(fit) = Fit::new(tree, observed) else {
            return;
        };
        fit.set(tree);
        scale = scale.min(fit.scale);
        let mut doubtful: Vec<(f64, usize)> = (0..fit.links.len())
            .filter(|&at| {
                let (a, b) = fit.links[at];
                !tree.is_host(a) && !tree.is_host(b)
            })
            .map(|at| (fit.latencies[at] / (scale * fit.errors[at]), at))
            .filter(|&(t, _)| t < SIGNIFICANT)
            .collect();
        if doubtful.is_empty() {
            return;
        }
        doubtful.sort_unstable_by(|x, y| x.0.total_cmp(&y.0));
        let count = (doubtful.len() as f64 * AT_A_TIME).ceil() as usize;
        let mut kept: Vec<u32> = (0..tree.links.len() as u32).collect();
        for &(_, at) in &doubtful[..count] {
            let (a, b) = fit.links[at];
            let (a, b) = (of(&mut kept, a), of(&mut kept, b));
            tree.contract(a, b);
            kept[b as usize] = a;
        }
    }
}

/// Returns the switch that a contracted one has become.
fn of(kept: &mut [u32], mut switch: u32) -> u32 {
    while kept[switch as usize] != switch {
        switch = kept[switch as usize];
    }
    switch
}

/// Weighted least squares.
struct Fit {
    links: Vec<(u32, u32)>,
    latencies: Vec<f64>,
    /// Standard errors of the latencies, for residuals of scale 1.
    errors: Vec<f64>,
    /// Median absolute residual over standard error, as a standard deviation.
    scale: f64,
}

impl Fit {
    fn new(tree: &Growing, observed: &[Observed]) -> Option<Self> {
        let root = tree.present().next()?;
        let rooted = tree.rooted(root);
        // A link is known by its end away from the root.
        let mut column = vec![usize::MAX; tree.links.len()];
        let mut links = Vec::new();
        for (a, b, _) in tree.all_links() {
            let is_below = rooted.parents[b as usize] == a;
            let below = if is_below { b } else { a };
            column[below as usize] = links.len();
            links.push((a, b));
        }
        let count = links.len();
        let mut normal = vec![0.0; count * count];
        let mut right = vec![0.0; count];
        let path = |one: &Observed| {
            let path = rooted.path(one.a, one.b).into_iter();
            path.map(|v| column[v as usize]).collect()
        };
        let paths: Vec<Vec<usize>> = observed.iter().map(path).collect();
        for (one, path) in observed.iter().zip(&paths) {
            let weight = 1.0 / (one.error * one.error);
            for &i in path {
                right[i] += weight * one.distance;
                for &j in path {
                    normal[i * count + j] += weight;
                }
            }
        }
        let factor = factor(normal, count);
        let latencies = solve(&factor, &right);
        let residuals = observed.iter().zip(&paths).map(|(one, path)| {
            let fitted: f64 = path.iter().map(|&at| latencies[at]).sum();
            (one.distance - fitted).abs() / one.error
        });
        let median = median(residuals);
        // Each latency that is fitted takes up some of the noise.
        let free = observed.len() as f64 / observed.len().saturating_sub(count).max(1) as f64;
        let errors = inverse_diagonal(&factor, count);
        Some(Self {
            links,
            latencies,
            errors: errors.iter().map(|variance| variance.sqrt()).collect(),
            scale: (1.4826 * median * free.sqrt()).clamp(LEAST_SCALE, LARGEST_SCALE),
        })
    }

    /// Writes the latencies into the tree; negative ones are 0.
    fn set(&self, tree: &mut Growing) {
        for (&(a, b), &latency) in self.links.iter().zip(&self.latencies) {
            tree.set(a, b, latency.max(0.0));
        }
    }
}

/// Computes the lower triangle of Cholesky's factor of a symmetric matrix, row after row without
/// gaps. A link that no measurement tells from others has a pivot of 0: it gets a large variance,
/// and so counts as doubtful.
fn factor(matrix: Vec<f64>, count: usize) -> Vec<f64> {
    let mut factor = vec![0.0; count * (count + 1) / 2];
    let row = |i: usize| i * (i + 1) / 2;
    for i in 0..count {
        for j in 0..=i {
            let (x, y) = (&factor[row(i)..row(i) + j], &factor[row(j)..row(j) + j]);
            let rest = matrix[i * count + j] - dot(x, y);
            factor[row(i) + j] = if i == j {
                rest.max(1e-9 * matrix[i * count + i].max(1e-6)).sqrt()
            } else {
                rest / factor[row(j) + j]
            };
        }
    }
    factor
}

/// Returns the sum of the products, as far as both go.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn solve(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let row = |i: usize| i * (i + 1) / 2;
    let mut x = right.to_vec();
    for i in 0..x.len() {
        x[i] = (x[i] - dot(&factor[row(i)..row(i) + i], &x)) / factor[row(i) + i];
    }
    for i in (0..x.len()).rev() {
        x[i] /= factor[row(i) + i];
        let value = x[i];
        for j in 0..i {
            x[j] -= factor[row(i) + j] * value;
        }
    }
    x
}

/// Returns the diagonal of the inverse of the matrix that was factored.
fn inverse_diagonal(factor: &[f64], count: usize) -> Vec<f64> {
    let row = |i: usize| i * (i + 1) / 2;
    let mut x = vec![0.0; count];
    let entry = |unit: usize| {
        // The column of the inverse factor that belongs to the unit vector; its squares are the
        // entry.
        for i in unit..count {
            let row = &factor[row(i)..=row(i) + i];
            let one = f64::from(i == unit);
            x[i] = (one - dot(&row[unit..i], &x[unit..i])) / row[i];
        }
        dot(&x[unit..], &x[unit..])
    };
    (0..count).map(entry).collect()
}
