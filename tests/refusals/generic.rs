use superstep::kernel;

#[kernel]
fn k<T: Copy>(x: &mut [T]) {
    x[0] = x[1];
}

fn main() {}
