//! Plans that calls make, beside the programs of the build.

use std::sync::Arc;
use std::time::Duration;

use super::{Grains, Planned, Settings};
use crate::ahead;
use crate::call::{AnyPlan, MadePlan, Planning, Ran, Reason};
use crate::error::RunError;
use crate::{run, team};

/// Planning for the control arguments of a call.
pub struct InCall<'c, K: Grains>(pub K::Control<'c>);

impl<K: Grains> std::fmt::Debug for InCall<'_, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("InCall").field(&K::NAME).finish()
    }
}

impl<K: Grains> Planning<K> for InCall<'_, K> {
    fn plan_ahead(&self, processors: usize, made: &Arc<MadePlan>) {
        let (control, made) = (K::copy_control(self.0), Arc::clone(made));
        let found = move || team::found(run::threads(processors));
        ahead::work(found, move || {
            let _ = made.set(plan::<K>(K::borrow_control(&control), processors));
        });
    }

    fn run(
        &self,
        plan: &AnyPlan,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Result<Ran, Reason>, RunError> {
        let Some(plan) = plan.downcast_ref::<Planned<K>>() else {
            return Ok(Err(Reason::Sequential));
        };
        let ran = plan.runner.run_uncompared(self.0, arguments)?;
        let predicted = Duration::from_nanos(plan.report().predicted() as u64);
        Ok(ran.map(|ran| Ran {
            predicted: Some(predicted),
            ..ran
        }))
    }
}

/// Plans a kernel; none if the plan is sequential. Where the kernel cannot be planned, its function says
/// why.
fn plan<K: Grains>(control: K::Control<'_>, processors: usize) -> Option<Box<AnyPlan>> {
    let settings = Settings::default().processors(processors).single();
    let plan = Planned::<K>::new(control, settings).ok()?;
    let is_parallel = plan.runner.threads() > 1;
    is_parallel.then(|| Box::new(plan) as Box<AnyPlan>)
}
