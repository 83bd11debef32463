use superstep::kernel;

#[kernel]
fn k(h: f64, x: &mut [f64]) {
    let square = |v: f64| v * v;
    let scale = |v| v * h;
    for i in 0..x.len() {
        x[i] = square(scale(x[i]));
    }
}

fn main() {}
