use superstep::kernel;

#[kernel]
#[reduce]
fn k(n: usize, x: &[f64], s: &mut f64) {
    for i in 0..n {
        *s += x[i];
    }
}

fn main() {}
