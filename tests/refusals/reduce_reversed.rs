use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], s: &mut f64) {
    #[reduce]
    for i in (0..n).rev() {
        *s += x[i];
    }
}

fn main() {}
