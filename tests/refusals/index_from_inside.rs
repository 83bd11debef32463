use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        y[i] = {
            let left = i / 2;
            x[left] + 1.0
        };
    }
}

fn main() {}
