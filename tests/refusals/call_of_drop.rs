use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    let t = x[0];
    x[1] = t;
    drop(t);
}

fn main() {}
