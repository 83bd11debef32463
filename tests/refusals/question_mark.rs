use superstep::kernel;

fn f(x: f64) -> Option<f64> {
    Some(x)
}

#[kernel]
fn k(x: &mut [f64]) {
    x[0] = (|| Some(f(1.0)? + 1.0))().unwrap_or(0.0);
}

fn main() {}
