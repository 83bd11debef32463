use superstep::kernel;

#[kernel]
fn k(i: usize, x: &[f64], y: &mut [f64]) {
    y[i] = if i > 0 { x[0] } else { 0.0 }
        + if i > 1 { x[1] } else { 0.0 }
        + if i > 2 { x[2] } else { 0.0 }
        + if i > 3 { x[3] } else { 0.0 }
        + if i > 4 { x[4] } else { 0.0 }
        + if i > 5 { x[5] } else { 0.0 }
        + if i > 6 { x[6] } else { 0.0 };
}

fn main() {}
