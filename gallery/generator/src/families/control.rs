//! Loops and branches that control decides.

use super::over;
use crate::draw::Draw;
use crate::kernel::{Kernel, Shape};
use crate::word::Word;

/// Every shape of control, over two types of data each.
pub(super) fn kernels() -> Vec<Kernel> {
    let shapes: [fn(&mut Draw, Word) -> Kernel; 16] = [
        collatz,
        coprime,
        labels,
        heap,
        sieve,
        permutation,
        digits,
        merge,
        downwards,
        narrow,
        spiral,
        gray,
        windows,
        tiles,
        forever,
        measured,
    ];
    let mut kernels = Vec::new();
    for (number, shape) in shapes.iter().enumerate() {
        for variant in 0..2 {
            let word = Word::ALL[(3 * number + 5 * variant) % Word::ALL.len()];
            let mut draw = Draw::new(3000 + 2 * number as u64 + variant as u64);
            let mut kernel = shape(&mut draw, word);
            kernel.name += ["", "_too"][variant];
            kernels.push(kernel);
        }
    }
    kernels
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

fn downwards(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(
        draw,
        word,
        &["a[k as usize]", "b[(n as i64 - 1 - k) as usize]"],
    );
    let n = draw.between(30, 60);
    Kernel::new("downwards", "Signed counters that run below zero.")
        .size("n", n)
        .inout("a", word, n)
        .input("b", word, n)
        .body(format!(
            "for stride in 1..6 {{
            let mut k: i64 = n as i64 - 1;
            while k >= 0 {{
                a[k as usize] = {value};
                k -= stride;
            }}
        }}
        for k in (-3..n as i64 - 3).rev() {{
            if k < 0 {{
                a[(k + 3) as usize] = b[(-k) as usize];
            }}
        }}"
        ))
}

fn narrow(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(
        draw,
        word,
        &["a[i as usize]", "b[(i ^ 3) as usize]", "b[m as usize]"],
    );
    let m = draw.between(20, 100);
    Kernel::new("narrow", "Sizes and counters of narrow types.")
        .typed_size("m", "u8", m)
        .typed_size("k", "i32", draw.between(2, 5))
        .inout("a", word, 128)
        .input("b", word, 128)
        .body(format!(
            "for i in (0..m).step_by(k as usize) {{
                a[i as usize] = {value};
            }}
            for i in -k..=k {{
                if i != 0 {{
                    a[(i + k) as usize] = b[(i * i) as usize];
                }}
            }}"
        ))
}

fn spiral(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[i * n + j]", "a[last]", "b[step % 7]"]);
    let n = draw.between(7, 12);
    let blocked = "if direction == 0 { j + 1 == n || visited[i * n + j + 1] } \
        else if direction == 1 { i + 1 == n || visited[(i + 1) * n + j] } \
        else if direction == 2 { j == 0 || visited[i * n + j - 1] } \
        else { i == 0 || visited[(i - 1) * n + j] }";
    Kernel::new("spiral", "Walks a square inwards.")
        .size("n", n)
        .inout("a", word, n * n)
        .input("b", word, 7)
        .body(format!(
            "let mut visited = [false; 144];
        let mut i: usize = 0;
        let mut j: usize = 0;
        let mut direction = 0;
        let mut last = 0;
        for step in 0..n * n {{
            a[i * n + j] = {value};
            visited[i * n + j] = true;
            last = i * n + j;
            let blocked = {blocked};
            if blocked {{
                direction = (direction + 1) % 4;
            }}
            if direction == 0 {{
                j += 1;
            }} else if direction == 1 {{
                i += 1;
            }} else if direction == 2 {{
                j = j.wrapping_sub(1);
            }} else {{
                i = i.wrapping_sub(1);
            }}
        }}"
        ))
}

fn gray(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(
        draw,
        word,
        &["a[i ^ (i >> 1)]", "a[i]", "a[(i ^ bit) & 63]"],
    );
    Kernel::new("gray", "Indices by shifts and exclusive or.")
        .size("rounds", draw.between(2, 6))
        .inout("a", word, 64)
        .body(format!(
            "for round in 0..rounds {{
            let bit = 1 << (round % 6);
            for i in 0..64 {{
                if i & bit == 0 {{
                    a[i ^ (i >> 1)] = {value};
                }}
            }}
        }}"
        ))
}

fn windows(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["b[j]", "a[i]", "b[low]"]);
    let n = draw.between(25, 45);
    Kernel::new(
        "windows",
        "Bounds computed by methods and by `if` expressions.",
    )
    .size("n", n)
    .size("reach", draw.between(2, 6))
    .inout("a", word, n)
    .input("b", word, n)
    .body(format!(
        "for i in 0..n {{
                let low = i.saturating_sub(reach);
                let high = (i + reach + 1).min(n);
                for j in low..high {{
                    a[i] = {value};
                }}
                let mirrored = if i < n / 2 {{ i }} else {{ n - 1 - i }};
                a[mirrored] = b[i.abs_diff(reach).pow(2) % n];
            }}"
    ))
}

fn tiles(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(
        draw,
        word,
        &["a[i * n + j]", "b[j * n + i]", "a[j * n + i]"],
    );
    let n = draw.between(10, 18);
    Kernel::new("tiles", "A loop nest in tiles, the last of them short.")
        .size("n", n)
        .size("tile", draw.between(3, 5))
        .inout("a", word, n * n)
        .input("b", word, n * n)
        .body(format!(
            "for top in (0..n).step_by(tile) {{
                for left in (0..n).step_by(tile) {{
                    for i in top..n.min(top + tile) {{
                        for j in left..n.min(left + tile) {{
                            a[i * n + j] = {value};
                        }}
                    }}
                }}
            }}"
        ))
}

fn forever(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[k]", "a[(k + step) % n]", "b[k]"]);
    let n = draw.between(20, 50);
    Kernel::new("forever", "Loops that only a `break` ends.")
        .size("n", n)
        .inout("a", word, n)
        .input("b", word, n)
        .body(format!(
            "let mut k = 0;
        let mut step = 1;
        'outer: loop {{
            let mut turns = 0;
            loop {{
                a[k] = {value};
                k = (k + step) % n;
                turns += 1;
                if turns == 7 {{
                    break;
                }}
                if k == n - 1 && step > 3 {{
                    break 'outer;
                }}
            }}
            step += 2;
            if step > 15 {{
                break 'outer;
            }}
        }}"
        ))
}

fn measured(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[i]", "b[i % b.len()]", "b[b.len() - 1]"]);
    let m = draw.between(7, 13);
    Kernel::new("measured", "The length of a slice decides.")
        .size("rounds", 2)
        .data("b", word, Shape::Measured(m))
        .inout("a", word, 3 * m + 1)
        .body(format!(
            "for round in 0..rounds {{
                for i in 0..b.len() * 3 {{
                    a[i + round] = {value};
                }}
            }}"
        ))
}
