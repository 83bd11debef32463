use superstep::kernel;

fn f(x: f64) -> f64 {
    x
}

mod other {
    use superstep::kernel;

    #[kernel]
    pub fn g(x: &mut [f64]) {
        x[0] = 1.0;
    }
}

#[kernel]
fn k(x: &mut [f64]) {
    x[0] = crate::f(1.0);
    crate::other::g(x);
}

fn main() {}
