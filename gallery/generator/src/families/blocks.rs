//! Loops whose lines are executed side by side, and some that only look so.

use crate::kernel::Kernel;
use crate::word::Word;

const F64: Word = Word::Float("f64");
const F32: Word = Word::Float("f32");
const U32: Word = Word::Integer("u32");

/// Numbers of lines that are no multiple of how many go side by side.
pub(super) fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::new("matrix_vector", "A sum for each line.")
            .size("n", 39)
            .input("a", F64, 39 * 39)
            .input("x", F64, 39)
            .inout("y", F64, 39)
            .body("for i in 0..n {\nfor j in 0..n {\ny[i] += a[i * n + j] * x[j];\n}\n}"),
        Kernel::new("rank_three", "Lines that read the same words, three at a time.")
            .size("n", 45)
            .input("u", F32, 3 * 45)
            .input("v", F32, 3 * 45)
            .inout("a", F32, 45 * 45)
            .body(
                "for k in 0..3 {\nfor i in 0..n {\nfor j in 0..n {\na[i * n + j] -= u[k * n + i] * v[k * n + j];\n}\n}\n}",
            ),
        Kernel::new("sums_in_turn", "Sums in three words, to which the lines add in turn.")
            .size("n", 42)
            .input("a", U32, 42 * 42)
            .inout("y", U32, 3)
            .body(
                "for i in 0..n {\nfor j in 0..n {\ny[i % 3] = y[i % 3].wrapping_mul(3).wrapping_add(a[i * n + j]);\n}\n}",
            ),
        Kernel::new("line_by_line", "Lines that read the same words, and what the line before wrote.")
            .size("n", 43)
            .input("b", F64, 43)
            .inout("a", F64, 43 * 43)
            .body(
                "for i in 1..n {\nfor j in 0..n {\na[i * n + j] = 0.5 * a[i * n + j] + b[j] * a[(i - 1) * n + j];\n}\n}",
            ),
        Kernel::new("triangle_of_sums", "A sum for each line of a triangle, and of what stands above it.")
            .size("n", 52)
            .inout("a", F64, 52 * 52)
            .inout("y", F64, 52)
            .body(
                "for i in 0..n {\nfor j in 0..i {\ny[i] -= 0.01 * a[i * n + j] * y[j];\n}\n}\nfor i in 0..n {\nfor j in 0..n {\na[i * n + j] += 0.25 * a[j] * y[i];\n}\n}",
            ),
        Kernel::new("from_the_last", "Lines and words from the last to the first.")
            .size("n", 38)
            .input("b", F64, 38)
            .input("f", F64, 38)
            .inout("a", F64, 38 * 38)
            .body(
                "for i in (0..n).rev() {\nfor j in 0..n {\na[i * n + j] += f[i] * b[j];\n}\n}\nfor i in (0..n).rev() {\nfor j in (0..n).rev() {\na[i * n + j] *= b[j];\n}\n}",
            ),
        Kernel::new("pages_apart", "Lines whose words compete for one set of a cache, and more of them than it has places.")
            .size("n", 42)
            .input("u", F64, 8 * 42)
            .inout("a", F64, 50 * 512)
            .body(
                "for k in 0..8 {\nfor i in 0..n {\nfor j in 0..24 {\na[(8 + i) * 512 + j] -= u[k * n + i] * a[k * 512 + j];\n}\n}\n}",
            ),
        Kernel::new("overlapping_lines", "Lines that begin before the line before ends.")
            .size("n", 41)
            .input("b", F64, 41)
            .inout("a", F64, 20 * 41 + 41)
            .body("for i in 0..n {\nfor j in 0..n {\na[20 * i + j] = b[j] - 0.5 * a[20 * i + j];\n}\n}"),
        Kernel::new("steps_apart", "Words of which every fourth is read, then every eighth, then every twelfth.")
            .size("n", 40)
            .input("b", F64, 12 * 40)
            .inout("a", F64, 3 * 4 * 40)
            .body(
                "for k in 0..3 {\nfor i in 0..n {\na[4 * (k * n + i)] += b[4 * (k + 1) * i];\n}\n}",
            ),
    ]
}
