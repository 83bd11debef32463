use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    for i in 0..n {
        match i % 2 {
            0 => x[i] = 0.0,
            1 => x[i] = 1.0,
            _ => unreachable!(),
        }
        if i < 4 {
            x[i] += 1.0;
        } else {
            todo!()
        }
    }
    panic!("{n} is too large");
}

fn main() {}
