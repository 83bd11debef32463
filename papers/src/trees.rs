//! The thesis on reductions: complete binary trees under a delay (its figures 4.4, 4.5, 4.9, 4.10).

mod curves;
mod draw;

pub use curves::{Curve, Figure, all};

use std::error::Error;

/// Numbers of the figures in the thesis.
pub const NUMBERS: [&str; 4] = ["4.4", "4.5", "4.9", "4.10"];

impl Figure {
    /// Draws the curves over tau as SVG, on a logarithmic axis.
    ///
    /// # Errors
    /// When what draws fails.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        draw::svg(self)
    }

    /// Says what the thesis states, and what is found.
    pub fn text(&self) -> String {
        crate::statements(self.number, self.title, &self.statements)
    }
}
