use superstep::kernel;

#[kernel]
fn k(x: &mut [f64], y: &[f64; 4]) {
    let words = x.as_mut();
    words[0] = 1.0;
    let copy = *y;
    x[1] = copy[0];
}

fn main() {}
