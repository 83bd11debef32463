//! Matrices of triangular meshes of random points, in several numberings. Seeds are fixed, so they
//! are the same in each run.

use std::collections::VecDeque;

use delaunator::{Point, triangulate};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_matrix::Compressed;

/// Points of a part that is not dissected further: a separator would have as many as are left.
const SMALLEST: usize = 8;

/// Delaunay triangulation of random points of a square.
pub(super) struct Mesh {
    points: Vec<Point>,
    /// Neighbours of each point and itself, in the order in which points were drawn: a symmetric
    /// pattern, whose values are 1.
    matrix: Compressed<f64>,
}

impl Mesh {
    pub(super) fn new(points: usize) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let point = |_| Point {
            x: random.random(),
            y: random.random(),
        };
        let points: Vec<Point> = (0..points).map(point).collect();
        let mut lines: Vec<Vec<usize>> = (0..points.len()).map(|at| vec![at]).collect();
        for triangle in triangulate(&points).triangles.chunks(3) {
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                lines[triangle[from]].push(triangle[to]);
                lines[triangle[to]].push(triangle[from]);
            }
        }
        let across = points.len();
        let lines = lines.into_iter().map(|mut line| {
            line.sort_unstable();
            line.dedup();
            line.into_iter().map(|at| (at, 1.0))
        });
        let matrix = Compressed::from_lines(across, lines);
        Self { points, matrix }
    }

    /// Returns the matrix under a random numbering of the points.
    pub(super) fn random(&self) -> Compressed<f64> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.shuffle(&mut Pcg64Mcg::seed_from_u64(2));
        self.matrix.permuted(&order)
    }

    /// Returns the matrix in the reverse order of Cuthill and McKee (1969): breadth first, from a
    /// point far from others, neighbours of few neighbours first.
    pub(super) fn cuthill_mckee(&self) -> Compressed<f64> {
        let far = *self.breadth_first(0).last().unwrap_or(&0);
        let mut order = self.breadth_first(far);
        order.reverse();
        self.matrix.permuted(&order)
    }

    fn breadth_first(&self, start: usize) -> Vec<usize> {
        let points = self.points.len();
        let degree = |at: usize| self.matrix.starts[at + 1] - self.matrix.starts[at];
        let mut seen = vec![false; points];
        let mut order = Vec::with_capacity(points);
        let mut queue = VecDeque::new();
        for start in [start]
            .into_iter()
            .chain(0..points)
            .filter(|&at| at < points)
        {
            if !std::mem::replace(&mut seen[start], true) {
                queue.push_back(start);
            }
            while let Some(at) = queue.pop_front() {
                order.push(at);
                let mut next: Vec<usize> = self.matrix.line(at).map(|(at, _)| at).collect();
                next.retain(|&at| !seen[at]);
                next.sort_by_key(|&at| degree(at));
                for at in next {
                    seen[at] = true;
                    queue.push_back(at);
                }
            }
        }
        order
    }

    /// Returns the matrix in the order of nested dissection (George, 1973): both halves of the
    /// points along the longer axis, then those between them.
    pub(super) fn dissected(&self) -> Compressed<f64> {
        let mut order = Vec::with_capacity(self.points.len());
        let mut side = vec![0; self.points.len()];
        self.dissect((0..self.points.len()).collect(), &mut side, &mut order);
        self.matrix.permuted(&order)
    }

    /// Appends the points of a part to `order`, dissected. `side` is 0 before and after. Meanwhile
    /// points of the right half have 1, by which those of the left half that touch it are found.
    fn dissect(&self, mut part: Vec<usize>, side: &mut [u8], order: &mut Vec<usize>) {
        if part.len() <= SMALLEST {
            order.extend(part);
            return;
        }
        let extent = |of: fn(&Point) -> f64| {
            let values = part.iter().map(|&at| of(&self.points[at]));
            let (least, most) = values.fold((1.0_f64, 0.0_f64), |(least, most), value| {
                (least.min(value), most.max(value))
            });
            most - least
        };
        let wide = extent(|point| point.x) > extent(|point| point.y);
        let along = |at: usize| match wide {
            true => self.points[at].x,
            false => self.points[at].y,
        };
        let half = part.len() / 2;
        part.select_nth_unstable_by(half, |&a, &b| along(a).total_cmp(&along(b)));
        let right = part.split_off(half);
        right.iter().for_each(|&at| side[at] = 1);
        let touches = |&at: &usize| self.matrix.line(at).any(|(other, _)| side[other] == 1);
        let (between, left): (Vec<usize>, Vec<usize>) = part.into_iter().partition(touches);
        right.iter().for_each(|&at| side[at] = 0);
        self.dissect(left, side, order);
        self.dissect(right, side, order);
        order.extend(between);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numberings_keep_the_mesh() {
        let mesh = Mesh::new(500);
        // A planar graph has at most 3 n - 6 edges.
        assert!(mesh.matrix.indices.len() <= 500 + 2 * (3 * 500 - 6));
        let degrees = |matrix: &Compressed<f64>| {
            let mut degrees: Vec<usize> = matrix.starts.windows(2).map(|w| w[1] - w[0]).collect();
            degrees.sort_unstable();
            degrees
        };
        let spread = |matrix: &Compressed<f64>| -> usize {
            let rows = 0..matrix.lines();
            rows.flat_map(|row| matrix.line(row).map(move |(at, _)| at.abs_diff(row)))
                .sum()
        };
        for matrix in [mesh.random(), mesh.cuthill_mckee(), mesh.dissected()] {
            assert_eq!(degrees(&matrix), degrees(&mesh.matrix));
            assert_eq!(matrix, matrix.transposed());
        }
        assert!(4 * spread(&mesh.cuthill_mckee()) < spread(&mesh.random()));
    }
}
