//! Bodies and differential equations.

use superstep::kernel;

/// A body, of a line of bodies or of a cloud.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// Its place.
    pub place: [f64; 3],
    /// Its velocity.
    pub velocity: [f64; 3],
    /// Its mass.
    pub mass: f64,
}

/// Moves a body by its neighbours' pull.
fn moved(left: Body, own: Body, right: Body) -> Body {
    let mut next = own;
    for axis in 0..3 {
        let pull = left.mass * (left.place[axis] - own.place[axis])
            + right.mass * (right.place[axis] - own.place[axis]);
        next.velocity[axis] += 0.01 * pull / own.mass;
        next.place[axis] += 0.01 * next.velocity[axis];
    }
    next
}

/// Moves a line of `n` bodies, `steps` times, from left to right.
#[kernel]
pub fn line(n: usize, steps: usize, body: &mut [Body]) {
    for _ in 0..steps {
        for i in 1..n - 1 {
            body[i] = moved(body[i - 1], body[i], body[i + 1]);
        }
    }
}

/// Moves a cloud of `n` bodies that attract each other, `steps` times.
#[kernel]
pub fn cloud(n: usize, steps: usize, body: &mut [Body]) {
    for _ in 0..steps {
        for i in 0..n {
            for j in 0..n {
                if i != j {
                    let x: f64 = body[j].place[0] - body[i].place[0];
                    let y: f64 = body[j].place[1] - body[i].place[1];
                    let z: f64 = body[j].place[2] - body[i].place[2];
                    let square: f64 = x * x + y * y + z * z + 1e-3;
                    let pull: f64 = 0.001 * body[j].mass / (square * square.sqrt());
                    body[i].velocity[0] += x * pull;
                    body[i].velocity[1] += y * pull;
                    body[i].velocity[2] += z * pull;
                }
            }
        }
        for i in 0..n {
            for axis in 0..3 {
                body[i].place[axis] += 0.001 * body[i].velocity[axis];
            }
        }
    }
}

/// The slope of the weather of Lorenz (1996) at `x`.
#[kernel]
pub fn slope(n: usize, x: &[f64], slope: &mut [f64]) {
    for i in 0..n {
        slope[i] = (x[(i + 1) % n] - x[(i + n - 2) % n]) * x[(i + n - 1) % n] - x[i] + 8.0;
    }
}

/// Integrates the weather `x` of `n` places by `steps` steps `h` of Runge and Kutta; the rest is
/// scratch.
#[kernel]
pub fn weather(
    n: usize,
    steps: usize,
    h: f64,
    x: &mut [f64],
    k: &mut [f64],
    sum: &mut [f64],
    t: &mut [f64],
) {
    for _ in 0..steps {
        slope(n, x, k);
        for i in 0..n {
            sum[i] = k[i];
            t[i] = x[i] + 0.5 * h * k[i];
        }
        slope(n, t, k);
        for i in 0..n {
            sum[i] += 2.0 * k[i];
            t[i] = x[i] + 0.5 * h * k[i];
        }
        slope(n, t, k);
        for i in 0..n {
            sum[i] += 2.0 * k[i];
            t[i] = x[i] + h * k[i];
        }
        slope(n, t, k);
        for i in 0..n {
            x[i] += h / 6.0 * (sum[i] + k[i]);
        }
    }
}

/// The eccentric anomaly that belongs to a mean one (Kepler), by up to 50 steps of Newton.
fn eccentric(mean: f64, eccentricity: f64) -> f64 {
    let mut e = mean;
    for _ in 0..50 {
        let (sin, cos) = e.sin_cos();
        let step = (e - eccentricity * sin - mean) / (1.0 - eccentricity * cos);
        e -= step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    e
}

/// The places of `n` planets on their ellipses.
#[kernel]
pub fn planets(n: usize, mean: &[f64], eccentricity: &[f64], place: &mut [[f64; 2]]) {
    for i in 0..n {
        let e: f64 = eccentric(mean[i], eccentricity[i]);
        place[i][0] = e.cos() - eccentricity[i];
        place[i][1] = (1.0 - eccentricity[i] * eccentricity[i]).sqrt() * e.sin();
    }
}
