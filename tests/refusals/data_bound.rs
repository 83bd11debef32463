use superstep::kernel;

#[kernel]
fn k(count: &[usize], x: &mut [f64]) {
    for i in 0..count[0] {
        x[i] = 1.0;
    }
}

fn main() {}
