//! Generated programs for people: a line each, or one in full.

use std::fmt::Write;

use superstep::build::report::{InstanceReport, KernelReport};

/// The list of all programs; one alone is told in full.
pub(super) fn render(kernels: &[KernelReport]) -> String {
    if let [kernel] = kernels
        && let [instance] = &kernel.instances[..]
    {
        return in_full(kernel, instance);
    }
    kernels.iter().map(list).collect()
}

fn list(kernel: &KernelReport) -> String {
    let mut text = format!("{} ({}:{})\n", kernel.kernel, kernel.file, kernel.line);
    let width = kernel
        .instances
        .iter()
        .map(|i| i.control.chars().count())
        .max()
        .unwrap_or(0);
    for instance in &kernel.instances {
        let InstanceReport {
            control,
            processors,
            supersteps,
            tasks,
            makespan,
            words,
            predicted,
            ..
        } = instance;
        let predicted = 1e-6 * predicted;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "  {control:<width$}  P = {processors:<2}  supersteps {supersteps:>4}  {tasks:>9} tasks  makespan {makespan:>9.0}  \
             {words:>8} words sent  predicted {predicted:.3} ms"
        );
    }
    text
}

fn in_full(kernel: &KernelReport, instance: &InstanceReport) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let instances: u64 = instance.loads.iter().sum();
    let lines = [
        (
            "kernel",
            format!("{} ({}:{})", kernel.kernel, kernel.file, kernel.line),
        ),
        ("control", instance.control.clone()),
        (
            "schedule",
            format!("{} for {}", instance.algorithm, instance.machine),
        ),
        (
            "tasks",
            format!(
                "{}, {} edges, critical path {}",
                instance.tasks, instance.edges, instance.critical_path
            ),
        ),
        ("predicted", format!("{:.3} ms", 1e-6 * instance.predicted)),
        ("supersteps", instance.supersteps.to_string()),
        ("makespan", over(instance.makespan, instance.makespan_bound)),
        ("BSP cost", over(instance.bsp_cost, instance.bsp_bound)),
        (
            "copies",
            format!(
                "{} (duplication rate {:.5})",
                instances.saturating_sub(instance.tasks as u64),
                instance.duplication_rate
            ),
        ),
        (
            "messages",
            format!("{} of {} words in all", instance.messages, instance.words),
        ),
        (
            "scattered",
            format!("{} words of inputs", instance.scattered),
        ),
        (
            "gathered",
            format!("{} words of results", instance.gathered),
        ),
        (
            "code",
            format!(
                "{}; {} bytes of tables",
                instance.tiers, instance.table_bytes
            ),
        ),
    ];
    let mut text: String = lines
        .iter()
        .map(|(name, value)| format!("{name:<12}{value}\n"))
        .collect();
    text.push_str("\nload of each processor, in task instances\n");
    for (processor, load) in instance.loads.iter().enumerate() {
        let share = percent(*load as f64 / instances.max(1) as f64);
        let _ = writeln!(text, "  {processor:>2}  {load:>10}  {share:>7}");
    }
    if !instance.talkative.is_empty() {
        text.push_str("\nwords sent between processors, by the statement that computed them\n");
    }
    for talk in &instance.talkative {
        let _ = writeln!(
            text,
            "  {:>10}  {}:{}  {}",
            talk.words,
            talk.file.as_ref().unwrap_or(&kernel.file),
            talk.line,
            talk.statement
        );
    }
    text
}

fn over(cost: f64, bound: f64) -> String {
    if bound > 0.0 {
        let ratio = cost / bound;
        format!("{cost:.0} ({ratio:.2} x its lower bound {bound:.0})")
    } else {
        format!("{cost:.0}")
    }
}
