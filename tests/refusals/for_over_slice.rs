use superstep::kernel;

#[kernel]
fn k(list: &[usize], x: &mut [f64]) {
    for i in list {
        x[*i] = 1.0;
    }
}

fn main() {}
