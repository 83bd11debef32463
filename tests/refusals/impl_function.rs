use superstep::kernel;

struct Solver;

impl Solver {
    #[kernel]
    fn k(x: &mut [f64]) {
        x[0] = 1.0;
    }
}

fn main() {}
