use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    x.copy_from_slice(&[0.0; 4]);
}

fn main() {}
