use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    x[0] = {
        x[1] = 2.0;
        x[2]
    };
}

fn main() {}
