//! A recorder of times, as a layer around any transport: who waited, exchanged and computed for how
//! long in which superstep.

use std::cell::Cell;

use superstep_order as order;
use superstep_plan::Plan;
use superstep_plan::synchronisation::Link;

use super::*;
use crate::exchange::{Endpoint, Layer};
use crate::progress::Aborted;

#[path = "../../tests/ring/mod.rs"]
mod ring;

use ring::{Data, Ring, Shape};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Times {
    waited: u64,
    exchanged: u64,
    computed: u64,
}

/// The times of each processor, superstep by superstep, by some clock.
struct Recorder {
    clock: fn() -> u64,
    times: Vec<Mutex<Vec<Times>>>,
}

impl<K: Kernel> Layer<K> for Recorder {
    fn around(&self, processor: usize, endpoint: impl Endpoint<K>) -> impl Endpoint<K> {
        Recording {
            recorder: self,
            processor,
            times: Times::default(),
            received: 0,
            endpoint: Slow(endpoint),
        }
    }
}

struct Recording<'r, E> {
    recorder: &'r Recorder,
    processor: usize,
    /// Those of this superstep, so far.
    times: Times,
    /// When all had been received.
    received: u64,
    endpoint: E,
}

impl<K: Kernel, E: Endpoint<K>> Endpoint<K> for Recording<'_, E> {
    fn wait(&mut self, awaited: &[order::Wait]) -> Result<(), Aborted> {
        let begin = (self.recorder.clock)();
        self.endpoint.wait(awaited)?;
        self.times.waited = (self.recorder.clock)() - begin;
        Ok(())
    }

    fn receive(
        &mut self,
        links: &[Link],
        take: impl FnMut(Link, &mut K::Packet),
    ) -> Result<(), Aborted> {
        let begin = (self.recorder.clock)();
        self.endpoint.receive(links, take)?;
        self.received = (self.recorder.clock)();
        self.times.exchanged = self.received - begin;
        Ok(())
    }

    fn send(&mut self, links: &[Link], fill: impl FnMut(Link, &mut K::Packet)) {
        let begin = (self.recorder.clock)();
        self.times.computed = begin - self.received;
        self.endpoint.send(links, fill);
        self.times.exchanged += (self.recorder.clock)() - begin;
    }

    fn end(&mut self, supersteps: u32, listeners: &[u32]) {
        self.endpoint.end(supersteps, listeners);
        let times = std::mem::take(&mut self.times);
        lock(&self.recorder.times[self.processor]).push(times);
    }
}

thread_local! {
    /// A clock that stands still but for what the test lets something take.
    static CLOCK: Cell<u64> = const { Cell::new(0) };
}

fn takes(time: usize) {
    CLOCK.set(CLOCK.get() + time as u64);
}

/// A transport that takes 1 for each packet to send, 10 for each to receive, and 100 for each
/// processor to wait for.
struct Slow<E>(E);

impl<K: Kernel, E: Endpoint<K>> Endpoint<K> for Slow<E> {
    fn wait(&mut self, awaited: &[order::Wait]) -> Result<(), Aborted> {
        takes(100 * awaited.len());
        self.0.wait(awaited)
    }

    fn receive(
        &mut self,
        links: &[Link],
        take: impl FnMut(Link, &mut K::Packet),
    ) -> Result<(), Aborted> {
        takes(10 * links.len());
        self.0.receive(links, take)
    }

    fn send(&mut self, links: &[Link], fill: impl FnMut(Link, &mut K::Packet)) {
        takes(links.len());
        self.0.send(links, fill);
    }

    fn end(&mut self, supersteps: u32, listeners: &[u32]) {
        self.0.end(supersteps, listeners);
    }
}

fn takes_to_compute(superstep: usize, processor: usize) -> usize {
    1000 * (superstep + 1) + 10_000 * processor
}

fn execute(
    plan: &Plan,
    superstep: usize,
    processor: usize,
    memory: &mut &mut ring::Memory,
) -> bool {
    takes(takes_to_compute(superstep, processor));
    ring::execute(plan, superstep, processor, memory)
}

/// Runs twice by the transport that `transport` makes; returns what its recorder has.
fn recorded<T: Transport<Ring>>(
    shape: Shape,
    tables: &Arc<Tables<Ring>>,
    transport: impl FnOnce(Recorder) -> T,
    recorder: impl Fn(&T) -> &Recorder,
) -> Vec<Vec<Times>> {
    let times = (0..shape.processors).map(|_| Mutex::default()).collect();
    let transport = transport(Recorder {
        clock: || CLOCK.get(),
        times,
    });
    for seed in [3, 4] {
        let mut data = Data::new(shape, seed);
        let mut expected = data.clone();
        shape.sequential(&mut expected);
        let arguments = &mut (&mut data.x[..], &mut data.y[..], &data.settings[..]);
        let worked = transport.run(tables, arguments, &Options::new());
        assert_eq!(worked.expect("no panic"), shape.processors as usize);
        assert_eq!(data.bits(), expected.bits());
    }
    let times = recorder(&transport).times.iter();
    times.map(|times| lock(times).clone()).collect()
}

#[test]
fn a_layer_around_any_transport_learns_what_takes_how_long() {
    for processors in [1, 2, 3] {
        let shape = Shape {
            processors,
            supersteps: 7,
            reach: 2,
            every: 2,
        };
        let tables = Arc::new(Tables::<Ring>::new(shape.plan(), execute).expect("a good plan"));
        let synchronisation = &tables.synchronisation;
        let times = |superstep, processor| Times {
            waited: 100 * synchronisation.waits(superstep, processor).len() as u64,
            exchanged: 10 * synchronisation.receives(superstep, processor).len() as u64
                + synchronisation.sends(superstep, processor).len() as u64,
            computed: takes_to_compute(superstep, processor) as u64,
        };
        let run = |processor| (0..7).map(move |superstep| times(superstep, processor));
        let expected: Vec<Vec<Times>> = (0..processors as usize)
            .map(|processor| run(processor).chain(run(processor)).collect())
            .collect();
        let in_turn = recorded(shape, &tables, InTurn::new, |in_turn| &in_turn.layer);
        assert_eq!(in_turn, expected);
        let threads = recorded(shape, &tables, Threads::new, |threads| &threads.layer);
        assert_eq!(threads, expected);
    }
}
