use superstep::kernel;

fn f(x: &mut [f64]) {
    x[0] = 1.0;
}

#[kernel]
fn k(x: &mut [f64]) {
    f(x);
}

fn main() {}
