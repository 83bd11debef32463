//! Loops marked `#[reduce]`: every form, every number of operands.

use steps::kernel;

/// Numbers of operands: none, blocks that are not full, one block, several, all of them, and longer ones.
pub const LENGTHS: [usize; 9] = [0, 1, 7, 8, 9, 512, 513, 1000, 3000];

/// A variable, by a compound assignment.
#[kernel]
pub fn dot(n: usize, x: &[f64], y: &[f64], result: &mut f64) {
    let mut s = 0.5;
    #[reduce]
    for i in 0..n {
        s += x[i] * y[i];
    }
    *result = s;
}

/// A word behind a reference, by a method; an inclusive range that begins elsewhere.
#[kernel]
pub fn largest(n: usize, x: &[f64], result: &mut f64) {
    *result = x[0];
    #[reduce]
    for i in 1..=n - 1 {
        *result = result.max(x[i]);
    }
}

/// Words of an array in a loop over them; a value that is a block.
#[kernel]
pub fn distances(rows: usize, columns: usize, a: &[f64], y: &mut [f64]) {
    for i in 0..rows {
        #[reduce]
        for j in 0..columns {
            y[i] += {
                let d = a[i * columns + j] - j as f64;
                d * d
            };
        }
    }
}

/// The value reads other words of the array that it accumulates into, and the loops differ in length.
#[kernel]
pub fn solve(n: usize, l: &[f64], x: &mut [f64]) {
    for i in 0..n {
        #[reduce]
        for j in 0..i {
            x[i] += -l[i * n + j] * x[j];
        }
        x[i] /= l[i * n + i];
    }
}

/// An array of arrays, a product, a range of another type, and a variable that is not used.
#[kernel]
pub fn products(n: i32, a: &[[f64; 3]], out: &mut [f64; 3]) {
    for c in 0..3 {
        #[reduce]
        for i in -n..n {
            out[c] = out[c] * a[(i + n) as usize][c];
        }
    }
    #[reduce]
    for _ in 0..n {
        out[0] += 0.1;
    }
}

/// Integers and `bool`, in data and in control.
#[kernel]
pub fn flags(n: usize, #[structure] row: &[usize], x: &[u32], bits: &mut u32, all: &mut bool) {
    #[reduce]
    for i in 0..n {
        *bits ^= x[i];
    }
    #[reduce]
    for i in 0..n {
        *all = *all && x[i] > 3;
    }
    let mut total = 0;
    #[reduce]
    for i in 0..n {
        total += row[i];
    }
    *bits += x[total % n];
}

/// A 2 x 2 matrix: its product is not commutative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Matrix(pub [[u64; 2]; 2]);

impl std::ops::Mul for Matrix {
    type Output = Self;
    fn mul(self, right: Self) -> Self {
        let [c, d] = right.0;
        Self(self.0.map(|[a, b]| {
            let word = |j: usize| a.wrapping_mul(c[j]).wrapping_add(b.wrapping_mul(d[j]));
            [word(0), word(1)]
        }))
    }
}

/// A product of matrices.
#[kernel]
pub fn product(n: usize, a: &[Matrix], result: &mut Matrix) {
    #[reduce]
    for i in 0..n {
        *result = *result * a[i];
    }
}

/// A short text that can be copied.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Text {
    letters: [[u8; 32]; 8],
    length: usize,
}

/// One letter after the other: the order is all that counts.
pub fn concatenate(mut left: Text, right: Text) -> Text {
    for i in 0..right.length {
        left.letters[left.length / 32][left.length % 32] = right.letters[i / 32][i % 32];
        left.length += 1;
    }
    left
}

/// A text of one letter.
pub fn letter(letter: u8) -> Text {
    concatenate(
        Text::default(),
        Text {
            letters: [[letter; 32]; 8],
            length: 1,
        },
    )
}

/// A text of many, by a function of one's own on values that another one makes.
#[kernel]
pub fn text(letters: &[u8], result: &mut Text) {
    #[reduce]
    for i in 0..letters.len() {
        *result = concatenate(*result, letter(letters[i]));
    }
}

/// Names that the tree would like to use.
#[kernel]
pub fn names(n: usize, partials: &[f64], first: &[f64], blocks: &mut f64) {
    let left = 2.0;
    #[reduce]
    for last in 0..n {
        *blocks += partials[last] * first[last] + left;
    }
}

/// Counts the numbers of ranges that end with one, whose ends are operators of every rank.
#[kernel]
pub fn count(n: u8, counts: &mut [u64; 3]) {
    #[reduce]
    for _ in 1..=n << 1 {
        counts[0] += 1;
    }
    #[reduce]
    for _ in n | 1..=n + 7 {
        counts[1] += 1;
    }
    #[reduce]
    for i in 2..=if n > 3 { 9 } else { 4 } {
        counts[2] += i;
    }
}

/// An operand is the accumulator itself.
#[kernel]
pub fn overlap(n: usize, x: &mut [f64]) {
    #[reduce]
    for j in 0..n {
        x[n / 2] += x[j];
    }
}
