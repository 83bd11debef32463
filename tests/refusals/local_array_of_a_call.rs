use superstep::kernel;

fn f(x: f64) -> [f64; 2] {
    [x, x]
}

#[kernel]
fn k(x: &mut [f64]) {
    let t: [f64; 2] = f(x[0]);
    x[1] = t[0] + t[1];
}

fn main() {}
