//! Kernels with branches, labels and searches. Control decides them (loops, conditions and
//! indices), which a trace knows, and never data.

use super::{both, over};
use crate::draw::Draw;
use crate::kernel::{Kernel, Shape};
use crate::word::Word;

/// Returns each kernel over two types of data. Their numbers, from 0, choose types and seeds.
pub(super) fn kernels() -> Vec<Kernel> {
    both(
        0,
        &[
            collatz,
            coprime,
            labels,
            heap,
            sieve,
            permutation,
            digits,
            merge,
        ],
    )
}

fn collatz(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[k % n]", "a[i]", "a[(k / 2) % n]"]);
    let n = draw.between(12, 30);
    Kernel::new("collatz", "Walks that only control can predict.")
        .size("n", n)
        .inout("a", word, n)
        .body(format!(
            "for i in 0..n {{
            let mut k = i + 1;
            while k != 1 {{
                a[k % n] = {value};
                if k % 2 == 0 {{
                    k /= 2;
                }} else {{
                    k = 3 * k + 1;
                }}
            }}
        }}"
        ))
}

fn coprime(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[i]", "a[j]", "b[i + j]"]);
    let n = draw.between(12, 24);
    Kernel::new("coprime", "Euclid's algorithm decides which pairs meet.")
        .size("n", n)
        .inout("a", word, n)
        .input("b", word, 2 * n)
        .body(format!(
            "for i in 1..n {{
                for j in 1..i {{
                    let mut x = i;
                    let mut y = j;
                    while y != 0 {{
                        let rest = x % y;
                        x = y;
                        y = rest;
                    }}
                    if x == 1 {{
                        a[i] = {value};
                    }}
                }}
            }}"
        ))
}

fn labels(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[i * m + j]", "a[j]", "b[i]"]);
    let other = over(draw, word, &["b[j]", "a[i]"]);
    let (n, m) = (draw.between(10, 20), draw.between(8, 12));
    Kernel::new("labels", "Leaves outer loops from inner ones.")
        .size("n", n)
        .size("m", m)
        .inout("a", word, n * m)
        .input("b", word, n + m)
        .body(format!(
            "'rows: for i in 0..n {{
                'columns: for j in 0..m {{
                    if i * j % 7 == 5 {{
                        continue 'rows;
                    }}
                    if (i + j) % 5 == 4 {{
                        continue;
                    }}
                    a[i * m + j] = {value};
                    if i > 7 && j > 6 {{
                        break 'rows;
                    }}
                    for k in j..m {{
                        if k == j + 4 {{
                            continue 'columns;
                        }}
                        if (k * i) % 11 == 9 {{
                            break;
                        }}
                        a[k] = {other};
                    }}
                }}
            }}"
        ))
}

fn heap(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[child]", "a[(child - 1) / 2]", "(*s)"]);
    let up = over(draw, word, &["a[i]", "a[2 * i + 1]", "(*s)"]);
    let n = draw.between(40, 80);
    Kernel::new("heap", "Paths down an implicit tree, then up again.")
        .size("n", n)
        .inout("a", word, n)
        .data("s", word, Shape::InOutScalar)
        .body(format!(
            "for i in 0..n / 4 {{
                let mut child = 2 * i + 1;
                while child < n {{
                    a[child] = {value};
                    child = 2 * child + 1 + i % 2;
                }}
            }}
            for i in (0..n / 2).rev() {{
                a[i] = {up};
            }}
            *s = a[0];"
        ))
}

fn sieve(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[i]", "a[last]", &word.from_control("i")]);
    let n = 64;
    Kernel::new(
        "sieve",
        "A local array of control says which assignments run.",
    )
    .size("n", n)
    .inout("a", word, n)
    .body(format!(
        "let mut composite = [false; 64];
        let mut last = 0;
        for i in 2..n {{
            if composite[i] {{
                continue;
            }}
            let mut multiple = i * i;
            while multiple < n {{
                composite[multiple] = true;
                multiple += i;
            }}
            a[i] = {value};
            last = i;
        }}"
    ))
}

fn permutation(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[p[i]]", "a[i]", "b[31 - p[i]]"]);
    let step = 2 * draw.between(1, 12) + 1;
    Kernel::new(
        "permutation",
        "A local array of control says where assignments go.",
    )
    .inout("a", word, 32)
    .input("b", word, 32)
    .body(format!(
        "let mut p: [usize; 32] = [0; 32];
            for i in 0..32 {{
                p[i] = (i * {step} + 3) % 32;
            }}
            for round in 0..3 {{
                for i in 0..32 {{
                    a[p[i]] = {value};
                }}
                for i in 0..16 {{
                    let kept = p[i];
                    p[i] = p[31 - i];
                    p[31 - i] = (kept + round) % 32;
                }}
            }}"
    ))
}

fn digits(draw: &mut Draw, word: Word) -> Kernel {
    let one = over(draw, word, &["a[place]", "b[i]"]);
    let zero = over(draw, word, &["b[place]", "a[place]"]);
    let n = draw.between(20, 40);
    Kernel::new("digits", "Follows the binary digits of a counter.")
        .size("n", n)
        .inout("a", word, 8)
        .input("b", word, n + 8)
        .body(format!(
            "for i in 0..n {{
                let mut rest = i;
                let mut place = 0;
                while rest > 0 {{
                    if rest & 1 == 1 {{
                        a[place] = {one};
                    }} else if !(place == 2) {{
                        a[place] = {zero};
                    }}
                    rest >>= 1;
                    place += 1;
                }}
            }}"
        ))
}

fn merge(draw: &mut Draw, word: Word) -> Kernel {
    let left = over(draw, word, &["a[i]", "c[i + j]", "b[j]"]);
    let right = over(draw, word, &["b[j]", "c[i + j]"]);
    let (n, m) = (draw.between(15, 30), draw.between(10, 20));
    Kernel::new("merge", "Two cursors that advance by a rule of their own.")
        .size("n", n)
        .size("m", m)
        .input("a", word, n)
        .input("b", word, m)
        .inout("c", word, n + m)
        .body(format!(
            "let mut i = 0;
            let mut j = 0;
            while i < n && j < m {{
                if 3 * i % 5 <= 2 * j % 7 {{
                    c[i + j] = {left};
                    i += 1;
                }} else {{
                    c[i + j] = {right};
                    j += 1;
                }}
            }}
            while i < n {{
                c[i + j] = a[i];
                i += 1;
            }}
            while j < m {{
                c[i + j] = b[j];
                j += 1;
            }}"
        ))
}
