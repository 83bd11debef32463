use superstep::kernel;

#[kernel]
fn k(n: usize, x: &[f64], y: &mut [f64]) {
    let mut at = 0;
    for i in 0..n {
        let step = x[i] as usize;
        at += step;
        y[at] = 1.0;
    }
}

fn main() {}
