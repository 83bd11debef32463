//! Finds what holds a program up: a superstep that is not shared evenly, the statements of the
//! longest path, or those whose words others use.

use superstep_compiler::Compiled;
use superstep_report::Breakdown;
use superstep_tracer::Trace;

/// Limit of a program: what holds it up, and where.
#[derive(Debug, Default)]
pub(crate) struct Limit {
    /// Reason, in a sentence or two.
    pub(crate) why: String,
    /// The statement that it is about.
    pub(crate) statement: Option<u16>,
    /// The superstep that it is about.
    pub(crate) step: Option<u32>,
}

/// Finds the bottleneck of a program by the smallest factor of its predicted efficiency: load
/// balance, serialisation or transfer.
pub(crate) fn limit(trace: &Trace, base: &Compiled) -> Limit {
    let times = base.report.times.clone().unwrap_or_default().predicted;
    let factors = [times.load_balance, times.serialisation, times.transfer];
    let least = (0..3).min_by(|&a, &b| factors[a].total_cmp(&factors[b]));
    let found = match least {
        Some(0) => uneven_step(trace, base),
        Some(1) => longest_path(trace),
        _ => words_and_waits(trace, base, &times),
    };
    let factor = least.map_or(1.0, |least| factors[least]);
    Limit {
        why: format!("{} (factor {factor:.2} of its efficiency)", found.why),
        ..found
    }
}

/// Finds the superstep in which most time is lost, and the statement with most tasks on its longest
/// processor.
fn uneven_step(trace: &Trace, base: &Compiled) -> Limit {
    let Some(worst) = base.report.steps.rows.first() else {
        return Limit::default();
    };
    let plan = base.program.plan();
    let (mut tasks, mut longest) = (Vec::new(), 0);
    for processor in 0..plan.processors as usize {
        let code = plan.code(worst.step, processor);
        let (mut of_statements, mut own) = (vec![0; trace.kernel().statements.len()], 0);
        code.walk(&plan.bodies, &mut |body, run| {
            for &statement in plan.bodies[body].statements() {
                of_statements[usize::from(statement)] += run.count();
                own += run.count();
            }
        });
        if own > longest {
            (tasks, longest) = (of_statements, own);
        }
    }
    let statement = (0..tasks.len()).max_by_key(|&at| tasks[at]).unwrap_or(0);
    let text = &trace.kernel().statement(statement as u16).text;
    let has_more = 10 * longest * plan.processors as usize > 11 * worst.tasks as usize;
    let why = match (has_more, trace.grains().is_empty()) {
        (true, true) => "it has more tasks, which wait for each other or are too few to be cut",
        (true, false) => "it has more tasks, as grains are not cut",
        (false, _) => "it has no more tasks, but its loops are shorter or its words farther away",
    };
    Limit {
        why: format!(
            "work is not shared evenly: in superstep {} one processor works {:.1} us, where the mean is {:.1} us, most of it on `{text}`; {why}",
            worst.step,
            1e-3 * worst.longest_ns as f64,
            1e-3 * worst.mean_ns as f64
        ),
        statement: Some(statement as u16),
        step: u32::try_from(worst.step).ok(),
    }
}

/// Finds the statements of the longest path of tasks that need each other, and the array through
/// which most of them do.
fn longest_path(trace: &Trace) -> Limit {
    let mut lengths: Vec<u32> = Vec::with_capacity(trace.tasks());
    for task in trace.iter() {
        let before = task.producers().map(|producer| lengths[producer as usize]);
        lengths.push(1 + before.max().unwrap_or(0));
    }
    let last = (0..lengths.len()).max_by_key(|&task| lengths[task]);
    let Some(mut task) = last.map(|task| task as u32) else {
        return Limit::default();
    };
    let length = lengths[task as usize];
    let mut tasks = vec![0_u32; trace.kernel().statements.len()];
    loop {
        tasks[usize::from(trace.statements()[task as usize])] += 1;
        let before = trace.task(task).producers();
        match before.max_by_key(|&producer| lengths[producer as usize]) {
            Some(producer) => task = producer,
            None => break,
        }
    }
    let mut statements: Vec<u16> = (0..tasks.len() as u16).collect();
    let count = |at: u16| tasks[usize::from(at)];
    statements.retain(|&at| count(at) > 0);
    statements.sort_by_key(|&at| std::cmp::Reverse(count(at)));
    let kernel = trace.kernel();
    let part = |&at: &u16| format!("{} of `{}`", count(at), kernel.statement(at).text);
    let parts: Vec<String> = statements.iter().take(3).map(part).collect();
    let through = &kernel.array(kernel.statement(statements[0]).target).name;
    Limit {
        why: format!(
            "{length} tasks wait for each other in a row, through `{through}`: {}",
            parts.join(", ")
        ),
        statement: statements.first().copied(),
        step: None,
    }
}

/// Says how much of the time words and waits take, and whose words they are.
fn words_and_waits(trace: &Trace, base: &Compiled, times: &Breakdown) -> Limit {
    let report = &base.report;
    let sent = |at: &usize| report.statements[*at].words_sent;
    let sender = (0..report.statements.len()).max_by_key(sent);
    let sender = sender.filter(|at| sent(at) > 0);
    let all: u64 = report.statements.iter().map(|each| each.words_sent).sum();
    let words = sender.map_or(String::new(), |at| {
        let text = &trace.kernel().statement(at as u16).text;
        format!(
            ": of {all} words that others use, `{text}` computes {}",
            sent(&at)
        )
    });
    let steps = report.supersteps.max(1) as u64;
    let [overhead, work] = [
        times.communication_ns + times.synchronisation_ns,
        times.work_ns,
    ]
    .map(|time| time / steps);
    let each = match steps {
        1 => "the call".to_owned(),
        _ => format!("each of {steps} supersteps"),
    };
    Limit {
        why: format!(
            "words and waits take time, {overhead} ns in {each}, beside {work} ns of work{words}"
        ),
        statement: sender.map(|at| at as u16),
        step: None,
    }
}
