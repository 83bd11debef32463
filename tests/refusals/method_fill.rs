use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    x.fill(0.0);
}

fn main() {}
