use superstep::kernel;

#[kernel]
fn k(x: &mut [f64]) {
    x.sort_by(f64::total_cmp);
    x.reverse();
}

fn main() {}
