use superstep::kernel;

#[kernel]
fn k(s: &str, x: &mut [u8]) {
    x[0] = s.as_bytes()[0];
}

fn main() {}
