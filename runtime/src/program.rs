//! Program that can run: its tables, and what its runs and calls keep from one to the next.

mod state;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use superstep_plan::{Plan, PlanError, Strided};

use self::state::State;
use crate::error::{Failure, RunError};
use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::options::{Options, TransportKind, WaitPolicy};
use crate::pool::Pool;
use crate::run::{self, Runs};
use crate::tables::{Execute, Tables};
use crate::team::Need;
use crate::timeline::Identity;

/// Program and its idle states.
pub(crate) struct Program<K: Kernel> {
    tables: Arc<Tables<K>>,
    /// Flags of the arrays, set for those that the plan shares.
    shared: Arc<[bool]>,
    idle: Pool<Idle<K>>,
    /// Flags of the arrays, set for arguments, if one processor can work on them where they are.
    arguments: Option<Arc<[bool]>>,
    /// States of runs in place, on one processor.
    alone: Pool<Arc<State<K>>>,
    pub(crate) calls: PerProcess<Memory>,
}

/// State that nobody uses, with its runs on threads that wait in a way, if there were any.
struct Idle<K: Kernel> {
    state: Arc<State<K>>,
    runs: Option<(WaitPolicy, Runs)>,
}

impl<K: Kernel> Program<K> {
    pub(crate) fn new(plan: Plan, execute: Execute<K>) -> Result<Self, PlanError> {
        let tables = Arc::new(Tables::new(plan, execute)?);
        Ok(Self {
            shared: tables.plan.shared.as_slice().into(),
            idle: Pool::default(),
            arguments: arguments_in_place(&tables.plan),
            alone: Pool::default(),
            tables,
            calls: PerProcess::new(),
        })
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.tables.plan
    }

    /// Returns the tables with their code.
    #[cfg(feature = "ranks")]
    pub(crate) fn tables(&self) -> &Tables<K> {
        &self.tables
    }

    /// Returns the cell that finds out the identity of the program's plan.
    pub(crate) fn identity(&self) -> Identity {
        let tables = Arc::clone(&self.tables);
        Box::new(move || tables.plan.identity())
    }

    /// Makes a program of the same code by other tables.
    pub(crate) fn altered(&self, change: impl FnOnce(&mut Plan)) -> Result<Self, PlanError> {
        let mut plan = self.plan().clone();
        change(&mut plan);
        Self::new(plan, self.tables.execute)
    }

    /// Returns whether all arguments are as long as the plan needs them, and memories can be made.
    pub(crate) fn fits(&self, arguments: &K::Arguments<'_>) -> bool {
        let long_enough = |(array, &extent): (u16, &u32)| {
            extent == 0 || K::argument_words(arguments, array) >= extent as usize
        };
        (0..).zip(&self.plan().extents).all(long_enough) && K::fills(arguments)
    }

    /// Runs once; returns how many processors ran a task.
    pub(crate) fn run(
        &self,
        options: &Options,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<usize, RunError> {
        if options.transport == TransportKind::Threads
            && let Some(done) = self.run_in_place(arguments)
        {
            return done;
        }
        let state = || State::new(&self.tables, &self.shared, arguments, |p| self.lengths(p));
        let new = || Idle {
            state: Arc::new(state()),
            runs: None,
        };
        let mut idle = self.idle.take().unwrap_or_else(new);
        let state = Arc::clone(&idle.state);
        state.scatter(arguments);
        let lend = |arguments: &mut K::Arguments<'_>| self.tables.lend(arguments);
        let ran = state
            .loan
            .during(arguments, lend, || self.drive(options, &mut idle));
        ran.map_err(|source| RunError::Threads {
            kernel: K::NAME,
            processors: self.tables.processors(),
            source,
        })?
        .map_err(|failure| failure.into_error(K::NAME))?;
        state.gather(arguments);
        self.idle.put(idle);
        Ok(state.worked.swap(0, Ordering::Relaxed))
    }

    /// Runs all processors, by the options.
    fn drive(
        &self,
        options: &Options,
        Idle { state, runs }: &mut Idle<K>,
    ) -> std::io::Result<Result<(), Failure>> {
        let ordered = self.tables.synchronisation.ordered();
        let order = ordered.order();
        match options.transport {
            TransportKind::InTurn => return Ok(run::in_turn(order, &**state)),
            TransportKind::Threads if order.processors() == 1 => {
                return Ok(run::alone(order, &**state));
            }
            TransportKind::Threads => {}
        }
        let need = match options.processors.insists() {
            true => Need::Insists,
            false => Need::Wishes,
        };
        let wait = options.wait;
        if runs.as_ref().is_none_or(|(of, _)| *of != wait) {
            let threads = run::threads(order.processors());
            let payload = Arc::clone(state) as _;
            *runs = Some((wait, Runs::new(ordered, payload, threads, wait)));
        }
        match runs {
            Some((_, runs)) => runs.run(need),
            None => unreachable!("they are there"),
        }
    }

    /// Runs one processor on the arguments where they are: it needs no messages and no memory but
    /// for locals. None if there are several, or the kernel does not lend its arguments.
    fn run_in_place(&self, arguments: &mut K::Arguments<'_>) -> Option<Result<usize, RunError>> {
        let in_place = self.arguments.as_ref()?;
        let locals = |processor| {
            let lengths = self.lengths(processor).into_iter();
            let local = |(length, &is_argument): (u32, &bool)| if is_argument { 0 } else { length };
            lengths.zip(&in_place[..]).map(local).collect()
        };
        let new = || Arc::new(State::new(&self.tables, in_place, arguments, locals));
        let state = self.alone.take().unwrap_or_else(new);
        let order = self.tables.synchronisation.ordered().order();
        let run = || state.is_lent().then(|| run::alone(order, &*state));
        let ran = state.loan.during(arguments, K::lend, run);
        if let Some(Err(failure)) = ran {
            return Some(Err(failure.into_error(K::NAME)));
        }
        let worked = state.worked.swap(0, Ordering::Relaxed);
        self.alone.put(state);
        ran.map(|_| Ok(worked))
    }

    fn lengths(&self, processor: usize) -> Vec<u32> {
        self.plan().lengths(processor).to_vec()
    }
}

/// Returns per array whether it is an argument, for programs whose one processor keeps every word
/// of the arguments at its own index.
fn arguments_in_place(plan: &Plan) -> Option<Arc<[bool]>> {
    let stays = |strided: &Strided| {
        strided.from == strided.to && (strided.count == 1 || strided.from_step == strided.to_step)
    };
    let mut strided = plan.scatter.iter().chain(&plan.gather).flatten();
    // Locals have no extent, and overflow slots lie beyond it.
    let fits = |(&extent, &length): (&u32, &u32)| extent == 0 || length <= extent;
    let serves = plan.processors == 1
        && strided.all(stays)
        && plan.extents.iter().zip(&plan.lengths).all(fits);
    serves.then(|| plan.extents.iter().map(|&extent| extent > 0).collect())
}
