use superstep::kernel;

#[kernel]
fn k(#[structure] row: &mut [usize], x: &mut [f64]) {
    x[row[0]] = 1.0;
}

fn main() {}
