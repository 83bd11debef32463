// Written by superstep-gallery-generator; do not edit.
//! Branches, labels and searches that control decides.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

/// Walks that only control can predict.
#[kernel]
pub fn collatz(n: usize, a: &mut [f64]) {
    for i in 0..n {
        let mut k = i + 1;
        while k != 1 {
            a[k % n] = (a[i].max(a[(k / 2) % n]));
            if k % 2 == 0 {
                k /= 2;
            } else {
                k = 3 * k + 1;
            }
        }
    }
}

/// Walks that only control can predict.
#[kernel]
pub fn collatz_too(n: usize, a: &mut [i64]) {
    for i in 0..n {
        let mut k = i + 1;
        while k != 1 {
            a[k % n] = (a[(k / 2) % n].wrapping_mul(a[k % n]).wrapping_sub(a[i]));
            if k % 2 == 0 {
                k /= 2;
            } else {
                k = 3 * k + 1;
            }
        }
    }
}

/// Euclid's algorithm decides which pairs meet.
#[kernel]
pub fn coprime(n: usize, a: &mut [u8], b: &[u8]) {
    for i in 1..n {
        for j in 1..i {
            let mut x = i;
            let mut y = j;
            while y != 0 {
                let rest = x % y;
                x = y;
                y = rest;
            }
            if x == 1 {
                a[i] = ((b[i + j] & a[i]) | !a[j]);
            }
        }
    }
}

/// Euclid's algorithm decides which pairs meet.
#[kernel]
pub fn coprime_too(n: usize, a: &mut [Pair], b: &[Pair]) {
    for i in 1..n {
        for j in 1..i {
            let mut x = i;
            let mut y = j;
            while y != 0 {
                let rest = x % y;
                x = y;
                y = rest;
            }
            if x == 1 {
                a[i] = (a[j].mix(b[i + j]));
            }
        }
    }
}

/// Leaves outer loops from inner ones.
#[kernel]
pub fn labels(n: usize, m: usize, a: &mut [bool], b: &[bool]) {
    'rows: for i in 0..n {
        'columns: for j in 0..m {
            if i * j % 7 == 5 {
                continue 'rows;
            }
            if (i + j) % 5 == 4 {
                continue;
            }
            a[i * m + j] = (b[i] || a[i * m + j]);
            if i > 7 && j > 6 {
                break 'rows;
            }
            for k in j..m {
                if k == j + 4 {
                    continue 'columns;
                }
                if (k * i) % 11 == 9 {
                    break;
                }
                a[k] = (if a[i] { b[j] } else { !a[i] });
            }
        }
    }
}

/// Leaves outer loops from inner ones.
#[kernel]
pub fn labels_too(n: usize, m: usize, a: &mut [i16], b: &[i16]) {
    'rows: for i in 0..n {
        'columns: for j in 0..m {
            if i * j % 7 == 5 {
                continue 'rows;
            }
            if (i + j) % 5 == 4 {
                continue;
            }
            a[i * m + j] = ((b[i] & a[i * m + j]) | !a[j]);
            if i > 7 && j > 6 {
                break 'rows;
            }
            for k in j..m {
                if k == j + 4 {
                    continue 'columns;
                }
                if (k * i) % 11 == 9 {
                    break;
                }
                a[k] = (a[i].checked_mul(b[j]).unwrap_or(a[i]));
            }
        }
    }
}

/// Paths down an implicit tree, then up again.
#[kernel]
pub fn heap(n: usize, a: &mut [i8], s: &mut i8) {
    for i in 0..n / 4 {
        let mut child = 2 * i + 1;
        while child < n {
            a[child] = (((*s) & a[child]) | !a[(child - 1) / 2]);
            child = 2 * child + 1 + i % 2;
        }
    }
    for i in (0..n / 2).rev() {
        a[i] = (a[i].swap_bytes().wrapping_add(a[2 * i + 1]));
    }
    *s = a[0];
}

/// Paths down an implicit tree, then up again.
#[kernel]
pub fn heap_too(n: usize, a: &mut [f64], s: &mut f64) {
    for i in 0..n / 4 {
        let mut child = 2 * i + 1;
        while child < n {
            a[child] = ((a[child] + a[(child - 1) / 2]).sin());
            child = 2 * child + 1 + i % 2;
        }
    }
    for i in (0..n / 2).rev() {
        a[i] = (0.5 * (a[i] + a[2 * i + 1]));
    }
    *s = a[0];
}

