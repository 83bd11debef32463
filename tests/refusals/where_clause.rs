use superstep::kernel;

#[kernel]
fn k(x: &mut [f64])
where
    f64: Copy,
{
    x[0] = 1.0;
}

fn main() {}
