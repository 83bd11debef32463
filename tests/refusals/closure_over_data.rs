use superstep::kernel;

#[kernel]
fn k(x: &[f64], y: &mut [f64]) {
    y[0] = (0..3).map(|q| x[0] * q as f64).sum();
}

fn main() {}
