use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    #[grain(16)]
    for i in 0..n {
        x[i] = 1.0;
    }
}

fn main() {}
