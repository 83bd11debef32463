use superstep::kernel;

#[kernel]
fn k(#[structure] row: [usize; 4], x: &mut [f64]) {
    x[row[0]] = 1.0;
}

fn main() {}
