use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], s: &mut f64) {
    #[reduce]
    for i in 0..n {
        if i != 3 {
            *s += x[i];
        }
    }
}

fn main() {}
