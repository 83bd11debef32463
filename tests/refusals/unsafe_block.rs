use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    unsafe {
        x[0] = *x.as_ptr();
    }
}

fn main() {}
