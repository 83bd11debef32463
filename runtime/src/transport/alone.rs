//! One processor alone needs no messages and no memory of its own: it works on the arguments where they are.

use superstep_plan::{Copies, Plan};

use super::catching;
use crate::error::RunError;
use crate::kernel::Kernel;
use crate::program::{Pool, Tables};
use crate::words::{Loan, Permit};

/// Idle memories for the locals of one program.
pub(crate) struct Alone<K: Kernel> {
    idle: Pool<K::Memory>,
    /// Per array: whether it is an argument.
    arguments: Vec<bool>,
}

impl<K: Kernel> Alone<K> {
    /// For programs whose one processor keeps every word of the arguments at its own index.
    pub(crate) fn new(plan: &Plan) -> Option<Self> {
        let stays = |copies: &Copies| {
            copies.from == copies.to && (copies.count == 1 || copies.from_step == copies.to_step)
        };
        let mut copies = plan.scatter.iter().chain(&plan.gather).flatten();
        // Locals have no extent, and overflow slots lie beyond it.
        let fits = |(&extent, &length): (&u32, &u32)| extent == 0 || length <= extent;
        let serves = plan.processors == 1
            && copies.all(stays)
            && plan.extents.iter().zip(&plan.lengths).all(fits);
        serves.then(|| Self {
            idle: Pool::default(),
            arguments: plan.extents.iter().map(|&extent| extent > 0).collect(),
        })
    }

    /// Runs a program once, as a transport does; none if the kernel does not lend its arguments.
    pub(crate) fn run(
        &self,
        tables: &Tables<K>,
        arguments: &mut K::Arguments<'_>,
    ) -> Option<Result<usize, RunError>> {
        let mut locals = self
            .idle
            .take()
            .unwrap_or_else(|| locals(tables, arguments));
        let loan = Loan::default();
        let run = |lent: Option<(&K::Lent, Permit<'_>)>| {
            let (lent, permit) = lent?;
            let mut view = K::shared_view(lent, &mut locals, &self.arguments, permit);
            let mut worked = false;
            let mut supersteps = 0..tables.supersteps();
            let done = supersteps.try_for_each(|superstep| {
                let compute = || worked |= tables.compute(superstep, 0, &mut view);
                catching(superstep, 0, compute)
            });
            Some(done.map(|()| usize::from(worked)))
        };
        let done = loan.during(arguments, K::lend, || loan.with(run));
        if !matches!(done, Some(Err(_))) {
            self.idle.put(locals);
        }
        done.map(|done| done.map_err(|failure| failure.into_error(K::NAME)))
    }
}

/// Memory without any words for the arguments.
fn locals<K: Kernel>(tables: &Tables<K>, arguments: &K::Arguments<'_>) -> K::Memory {
    let words = tables.plan.extents.iter().zip(&tables.plan.lengths);
    let lengths: Vec<u32> = words
        .map(|(&extent, &length)| if extent == 0 { length } else { 0 })
        .collect();
    K::memory(arguments, &lengths)
}
