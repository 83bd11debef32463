use superstep::kernel;

#[kernel]
fn k(#[structure] row: &[f64], x: &mut [f64]) {
    x[0] = row[0];
}

fn main() {}
