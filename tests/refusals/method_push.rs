use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    let mut t = Vec::new();
    for i in 0..n {
        t.push(x[i]);
    }
    x[0] = t[1];
}

fn main() {}
