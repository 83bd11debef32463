//! Values that kernels are tried on.

use std::cell::Cell;

use superstep_side_by_side::SameBits;

use crate::kernels::{geometry::Point, simulation::Body, transforms::PRIME};
use crate::pattern::Random;

thread_local! {
    /// The input that is drawn.
    static INPUT: Cell<u64> = const { Cell::new(0) };
}

/// Draws the data of another input, by its number: that of 0 is drawn without.
pub(crate) fn as_input<R>(input: u64, draw: impl FnOnce() -> R) -> R {
    let before = INPUT.replace(input);
    let drawn = draw();
    INPUT.set(before);
    drawn
}

/// Draws `n` numbers from 0 to 1, in steps of 2^-20, and makes values of them. Other seeds give
/// other numbers, and so do other inputs.
pub(crate) fn draw<T>(seed: u64, n: usize, value: impl FnMut(f64) -> T) -> Vec<T> {
    let mut random = Random::new(seed + (INPUT.get() << 32));
    (0..n)
        .map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20))
        .map(value)
        .collect()
}

/// Draws a matrix of `n` rows with a large diagonal.
pub(crate) fn dominant(n: usize) -> Vec<f64> {
    let mut a = draw(n as u64, n * n, |u| u - 0.5);
    for i in 0..n {
        a[i * n + i] += n as f64;
    }
    a
}

/// Draws letters of an alphabet of four.
pub(crate) fn letters(seed: u64, n: usize) -> Vec<u8> {
    draw(seed, n, |u| b"ACGT"[(4.0 * u) as usize])
}

/// Draws points of the unit square.
pub(crate) fn points(seed: u64, n: usize) -> Vec<Point> {
    let y = draw(seed + 1, n, |u| u as f32);
    let x = draw(seed, n, |u| u as f32).into_iter();
    x.zip(y).map(|(x, y)| Point { x, y }).collect()
}

/// Draws bodies on a line, each a little off it.
pub(crate) fn bodies(n: usize) -> Vec<Body> {
    let mut at = 0.0;
    draw(1, n, |u| {
        at += 1.0;
        Body {
            place: [at, u, -u],
            velocity: [0.0; 3],
            mass: 1.0 + u,
        }
    })
}

/// The powers of an `n`-th root of unity modulo [`PRIME`].
pub(crate) fn roots(n: usize) -> Vec<u64> {
    // 3 generates the group.
    let (mut root, mut square, mut power) = (1, 3, (PRIME - 1) / n as u64);
    while power > 0 {
        if power % 2 == 1 {
            root = root * square % PRIME;
        }
        square = square * square % PRIME;
        power /= 2;
    }
    let powers = std::iter::successors(Some(1), |power| Some(power * root % PRIME));
    powers.take(n).collect()
}

impl SameBits for Point {
    fn same_bits(&self, other: &Self) -> bool {
        self.x.same_bits(&other.x) && self.y.same_bits(&other.y)
    }
}

impl SameBits for Body {
    fn same_bits(&self, other: &Self) -> bool {
        self.place.same_bits(&other.place)
            && self.velocity.same_bits(&other.velocity)
            && self.mass.same_bits(&other.mass)
    }
}
