use superstep::kernel;

#[kernel]
fn halve(n: usize, x: &mut [f64]) {
    x[0] /= 2.0;
    if n > 1 {
        halve(n / 2, &mut x[1..]);
    }
}

fn main() {}
