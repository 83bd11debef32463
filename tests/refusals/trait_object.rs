use superstep::kernel;

#[kernel]
fn k(f: &dyn Fn(f64) -> f64, x: &mut [f64]) {
    x[0] = f(1.0);
}

fn main() {}
