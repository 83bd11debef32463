use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64], y: &mut [f64]) {
    let (mut old, mut new) = (x, y);
    for _ in 0..n {
        for i in 1..4 {
            new[i] = old[i - 1];
        }
        (old, new) = (new, old);
    }
}

fn main() {}
