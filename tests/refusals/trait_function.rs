use superstep::kernel;

trait Solver {
    #[kernel]
    fn k(x: &mut [f64]) {
        x[0] = 1.0;
    }
}

fn main() {}
