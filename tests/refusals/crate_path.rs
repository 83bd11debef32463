use superstep::kernel;

fn f(x: f64) -> f64 {
    x
}

#[kernel]
fn k(x: &mut [f64]) {
    x[0] = crate::f(1.0);
}

fn main() {}
