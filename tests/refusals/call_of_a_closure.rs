use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = 1.0;
        (|t: f64| drop(t))(x[i]);
    }
}

fn main() {}
