//! The paper on PTUMR: work that is dealt to workers in several rounds (its figures 6 to 9).
//!
//! ```
//! use superstep_papers::ptumr;
//!
//! let figure = ptumr::figure("6").expect("it is one of the four")?;
//! assert!(figure.text().starts_with("figure 6: makespan over the workers"));
//! assert_eq!(figure.curves.len(), 12);
//! # Ok::<(), superstep_farm::Invalid>(())
//! ```

mod curves;
mod draw;

pub use curves::{Curve, Figure, NUMBERS, figure};

use std::error::Error;

impl Figure {
    /// Draws the curves as SVG; both axes are logarithmic.
    ///
    /// # Errors
    /// When what draws fails.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        draw::svg(self)
    }

    /// Says what the paper states, and what is found.
    pub fn text(&self) -> String {
        crate::statements(self.number, self.title, &self.statements)
    }
}
