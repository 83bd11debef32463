use superstep::kernel;

fn slow(x: f64) -> f64 {
    x
}

#[kernel]
#[cost(60)]
fn on_the_kernel(n: usize, x: &mut [f64]) {
    #[cost(60)]
    for i in 0..n {
        x[i] = 1.0;
    }
}

#[kernel]
fn k(n: usize, x: &mut [f64]) {
    #[cost]
    let a = slow(x[0]);
    #[cost(about_ten)]
    x[1] = a;
    #[cost(1.5)]
    x[2] = a;
    #[cost(60ns)]
    x[3] = a;
    x[4] = {
        #[cost(60)]
        slow(a)
    };
}

fn main() {}
