use superstep::kernel;

fn slow(x: f64) -> f64 {
    x
}

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    x[0] = {
        #[cost(60)]
        let y = slow(x[1]);
        y
    };
    #[cost(70)]
    let z: f64 = {
        #[cost(60)]
        let y = slow(x[n]);
        y
    };
    x[2] = z;
}

fn main() {}
