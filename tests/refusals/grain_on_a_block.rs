use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    #[grain]
    {
        x[n] = 1.0;
    }
    #[grain]
    let y = 1.0;
    x[0] = y;
    #[grain]
    if n > 1 {
        x[1] = 1.0;
    }
}

fn main() {}
