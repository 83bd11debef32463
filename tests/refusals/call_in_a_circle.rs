use superstep::kernel;

#[kernel]
fn even(n: usize, x: &mut [f64]) {
    x[n] = 0.0;
    odd(n - 1, x);
}

#[kernel]
fn odd(n: usize, x: &mut [f64]) {
    x[n] = 1.0;
    if n > 0 {
        even(n - 1, x);
    }
}

#[kernel]
fn both(n: usize, x: &mut [f64]) {
    even(n, x);
}

fn main() {}
