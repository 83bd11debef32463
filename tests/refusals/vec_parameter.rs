use superstep::kernel;

#[kernel]
fn k(x: &mut Vec<f64>) {
    x[0] = 1.0;
}

fn main() {}
