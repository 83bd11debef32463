//! Local arrays, temporaries, scalars in and out.

use super::over;
use crate::draw::Draw;
use crate::kernel::{Kernel, Shape};
use crate::word::Word;

/// Every use of a local, over two types each.
pub(super) fn kernels() -> Vec<Kernel> {
    let shapes: [fn(&mut Draw, Word) -> Kernel; 9] = [
        ring, blocks, shadows, reused, scalars, nested, running, operands, helper,
    ];
    let mut kernels = Vec::new();
    for (number, shape) in shapes.iter().enumerate() {
        for variant in 0..2 {
            let word = Word::ALL[(4 * number + 6 * variant) % Word::ALL.len()];
            let mut draw = Draw::new(5000 + 2 * number as u64 + variant as u64);
            let mut kernel = shape(&mut draw, word);
            kernel.name += ["", "_too"][variant];
            kernels.push(kernel);
        }
    }
    kernels
}

fn ring(draw: &mut Draw, word: Word) -> Kernel {
    let zero = word.literal(draw);
    let value = over(draw, word, &["ring[(i + 5) % 8]", "ring[i % 8]", "a[i]"]);
    let n = draw.between(40, 70);
    Kernel::new("ring", "A local array that is overwritten again and again.")
        .size("n", n)
        .inout("a", word, n)
        .body(format!(
            "let mut ring: [{0}; 8] = [{zero}; 8];
        for i in 0..n {{
            ring[i % 8] = {value};
            a[i] = ring[(i + 3) % 8];
        }}",
            word.name()
        ))
}

fn blocks(draw: &mut Draw, word: Word) -> Kernel {
    let (zero, name) = (word.literal(draw), word.name());
    let load = over(draw, word, &["a[(top + i) * n + left + j]", "block[j][i]"]);
    let store = over(
        draw,
        word,
        &["block[j][i]", "block[i][j]", "a[(top + i) * n + left + j]"],
    );
    Kernel::new(
        "blocks",
        "Through a local nested array and back, block by block.",
    )
    .size("n", 12)
    .inout("a", word, 144)
    .body(format!(
        "let mut block: [[{name}; 4]; 4] = [[{zero}; 4]; 4];
        for top in (0..n).step_by(4) {{
            for left in (0..n).step_by(4) {{
                for i in 0..4 {{
                    for j in 0..4 {{
                        block[i][j] = {load};
                    }}
                }}
                for i in 0..4 {{
                    for j in 0..4 {{
                        a[(top + i) * n + left + j] = {store};
                    }}
                }}
            }}
        }}"
    ))
}

fn shadows(draw: &mut Draw, word: Word) -> Kernel {
    let name = word.name();
    let [first, second, third, last] = [
        ["a[i]", "b[i]"],
        ["t", "b[i + 1]"],
        ["t", "a[i + 1]"],
        ["t", "a[i]"],
    ]
    .map(|operands| over(draw, word, &operands));
    let n = draw.between(20, 40);
    Kernel::new("shadows", "Names that hide one another, in nested blocks.")
        .size("n", n)
        .inout("a", word, n + 1)
        .input("b", word, n + 1)
        .body(format!(
            "for i in 0..n {{
                let t: {name} = {first};
                {{
                    let t: {name} = {second};
                    let t: {name} = {third};
                    a[i + 1] = t;
                }}
                let i = n - 1 - i;
                a[i] = {last};
            }}"
        ))
}

fn reused(draw: &mut Draw, word: Word) -> Kernel {
    let (zero, name) = (word.literal(draw), word.name());
    let value = over(draw, word, &["t", "a[i]", "b[j]"]);
    let compound = over(draw, word, &["b[i]", "a[j]"]);
    let compound = word.compound(draw, &compound);
    let n = draw.between(10, 18);
    Kernel::new(
        "reused",
        "One temporary for everything, and a chain through it.",
    )
    .size("n", n)
    .inout("a", word, n)
    .input("b", word, n)
    .body(format!(
        "let mut t: {name} = {zero};
            for i in 0..n {{
                for j in 0..i {{
                    t = {value};
                    t {compound};
                    a[j] = t;
                }}
                if i % 4 == 0 {{
                    t = b[i];
                }}
            }}"
    ))
}

