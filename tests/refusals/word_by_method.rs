use superstep::kernel;

#[kernel]
fn k(i: usize, x: &[f64], y: &mut [f64]) {
    y[0] = *x.first().unwrap() + x.last().copied().unwrap();
    y[1] = *x.get(i + 1).unwrap_or(&0.0);
}

fn main() {}
