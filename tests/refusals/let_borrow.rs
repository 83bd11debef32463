use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    let first = &x[0];
    x[1] = *first;
}

fn main() {}
