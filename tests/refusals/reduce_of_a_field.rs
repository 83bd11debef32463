use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], point: &mut (f64, f64)) {
    #[reduce]
    for i in 0..n {
        point.0 += x[i];
    }
}

fn main() {}
