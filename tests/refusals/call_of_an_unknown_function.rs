use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    x[0] = 1.0;
    clear(n, x);
}

fn main() {}
