use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    let (s, c) = x[0].sin_cos();
    x[0] = s + c;
}

fn main() {}
