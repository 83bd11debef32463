use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    const H: f64 = 0.5;
    x[0] = H;
}

fn main() {}
