use superstep::kernel;

#[kernel]
fn k(x: &[f64], y: &mut [bool]) {
    y[0] = !format!("{}", x[0]).is_empty();
}

fn main() {}
