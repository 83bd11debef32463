use superstep::kernel;

#[kernel]
fn k(h: &f64, x: &mut [f64]) {
    let t = h;
    x[0] = *t;
}

fn main() {}
