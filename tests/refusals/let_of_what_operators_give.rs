use std::ops::{Add, Mul};

use superstep::kernel;

#[derive(Clone, Copy)]
struct V(f64, f64);

impl Mul<f64> for V {
    type Output = V;

    fn mul(self, by: f64) -> V {
        V(self.0 * by, self.1 * by)
    }
}

impl Add for V {
    type Output = V;

    fn add(self, other: V) -> V {
        V(self.0 + other.0, self.1 + other.1)
    }
}

#[derive(Clone, Copy)]
struct Rotation(f64);

impl Mul<V> for Rotation {
    type Output = V;

    fn mul(self, v: V) -> V {
        V(self.0 * v.1, -self.0 * v.0)
    }
}

#[kernel]
fn k(dt: f64, turn: Rotation, v: &[V], p: &mut [V]) {
    for i in 1..p.len() {
        let step = if i > 1 { v[i] * dt } else { v[0] * (2.0 * dt) };
        let turned = turn * v[i];
        p[i] = p[i - 1] + step + turned;
    }
}

fn main() {}
