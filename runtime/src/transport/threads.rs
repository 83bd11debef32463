//! Processors are threads, their memories and packets are shared, and their progress orders who
//! uses them.
//!
//! Each memory is locked once in a run. A packet is filled by one processor and emptied by another
//! that waits for it, in turn. Neither lock is ever waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use superstep_order as order;
use superstep_plan::synchronisation::Link;

use super::{Pool, Transport};
use crate::cores;
use crate::error::{Failure, RunError};
use crate::exchange::{Endpoint, Layer};
use crate::kernel::Kernel;
use crate::options::{Options, Wait};
use crate::processor::{Processor, Shared, Stopped};
use crate::progress::{Aborted, Progress};
use crate::sync::{Mutex, Padded, lock};
use crate::tables::Tables;
use crate::team::{self, Late, Need};
use crate::wait::Patience;
use crate::words::{Loan, Permit};

/// The transport: idle states of one program.
pub(crate) struct Threads<K: Kernel, L = ()> {
    pub(super) layer: Arc<L>,
    idle: Pool<Arc<State<K, L>>>,
}

impl<K: Kernel, L: Layer<K>> Threads<K, L> {
    pub(crate) fn new(layer: L) -> Self {
        Self {
            layer: Arc::new(layer),
            idle: Pool::default(),
        }
    }

    fn state(
        &self,
        tables: &Arc<Tables<K>>,
        arguments: &K::Arguments<'_>,
        wait: Wait,
    ) -> Arc<State<K, L>> {
        let idle = self.idle.take().filter(|state| state.wait == wait);
        idle.unwrap_or_else(|| {
            let layer = Arc::clone(&self.layer);
            Arc::new(State::new(tables, arguments, wait, layer))
        })
    }
}

impl<K: Kernel, L: Layer<K>> Transport<K> for Threads<K, L> {
    fn run(
        &self,
        tables: &Arc<Tables<K>>,
        arguments: &mut K::Arguments<'_>,
        options: &Options,
    ) -> Result<usize, RunError> {
        let state = self.state(tables, arguments, options.wait);
        for (processor, memory) in state.memories.iter().enumerate() {
            tables.scatter(processor, arguments, &mut lock(&memory.0));
        }
        let threads = |source| RunError::Threads {
            kernel: K::NAME,
            processors: tables.processors(),
            source,
        };
        let need = match options.processors.insists() {
            true => Need::Insists,
            false => Need::Wishes,
        };
        let run = || team::run(tables.processors(), Late::Awaited, need, &state).map_err(threads);
        let lend = |arguments: &mut K::Arguments<'_>| tables.lend(arguments);
        state.loan.during(arguments, lend, run)?;
        if let Some(first) = state.first_failure() {
            return Err(first.into_error(K::NAME));
        }
        for (processor, memory) in state.memories.iter().enumerate() {
            tables.gather(processor, arguments, &lock(&memory.0));
        }
        let worked = state.worked.swap(0, Ordering::Relaxed);
        self.idle.put(state);
        Ok(worked)
    }
}

/// What the threads of one run share.
struct State<K: Kernel, L> {
    tables: Arc<Tables<K>>,
    layer: Arc<L>,
    /// The arguments that all processors share.
    loan: Loan<K::Lent>,
    memories: Vec<Padded<Mutex<K::Memory>>>,
    packets: Vec<Padded<Mutex<K::Packet>>>,
    progress: Progress,
    /// How they wait.
    wait: Wait,
    /// Number of processors that ran a task.
    worked: AtomicUsize,
    failures: Mutex<Vec<Failure>>,
}

impl<K: Kernel, L: Layer<K>> State<K, L> {
    fn new(
        tables: &Arc<Tables<K>>,
        arguments: &K::Arguments<'_>,
        wait: Wait,
        layer: Arc<L>,
    ) -> Self {
        let processors = tables.processors();
        let memory = |processor| Padded(Mutex::new(tables.memory(processor, arguments)));
        let packet = |packet| Padded(Mutex::new(packet));
        Self {
            tables: Arc::clone(tables),
            layer,
            loan: Loan::default(),
            memories: (0..processors).map(memory).collect(),
            packets: tables.packets().map(packet).collect(),
            // Idle states serve calls of all threads, as teams do.
            progress: Progress::new(
                processors,
                Patience::new(processors, wait, cores::count_of_workers()),
            ),
            wait,
            worked: AtomicUsize::new(0),
            failures: Mutex::new(Vec::new()),
        }
    }

    /// Runs all supersteps of a processor, whose count is at `start`; returns whether it ran a
    /// task.
    fn supersteps(&self, number: usize, start: u32) -> Result<bool, Stopped> {
        let memory = &mut *lock(&self.memories[number].0);
        self.loan.with(|lent| {
            let processor = Processor {
                tables: &self.tables,
                number,
                shared: lent.map(|(lent, permit): (_, Permit<'_>)| Shared {
                    lent,
                    permit,
                    arrays: &self.tables.plan.shared,
                }),
            };
            let end = End {
                packets: &self.packets,
                progress: &self.progress,
                processor: number,
                start,
            };
            processor.run(memory, &mut self.layer.around(number, end))
        })
    }

    /// Of the failures, the first by superstep and processor.
    fn first_failure(&self) -> Option<Failure> {
        let failures = std::mem::take(&mut *lock(&self.failures));
        let at = |failure: &Failure| (failure.superstep, failure.processor);
        failures.into_iter().min_by_key(at)
    }
}

impl<K: Kernel, L: Layer<K>> team::Job for State<K, L> {
    fn run(&self, processor: usize) {
        let start = self.progress.start(processor);
        match self.supersteps(processor, start) {
            Ok(worked) => {
                // The next run starts from here, whether or not anybody has waited for this.
                let all = self.tables.supersteps() as u32;
                self.progress.end(processor, start, all, &[]);
                self.worked
                    .fetch_add(usize::from(worked), Ordering::Relaxed);
            }
            Err(Stopped::Aborted) => self.progress.stop(processor),
            Err(Stopped::Panicked(failure)) => {
                lock(&self.failures).push(failure);
                self.progress.stop(processor);
            }
        }
    }
}

/// The end of connections of a thread.
struct End<'r, P> {
    packets: &'r [Padded<Mutex<P>>],
    progress: &'r Progress,
    processor: usize,
    /// Its count when the run began.
    start: u32,
}

impl<P> End<'_, P> {
    /// Calls `with` for each link and its packet.
    fn each(&self, links: &[Link], mut with: impl FnMut(Link, &mut P)) {
        for &link in links {
            with(link, &mut lock(&self.packets[link.packet as usize].0));
        }
    }
}

impl<K: Kernel> Endpoint<K> for End<'_, K::Packet> {
    fn wait(&mut self, awaited: &[order::Wait]) -> Result<(), Aborted> {
        let wait = |&peer| self.progress.wait(self.processor, self.start, peer);
        awaited.iter().try_for_each(wait)
    }

    fn receive(
        &mut self,
        links: &[Link],
        take: impl FnMut(Link, &mut K::Packet),
    ) -> Result<(), Aborted> {
        self.each(links, take);
        Ok(())
    }

    fn send(&mut self, links: &[Link], fill: impl FnMut(Link, &mut K::Packet)) {
        self.each(links, fill);
    }

    fn end(&mut self, supersteps: u32, listeners: &[u32]) {
        if !listeners.is_empty() {
            self.progress
                .end(self.processor, self.start, supersteps, listeners);
        }
    }
}
