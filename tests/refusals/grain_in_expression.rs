use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = {
            let mut s = x[i];
            #[grain]
            for _ in 0..3 {
                s *= s;
            }
            s
        };
    }
}

fn main() {}
