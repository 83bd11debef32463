//! Kernels of more than 100000 tasks, classical ones.

use crate::kernel::{Kernel, Shape};
use crate::word::Word;

const F64: Word = Word::Float("f64");
const F32: Word = Word::Float("f32");
const U32: Word = Word::Integer("u32");
const I64: Word = Word::Integer("i64");

/// Linear algebra, stencils, transforms, dynamic programmes, automata.
pub(super) fn kernels() -> Vec<Kernel> {
    let mut kernels = linear_algebra();
    kernels.extend(stencils());
    kernels.extend(transforms());
    kernels.extend(programmes());
    kernels.extend(others());
    kernels
}

fn linear_algebra() -> Vec<Kernel> {
    let square = |name: &str, doc: &str, n: usize| {
        Kernel::new(name, doc).size("n", n).inout("a", F64, n * n)
    };
    vec![
        square("factor", "LU factorisation.", 72).body(
            "for k in 0..n {
                for i in k + 1..n {
                    a[i * n + k] /= 20.0 + a[k * n + k];
                    for j in k + 1..n {
                        a[i * n + j] -= a[i * n + k] * a[k * n + j];
                    }
                }
            }",
        ),
        square("cholesky", "Cholesky factorisation, column by column.", 90).body(
            "for j in 0..n {
                for k in 0..j {
                    a[j * n + j] -= a[j * n + k] * a[j * n + k];
                }
                a[j * n + j] = (20.0 + a[j * n + j]).sqrt();
                for i in j + 1..n {
                    for k in 0..j {
                        a[i * n + j] -= a[i * n + k] * a[j * n + k];
                    }
                    a[i * n + j] /= a[j * n + j];
                }
            }",
        ),
        Kernel::new("multiply_by_rows", "Matrix product, inner products.")
            .size("n", 48)
            .input("a", F32, 48 * 48)
            .input("b", F32, 48 * 48)
            .inout("c", F32, 48 * 48)
            .body(
                "for i in 0..n {
                    for j in 0..n {
                        let mut sum: f32 = 0.0;
                        for k in 0..n {
                            sum = a[i * n + k].mul_add(b[k * n + j], sum);
                        }
                        c[i * n + j] = sum;
                    }
                }",
            ),
        Kernel::new("multiply_outer", "Matrix product, outer products, integers that wrap.")
            .size("n", 48)
            .input("a", I64, 48 * 48)
            .input("b", I64, 48 * 48)
            .inout("c", I64, 48 * 48)
            .body(
                "for k in 0..n {
                    for i in 0..n {
                        for j in 0..n {
                            c[i * n + j] = c[i * n + j].wrapping_add(a[i * n + k].wrapping_mul(b[k * n + j]));
                        }
                    }
                }",
            ),
        Kernel::new("weighted_columns", "Sums of columns, each word with a weight of its own: words that stand apart, and numbers of iterations.")
            .size("n", 330)
            .input("a", F64, 330 * 330)
            .inout("y", F64, 330)
            .body(
                "for j in 0..n {
                    for i in 0..n {
                        y[i] += a[i * n + j] * ((i + j) as f64 * 0.01);
                    }
                }",
            ),
        Kernel::new("backward_many", "Backward substitution for many right-hand sides.")
            .size("n", 80)
            .size("sides", 34)
            .input("u", F64, 80 * 80)
            .inout("x", F64, 80 * 34)
            .body(
                "for i in (0..n).rev() {
                    for j in (i + 1..n).rev() {
                        for s in 0..sides {
                            x[i * sides + s] -= 0.1 * u[i * n + j] * x[j * sides + s];
                        }
                    }
                    for s in 0..sides {
                        x[i * sides + s] /= 2.0 + u[i * n + i];
                    }
                }",
            ),
        Kernel::new("orthogonalise", "Gram-Schmidt, the modified form.").size("n", 48).inout("q", F64, 48 * 48).body(
            "for k in 0..n {
                let mut norm: f64 = 0.0;
                for i in 0..n {
                    norm += q[i * n + k] * q[i * n + k];
                }
                for i in 0..n {
                    q[i * n + k] /= norm.sqrt();
                }
                for j in k + 1..n {
                    let mut product: f64 = 0.0;
                    for i in 0..n {
                        product += q[i * n + k] * q[i * n + j];
                    }
                    for i in 0..n {
                        q[i * n + j] -= product * q[i * n + k];
                    }
                }
            }",
        ),
        Kernel::new("tridiagonal", "Many tridiagonal systems, by elimination.")
            .size("systems", 150)
            .size("n", 200)
            .inout("c", F64, 150 * 200)
            .inout("d", F64, 150 * 200)
            .body(
                "for s in 0..systems {
                    c[s * n] /= 4.0;
                    d[s * n] /= 4.0;
                    for i in 1..n {
                        let pivot: f64 = 4.0 - c[s * n + i - 1];
                        c[s * n + i] /= pivot;
                        d[s * n + i] = (d[s * n + i] - d[s * n + i - 1]) / pivot;
                    }
                    for i in (0..n - 1).rev() {
                        d[s * n + i] -= c[s * n + i] * d[s * n + i + 1];
                    }
                }",
            ),
    ]
}

