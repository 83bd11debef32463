use superstep::kernel;

#[kernel]
fn order(n: usize, x: &mut [f64]) {
    for i in 1..n {
        x.swap(i - 1, i);
    }
}

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    order(n, x);
}

fn main() {
    k::parallel(2, &mut [1.0, 2.0]);
}
