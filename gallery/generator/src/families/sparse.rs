//! Kernels over the structure that a caller gives.

use super::over;
use crate::draw::Draw;
use crate::kernel::Kernel;
use crate::word::Word;

/// Sparse matrices, graphs, circuits, permutations, meshes.
pub(super) fn kernels() -> Vec<Kernel> {
    let mut draw = Draw::new(4000);
    let draw = &mut draw;
    vec![
        multiply("multiply", Word::Float("f64"), 120),
        multiply("multiply_complex", Word::Complex, 40),
        transposed(),
        forward("forward", 150),
        forward("forward_large", 24000),
        backward(),
        incomplete_factor(),
        gather(draw, Word::Integer("i16")),
        gather(draw, Word::Pair),
        cycles(),
        paths(),
        circuit(),
        mesh(),
        tree(draw, Word::Float("f32")),
        tree(draw, Word::Integer("i8")),
        coordinates(),
        ragged(),
    ]
}

/// Row starts and columns of a lower triangle, the diagonal last in each row.
fn with_triangle(name: &str, doc: &str, rows: usize) -> Kernel {
    Kernel::new(name, doc)
        .setup(format!(
            "let (row, col) = structure::lower_triangle({rows}, 4, 11);"
        ))
        .size("n", rows)
        .structure("row", "usize")
        .structure("col", "usize")
}

fn multiply(name: &str, word: Word, n: usize) -> Kernel {
    let zero = if word == Word::Complex {
        "Complex::new(0.0, 0.0)"
    } else {
        "0.0"
    };
    Kernel::new(name, "Compressed sparse rows times a vector.")
        .setup(format!("let (row, col) = structure::rows({n}, 90, 6, 5);"))
        .structure("row", "usize")
        .structure("col", "usize")
        .input("values", word, 6 * n)
        .input("x", word, 90)
        .inout("y", word, n)
        .body(format!(
            "for i in 0..row.len() - 1 {{
                let mut sum: {} = {zero};
                for e in row[i]..row[i + 1] {{
                    sum += values[e] * x[col[e]];
                }}
                y[i] = sum;
            }}",
            word.name()
        ))
}

fn transposed() -> Kernel {
    let n = 80;
    Kernel::new(
        "transposed",
        "The transpose of compressed sparse rows times a vector.",
    )
    .setup(format!(
        "let (row, col) = structure::rows({n}, 60, 5, 8);
            let row: Vec<u32> = row.iter().map(|&word| word as u32).collect();
            let col: Vec<u16> = col.iter().map(|&word| word as u16).collect();"
    ))
    .size("n", n)
    .structure("row", "u32")
    .structure("col", "u16")
    .input("values", Word::Float("f32"), 5 * n)
    .input("x", Word::Float("f32"), n)
    .inout("y", Word::Float("f32"), 60)
    .body(
        "for i in 0..n {
                for e in row[i]..row[i + 1] {
                    y[col[e as usize] as usize] += values[e as usize] * x[i];
                }
            }",
    )
}

fn forward(name: &str, n: usize) -> Kernel {
    let word = Word::Float("f64");
    with_triangle(name, "Forward substitution.", n)
        .input("values", word, 5 * n)
        .input("b", word, n)
        .inout("x", word, n)
        .body(
            "for i in 0..n {
            x[i] = b[i];
            for e in row[i]..row[i + 1] - 1 {
                x[i] -= values[e] * x[col[e]];
            }
            x[i] /= 2.0 + values[row[i + 1] - 1];
        }",
        )
}

fn backward() -> Kernel {
    let (word, n) = (Word::Float("f64"), 130);
    with_triangle(
        "backward",
        "Backward substitution with the transpose, in place.",
        n,
    )
    .input("values", word, 5 * n)
    .inout("x", word, n)
    .body(
        "for i in (0..n).rev() {
                x[i] /= 2.0 + values[row[i + 1] - 1];
                for e in row[i]..row[i + 1] - 1 {
                    x[col[e]] -= values[e] * x[i];
                }
            }",
    )
}

fn incomplete_factor() -> Kernel {
    let (word, n) = (Word::Float("f64"), 60);
    Kernel::new(
        "incomplete_factor",
        "Incomplete LU factorisation without fill: the pattern says which updates there are.",
    )
    .setup(format!(
        "let (row, col) = structure::square_rows({n}, 6, 3);"
    ))
    .size("n", n)
    .structure("row", "usize")
    .structure("col", "usize")
    .inout("values", word, 14 * n)
    .body(
        "for i in 0..n {
                for e in row[i]..row[i + 1] {
                    let k = col[e];
                    if k >= i {
                        break;
                    }
                    let mut diagonal = row[k];
                    while col[diagonal] != k {
                        diagonal += 1;
                    }
                    values[e] /= 2.0 + values[diagonal];
                    let mut other = diagonal + 1;
                    for f in e + 1..row[i + 1] {
                        while other < row[k + 1] && col[other] < col[f] {
                            other += 1;
                        }
                        if other < row[k + 1] && col[other] == col[f] {
                            values[f] -= values[e] * values[other];
                        }
                    }
                }
            }",
    )
}

