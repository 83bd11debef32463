use superstep::kernel;

#[kernel]
fn k(kind: &mut [u8], x: &mut [f64]) {
    match kind[0] {
        0 => x[0] = 1.0,
        _ => x[0] = 2.0,
    }
}

fn main() {}
