use superstep::kernel;

#[kernel]
fn k(n: usize, col: &[usize], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        y[i] = x[col[i]];
    }
}

fn main() {}
