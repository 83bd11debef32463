//! Images of bytes.

use superstep::kernel;

/// The mean of five pixels by the weights of a bell.
fn bell(a: u8, b: u8, c: u8, d: u8, e: u8) -> u8 {
    let sum = u16::from(a) + 4 * u16::from(b) + 6 * u16::from(c) + 4 * u16::from(d) + u16::from(e);
    ((sum + 8) / 16) as u8
}

/// Makes `levels` smaller images of one of `n` x `n` pixels, each of half the side, rounded down.
/// They stand one after the other in `pyramid` behind the image itself. `rows` is scratch, of
/// `n * (n / 2)` bytes at least.
#[kernel]
pub fn pyramid(n: usize, levels: usize, pyramid: &mut [u8], rows: &mut [u8]) {
    let mut size = n;
    let mut at = 0;
    for _ in 0..levels {
        let half = size / 2;
        for i in 0..size {
            let row = at + i * size;
            for j in 0..half {
                let far = if j > 0 { 2 * j - 2 } else { 0 };
                let near = if j > 0 { 2 * j - 1 } else { 0 };
                let beyond = if 2 * j + 2 < size {
                    2 * j + 2
                } else {
                    size - 1
                };
                rows[i * half + j] = bell(
                    pyramid[row + far],
                    pyramid[row + near],
                    pyramid[row + 2 * j],
                    pyramid[row + 2 * j + 1],
                    pyramid[row + beyond],
                );
            }
        }
        let next = at + size * size;
        for i in 0..half {
            let far = if i > 0 { 2 * i - 2 } else { 0 };
            let near = if i > 0 { 2 * i - 1 } else { 0 };
            let beyond = if 2 * i + 2 < size {
                2 * i + 2
            } else {
                size - 1
            };
            for j in 0..half {
                pyramid[next + i * half + j] = bell(
                    rows[far * half + j],
                    rows[near * half + j],
                    rows[2 * i * half + j],
                    rows[(2 * i + 1) * half + j],
                    rows[beyond * half + j],
                );
            }
        }
        size = half;
        at = next;
    }
}

/// The median of nine.
fn median_of(mut pixels: [u8; 9]) -> u8 {
    pixels.sort_unstable();
    pixels[4]
}

/// Takes the median of each pixel and its neighbours in an image of `n` x `n` pixels; `n` is 1 or
/// more. Pixels at the border, which lack neighbours, are left in `result` as they were.
#[kernel]
pub fn median(n: usize, image: &[u8], result: &mut [u8]) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            let at = i * n + j;
            result[at] = median_of([
                image[at - n - 1],
                image[at - n],
                image[at - n + 1],
                image[at - 1],
                image[at],
                image[at + 1],
                image[at + n - 1],
                image[at + n],
                image[at + n + 1],
            ]);
        }
    }
}

/// Sums up all pixels above and to the left of each, itself included (a summed-area table). `sums`
/// has a row and a column more, in front; its first row is read and must be 0.
#[kernel]
pub fn integral(n: usize, image: &[u8], sums: &mut [u32]) {
    for i in 0..n {
        let mut row = 0u32;
        for j in 0..n {
            row += u32::from(image[i * n + j]);
            sums[(i + 1) * (n + 1) + j + 1] = sums[i * (n + 1) + j + 1] + row;
        }
    }
}

/// Makes an image of `n` x `n` grey pixels black and white, and spreads the errors (Floyd and
/// Steinberg).
#[kernel]
pub fn dither(n: usize, image: &mut [i16]) {
    for i in 0..n {
        for j in 0..n {
            let at = i * n + j;
            let old = image[at];
            image[at] = if old < 128 { 0 } else { 255 };
            let error = old - image[at];
            if j + 1 < n {
                image[at + 1] += error * 7 / 16;
            }
            if i + 1 < n {
                if j > 0 {
                    image[at + n - 1] += error * 3 / 16;
                }
                image[at + n] += error * 5 / 16;
                if j + 1 < n {
                    image[at + n + 1] += error / 16;
                }
            }
        }
    }
}
