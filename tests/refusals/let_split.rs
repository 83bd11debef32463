use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    let (first, rest) = x.split_first_mut().unwrap();
    for i in 0..n {
        rest[i] += *first;
    }
}

fn main() {}
