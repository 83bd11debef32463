use superstep::kernel;

#[kernel]
fn add(n: usize, x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        y[i] += x[i];
    }
}

#[kernel]
fn k(x: &[f64], y: &mut [f64], count: &[usize]) {
    add(count[0], x, y);
    add(3, &x[count[1]..], y);
    add(3, x, &mut y[3..count[2]]);
}

fn main() {}
