use superstep::kernel;

#[kernel]
fn k(x: &[f64], y: &[f64], counts: &[u32], s: &mut f64, z: &mut [f64], count: &mut u32) {
    *s = x.iter().sum::<f64>();
    let dot: f64 = x.iter().zip(y).map(|(a, b)| a * b).sum();
    *s += x[1..].iter().product::<f64>() / dot;
    *s = x.iter().fold(0.0, |all, v| all + v * v);
    *s = x.iter().copied().fold(f64::MIN, f64::max);
    z[0] = z.iter().map(|v| v.abs()).sum::<f64>();
    *count = counts.iter().sum();
    *s = x[..3].iter().map(|v| v * v).sum::<f64>().sqrt();
    *s = x.iter().copied().fold(f64::MIN, f64::max).abs().max(1.0) + 1.0;
    *s = *x.iter().min_by(|a, b| a.total_cmp(b)).unwrap();
}

fn main() {}
