use superstep::kernel;

#[kernel]
fn k(#[grain] n: usize, x: &mut [f64]) {
    x[n] = 1.0;
}

fn main() {}
