use superstep::kernel;

#[kernel]
fn k<const N: usize>(x: &mut [f64; N]) {
    x[0] = 1.0;
}

fn main() {}
