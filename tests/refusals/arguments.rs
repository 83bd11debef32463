use superstep::kernel;

#[kernel(processors = 4)]
fn k(x: &mut [f64]) {
    x[0] = 1.0;
}

fn main() {}
