//! Plans that calls make by themselves, beside the programs of the build.

use std::sync::Arc;
use std::time::Duration;

use super::{Grains, Planned, Settings};
use crate::ahead;
use crate::call::{AnyPlan, MadePlan, Planning, Ran, Reason, Unbuilt};
use crate::control::{ControlMatcher, ControlWriter, Glance};
use crate::error::RunError;
use crate::{run, team};

/// Planning for the control arguments of a call.
pub struct InCall<'c, K: Grains> {
    control: K::Control<'c>,
    unbuilt: &'static Unbuilt,
}

impl<'c, K: Grains> InCall<'c, K> {
    /// Plans for these control arguments, with the kernel's memory of calls for which nothing was
    /// built.
    #[inline]
    pub fn new(control: K::Control<'c>, unbuilt: &'static Unbuilt) -> Self {
        Self { control, unbuilt }
    }
}

impl<K: Grains> Planning<K> for InCall<'_, K> {
    fn plan_ahead(&self, processors: usize, made: &Arc<MadePlan>) {
        let (control, made) = (K::copy_control(self.control), Arc::clone(made));
        let found = move || team::found(run::threads(processors));
        ahead::work(found, move || {
            let _ = made.set(plan::<K>(K::borrow_control(&control), processors));
        });
    }

    fn plan(&self, processors: usize) -> Option<Box<AnyPlan>> {
        plan::<K>(self.control, processors)
    }

    fn run(
        &self,
        plan: &AnyPlan,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Result<Ran, Reason>, RunError> {
        let Some(plan) = plan.downcast_ref::<Planned<K>>() else {
            return Ok(Err(Reason::Sequential));
        };
        let ran = plan.runner.run_uncompared(self.control, arguments)?;
        let predicted = Duration::from_nanos(plan.runner.program().report.predicted() as u64);
        Ok(ran.map(|ran| Ran {
            predicted: Some(predicted),
            ..ran
        }))
    }

    fn unbuilt(&self) -> &'static Unbuilt {
        self.unbuilt
    }

    fn glance(&self) -> Glance {
        let mut glance = Glance::default();
        K::feed(self.control, &mut glance);
        glance
    }

    fn key(&self) -> Vec<u8> {
        let mut key = ControlWriter::new();
        K::feed(self.control, &mut key);
        key.into_bytes()
    }

    fn is_for(&self, key: &[u8]) -> bool {
        let mut matcher = ControlMatcher::new(key);
        K::feed(self.control, &mut matcher);
        matcher.matched()
    }
}

/// Bytes of a plan, at most, that calls keep: a bound of memory, not tuned.
///
/// A plan takes 8 for each grain, some for each chunk and wait, and 8 for each iteration whose
/// values are no steps. So it has some millions of grains. Eight plans of a kernel take 256 MiB,
/// for each number of processors.
const MOST_BYTES: usize = 32 << 20;

/// Plans a kernel; none if the plan is sequential, or larger than calls keep. Where the kernel
/// cannot be planned, its function says why.
fn plan<K: Grains>(control: K::Control<'_>, processors: usize) -> Option<Box<AnyPlan>> {
    if K::CAN_GIVE_UP && cfg!(panic = "abort") {
        return None;
    }
    let settings = Settings::default().processors(processors).single();
    let plan = Planned::<K>::new(control, settings).ok()?;
    let is_parallel = plan.runner.threads() > 1;
    let may_run = is_parallel && plan.runner.bytes() <= MOST_BYTES;
    may_run.then(|| Box::new(plan) as Box<AnyPlan>)
}
