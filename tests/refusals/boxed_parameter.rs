use superstep::kernel;

#[kernel]
fn k(x: Box<f64>, y: &mut f64) {
    *y = *x;
}

fn main() {}
