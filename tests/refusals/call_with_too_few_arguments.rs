use superstep::kernel;

#[kernel]
fn add(n: usize, x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        y[i] += x[i];
    }
}

#[kernel]
fn k(n: usize, x: &[f64], y: &mut [f64]) {
    add(x, y);
    y[n] = 0.0;
}

fn main() {}