fn scalars(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["a[i]", "(*last)", "weight"]);
    let compound = over(draw, word, &["a[i]", "weight"]);
    let compound = word.compound(draw, &compound);
    let n = draw.between(20, 50);
    Kernel::new("scalars", "Scalars in by value, out by reference.")
        .size("n", n)
        .data("weight", word, Shape::Scalar)
        .inout("a", word, n)
        .data("total", word, Shape::InOutScalar)
        .data("last", word, Shape::InOutScalar)
        .body(format!(
            "for i in 0..n {{
                *total {compound};
                a[i] = {value};
                *last = a[i];
            }}"
        ))
}

fn nested(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(
        draw,
        word,
        &["cube[i][j][k]", "plane[j][k]", "cube[i - 1][k][j]"],
    );
    let back = over(draw, word, &["cube[4][j][k]", "cube[0][k][j]", "line[j]"]);
    Kernel::new("nested", "Nested fixed arrays, in and out.")
        .data("cube", word, Shape::InOutArray(vec![5, 4, 4]))
        .data("plane", word, Shape::InOutArray(vec![4, 4]))
        .data("line", word, Shape::InputArray(vec![4]))
        .body(format!(
            "for i in 1..5 {{
                for j in 0..4 {{
                    for k in 0..4 {{
                        cube[i][j][k] = {value};
                    }}
                }}
            }}
            for j in 0..4 {{
                for k in (0..4).rev() {{
                    plane[j][k] = {back};
                }}
            }}"
        ))
}

fn running(draw: &mut Draw, word: Word) -> Kernel {
    let (zero, name) = (word.literal(draw), word.name());
    let compound = over(draw, word, &["a[i * m + j]", "b[j]"]);
    let compound = word.compound(draw, &compound);
    let (n, m) = (draw.between(8, 14), draw.between(8, 14));
    Kernel::new(
        "running",
        "A running value for each row, and one over all rows.",
    )
    .size("n", n)
    .size("m", m)
    .input("a", word, n * m)
    .input("b", word, m)
    .inout("sums", word, n)
    .data("all", word, Shape::InOutScalar)
    .body(format!(
        "*all = {zero};
            for i in 0..n {{
                let mut sum: {name} = {zero};
                for j in 0..m {{
                    sum {compound};
                }}
                sums[i] = sum;
                *all = {};
            }}",
        over(draw, word, &["sum", "(*all)"])
    ))
}

fn operands(draw: &mut Draw, word: Word) -> Kernel {
    let (start, step) = (word.from_control("(i * i)"), word.from_control("(n - i)"));
    let value = over(draw, word, &["a[i]", &step, "a[i / 2]"]);
    let guarded = over(
        draw,
        word,
        &[
            "(if i > 0 { a[i - 1] } else { b[0] })",
            "(if i % 3 == 0 { b[i] } else { a[i] })",
        ],
    );
    let n = draw.between(30, 60);
    Kernel::new(
        "operands",
        "Control values as operands, and reads that control guards.",
    )
    .size("n", n)
    .inout("a", word, n)
    .input("b", word, n)
    .body(format!(
        "for i in 0..n {{
                a[i] = {start};
            }}
            for i in (0..n).rev() {{
                a[i] = {value};
            }}
            for i in 0..n {{
                a[i] = {guarded};
            }}"
    ))
}

fn helper(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["twice(a[i])", "a[n - 1 - i]"]);
    let n = draw.between(30, 60);
    Kernel::new("helper", "Calls a pure function of the module.")
        .size("n", n)
        .inout("a", word, n)
        .body(format!(
            "for i in 1..n {{
            a[i] = {value};
            a[i - 1] = later(a[i - 1], twice(a[i]), i);
        }}"
        ))
}
