//! Plans by measured prices: a recorded run of a plan tells what words and waits cost the next one.

use superstep_order::Recording;
use superstep_planner::{Costs, Graph, Measured, Plan, measured};

use super::program::{Program, identity};
use super::tracked::{Loops, Tracked};
use super::{PlanningError, Settings};

/// Reasons for which a recorded run does not tell what a plan's words and waits take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasuredError {
    /// Another kernel ran, or a farm.
    #[error("the recorded run is of `{found}`")]
    Kernel {
        /// Name of it.
        found: String,
    },
    /// A step panicked.
    #[error("the recorded run failed")]
    Failed,
    /// The function as written ran, which has no steps.
    #[error(
        "the recorded call ran the function as written, which has no steps: {reason}; \
         a plan that is `exactly` for its processors is never replaced"
    )]
    Function {
        /// Reason.
        reason: String,
    },
    /// Another plan ran.
    #[error(
        "the recorded run is of another plan: record one of this planner, with the same control \
         arguments, processors, schedule, level, expected calls and costs; runs of loaded plans \
         may have an order of their own"
    )]
    Plan,
}

impl Loops<'_> {
    /// Plans as [`plan`](Self::plan) does, by the prices that recorded runs have. The first run is
    /// of the plan that is made without it, the next of that which this one leads to, and so on.
    ///
    /// Cost: for each run that of another plan, and that of tracking.
    pub(super) fn plan_measured(&self, settings: &Settings) -> Result<Vec<Program>, PlanningError> {
        let mut plans = self.plan(settings)?;
        let mut settings = settings.clone();
        for run in std::mem::take(&mut settings.measured) {
            let measured = self.measured(&plans, &settings.costs, &run)?;
            settings.costs = measured.costs;
            plans = self.plan(&settings)?;
            for plan in &mut plans {
                plan.report.measured = Some(measured.clone());
            }
        }
        Ok(plans)
    }

    /// Finds the prices of a recorded run of one of these plans, or of its iterations in order.
    fn measured(
        &self,
        plans: &[Program],
        costs: &Costs,
        run: &Recording,
    ) -> Result<Measured, PlanningError> {
        let kernel = self.kernel;
        let refused = |source| PlanningError::Measured { kernel, source };
        check(kernel, run).map_err(refused)?;
        let other = || refused(MeasuredError::Plan);
        let (level, plan) = recorded(kernel, plans, run).ok_or_else(other)?;
        let space = self.space(level)?;
        let tracked = Tracked::new(self, &space)?;
        let graph = Graph::new(&tracked, costs).map_err(|source| PlanningError::Plan {
            kernel,
            source: source.into(),
        })?;
        measured(&graph, &plan, run, costs).ok_or_else(other)
    }
}

/// Refuses runs that have no times of a kernel's plan.
fn check(kernel: &str, run: &Recording) -> Result<(), MeasuredError> {
    if run.kernel != kernel {
        let found = run.kernel.clone();
        return Err(MeasuredError::Kernel { found });
    }
    if run.has_failed {
        return Err(MeasuredError::Failed);
    }
    if run.timeline.steps().is_empty() {
        let reason = run.reason.clone();
        return Err(MeasuredError::Function { reason });
    }
    Ok(())
}

/// Returns the plan that ran, with its level, if it is one of these or has their iterations in
/// order. The latter is the plan for one processor, or the form of calls with all iterations in one
/// grain.
fn recorded(kernel: &str, plans: &[Program], run: &Recording) -> Option<(usize, Plan)> {
    let ran = |plan: &Plan| identity(plan, kernel) == run.identity;
    plans.iter().find_map(|program| {
        let (level, proved) = (program.space.level(), &program.proved);
        if ran(proved.plan()) {
            return Some((level, proved.plan().clone()));
        }
        let in_order = Plan::sequential(proved.plan().boundaries.clone());
        let is_in_order = ran(&in_order) || ran(proved.in_order().plan());
        is_in_order.then_some((level, in_order))
    })
}
