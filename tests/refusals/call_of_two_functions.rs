use superstep::kernel;

mod tiles {
    pub(super) fn clear(x: &mut [f64]) {
        x[0] = 0.0;
    }
}

#[kernel]
fn add(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] += 1.0;
    }
}

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    add(n, x);
    tiles::clear(&mut x[1..]);
}

fn main() {}
