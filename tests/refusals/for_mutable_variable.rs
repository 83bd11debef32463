use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for mut i in 0..n {
        i += 1;
        x[i] = 1.0;
    }
}

fn main() {}