fn gather(draw: &mut Draw, word: Word) -> Kernel {
    let value = over(draw, word, &["x[p[i]]", "y[i]"]);
    let other = over(draw, word, &["y[i]", "x[i]"]);
    let n = draw.between(50, 90);
    Kernel::new(
        format!("gather_{}", word.name().to_lowercase()),
        "Gathers by a permutation, then scatters by it.",
    )
    .setup(format!("let p = structure::permutation({n}, 21);"))
    .structure("p", "usize")
    .inout("x", word, n)
    .inout("y", word, n)
    .body(format!(
        "for i in 0..p.len() {{
                y[i] = {value};
            }}
            for i in 0..p.len() {{
                x[p[i]] = {other};
            }}"
    ))
}

fn cycles() -> Kernel {
    let (word, n) = (Word::Integer("u16"), 100);
    Kernel::new("cycles", "Exchanges in place, along a permutation.")
        .setup(format!("let p = structure::permutation({n}, 4);"))
        .size("n", n)
        .structure("p", "usize")
        .inout("x", word, n)
        .body(
            "for i in 0..n {
                let kept: u16 = x[i];
                x[i] = x[p[i]];
                x[p[i]] = kept ^ x[i] >> 3;
            }",
        )
}

fn paths() -> Kernel {
    let word = Word::Integer("u32");
    Kernel::new("paths", "Rounds of relaxation over the edges of a graph.")
        .setup("let (from, to) = structure::edges(70, 400, 6);")
        .size("rounds", 5)
        .structure("from", "u32")
        .structure("to", "u32")
        .input("length", word, 400)
        .inout("distance", word, 70)
        .body(
            "for _ in 0..rounds {
                for e in 0..from.len() {
                    distance[to[e] as usize] =
                        distance[to[e] as usize].min(distance[from[e] as usize].saturating_add(length[e] >> 8));
                }
            }",
        )
}

fn circuit() -> Kernel {
    Kernel::new(
        "circuit",
        "A circuit of gates: the structure says which kind each is.",
    )
    .setup("let (gate, left, right) = structure::circuit(40, 500, 9);")
    .size("inputs", 40)
    .structure("gate", "u8")
    .structure("left", "usize")
    .structure("right", "usize")
    .inout("wire", Word::Bool, 540)
    .body(
        "for g in 0..gate.len() {
                if gate[g] == 0 {
                    wire[inputs + g] = wire[left[g]] && wire[right[g]];
                } else if gate[g] == 1 {
                    wire[inputs + g] = wire[left[g]] ^ wire[right[g]];
                } else {
                    wire[inputs + g] = !wire[left[g]];
                }
            }",
    )
}

fn mesh() -> Kernel {
    let word = Word::Float("f64");
    Kernel::new("mesh", "Neighbours on a mesh; a negative one is none.")
        .setup("let neighbour = structure::neighbours(9, 8);")
        .size("n", 72)
        .size("sweeps", 4)
        .structure("neighbour", "i64")
        .inout("x", word, 72)
        .inout("y", word, 72)
        .body(
            "for _ in 0..sweeps {
                for i in 0..n {
                    y[i] = 0.5 * x[i];
                    for side in 0..4 {
                        let other = neighbour[4 * i + side];
                        if other >= 0 {
                            y[i] += 0.125 * x[other as usize];
                        }
                    }
                }
                for i in 0..n {
                    x[i] = y[i];
                }
            }",
        )
}

fn tree(draw: &mut Draw, word: Word) -> Kernel {
    let up = over(draw, word, &["x[parent[i] as usize]", "x[i]"]);
    let down = over(draw, word, &["x[i]", "x[parent[i] as usize]", "x[0]"]);
    Kernel::new(format!("tree_{}", word.name()), "Up a tree and down again.")
        .setup("let parent = structure::tree(90, 2);")
        .structure("parent", "i32")
        .inout("x", word, 90)
        .body(format!(
            "for i in (1..parent.len()).rev() {{
                x[parent[i] as usize] = {up};
            }}
            for i in 1..parent.len() {{
                x[i] = {down};
            }}"
        ))
}

fn coordinates() -> Kernel {
    let word = Word::Integer("i64");
    Kernel::new("coordinates", "A matrix in coordinate form times a vector, with integers that wrap.")
        .setup("let (from, to) = structure::edges(50, 300, 13);")
        .structure("from", "u32")
        .structure("to", "u32")
        .input("values", word, 300)
        .input("x", word, 50)
        .inout("y", word, 50)
        .body(
            "for e in 0..to.len() {
                y[to[e] as usize] = y[to[e] as usize].wrapping_add(values[e].wrapping_mul(x[from[e] as usize]));
            }",
        )
}

fn ragged() -> Kernel {
    let word = Word::Float("f64");
    Kernel::new(
        "ragged",
        "The largest word of each segment, by way of a prefix maximum.",
    )
    .setup("let (start, _) = structure::rows(45, 20, 9, 31);")
    .structure("start", "usize")
    .inout("x", word, 405)
    .inout("largest", word, 45)
    .body(
        "for s in 0..start.len() - 1 {
                if start[s] == start[s + 1] {
                    largest[s] = f64::NEG_INFINITY;
                    continue;
                }
                for e in start[s] + 1..start[s + 1] {
                    x[e] = x[e].max(x[e - 1]);
                }
                largest[s] = x[start[s + 1] - 1];
            }",
    )
}
