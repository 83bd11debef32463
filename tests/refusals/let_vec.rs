use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    let mut t = vec![0.0; n];
    for i in 0..n {
        t[i] = x[n - 1 - i];
    }
    for i in 0..n {
        x[i] = t[i];
    }
}

fn main() {}