fn stencils() -> Vec<Kernel> {
    vec![
        Kernel::new("heat", "One dimension, two buffers in one nested array.")
            .size("steps", 260)
            .data("u", F64, Shape::InOutArray(vec![2, 402]))
            .body(
                "for s in 0..steps {
                    for i in 1..=400 {
                        u[(s + 1) % 2][i] = 0.25 * (u[s % 2][i - 1] + 2.0 * u[s % 2][i] + u[s % 2][i + 1]);
                    }
                }",
            ),
        Kernel::new("gauss_seidel", "Five points, in place.").size("n", 62).size("sweeps", 30).inout("u", F64, 62 * 62).body(
            "for _ in 0..sweeps {
                for i in 1..n - 1 {
                    for j in 1..n - 1 {
                        u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + u[(i + 1) * n + j]);
                    }
                }
            }",
        ),
        Kernel::new("red_black", "Five points, in place, in two colours.")
            .size("n", 64)
            .size("sweeps", 28)
            .inout("u", F32, 64 * 64)
            .body(
                "for _ in 0..sweeps {
                    for colour in 0..2 {
                        for i in 1..n - 1 {
                            for j in (1 + (i + colour) % 2..n - 1).step_by(2) {
                                u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + u[(i + 1) * n + j]);
                            }
                        }
                    }
                }",
            ),
        Kernel::new("automaton", "Rule 110, the whole history kept.")
            .size("steps", 330)
            .size("n", 330)
            .inout("cell", Word::Bool, 331 * 330)
            .body(
                "for s in 0..steps {
                    for i in 0..n {
                        let left = (i + n - 1) % n;
                        let right = (i + 1) % n;
                        cell[(s + 1) * n + i] = (cell[s * n + i] || cell[s * n + right])
                            && !(cell[s * n + left] && cell[s * n + i] && cell[s * n + right]);
                    }
                }",
            ),
    ]
}

