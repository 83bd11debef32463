//! Kernels whose arithmetic overflows, whatever their data.
//!
//! In a debug build that is a panic, in a release build a wrapped value. The generated tests want
//! it of the function and of its programs alike.

use crate::kernel::{Kernel, Shape};
use crate::word::Word;

/// Returns the kernels, marked as ones that overflow: their tests expect it.
pub(super) fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::new("factorials", "Overflows at 13 factorial.")
            .size("n", 20)
            .inout("a", Word::Integer("i32"), 20)
            .body("a[0] = 1;\nfor i in 1..n {\na[i] = a[i - 1] * i as i32;\n}"),
        Kernel::new("fibonacci_numbers", "Overflows at the fourteenth.")
            .size("n", 30)
            .inout("a", Word::Integer("u8"), 30)
            .body("a[0] = 1;\na[1] = 1;\nfor i in 2..n {\na[i] = a[i - 1] + a[i - 2];\n}"),
        Kernel::new("negated_minimum", "Subtracts below zero.")
            .size("n", 40)
            .inout("a", Word::Integer("u64"), 40)
            .body("for i in 0..n {\na[i] = i as u64;\na[i] -= 3;\n}"),
        Kernel::new("summed_squares", "Overflows in a running sum.")
            .size("n", 64)
            .inout("a", Word::Integer("i16"), 64)
            .data("sum", Word::Integer("i16"), Shape::InOutScalar)
            .body(
                "*sum = 0;\nfor i in 0..n {\na[i] = (i * i) as i16;\n*sum += a[i];\n}\nfor i in 0..n {\na[i] ^= *sum;\n}",
            ),
    ]
    .into_iter()
    .map(Kernel::overflowing)
    .collect()
}
