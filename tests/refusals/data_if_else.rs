use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        if x[i] < 0.0 {
            y[i] -= 1.0;
        } else {
            y[i] = x[i];
        }
    }
}

fn main() {}
