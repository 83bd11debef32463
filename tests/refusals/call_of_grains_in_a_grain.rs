use superstep::kernel;

#[kernel]
fn rows(n: usize, x: &mut [f64]) {
    #[grain]
    for i in 0..n {
        x[i] += 1.0;
        x[i] *= 2.0;
    }
}

#[kernel]
fn twice(n: usize, x: &mut [f64]) {
    rows(n, x);
    rows(n, x);
}

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    rows(n, x);
    #[grain]
    for _ in 0..n {
        twice(n, x);
    }
}

fn main() {}
