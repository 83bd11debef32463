use superstep::kernel;

trait Size {
    fn len(self) -> usize;
}

impl Size for [i64; 3] {
    fn len(self) -> usize {
        1
    }
}

const TABLE: [i64; 3] = [0, 1, 2];

#[kernel(plan)]
fn of_a_length(n: usize, x: &mut [f64]) {
    for i in 0..n {
        for j in 0..TABLE.len() {
            x[3 * i + j] *= 2.0;
        }
    }
}

#[kernel(plan)]
fn of_a_range(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i + (0..3).len()] *= 2.0;
    }
}

fn main() {}
