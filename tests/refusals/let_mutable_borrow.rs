use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0..n {
        let mut word = &mut x[i];
        *word += 1.0;
    }
}

fn main() {}
