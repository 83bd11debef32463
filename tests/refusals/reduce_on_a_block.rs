use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], s: &mut f64) {
    #[reduce]
    {
        *s += x[n];
    }
}

fn main() {}
