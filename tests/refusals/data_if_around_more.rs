use superstep::kernel;

#[kernel]
fn k(x: &mut [f64], y: &mut [f64]) {
    if x[0] < 0.0 {
        x[0] = 0.0;
        y[0] = 1.0;
    }
}

fn main() {}
