use superstep::kernel;

#[kernel]
fn k(rows: &mut [Vec<f64>], x: Vec<u8>) {
    rows[0][0] = f64::from(x[0]);
}

fn main() {}
