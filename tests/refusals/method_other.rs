use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    x.reverse();
}

fn main() {}
