use superstep::kernel;

#[kernel]
fn k(n: Option<usize>, x: &mut [f64]) {
    let Some(i) = n else { return };
    x[i] = 1.0;
}

fn main() {}
