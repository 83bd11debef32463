use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], s: &mut f64) {
    #[grain]
    #[reduce]
    for i in 0..n {
        *s += x[i];
    }
}

fn main() {}
