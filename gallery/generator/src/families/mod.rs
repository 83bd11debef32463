//! The gallery's kernels, family by family. Each family is one file of kernels and one of tests.

mod control;
mod large;
mod locals;
mod nests;
mod overflow;
mod sparse;
mod types;

use crate::draw::Draw;
use crate::kernel::Kernel;
use crate::word::Word;

/// Kernels with something in common.
#[derive(Clone, Debug)]
pub struct Family {
    /// Name of the module that holds them.
    pub name: &'static str,
    /// What they have in common.
    pub doc: &'static str,
    /// The kernels.
    pub kernels: Vec<Kernel>,
}

/// Everything in the gallery.
pub fn all() -> Vec<Family> {
    let family = |name, doc, kernels| Family { name, doc, kernels };
    vec![
        family("nests", "Random loop nests.", nests::kernels()),
        family(
            "control",
            "Loops and branches that control decides.",
            control::kernels(),
        ),
        family(
            "sparse",
            "Kernels over the structure that a caller gives.",
            sparse::kernels(),
        ),
        family(
            "locals",
            "Local arrays, temporaries, scalars in and out.",
            locals::kernels(),
        ),
        family(
            "types",
            "One kernel for each type of data.",
            types::kernels(),
        ),
        family(
            "large",
            "Kernels of more than 100000 tasks.",
            large::kernels(),
        ),
        family(
            "overflow",
            "Arithmetic that overflows: a panic where overflow is checked.",
            overflow::kernels(),
        ),
    ]
}

/// An expression over `operands`, parenthesised.
fn over(draw: &mut Draw, word: Word, operands: &[&str]) -> String {
    let operands: Vec<String> = operands.iter().map(ToString::to_string).collect();
    format!("({})", word.expression(draw, &operands))
}
