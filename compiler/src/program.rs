//! The program: everything about a parallel run, before it is printed.

use superstep_machine::Times;
use superstep_plan::{Body, Code, Plan, Term};
use superstep_tracer::{Kernel, Role, Trace};

use crate::fold::lists::Lists;
use crate::pattern::loose::tabulate;
use crate::pattern::signature::Signature;
use crate::place::placement::Placement;
use crate::place::sharing::precedences;
use crate::place::strided::{gather, messages, scatter};
use crate::predict::supersteps::{Data, predict};

/// Program as assembled: its slots, loops and messages, and the tasks that they stand for.
///
/// Nothing is taken on trust: only [`check`](Self::check) makes it a
/// [`CheckedProgram`](crate::CheckedProgram), which can be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The tables.
    pub plan: Plan,
    /// Signatures: what is known about the runs of each of the plan's bodies.
    pub signatures: Vec<Signature>,
    /// Tasks that each processor runs in each superstep, in the order of the plan's code.
    pub placement: Placement,
    /// Values in overflow slots.
    pub overflowing: usize,
    /// Slots of each processor and array below which values are at home,
    /// `[processor * arrays + array]`.
    pub(crate) homes: Vec<u32>,
}

impl Program {
    /// Assembles the program of lists whose runs have these bodies, with what is known about them,
    /// and packs messages.
    pub(crate) fn assemble(
        trace: &Trace,
        lists: Lists<'_>,
        bodies: Vec<Body>,
        signatures: Vec<Signature>,
    ) -> Self {
        let Lists {
            tasks,
            placement,
            storage,
            shared,
            code,
            ..
        } = lists;
        let processors = placement.processors();
        let plan = Plan {
            processors: processors as u32,
            predicted: 0,
            supersteps: placement.supersteps() as u32,
            extents: extents(trace),
            precedences: precedences(&tasks, &placement, &shared),
            shared,
            lengths: (0..processors)
                .flat_map(|p| storage.lengths(p).to_vec())
                .collect(),
            scatter: (0..processors)
                .map(|p| scatter(&tasks, &placement, &storage, p))
                .collect(),
            gather: (0..processors)
                .map(|p| gather(&tasks, &placement, &storage, p))
                .collect(),
            messages: messages(&tasks, &placement, &storage),
            bodies,
            code,
        };
        Self {
            plan,
            signatures,
            placement,
            overflowing: storage.overflowing(),
            homes: storage.homes(),
        }
    }

    /// Makes runs of one iteration stand in tables without loops around them, where loops are not
    /// printed.
    pub(crate) fn tabulate(&mut self) {
        if !is_printed(&self.plan) {
            let Plan { bodies, code, .. } = &mut self.plan;
            code.iter_mut()
                .for_each(|code| tabulate(bodies, &self.signatures, code));
        }
    }

    /// Predicts the time of a call on a machine with these times, in nanoseconds, and notes it in
    /// the plan: see [`prediction`](crate::predict).
    pub fn predict(&mut self, kernel: &Kernel, times: &Times, data: Data) -> u64 {
        let time = predict(kernel, &self.plan, &self.signatures, times, data);
        // 0 stands for no prediction.
        self.plan.predicted = time.ceil().max(1.0) as u64;
        self.plan.predicted
    }
}

/// Returns whether the loops of `plan` are so few that they are printed.
pub(crate) fn is_printed(plan: &Plan) -> bool {
    /// Runs, over all supersteps and processors.
    const FEW: usize = 64;
    let runs = |term: &Term| match *term {
        Term::Run { .. } => 1,
        Term::Loose { runs, .. } => runs as usize,
        Term::Loop { .. } => 0,
    };
    let terms = plan.code.iter().flat_map(|code| &code.terms);
    terms.map(runs).sum::<usize>() <= FEW && plan.code.iter().all(is_printable)
}

/// Returns whether the values of `code` are small enough to be printed.
fn is_printable(code: &Code) -> bool {
    /// Coefficients up to this size cannot overflow in the few terms of a polynomial over slots.
    const MOST: i64 = 1 << 40;
    code.values
        .iter()
        .all(|value| (-MOST..MOST).contains(value))
}

/// Encodes the plan, without its code if that is printed.
pub(crate) fn tables(plan: &Plan, printed: bool) -> Vec<u8> {
    if !printed {
        return plan.encode();
    }
    Plan {
        code: vec![Code::default(); plan.code.len()],
        bodies: Vec::new(),
        ..plan.clone()
    }
    .encode()
}

/// Returns the words that the caller's arguments must have.
fn extents(trace: &Trace) -> Vec<u32> {
    let local = |array: usize| trace.kernel().arrays[array].role == Role::Local;
    let extents = trace.extents().iter().enumerate();
    extents
        .map(|(array, &extent)| if local(array) { 0 } else { extent })
        .collect()
}