/// A local array of control says which assignments run.
#[kernel]
pub fn sieve(n: usize, a: &mut [u16]) {
    let mut composite = [false; 64];
    let mut last = 0;
    for i in 2..n {
        if composite[i] {
            continue;
        }
        let mut multiple = i * i;
        while multiple < n {
            composite[multiple] = true;
            multiple += i;
        }
        a[i] = (a[i].min(a[last]) ^ (i as u16));
        last = i;
    }
}

/// A local array of control says which assignments run.
#[kernel]
pub fn sieve_too(n: usize, a: &mut [u8]) {
    let mut composite = [false; 64];
    let mut last = 0;
    for i in 2..n {
        if composite[i] {
            continue;
        }
        let mut multiple = i * i;
        while multiple < n {
            composite[multiple] = true;
            multiple += i;
        }
        a[i] = (a[i].checked_mul(a[last]).unwrap_or((i as u8)));
        last = i;
    }
}

/// A local array of control says where assignments go.
#[kernel]
pub fn permutation(a: &mut [i32], b: &[i32]) {
    let mut p: [usize; 32] = [0; 32];
    for i in 0..32 {
        p[i] = (i * 19 + 3) % 32;
    }
    for round in 0..3 {
        for i in 0..32 {
            a[p[i]] = (b[31 - p[i]].wrapping_mul(a[p[i]]).wrapping_sub(a[i]));
        }
        for i in 0..16 {
            let kept = p[i];
            p[i] = p[31 - i];
            p[31 - i] = (kept + round) % 32;
        }
    }
}

/// A local array of control says where assignments go.
#[kernel]
pub fn permutation_too(a: &mut [bool], b: &[bool]) {
    let mut p: [usize; 32] = [0; 32];
    for i in 0..32 {
        p[i] = (i * 21 + 3) % 32;
    }
    for round in 0..3 {
        for i in 0..32 {
            a[p[i]] = (b[31 - p[i]] && !a[p[i]] || a[i]);
        }
        for i in 0..16 {
            let kept = p[i];
            p[i] = p[31 - i];
            p[31 - i] = (kept + round) % 32;
        }
    }
}

/// Follows the binary digits of a counter.
#[kernel]
pub fn digits(n: usize, a: &mut [Complex<f64>], b: &[Complex<f64>]) {
    for i in 0..n {
        let mut rest = i;
        let mut place = 0;
        while rest > 0 {
            if rest & 1 == 1 {
                a[place] = (Complex::new(a[place].im * b[i].re, a[place].re.sin()));
            } else if !(place == 2) {
                a[place] = (a[place].conj() - b[place].scale(0.5));
            }
            rest >>= 1;
            place += 1;
        }
    }
}

/// Follows the binary digits of a counter.
#[kernel]
pub fn digits_too(n: usize, a: &mut [i8], b: &[i8]) {
    for i in 0..n {
        let mut rest = i;
        let mut place = 0;
        while rest > 0 {
            if rest & 1 == 1 {
                a[place] = (b[i].overflowing_add(a[place]).0);
            } else if !(place == 2) {
                a[place] = (a[place] / ((b[place] & 7) + 1));
            }
            rest >>= 1;
            place += 1;
        }
    }
}

/// Two cursors that advance by a rule of their own.
#[kernel]
pub fn merge(n: usize, m: usize, a: &[u32], b: &[u32], c: &mut [u32]) {
    let mut i = 0;
    let mut j = 0;
    while i < n && j < m {
        if 3 * i % 5 <= 2 * j % 7 {
            c[i + j] = (a[i].overflowing_add(c[i + j]).0);
            i += 1;
        } else {
            c[i + j] = (b[j].wrapping_mul(c[i + j]).wrapping_sub(b[j]));
            j += 1;
        }
    }
    while i < n {
        c[i + j] = a[i];
        i += 1;
    }
    while j < m {
        c[i + j] = b[j];
        j += 1;
    }
}

/// Two cursors that advance by a rule of their own.
#[kernel]
pub fn merge_too(n: usize, m: usize, a: &[u16], b: &[u16], c: &mut [u16]) {
    let mut i = 0;
    let mut j = 0;
    while i < n && j < m {
        if 3 * i % 5 <= 2 * j % 7 {
            c[i + j] = (a[i].wrapping_add(c[i + j]));
            i += 1;
        } else {
            c[i + j] = (b[j] / ((c[i + j] & 7) + 1));
            j += 1;
        }
    }
    while i < n {
        c[i + j] = a[i];
        i += 1;
    }
    while j < m {
        c[i + j] = b[j];
        j += 1;
    }
}
