use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in (0..n).filter(|i| i % 3 == 0) {
        x[i] = 1.0;
    }
    for i in (0..2).chain(4..n) {
        x[i] = 1.0;
    }
}

fn main() {}
