use superstep::kernel;

#[kernel]
unsafe fn k(x: &mut [f64]) {
    x[0] = 1.0;
}

fn main() {}
