use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    x.iter_mut().for_each(|v| *v = 0.0);
}

fn main() {}
