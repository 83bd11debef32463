use superstep::kernel;

fn size<T>(_: T) -> f64 {
    1.0
}

#[kernel]
fn k(x: &mut [f64]) {
    x[0] = size(async { 1.0 });
}

fn main() {}
