use superstep::kernel;

struct Solver;

impl Solver {
    #[kernel]
    fn k(&self, x: &mut [f64]) {
        x[0] = 1.0;
    }
}

fn main() {
    Solver.k(&mut [0.0]);
}
