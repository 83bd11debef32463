use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    println!("start");
    x[0] = 1.0;
}

fn main() {}
