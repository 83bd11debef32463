use superstep::kernel;

#[kernel]
fn k(x: [f64], y: &mut [[f64]]) {
    y[0][0] = x[0];
}

fn main() {}
