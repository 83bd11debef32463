//! Figures of a program: its sizes and counts, for the report.

use std::collections::BTreeSet;

use superstep_plan::{Body, Code, Plan, Strided, Term};
use superstep_report::{Figures, Tiers};

use crate::program::{Program, is_printed, tables};

/// Counts the figures of a program. Linear in its terms and runs.
pub(crate) fn figures(program: &Program) -> Figures {
    let plan = &program.plan;
    let processors = plan.processors as usize;
    let printed = is_printed(plan);
    let mut figures = Figures {
        predicted: plan.predicted,
        printed,
        processors,
        supersteps: plan.supersteps as usize,
        loads: vec![0; processors],
        functions: program.signatures.iter().collect::<BTreeSet<_>>().len(),
        table_bytes: tables(plan, printed).len(),
        messages: plan.messages.len() as u64,
        words: plan.messages.iter().map(|m| m.words()).sum(),
        scattered: words(plan.scatter.iter().flatten()),
        gathered: words(plan.gather.iter().flatten()),
        overflowing: program.overflowing,
        ..Figures::default()
    };
    for superstep in 0..figures.supersteps {
        let mut longest = 0;
        for processor in 0..processors {
            let tasks = program.placement.tasks(superstep, processor).len() as u64;
            figures.loads[processor] += tasks;
            longest = longest.max(tasks);
            let code = plan.code(superstep, processor);
            figures.terms += code.terms.len() as u64;
            count_loose(plan, code, &mut figures.single_by_statement);
            code.walk(&plan.bodies, &mut |_, _| figures.runs += 1);
        }
        figures.longest += longest;
    }
    figures.single = figures.single_by_statement.iter().sum();
    figures.task_instances = figures.loads.iter().sum();
    figures.tiers = Tiers::new(printed, figures.single_share());
    figures
}

fn words<'a>(strided: impl Iterator<Item = &'a Strided>) -> u64 {
    strided.map(|c| u64::from(c.count)).sum()
}

/// Counts loose iterations by statement: runs of one iteration, of a body of one statement, outside
/// all loops.
fn count_loose(plan: &Plan, code: &Code, singles: &mut Vec<u64>) {
    let mut count = |body: &Body, alone: u64| {
        if let [statement] = *body.statements() {
            let statement = usize::from(statement);
            if singles.len() <= statement {
                singles.resize(statement + 1, 0);
            }
            singles[statement] += alone;
        }
    };
    // Top-level terms take their values in order. A run takes its count and its body's values; a
    // loop its count, and a first value and a step for each of `width`. Loose runs take none.
    let (mut at, mut value) = (0, 0);
    while at < code.terms.len() {
        match code.terms[at] {
            Term::Run { body } => {
                let body = &plan.bodies[usize::from(body)];
                count(body, u64::from(code.values[value] == 1));
                value += body.width();
                at += 1;
            }
            Term::Loose { body, runs } => {
                let body = &plan.bodies[usize::from(body)];
                count(body, runs.into());
                at += 1;
            }
            Term::Loop { terms, width } => {
                value += 1 + 2 * width as usize;
                at += 1 + terms as usize;
            }
        }
    }
}
