use superstep::kernel;

fn f(x: &[f64]) -> f64 {
    x[0]
}

#[kernel]
fn k(x: &[f64], y: &mut [f64]) {
    y[0] = f(x);
}

fn main() {}
