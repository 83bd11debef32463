use std::ops::{Index, IndexMut};

use superstep::kernel;

struct Matrix {
    n: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.n + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.n + j]
    }
}

#[kernel]
fn k(n: usize, a: &mut Matrix) {
    for i in 1..n {
        for j in 1..n {
            a[(i - 1, j)] = 0.5;
        }
    }
}

#[kernel]
fn fields(a: &Matrix, x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] = a.data[2 * i];
    }
}

fn main() {}
