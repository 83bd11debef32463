//! Schedules of one graph side by side: each figure beside the best for the same machine and number
//! of processors, and beside its lower bound.

use serde::{Deserialize, Serialize};

use super::Comparison;
use crate::{Report, SCHEMA};

/// A figure beside the best of its column, and beside its lower bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measure {
    /// The figure.
    pub value: f64,
    /// Set if no other of its column is smaller.
    pub is_best: bool,
    /// The figure over the best of its column; none if that is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_best: Option<f64>,
    /// The figure over its lower bound; none if no bound is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_bound: Option<f64>,
}

/// Row of a schedule. A column compares rows of one machine and number of processors alone. Costs
/// are in unit tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScheduleRow {
    /// Name of the scheduler.
    pub algorithm: String,
    /// The machine, in words.
    pub machine: String,
    /// Number of processors.
    pub processors: usize,
    /// Makespan at the machine's tau.
    pub makespan: Measure,
    /// Lower bound of the makespan.
    pub makespan_bound: f64,
    /// BSP cost at the machine's g and L.
    pub bsp_cost: Measure,
    /// Lower bound of the BSP cost.
    pub bsp_bound: f64,
    /// Number of supersteps.
    pub supersteps: Measure,
    /// Words in messages between supersteps.
    pub words: Measure,
    /// Seconds that scheduling took.
    pub seconds: Measure,
}

/// Algorithm that is left out, as it cannot schedule the graph for a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOut {
    /// Name of the scheduler.
    pub algorithm: String,
    /// Number of processors of that machine.
    pub processors: usize,
    /// The reason.
    pub reason: String,
}

impl Comparison {
    /// Compares schedules of one graph, in the order of `reports`. Those for one machine and number
    /// of processors have to be neighbours: only neighbours are compared.
    pub fn of_schedules(graph: &str, reports: &[Report]) -> Self {
        let machine = |report: &Report| (report.machine.clone(), report.processors);
        let groups = reports.chunk_by(|a, b| machine(a) == machine(b));
        Self {
            schema: SCHEMA,
            of: graph.to_owned(),
            schedules: groups.flat_map(rows).collect(),
            ..Self::default()
        }
    }
}

/// Returns the rows of schedules for one machine.
fn rows(reports: &[Report]) -> Vec<ScheduleRow> {
    let words = |report: &Report| (report.messages as f64 * report.mean_message_words).round();
    let column = |value: &dyn Fn(&Report) -> f64, bound: &dyn Fn(&Report) -> f64| {
        let best = reports.iter().map(value).fold(f64::INFINITY, f64::min);
        let measure = |report| {
            let value = value(report);
            let over = |other: f64| (other > 0.0).then(|| value / other);
            Measure {
                value,
                is_best: value <= best,
                over_best: over(best),
                over_bound: over(bound(report)),
            }
        };
        reports.iter().map(measure).collect::<Vec<Measure>>()
    };
    let none = |_: &Report| 0.0;
    let makespans = column(&|report| report.makespan, &|report| report.makespan_bound);
    let costs = column(&|report| report.bsp_cost, &|report| report.bsp_bound);
    let supersteps = column(&|report| report.supersteps as f64, &none);
    let words = column(&words, &none);
    let seconds = column(&|report| report.seconds, &none);
    let row = |(at, report): (usize, &Report)| ScheduleRow {
        algorithm: report.algorithm.clone(),
        machine: report.machine.clone(),
        processors: report.processors,
        makespan: makespans[at],
        makespan_bound: report.makespan_bound,
        bsp_cost: costs[at],
        bsp_bound: report.bsp_bound,
        supersteps: supersteps[at],
        words: words[at],
        seconds: seconds[at],
    };
    reports.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(algorithm: &str, processors: usize, makespan: f64, messages: u64) -> Report {
        Report {
            processors,
            machine: format!("{processors} processors"),
            makespan,
            makespan_bound: 8.0,
            messages,
            mean_message_words: 2.5,
            ..Report::default()
        }
        .by(algorithm)
    }

    #[test]
    fn figures_are_compared_for_one_machine() {
        let reports = [
            report("serial", 2, 16.0, 0),
            report("levels", 2, 12.0, 4),
            report("serial", 4, 16.0, 0),
        ];
        let compared = Comparison::of_schedules("g.hdag", &reports);
        let [serial, levels, other] = &compared.schedules[..] else {
            panic!("three schedules")
        };
        assert_eq!(serial.makespan.over_best, Some(16.0 / 12.0));
        assert_eq!(levels.makespan.over_bound, Some(1.5));
        assert!(levels.makespan.is_best && !serial.makespan.is_best && other.makespan.is_best);
        assert_eq!((levels.words.value, levels.words.over_best), (10.0, None));
        assert!(serial.words.is_best);
    }
}
