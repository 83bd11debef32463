use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    loop {
        x[0] = 1.0;
        break ();
    }
}

fn main() {}
