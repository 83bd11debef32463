//! Ranges and strides of every kind, and loops without any.

use super::{both, over};
use crate::draw::Draw;
use crate::kernel::{Kernel, Shape};
use crate::word::Word;

/// Each over two types of data.
pub(super) fn kernels() -> Vec<Kernel> {
    both(
        8,
        &[
            downwards, narrow, spiral, gray, windows, tiles, forever, measured,
        ],
    )
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
