use superstep::kernel;

fn f(i: u64) -> u64 {
    i
}

#[kernel]
fn k(x: &mut [u64]) {
    for i in 0..10 {
        x[0] = f(i);
    }
}

fn main() {}
