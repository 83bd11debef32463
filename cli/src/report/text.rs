//! Reports for people: one line per figure.

use superstep_machine::Machine;

use super::Report;

pub(super) fn render(report: &Report, machine: &Machine) -> String {
    let beside = |cost: f64, bound: f64| {
        if bound > 0.0 {
            let ratio = cost / bound;
            format!("{cost}  ({ratio:.2} x its lower bound {bound})")
        } else {
            cost.to_string()
        }
    };
    let lines = [
        ("tasks", report.tasks.to_string()),
        ("edges", report.edges.to_string()),
        ("total work", report.total_work.to_string()),
        ("critical path", report.critical_path.to_string()),
        ("lower bound", report.lower_bound.to_string()),
        ("machine", machine.to_string()),
        ("supersteps", report.supersteps.to_string()),
        ("makespan", beside(report.makespan, report.makespan_bound)),
        ("BSP cost", beside(report.bsp_cost, report.bsp_bound)),
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
        ("folded size", report.folded_size.to_string()),
        ("time", format!("{:.3} s", report.seconds)),
    ];
    lines
        .iter()
        .map(|(name, value)| format!("{name:<18}{value}\n"))
        .collect()
}
