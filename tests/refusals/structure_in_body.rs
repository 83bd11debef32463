use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    #[structure]
    let i = 0;
    x[i] = 1.0;
}

fn main() {}
