use superstep::kernel;

#[kernel]
fn k(x: &[f64], y: &mut [f64], z: &mut [f64]) {
    for (a, b) in y.iter_mut().zip(x) {
        *a += b;
    }
    for (c, (v, w)) in x.iter().zip(&y[2..]).enumerate() {
        z[c] = v * w;
    }
    for (i, j) in (0..4).zip(1..5) {
        z[i] = x[j];
    }
}

fn main() {}
