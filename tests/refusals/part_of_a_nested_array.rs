use superstep::kernel;

fn f(x: &[f64; 3]) -> f64 {
    x[0]
}

#[kernel]
fn k(x: &[[f64; 3]], y: &mut [f64]) {
    y[0] = f(&x[1]);
}

fn main() {}
