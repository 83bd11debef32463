use superstep::kernel;

fn largest<'x>(x: &'x [f64], y: &'x [f64]) -> &'x [f64] {
    if x[0] > y[0] { x } else { y }
}

#[kernel]
fn add(x: &[f64], y: &mut [f64], s: &mut f64, t: [f64; 2]) {
    for i in 0..x.len() {
        y[i] += x[i] + *s + t[0];
    }
}

#[kernel]
fn k(n: usize, x: &[f64], y: &mut [f64], s: &mut f64) {
    let t = [0.0; 2];
    add(&[1.0, 2.0], &mut y[..2], &mut 1.0, t);
    add(largest(x, x), y.as_mut(), &mut (*s + 1.0), t);
    for i in 0..n {
        add(if i > 2 { x } else { &t }, y.split_at_mut(2).0, s, [0.0; 2]);
    }
}

fn main() {}
