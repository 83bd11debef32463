use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = if i > 1 { break } else { 1.0 };
    }
}

fn main() {}
