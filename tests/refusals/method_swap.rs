use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    x.swap(0, 1);
}

fn main() {}