fn transforms() -> Vec<Kernel> {
    vec![
        Kernel::new("hadamard", "The fast Walsh-Hadamard transform.").size("n", 4096).inout("x", I64, 4096).body(
            "let mut half = 1;
            while half < n {
                for start in (0..n).step_by(2 * half) {
                    for i in start..start + half {
                        let sum: i64 = x[i].wrapping_add(x[i + half]);
                        let difference: i64 = x[i].wrapping_sub(x[i + half]);
                        x[i] = sum;
                        x[i + half] = difference;
                    }
                }
                half <<= 1;
            }
            for round in 0..3 {
                for i in (0..n).rev() {
                    x[i] ^= x[(i * 5 + round) % n];
                }
            }",
        ),
        Kernel::new("bitonic", "A sorting network.").size("n", 2048).inout("x", Word::Integer("i32"), 2048).body(
            "let mut size = 2;
            while size <= n {
                let mut stride = size / 2;
                while stride > 0 {
                    for i in 0..n {
                        let other = i ^ stride;
                        if other > i {
                            let low: i32 = x[i].min(x[other]);
                            let high: i32 = x[i].max(x[other]);
                            if i & size == 0 {
                                x[i] = low;
                                x[other] = high;
                            } else {
                                x[i] = high;
                                x[other] = low;
                            }
                        }
                    }
                    stride /= 2;
                }
                size *= 2;
            }",
        ),
        Kernel::new("scan", "Prefix sums in logarithmic depth.")
            .size("n", 5000)
            .inout("x", U32, 5000)
            .inout("y", U32, 5000)
            .body(
                "let mut distance = 1;
                while distance < n {
                    for i in 0..n {
                        y[i] = if i >= distance { x[i].wrapping_add(x[i - distance]) } else { x[i] };
                    }
                    for i in 0..n {
                        x[i] = y[i];
                    }
                    distance *= 2;
                }",
            ),
        Kernel::new("fourier", "A fast Fourier transform.")
            .size("n", 4096)
            .input("twiddle", Word::Complex, 2048)
            .inout("x", Word::Complex, 4096)
            .body(
                "for i in 0..n {
                    let j = i.reverse_bits() >> (n.leading_zeros() + 1);
                    if i < j {
                        let moved: Complex<f64> = x[i];
                        x[i] = x[j];
                        x[j] = moved;
                    }
                }
                let mut half = 1;
                while half < n {
                    for start in (0..n).step_by(2 * half) {
                        for k in 0..half {
                            let odd: Complex<f64> = 0.7 * twiddle[k * (n / (2 * half))] * x[start + half + k];
                            x[start + half + k] = x[start + k] - odd;
                            x[start + k] += odd;
                        }
                    }
                    half *= 2;
                }
                for _ in 0..10 {
                    for i in 0..n {
                        x[i] *= 0.9;
                    }
                }",
            ),
        Kernel::new("convolution", "A long signal and a short one.")
            .size("n", 1000)
            .size("taps", 110)
            .input("x", Word::Integer("u16"), 1110)
            .input("tap", Word::Integer("u16"), 110)
            .inout("y", Word::Integer("u16"), 1000)
            .body(
                "for k in (0..taps).rev() {
                    for i in 0..n {
                        y[i] = y[i].wrapping_add(tap[k].wrapping_mul(x[i + k]));
                    }
                }",
            ),
    ]
}

