//! Processors are threads, their memories and packets are shared, and their progress orders who uses them.
//!
//! Each memory is locked once in a run. A packet is filled by one processor and emptied by another that waits for it, in turn. Neither lock
//! is ever waited for.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::call::Options;
use crate::error::{Failure, RunError};
use crate::exchange::{self, Fault};
use crate::kernel::Kernel;
use crate::program::{Pool, Tables};
use crate::progress::{Aborted, Progress};
use crate::team::{self, Late};
use crate::transport::Transport;
use crate::wait::{Padded, Wait, lock};
use crate::words::{Loan, Permit};

/// The transport: idle states of one program.
pub(crate) struct Threads<K: Kernel>(Pool<Arc<State<K>>>);

impl<K: Kernel> Default for Threads<K> {
    fn default() -> Self {
        Self(Pool::default())
    }
}

impl<K: Kernel> Transport<K> for Threads<K> {
    fn run(
        &self,
        tables: &Arc<Tables<K>>,
        arguments: &mut K::Arguments<'_>,
        options: &Options,
    ) -> Result<usize, RunError> {
        let idle = self.0.take().filter(|state| state.serves(options));
        let state = idle.unwrap_or_else(|| Arc::new(State::new(tables, arguments, options)));
        for (processor, memory) in state.memories.iter().enumerate() {
            tables.scatter(processor, arguments, &mut lock(&memory.0));
        }
        let threads = |source| RunError::Threads {
            kernel: K::NAME,
            processors: tables.processors(),
            source,
        };
        let run = || team::run(tables.processors(), Late::Awaited, &state).map_err(threads);
        state
            .loan
            .during(arguments, |arguments| tables.lend(arguments), run)?;
        if let Some(first) = state.first_failure() {
            return Err(first.into_error(K::NAME));
        }
        for (processor, memory) in state.memories.iter().enumerate() {
            tables.gather(processor, arguments, &lock(&memory.0));
        }
        let worked = state.worked.swap(0, Ordering::Relaxed);
        if options.fault.is_none() {
            self.0.put(state);
        }
        Ok(worked)
    }
}

/// What the threads of one run share.
struct State<K: Kernel> {
    tables: Arc<Tables<K>>,
    /// The arguments that all processors share.
    loan: Loan<K::Lent>,
    memories: Vec<Padded<Mutex<K::Memory>>>,
    packets: Vec<Padded<Mutex<K::Packet>>>,
    progress: Progress,
    /// Number of processors that ran a task.
    worked: AtomicUsize,
    failures: Mutex<Vec<Failure>>,
    fault: Option<Fault>,
    wait: Wait,
}

impl<K: Kernel> State<K> {
    fn new(tables: &Arc<Tables<K>>, arguments: &K::Arguments<'_>, options: &Options) -> Self {
        let memory = |processor| Padded(Mutex::new(tables.memory(processor, arguments)));
        let packet = || Padded(Mutex::new(K::Packet::default()));
        Self {
            tables: Arc::clone(tables),
            loan: Loan::default(),
            memories: (0..tables.processors()).map(memory).collect(),
            packets: (0..tables.synchronisation.packets())
                .map(|_| packet())
                .collect(),
            progress: Progress::new(tables.processors(), options.wait),
            worked: AtomicUsize::new(0),
            failures: Mutex::new(Vec::new()),
            fault: options.fault,
            wait: options.wait,
        }
    }

    /// Whether it is as these options want it.
    fn serves(&self, options: &Options) -> bool {
        self.fault == options.fault && self.wait == options.wait
    }

    /// All supersteps of a processor; `at` follows them. Returns whether it ran a task.
    fn supersteps(&self, processor: usize, at: &Cell<usize>) -> Result<bool, Aborted> {
        let memory = &mut *lock(&self.memories[processor].0);
        self.loan
            .with(|lent| self.supersteps_on(lent, memory, processor, at))
    }

    fn supersteps_on(
        &self,
        lent: Option<(&K::Lent, Permit<'_>)>,
        memory: &mut K::Memory,
        processor: usize,
        at: &Cell<usize>,
    ) -> Result<bool, Aborted> {
        let synchronisation = &self.tables.synchronisation;
        let start = self.progress.start(processor);
        let mut worked = false;
        for superstep in 0..self.tables.supersteps() {
            at.set(superstep);
            for &awaited in synchronisation.awaited(superstep, processor) {
                self.progress.wait(processor, start, awaited)?;
            }
            self.receive(superstep, processor, memory);
            let mut view = self.tables.view(lent, memory);
            worked |= self.tables.compute(superstep, processor, &mut view);
            drop(view);
            self.send(superstep, processor, memory);
            let listeners = synchronisation.listeners(superstep, processor);
            if !listeners.is_empty() {
                self.progress
                    .end(processor, start, superstep as u32 + 1, listeners);
            }
        }
        // The next run starts from here, whether or not anybody has waited for this.
        self.progress
            .end(processor, start, self.tables.supersteps() as u32, &[]);
        Ok(worked)
    }

    fn receive(&self, superstep: usize, processor: usize, memory: &mut K::Memory) {
        let Tables {
            plan,
            synchronisation,
            ..
        } = &*self.tables;
        for &link in synchronisation.receives(superstep, processor) {
            let packet = &mut *lock(&self.packets[link.packet as usize].0);
            exchange::unpack::<K>(plan, link, self.fault, packet, memory);
        }
    }

    fn send(&self, superstep: usize, processor: usize, memory: &K::Memory) {
        let Tables {
            plan,
            synchronisation,
            ..
        } = &*self.tables;
        for &link in synchronisation.sends(superstep, processor) {
            let packet = &mut *lock(&self.packets[link.packet as usize].0);
            exchange::pack::<K>(plan, link, memory, packet);
        }
    }

    /// Of the failures, the first by superstep and processor.
    fn first_failure(&self) -> Option<Failure> {
        let failures = std::mem::take(&mut *lock(&self.failures));
        let at = |failure: &Failure| (failure.superstep, failure.processor);
        failures.into_iter().min_by_key(at)
    }
}

impl<K: Kernel> team::Job for State<K> {
    fn run(&self, processor: usize) {
        let at = Cell::new(0);
        match catch_unwind(AssertUnwindSafe(|| self.supersteps(processor, &at))) {
            Ok(Ok(worked)) => {
                self.worked
                    .fetch_add(usize::from(worked), Ordering::Relaxed);
            }
            Ok(Err(Aborted)) => self.progress.stop(processor),
            Err(payload) => {
                lock(&self.failures).push(Failure {
                    superstep: at.get(),
                    processor,
                    payload,
                });
                self.progress.stop(processor);
            }
        }
    }
}
