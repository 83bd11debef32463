//! The gallery's kernels, family by family. Each family is one file of kernels and one of tests.

mod blocks;
mod branches;
mod large;
mod library;
mod locals;
mod nests;
mod overflow;
mod ranges;
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
    /// Parts that they have in common.
    pub doc: &'static str,
    /// The kernels.
    pub kernels: Vec<Kernel>,
}

/// Everything in the gallery.
pub fn all() -> Vec<Family> {
    let family = |name, doc, kernels| Family { name, doc, kernels };
    vec![
        family("loops", "Random loops.", nests::kernels(1)),
        family("nests", "Random nests of two loops.", nests::kernels(2)),
        family(
            "deep_nests",
            "Random nests of three loops.",
            nests::kernels(3),
        ),
        family(
            "branches",
            "Branches, labels and searches that control decides.",
            branches::kernels(),
        ),
        family(
            "ranges",
            "Ranges and strides of every kind, and loops without any.",
            ranges::kernels(),
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
        family(
            "blocks",
            "Loops whose lines are executed side by side, and some that only look so.",
            blocks::kernels(),
        ),
        family(
            "library",
            "Functions of the library, of control and of constants.",
            library::kernels(),
        ),
    ]
}

/// Each shape over two types of data; shapes are numbered from `first`.
fn both(first: usize, shapes: &[fn(&mut Draw, Word) -> Kernel]) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for (number, shape) in (first..).zip(shapes) {
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

/// Draws a random expression over `operands`, in parentheses.
fn over(draw: &mut Draw, word: Word, operands: &[&str]) -> String {
    let operands: Vec<String> = operands.iter().map(ToString::to_string).collect();
    format!("({})", word.expression(draw, &operands))
}
