use superstep::kernel;

#[kernel]
#[grain]
fn k(x: &mut [f64]) {
    x[0] = 1.0;
}

fn main() {}
