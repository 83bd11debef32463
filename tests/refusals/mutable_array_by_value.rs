use superstep::kernel;

#[kernel]
fn k(mut a: [f64; 4], x: &mut [f64]) {
    a[0] = x[0];
    x[1] = a[0];
}

fn main() {}
