//! Plans that calls of `parallel` make, beside the programs of the build.

use std::time::Duration;

use super::{Grains, Planned, Settings};
use crate::call::{AnyPlan, Planning, Ran, Reason};
use crate::error::RunError;

/// Planning for the control arguments of a call.
pub struct InCall<'c, K: Grains>(pub K::Control<'c>);

impl<K: Grains> std::fmt::Debug for InCall<'_, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("InCall").field(&K::NAME).finish()
    }
}

impl<K: Grains> Planning<K> for InCall<'_, K> {
    fn plan(&self, processors: usize) -> Option<Box<AnyPlan>> {
        // Where the kernel cannot be planned, its function says why.
        let settings = Settings::default().processors(processors).single();
        let plan = Planned::<K>::new(self.0, settings).ok()?;
        let is_parallel = plan.runner.threads() > 1;
        is_parallel.then(|| Box::new(plan) as Box<AnyPlan>)
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
