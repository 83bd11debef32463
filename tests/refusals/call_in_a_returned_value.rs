use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) -> Result<(), String> {
    if n > 4 {
        return Err("large".into());
    }
    x[0] = 1.0;
    Ok(())
}

fn main() {}
