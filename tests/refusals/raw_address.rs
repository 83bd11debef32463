use superstep::kernel;

fn f(_: *const f64) -> f64 {
    1.0
}

#[kernel]
fn k(x: &mut [f64]) {
    x[0] = f(&raw const x[1]);
}

fn main() {}
