use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    _ = x[0];
}

fn main() {}
