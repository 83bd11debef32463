use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    let _ = x[0];
}

fn main() {}
