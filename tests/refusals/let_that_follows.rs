use superstep::kernel;

#[derive(Clone, Copy)]
struct Body {
    x: f64,
    y: f64,
    z: f64,
    mass: f64,
}

#[kernel]
fn forces(n: usize, b: &[Body], f: &mut [f64]) {
    for i in 0..n {
        for j in 0..i {
            let dx = b[j].x - b[i].x;
            let dy = b[j].y - b[i].y;
            let dz = b[j].z - b[i].z;
            let r2 = dx * dx + dy * dy + dz * dz;
            let r = r2.sqrt();
            let inverse = 1.0 / (r2 * r);
            f[i] += b[j].mass * dx * inverse;
            f[j] -= b[i].mass * dx * inverse;
        }
    }
}

fn main() {}
