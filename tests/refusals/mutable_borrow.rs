use superstep::kernel;

fn f(x: &mut f64) -> f64 {
    *x
}

#[kernel]
fn k(x: &mut [f64]) {
    x[0] = f(&mut x[1]);
}

fn main() {}
