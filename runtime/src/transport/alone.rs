//! One processor alone needs no messages and no memory of its own: it works on the arguments where they are.

use crate::error::RunError;
use crate::kernel::Kernel;
use crate::plan::{Copies, Plan};
use crate::program::{Pool, Tables};

use super::catching;

/// Idle memories for the locals of one program.
pub(crate) struct Alone<K: Kernel>(Pool<K::Memory>);

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
        serves.then(|| Self(Pool::default()))
    }

    /// Runs a program once, as a transport does; none if the kernel cannot lend its arguments.
    pub(crate) fn run(
        &self,
        tables: &Tables<K>,
        arguments: &mut K::Arguments<'_>,
    ) -> Option<Result<usize, RunError>> {
        let mut locals = self.0.take().unwrap_or_else(|| locals(tables, arguments));
        let Some(mut view) = K::in_place(arguments, &mut locals) else {
            self.0.put(locals);
            return None;
        };
        let mut worked = false;
        for superstep in 0..tables.supersteps() {
            let compute = || worked |= tables.compute(superstep, 0, &mut view);
            if let Err(failure) = catching(superstep, 0, compute) {
                return Some(Err(failure.into_error(K::NAME)));
            }
        }
        drop(view);
        self.0.put(locals);
        Some(Ok(usize::from(worked)))
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
