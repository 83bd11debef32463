use superstep::kernel;

#[kernel]
fn k(x: &[f64]) -> f64 {
    x[0]
}

fn main() {}
