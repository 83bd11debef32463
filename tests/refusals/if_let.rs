use superstep::kernel;

#[kernel]
fn k(n: Option<usize>, x: &mut [f64]) {
    if let Some(i) = n {
        x[i] = 1.0;
    }
}

fn main() {}
