use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    let mut t = 0.0;
    while t < 1.0 {
        x[0] += t;
        t += 0.25;
    }
}

fn main() {}
