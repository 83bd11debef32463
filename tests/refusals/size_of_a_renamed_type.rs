use superstep::kernel;

type Size = usize;

#[kernel]
fn k(n: Size, x: &mut [f64]) {
    for i in 0..n {
        x[i] = 1.0;
    }
}

fn main() {}
