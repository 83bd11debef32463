use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    while x[0] > 1.0 {
        x[0] *= 0.5;
    }
}

fn main() {}
