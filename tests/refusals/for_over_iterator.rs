use superstep::kernel;

#[kernel]
fn k(a: &[f64], x: &mut [f64]) {
    for v in a.iter() {
        x[0] += v;
    }
}

fn main() {}
