use superstep::kernel;

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    #[cost(60)]
    let m = n - 4;
    let mut k = 0;
    #[cost(60)]
    k += m;
    let mut table = [0; 3];
    #[cost(60)]
    table = [k, m, n];
    x[table[0]] = 1.0;
}

fn main() {}
