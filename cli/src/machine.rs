//! The machine, as options.

use clap::Args;
use superstep_machine::Machine;

/// What boundaries and words cost, in units of one task of weight 1.
#[derive(Args)]
pub(crate) struct Costs {
    /// Cost of every superstep boundary, for `makespan` and for the algorithms [default: the latency]
    #[arg(long, value_parser = cost)]
    tau: Option<f64>,
    /// Cost of one word that a processor sends or receives, for `bsp_cost`
    #[arg(long, value_parser = cost, default_value_t = Machine::new(1).gap)]
    g: f64,
    /// Cost of a superstep boundary at which something is sent, for `bsp_cost`
    #[arg(long, value_parser = cost, default_value_t = Machine::new(1).latency)]
    latency: f64,
}

impl Costs {
    /// A machine of that many processors with these costs.
    pub(crate) fn machine(&self, processors: u32) -> Machine {
        Machine {
            processors,
            gap: self.g,
            latency: self.latency,
            tau: self.tau,
            levels: Vec::new(),
        }
    }
}

fn cost(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(cost) if cost.is_finite() && cost >= 0.0 => Ok(cost),
        _ => Err("a cost is a finite number, at least 0".to_owned()),
    }
}
