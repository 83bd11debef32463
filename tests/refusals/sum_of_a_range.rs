use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], s: &mut f64) {
    *s = (0..n).map(|i| x[i] * x[i]).sum::<f64>();
}

fn main() {}
