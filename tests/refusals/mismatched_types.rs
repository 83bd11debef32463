use superstep::kernel;

#[kernel]
fn k(x: &mut [f64], y: &[f32]) {
    for i in 0..x.len() {
        x[i] = y[i];
    }
}

fn main() {}
