//! The Mandelbrot set as a farm of items: each is a point, its cost the number of iterations.

/// A window of the plane, the least and the greatest real part and the same of the imaginary one.
pub(crate) type Window = [f64; 4];

/// The window of the golden figures.
pub(crate) const WHOLE: Window = [-2.0, 1.0, -1.5, 1.5];

/// Iterations of a point before it leaves the circle of radius 2, at most 1000.
fn iterations(x: f64, y: f64) -> u32 {
    let (mut a, mut b) = (0.0, 0.0);
    for count in 0..1000 {
        if a * a + b * b > 4.0 {
            return count;
        }
        (a, b) = (a * a - b * b + x, 2.0 * a * b + y);
    }
    1000
}

/// Costs of `side` by `side` points, the real part running fastest.
pub(crate) fn costs(window: Window, side: usize) -> Vec<f64> {
    let [left, right, low, high] = window;
    let at =
        |from: f64, to: f64, index: usize| from + (to - from) * index as f64 / (side - 1) as f64;
    let row = |y: f64| (0..side).map(move |i| f64::from(iterations(at(left, right, i), y)));
    (0..side).flat_map(|j| row(at(low, high, j))).collect()
}
