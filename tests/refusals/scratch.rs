use superstep::kernel;

#[kernel(plan = false)]
fn without_a_plan(n: usize, #[scratch] work: &mut [f64], x: &mut [f64]) {
    for i in 0..n {
        work[0] = x[i];
        x[i] = work[0] * work[0];
    }
}

#[kernel(plan)]
fn only_read(n: usize, #[scratch] work: &[f64], x: &mut [f64]) {
    for i in 0..n {
        x[i] *= work[i];
    }
}

fn main() {}
