//! The paper on predicting master/slave programs by executing a subset of tasks (Mizutani, Ino and
//! Hagihara), with the Mandelbrot set.

mod chart;
mod experiment;

pub use experiment::{Experiment, Network, makespans_csv};

use std::error::Error;

impl Network {
    /// Draws makespans over processors as SVG, both axes logarithmic.
    ///
    /// # Errors
    /// When what draws fails.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        chart::svg(self)
    }
}
