use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], y: &mut [f64]) {
    #[reduce]
    for i in 0..n {
        y[i / 2] += x[i];
    }
}

fn main() {}
