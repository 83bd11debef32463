use superstep::kernel;

#[derive(Clone, Copy)]
struct Pair {
    a: f64,
    b: f64,
}

impl Pair {
    fn new(a: f64, b: f64) -> Self {
        Self { a, b }
    }
}

#[kernel]
fn k(x: &mut [f64]) {
    let one = Pair { a: x[0], b: x[1] };
    let other = Pair::new(x[2], x[3]);
    x[0] = one.a * other.b;
}

fn main() {}
