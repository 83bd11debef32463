//! The Mandelbrot set on a square of pixels: independent items, of which some cost a thousand times
//! as much as others.

/// Iterations after which a point counts as inside.
pub const MOST: u32 = 1000;

/// A square of pixels over the window from -2 - 1.5i to 1 + 1.5i.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Number of pixels on a side, at least 2.
    pub side: u32,
}

impl Picture {
    /// Returns the numbers of all pixels, row by row.
    pub fn pixels(self) -> Vec<u32> {
        (0..self.side * self.side).collect()
    }

    /// Returns the number of rows and of pixels in each.
    pub fn shape(self) -> [usize; 2] {
        [self.side as usize; 2]
    }

    /// Counts the iterations of z² + c from 0 until |z| > 2, at most [`MOST`].
    pub fn iterations(self, pixel: u32) -> u32 {
        let step = |at: u32| 3.0 * f64::from(at) / f64::from(self.side - 1);
        let (re, im) = (step(pixel % self.side) - 2.0, step(pixel / self.side) - 1.5);
        let (mut x, mut y) = (0.0, 0.0);
        let mut count = 0;
        while count < MOST && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
            count += 1;
        }
        count
    }
}
