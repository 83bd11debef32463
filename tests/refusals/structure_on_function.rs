use superstep::kernel;

#[kernel]
#[structure]
fn k(row: &[usize], x: &mut [f64]) {
    x[0] = row[0] as f64;
}

fn main() {}
