use superstep::kernel;

#[kernel]
fn k((a, b): (f64, f64), x: &mut [f64]) {
    x[0] = a + b;
}

fn main() {}
