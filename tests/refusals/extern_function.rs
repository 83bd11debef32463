use superstep::kernel;

#[kernel]
extern "C" fn k(x: &mut [f64; 4]) {
    x[0] = 1.0;
}

fn main() {}
