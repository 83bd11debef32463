use superstep::kernel;

#[kernel(plan = false)]
fn scaled(n: usize, #[values] a: &[f64], x: &mut [f64]) {
    for i in 0..n {
        x[i] *= a[i];
    }
}

#[kernel(plan)]
fn changed(n: usize, #[values] x: &mut [f64]) {
    for i in 0..n {
        x[i] *= 2.0;
    }
}

#[kernel(plan)]
fn both(n: usize, #[structure] #[values] at: &[usize], x: &mut [f64]) {
    for i in 0..n {
        x[i] *= at[i] as f64;
    }
}

#[kernel(plan)]
fn one(n: usize, #[values(once)] a: f64, x: &mut [f64]) {
    for i in 0..n {
        x[i] *= a;
    }
}

#[kernel(plan)]
fn inside(n: usize, x: &mut [f64]) {
    for i in 0..n {
        #[values]
        let half = 0.5;
        x[i] *= half;
    }
}

fn main() {}
