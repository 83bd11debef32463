use superstep::kernel;

#[kernel]
fn k(given: &[Option<f64>], x: &mut [f64]) {
    for i in 0..x.len() {
        if let Some(v) = given[i] {
            x[i] = v;
        }
    }
}

fn main() {}
