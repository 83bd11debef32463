use superstep::kernel;

#[kernel]
fn k(n: usize, pair: &[[u32; 2]], x: &mut [f64]) {
    for g in 0..n {
        let [a, b] = pair[g + 1];
        x[a as usize] += x[b as usize];
    }
}

fn main() {}
