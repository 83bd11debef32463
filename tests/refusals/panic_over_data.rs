use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = if x[i] > 0.0 {
            x[i].sqrt()
        } else {
            panic!("{} at {i}", x[i])
        };
    }
}

fn main() {}
