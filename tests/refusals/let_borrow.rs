use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], y: &mut [f64]) {
    let sum = &(x[0] + x[1]);
    let mut row = &x[..n];
    for i in 0..n {
        y[i] = row[i] * *sum;
        row = &x[n + i..];
    }
}

fn main() {}
