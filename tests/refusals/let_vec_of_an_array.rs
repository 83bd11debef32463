use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    let old = x.to_vec();
    let twice: Vec<f64> = x.iter().map(|v| 2.0 * v).collect();
    let fixed = vec![0.0; 4];
    x[0] = old[1] + twice[1] + fixed[1];
}

fn main() {}
