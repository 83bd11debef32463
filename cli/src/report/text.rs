//! Reports for people: one line per figure.

use superstep_machine::Machine;

use super::Report;

pub(super) fn render(report: &Report, machine: &Machine) -> String {
    let over_bound = |cost: f64| match report.lower_bound {
        0 => String::new(),
        bound => format!("  ({:.2} x the lower bound)", cost / bound as f64),
    };
    let lines = [
        ("tasks", report.tasks.to_string()),
        ("edges", report.edges.to_string()),
        ("total work", report.total_work.to_string()),
        ("critical path", report.critical_path.to_string()),
        ("lower bound", report.lower_bound.to_string()),
        ("machine", machine.to_string()),
        ("supersteps", report.supersteps.to_string()),
        (
            "makespan",
            format!("{}{}", report.makespan, over_bound(report.makespan)),
        ),
        (
            "BSP cost",
            format!("{}{}", report.bsp_cost, over_bound(report.bsp_cost)),
        ),
        (
            "duplication rate",
            format!("{:.5}", report.duplication_rate),
        ),
        (
            "messages",
            format!(
                "{}, of {:.1} words on average",
                report.messages, report.mean_message_words
            ),
        ),
        ("processors used", report.processors_used.to_string()),
        ("time", format!("{:.3} s", report.seconds)),
    ];
    lines
        .iter()
        .map(|(name, value)| format!("{name:<18}{value}\n"))
        .collect()
}
