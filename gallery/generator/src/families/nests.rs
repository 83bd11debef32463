//! Random loop nests over every type.

use crate::draw::Draw;
use crate::kernel::Kernel;
use crate::nest::{Style, kernel};
use crate::word::Word;

/// Small nests of `depth` loops.
pub(super) fn kernels(depth: usize) -> Vec<Kernel> {
    let nest = |number: usize| {
        let mut draw = Draw::new(1000 + number as u64);
        let n = draw.between(5, [60, 24, 11][depth - 1]);
        let style = Style {
            depth,
            n,
            nests: draw.between(1, 3),
        };
        kernel(
            &format!("nest_{number:02}"),
            &mut draw,
            Word::ALL[number % Word::ALL.len()],
            style,
        )
    };
    (depth - 1..36).step_by(3).map(nest).collect()
}
