use superstep::kernel;

fn main() {
    #[kernel]
    fn k(x: &mut [f64]) {
        x[0] = 1.0;
    }
    k(&mut [0.0]);
}
