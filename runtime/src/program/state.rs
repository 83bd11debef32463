//! Runs of a program: memories of its processors, packets between them, and what a superstep does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use superstep_plan::synchronisation::Link;

use crate::kernel::Kernel;
use crate::run::{Payload, Turn};
use crate::sync::{Mutex, Padded, lock};
use crate::tables::Tables;
use crate::words::{Loan, Permit};

/// State of one run of a program. A turn locks its processor's memory once. A packet is locked by
/// its sender, then by its receiver, which waits for the sender's step: no lock is ever waited for.
pub(super) struct State<K: Kernel> {
    tables: Arc<Tables<K>>,
    /// Arguments that processors use where the caller has them.
    pub(super) loan: Loan<K::Lent>,
    /// Flags of the arrays, set for those that are such arguments.
    shared: Arc<[bool]>,
    processors: Vec<Padded<Mutex<Private<K>>>>,
    packets: Vec<Padded<Mutex<K::Packet>>>,
    /// Number of processors that ran a task.
    pub(super) worked: AtomicUsize,
}

/// Memory and flag of one processor.
struct Private<K: Kernel> {
    memory: K::Memory,
    /// Set if it has run a task.
    has_worked: bool,
}

impl<K: Kernel> State<K> {
    /// Makes a state; `lengths` gives the words of each array in a processor's memory.
    pub(super) fn new(
        tables: &Arc<Tables<K>>,
        shared: &Arc<[bool]>,
        arguments: &K::Arguments<'_>,
        lengths: impl Fn(usize) -> Vec<u32>,
    ) -> Self {
        let private = |processor| {
            Padded(Mutex::new(Private {
                memory: K::memory(arguments, &lengths(processor)),
                has_worked: false,
            }))
        };
        let packets = tables.synchronisation.packets();
        Self {
            tables: Arc::clone(tables),
            loan: Loan::default(),
            shared: Arc::clone(shared),
            processors: (0..tables.processors()).map(private).collect(),
            packets: (0..packets).map(|_| Padded::default()).collect(),
            worked: AtomicUsize::new(0),
        }
    }

    /// Returns whether arguments are lent at the moment.
    pub(super) fn is_lent(&self) -> bool {
        self.loan.with(|lent| lent.is_some())
    }

    /// Runs all supersteps of this turn.
    fn supersteps(&self, turn: &mut Turn<'_>, lent: Option<(&K::Lent, Permit<'_>)>) {
        let processor = turn.processor();
        let Private { memory, has_worked } = &mut *lock(&self.processors[processor].0);
        if turn.count() == 0 {
            // Nothing has run yet.
            *has_worked = false;
        }
        while turn.next().is_some() {
            let superstep = turn.count() as usize;
            let worked = self.superstep(superstep, processor, memory, lent);
            if worked && !*has_worked {
                *has_worked = true;
                self.worked.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Receives, computes and sends; returns whether there was a task.
    fn superstep(
        &self,
        superstep: usize,
        processor: usize,
        memory: &mut K::Memory,
        lent: Option<(&K::Lent, Permit<'_>)>,
    ) -> bool {
        let Self { tables, .. } = self;
        let packet = |link: &Link| lock(&self.packets[link.packet as usize].0);
        let synchronisation = &tables.synchronisation;
        for link in synchronisation.receives(superstep, processor) {
            tables.unpack(*link, &mut packet(link), memory);
        }
        let mut view = match lent {
            Some((lent, permit)) => K::shared_view(lent, memory, &self.shared, permit),
            None => K::view(memory),
        };
        let worked = (tables.execute)(&tables.plan, superstep, processor, &mut view);
        drop(view);
        for link in synchronisation.sends(superstep, processor) {
            tables.pack(*link, memory, &mut packet(link));
        }
        worked
    }

    /// Copies the inputs into the memories of all processors.
    pub(super) fn scatter(&self, arguments: &K::Arguments<'_>) {
        for (processor, private) in self.processors.iter().enumerate() {
            let memory = &mut lock(&private.0).memory;
            self.tables.scatter(processor, arguments, memory);
        }
    }

    /// Copies the results of all processors into the arguments.
    pub(super) fn gather(&self, arguments: &mut K::Arguments<'_>) {
        for (processor, private) in self.processors.iter().enumerate() {
            self.tables
                .gather(processor, arguments, &lock(&private.0).memory);
        }
    }
}

impl<K: Kernel> Payload for State<K> {
    fn run(&self, turn: &mut Turn<'_>) {
        self.loan.with(|lent| self.supersteps(turn, lent));
    }
}
