//! Random loop nests over every type.

use crate::draw::Draw;
use crate::kernel::Kernel;
use crate::nest::{Style, kernel};
use crate::word::Word;

/// Small nests of one to three loops.
pub(super) fn kernels() -> Vec<Kernel> {
    let nest = |number: usize| {
        let mut draw = Draw::new(1000 + number as u64);
        let depth = 1 + number % 3;
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
    (0..36).map(nest).collect()
}
