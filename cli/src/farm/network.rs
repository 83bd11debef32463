//! The network between a master and its slaves, from the command line.

use clap::Args;
use superstep_farm::{Dealt, Invalid, LogGp, MasterSlave, Start};

/// Parameters of LogGP, and of the messages.
#[derive(Args)]
#[command(next_help_heading = "Master and workers")]
pub(super) struct Network {
    /// Workers, beside the master: predict the makespan too
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub workers: Option<u32>,
    /// Latency of a message, in seconds (L)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    latency: f64,
    /// Processor time that a message takes at either end, in seconds (o)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    overhead: f64,
    /// Least time between two messages of the master, in seconds (g)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    gap: f64,
    /// Time for each byte of a message, in seconds (G)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    byte_gap: f64,
    /// Bytes that go to a worker with an item
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    input: f64,
    /// Bytes that an item's result has
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    output: f64,
    /// Items that travel together
    #[arg(long, value_name = "ITEMS", default_value_t = 1)]
    chunk: usize,
    /// Workers ask for their first items; or else the master sends them unasked
    #[arg(long)]
    requested: bool,
}

impl Network {
    /// Deals items to workers, as many as are asked for.
    pub(super) fn makespan(&self, workers: u32, costs: &[f64]) -> Result<f64, Invalid> {
        let network = LogGp {
            latency: self.latency,
            overhead: self.overhead,
            gap: self.gap,
            byte_gap: self.byte_gap,
        };
        let master = MasterSlave {
            input: self.input,
            output: self.output,
            chunk: self.chunk,
            start: if self.requested {
                Start::Requested
            } else {
                Start::Assigned
            },
            ..MasterSlave::new(network, workers as usize)
        };
        master
            .simulate(costs)
            .map(|Dealt { makespan, .. }| makespan)
    }
}
