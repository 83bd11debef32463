use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    #[cfg(unix)]
    {
        x[0] = 1.0;
    }
}

fn main() {}