fn programmes() -> Vec<Kernel> {
    vec![
        Kernel::new("all_paths", "Shortest paths between all pairs.")
            .data("d", U32, Shape::InOutArray(vec![48, 48]))
            .body(
                "for k in 0..48 {
                    for i in 0..48 {
                        for j in 0..48 {
                            d[i][j] = d[i][j].min(d[i][k].saturating_add(d[k][j]));
                        }
                    }
                }",
            ),
        Kernel::new("edit_distance", "Between two words.")
            .size("n", 330)
            .input("a", Word::Integer("u8"), 330)
            .input("b", Word::Integer("u8"), 330)
            .inout("d", U32, 331 * 331)
            .body(
                "for j in 0..=n {
                    d[j] = j as u32;
                }
                for i in 1..=n {
                    d[i * (n + 1)] = i as u32;
                    for j in 1..=n {
                        d[i * (n + 1) + j] = (d[(i - 1) * (n + 1) + j - 1] + (a[i - 1] & 3 != b[j - 1] & 3) as u32)
                            .min(d[(i - 1) * (n + 1) + j].min(d[i * (n + 1) + j - 1]) + 1);
                    }
                }",
            ),
        Kernel::new("alignment", "Local alignment of two words, and the best score.")
            .size("n", 240)
            .input("a", Word::Integer("u8"), 240)
            .input("b", Word::Integer("u8"), 240)
            .inout("h", Word::Integer("i32"), 241 * 241)
            .data("best", Word::Integer("i32"), Shape::InOutScalar)
            .body(
                "*best = 0;
                for i in 0..=n {
                    h[i] = 0;
                    h[i * (n + 1)] = 0;
                }
                for i in 1..=n {
                    for j in 1..=n {
                        h[i * (n + 1) + j] = match a[i - 1] & 3 == b[j - 1] & 3 {
                            true => h[(i - 1) * (n + 1) + j - 1] + 3,
                            false => (h[(i - 1) * (n + 1) + j].max(h[i * (n + 1) + j - 1]) - 2).max(0),
                        };
                        *best = (*best).max(h[i * (n + 1) + j]);
                    }
                }",
            ),
        Kernel::new("knapsack", "In place, capacities downwards.")
            .size("items", 100)
            .size("capacity", 1100)
            .input("value", Word::Integer("u64"), 100)
            .inout("best", Word::Integer("u64"), 1101)
            .body(
                "for i in 0..items {
                    let weight = i % 7 + 1;
                    for c in (weight..=capacity).rev() {
                        best[c] = best[c].max(best[c - weight].wrapping_add(value[i] >> 20));
                    }
                }",
            ),
        Kernel::new("parentheses", "The best order of a chain of products.")
            .size("n", 92)
            .input("p", Word::Integer("u64"), 93)
            .inout("cost", Word::Integer("u64"), 92 * 92)
            .body(
                "for length in 1..n {
                    for i in 0..n - length {
                        let j = i + length;
                        cost[i * n + j] = u64::MAX;
                        for k in i..j {
                            cost[i * n + j] = cost[i * n + j].min(
                                (cost[i * n + k] >> 2) + (cost[(k + 1) * n + j] >> 2) + ((p[i] & 255) * (p[k + 1] & 255) * (p[j + 1] & 255)),
                            );
                        }
                    }
                }",
            ),
    ]
}

fn others() -> Vec<Kernel> {
    vec![
        Kernel::new("escape", "Iterates z to z * z + c on a grid, by `if` expressions on data.")
            .size("n", 44)
            .size("steps", 26)
            .inout("count", U32, 44 * 44)
            .body(
                "for y in 0..n {
                    for x in 0..n {
                        let mut z: Complex<f64> = Complex::new(0.0, 0.0);
                        for _ in 0..steps {
                            z = if z.norm_sqr() < 4.0 {
                                z * z + Complex::new(x as f64 / 22.0 - 1.5, y as f64 / 22.0 - 1.0)
                            } else {
                                z
                            };
                            count[y * n + x] ^= (z.norm_sqr() < 4.0) as u32 + 2;
                        }
                    }
                }",
            ),
        Kernel::new("bodies", "The pull of all bodies on each.").size("n", 330).input("x", F64, 330).inout("force", F64, 330).body(
            "for i in 0..n {
                for j in 0..n {
                    if i != j {
                        force[i] += (x[j] - x[i]) / ((x[j] - x[i]).abs().powi(3) + 0.01);
                    }
                }
            }",
        ),
        Kernel::new("hash", "Lanes that are mixed and shuffled.")
            .size("rounds", 1700)
            .inout("lane", Word::Integer("u64"), 64)
            .body(
                "for r in 0..rounds {
                    for i in 0..64 {
                        lane[i] = (lane[i] ^ lane[(i + r) % 64].rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(r as u64);
                    }
                }",
            ),
        Kernel::new("horner", "One polynomial at many points.")
            .size("points", 320)
            .size("degree", 320)
            .input("c", F64, 320)
            .inout("x", F64, 320)
            .body(
                "for p in 0..points {
                    let mut value: f64 = 0.0;
                    for k in (0..degree).rev() {
                        value = value * x[p] + c[k];
                    }
                    x[p] = value.sin();
                }",
            ),
    ]
}
