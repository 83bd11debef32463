//! Functions of the library whose operands are constants where a compiler unrolls a loop: it may
//! fold them.

use crate::kernel::Kernel;
use crate::word::Word;

const SINGLE: Word = Word::Float("f32");
const DOUBLE: Word = Word::Float("f64");

/// Loops of few iterations, and operands that are control or constants. A compiler that folds such
/// calls in the function, and not in the program, changes their last bits.
pub(super) fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::new("powers", "Powers whose exponents are control.")
            .inout("x", DOUBLE, 8)
            .body("for k in 0..8usize {\nx[k] = x[k].powi(k as i32 - 2) + 1.37_f64.powi(3 * k as i32) + f64::powi(x[k], -3);\n}"),
        Kernel::new("activations", "Functions of control alone.")
            .inout("x", SINGLE, 8)
            .body("for k in 0..8usize {\nx[k] += ((k as f32) * 0.1371 + 0.0933).tanh() + (k as f32 * 0.71).exp() - (1.0 + k as f32).ln();\n}"),
        Kernel::new("decibels", "Functions of a constant that is data.")
            .inout("x", SINGLE, 6)
            .body("let mut gain: f32 = 0.3137;\nfor k in 0..6usize {\nx[k] = 20.0 * gain.log10() + gain.powi(3);\ngain = gain.cbrt();\n}"),
        Kernel::new("angles", "Functions of two numbers.")
            .inout("x", DOUBLE, 6)
            .body("for k in 0..6usize {\nlet t: f64 = 0.1 * k as f64 - 0.27;\nx[k] += t.atan2(0.33) + t.abs().powf(1.0 / 3.0) + (2.5 + t).log(3.7) + f64::hypot(t, 1.1) + t.sin_cos().1;\n}"),
        Kernel::new("window", "A window over a signal, and its spectrum's first lines.")
            .size("n", 64)
            .inout("x", SINGLE, 64)
            .inout("lines", SINGLE, 4)
            .body("for i in 0..n {\nx[i] *= 0.5 - 0.5 * (i as f32 * 0.0997).cos();\n}\nfor k in 0..4usize {\nlines[k] = 0.0;\nfor i in 0..n {\nlines[k] += x[i] * ((k * i) as f32 * 0.098).sin();\n}\n}"),
    ]
}
