//! The machine, as options.

use std::path::{Path, PathBuf};

use clap::Args;
use superstep_compiler::report::of_schedule;
use superstep_machine::Machine;
use superstep_network::{MachineFile, Network};
use superstep_report::{Report, RunTime};
use superstep_schedule::CheckedSchedule;

use crate::failure::{Failure, in_file};
use crate::values::number;

/// Costs of boundaries and words, in units of one task of weight 1.
#[derive(Args)]
pub(crate) struct Costs {
    /// Machine file: costs, levels of a hierarchy, measured latencies
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tau", "g", "latency"])]
    machine: Option<PathBuf>,
    #[command(flatten)]
    stated: Stated,
}

/// Costs that the command line states, and which latencies of a machine file count.
#[derive(Args)]
pub(crate) struct Stated {
    /// Schedule for this quantile of the latencies that the machine file has as distributions
    #[arg(long, value_name = "Q", requires = "machine", value_parser = quantile, default_value_t = 0.5)]
    quantile: f64,
    /// Cost of every superstep boundary, for `makespan` and for the algorithms [default: the
    /// latency]
    #[arg(long, value_parser = cost)]
    tau: Option<f64>,
    /// Cost of one word that a processor sends or receives, for `bsp_cost` [default: 1]
    #[arg(long, value_parser = cost)]
    g: Option<f64>,
    /// Cost of a superstep boundary at which something is sent, for `bsp_cost` [default: 1000]
    #[arg(long, value_parser = cost)]
    latency: Option<f64>,
}

/// A machine that was read or stated.
pub(crate) struct Target {
    pub(crate) machine: Machine,
    network: Option<Network>,
}

impl Costs {
    /// Returns the machine of so many processors; of all that its file has, if no number is given.
    pub(crate) fn target(&self, processors: Option<u32>) -> Result<Target, Failure> {
        self.stated.target(self.machine.as_deref(), processors)
    }
}

impl Stated {
    /// Returns the first option that states a cost, if any does.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let costs = [
            ("--tau", self.tau),
            ("--g", self.g),
            ("--latency", self.latency),
        ];
        let stated = costs.iter().find(|(_, cost)| cost.is_some());
        stated.map(|&(option, _)| option)
    }

    /// Returns the machine of a file, or the one that is stated, of so many processors. If no
    /// number is given, it is of all that the file has.
    pub(crate) fn target(
        &self,
        machine: Option<&Path>,
        processors: Option<u32>,
    ) -> Result<Target, Failure> {
        let Some(path) = machine else {
            let usual = Machine::new(processors.unwrap_or(1));
            return Ok(Target {
                machine: Machine {
                    gap: self.g.unwrap_or(usual.gap),
                    latency: self.latency.unwrap_or(usual.latency),
                    tau: self.tau,
                    ..usual
                },
                network: None,
            });
        };
        let file = MachineFile::read(path)?;
        let processors = processors.unwrap_or(file.processors());
        let file = file.first(processors).map_err(in_file(path))?;
        Ok(Target {
            machine: file.machine(self.quantile),
            network: file.network().cloned(),
        })
    }
}

impl Target {
    /// Counts what a schedule costs; on a measured machine also how long it will run.
    pub(crate) fn report(&self, schedule: &CheckedSchedule<'_>, seconds: f64) -> Report {
        let runs = self.network.as_ref();
        let runs = runs.map(|network| network.runs(schedule, &self.machine));
        Report {
            run_time: runs.map(|runs| RunTime {
                median: runs.seconds(0.5),
                p99: runs.seconds(0.99),
                boundaries: runs.boundaries,
            }),
            ..of_schedule(schedule, &self.machine, seconds)
        }
    }
}

fn cost(text: &str) -> Result<f64, String> {
    let fits = |cost: f64| cost.is_finite() && cost >= 0.0;
    number(text, fits, "a cost is a finite number, at least 0")
}

fn quantile(text: &str) -> Result<f64, String> {
    let fits = |quantile| 0.0 < quantile && quantile < 1.0;
    number(text, fits, "a quantile is a number between 0 and 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_tells_the_costs_of_a_machine_of_which_none_is_stated() {
        let help = Costs::augment_args(clap::Command::new("any")).render_help();
        let help = help.to_string();
        let usual = Machine::new(1);
        for cost in [usual.gap, usual.latency] {
            assert!(
                help.contains(&format!("`bsp_cost` [default: {cost}]")),
                "{help}"
            );
        }
    }
}
