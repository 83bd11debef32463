use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    (x[0], x[1]) = (x[1], x[0]);
}

fn main() {}
