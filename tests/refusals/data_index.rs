use superstep::kernel;

#[kernel]
fn k(x: &[f64], y: &mut [f64]) {
    y[x[0] as usize] = 1.0;
}

fn main() {}
