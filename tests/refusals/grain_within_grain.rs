use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    #[grain]
    for i in 0..n {
        if i > 1 {
            #[grain]
            for j in 0..n {
                x[i * n + j] = 1.0;
            }
        }
    }
}

fn main() {}
