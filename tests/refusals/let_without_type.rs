use superstep::kernel;

fn f(x: f64) -> f64 {
    x
}

#[kernel]
fn k(x: &mut [f64]) {
    let t = f(x[0]);
    x[1] = f(t);
}

fn main() {}
