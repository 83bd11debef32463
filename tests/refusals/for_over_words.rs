use superstep::kernel;

#[kernel]
fn k(x: &mut [f64], y: &[f64], s: &mut f64) {
    for v in x.iter_mut() {
        *v *= 2.0;
    }
    for v in &mut x[1..] {
        *v *= 2.0;
    }
    for v in y.iter().skip(2).rev() {
        *s += v;
    }
    for (i, v) in y.iter().enumerate() {
        x[i] = *v;
    }
    for v in [1.0, 2.0] {
        *s += v;
    }
}

fn main() {}
