//! The description of a machine and its file.

use serde::{Deserialize, Serialize};

/// A parallel machine by the BSP model. Costs are in units of the work of one task of weight 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Number of processors, at least 1.
    pub processors: u32,
    /// Cost of one word in an h-relation (g).
    pub gap: f64,
    /// Cost of a superstep boundary at which something is sent (L).
    pub latency: f64,
    /// The thesis's tau: cost of every superstep boundary in the makespan; `None`: the latency.
    pub tau: Option<f64>,
}
