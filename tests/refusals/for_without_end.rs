use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0.. {
        if i == n {
            break;
        }
        x[i] = 1.0;
    }
}

fn main() {}
