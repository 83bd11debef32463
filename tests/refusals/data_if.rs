use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0..n {
        if x[i] < 0.0 {
            x[i] = 0.0;
        }
    }
}

fn main() {}
