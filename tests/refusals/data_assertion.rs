use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    assert!(x[0] > 0.0);
    x[1] = 1.0;
}

fn main() {}
