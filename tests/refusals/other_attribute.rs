use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    #[must_use]
    let t = x[1];
    x[0] = t;
}

fn main() {}
