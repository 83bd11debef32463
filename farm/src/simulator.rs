//! Simulator: how long a deal takes, by events.
//!
//! The master has some sends open at a time. Each takes the set-up, then shares the bandwidth
//! equally, and its last bit arrives a latency later. Workers compute chunks in the order of
//! arrival. Who asks waits for a set-up and a latency, and is served in turn. Results take a
//! latency, then occupy the master's receiving side for a set-up and their bytes; it receives while
//! it sends.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BinaryHeap, VecDeque},
};

use crate::{Chunk, Deal, Invalid, Items, Platform, deal::Dealer};

/// Outcome of a simulation; times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Time at which all is computed and all results are at the master.
    pub makespan: f64,
    /// Time that each worker computes, the overhead of its chunks included.
    pub busy: Vec<f64>,
    /// Time at which each worker has computed its last chunk; 0 if it has none.
    pub finish: Vec<f64>,
    /// Number of chunks that were sent.
    pub messages: usize,
    /// All chunks in the order of sending: those of the deal, then those that were pulled.
    pub chunks: Vec<Chunk>,
}

/// Simulates a deal of items that cost as much as `items` says.
///
/// It takes `O(log(N + m))` for each chunk, with N workers and m open sends.
///
/// ```
/// use superstep_farm::{Items, Key, Platform, Policy, Technique, simulate};
///
/// let items = Items::new(&[1.0; 1000])?;
/// let platform = Platform::threads(4);
/// let policy = Policy::new(Technique::Factoring, Key::Count);
/// let outcome = simulate(&platform, &items, &policy.deal(&platform, &items)?)?;
/// assert!(outcome.makespan < 251.0);
/// # Ok::<(), superstep_farm::Invalid>(())
/// ```
///
/// # Errors
///
/// [`Invalid`] names a quantity of the platform that is out of its range, or an item that the deal
/// does not deal once.
pub fn simulate(platform: &Platform, items: &Items, deal: &Deal) -> Result<Outcome, Invalid> {
    platform.validate()?;
    deal.validate(platform.workers, items.len())?;
    let outcome = Simulation::new(platform, items, deal).run();
    let all: usize = outcome.chunks.iter().map(|chunk| chunk.items.len()).sum();
    // Times that are no numbers any more end a simulation early.
    if all == items.len() && outcome.makespan.is_finite() {
        Ok(outcome)
    } else {
        Err(Invalid::Endless)
    }
}

/// A moment, and in which order equal moments come.
#[derive(Clone, Copy, PartialEq)]
struct Moment {
    time: f64,
    order: u64,
}

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = self.time.total_cmp(&other.time);
        times.then(self.order.cmp(&other.order))
    }
}

const NEVER: Moment = Moment {
    time: f64::INFINITY,
    order: u64::MAX,
};

/// A worker: the chunks that it has, and how many of those that are sent unasked are still to
/// start.
#[derive(Clone, Default)]
struct Worker {
    queue: VecDeque<u32>,
    awaited: u32,
    computes: bool,
}

struct Simulation<'a> {
    platform: &'a Platform,
    items: &'a Items,
    deal: &'a Deal,
    dealer: Dealer<'a>,
    asking: VecDeque<u32>,
    open: usize,
    order: u64,
    link: Link<'a>,
    // Times that a constant delay leads to come in order: queues do, and a heap is for the ends of
    // chunks alone.
    opening: VecDeque<(Moment, u32)>,
    arriving: VecDeque<(Moment, u32)>,
    requests: VecDeque<(Moment, u32)>,
    ends: BinaryHeap<Reverse<(Moment, u32)>>,
    workers: Vec<Worker>,
    received: f64,
    outcome: Outcome,
}

impl<'a> Simulation<'a> {
    fn new(platform: &'a Platform, items: &'a Items, deal: &'a Deal) -> Self {
        let mut workers = vec![Worker::default(); platform.workers];
        for chunk in &deal.sent {
            workers[chunk.worker].awaited += 1;
        }
        let idle = |&worker: &usize| workers[worker].awaited == 0;
        let asking = (0..platform.workers).filter(idle);
        Self {
            platform,
            items,
            deal,
            dealer: deal.pulled.dealer(),
            asking: asking.map(|worker| worker as u32).collect(),
            open: 0,
            order: 0,
            link: Link::new(platform),
            opening: VecDeque::new(),
            arriving: VecDeque::new(),
            requests: VecDeque::new(),
            ends: BinaryHeap::new(),
            workers,
            received: 0.0,
            outcome: Outcome {
                makespan: 0.0,
                busy: vec![0.0; platform.workers],
                finish: vec![0.0; platform.workers],
                messages: 0,
                chunks: Vec::with_capacity(deal.sent.len()),
            },
        }
    }

    fn run(mut self) -> Outcome {
        self.send(0.0);
        loop {
            let front =
                |queue: &VecDeque<(Moment, u32)>| queue.front().map_or(NEVER, |next| next.0);
            let moments = [
                front(&self.opening),
                front(&self.arriving),
                front(&self.requests),
                self.ends.peek().map_or(NEVER, |Reverse(next)| next.0),
            ];
            let next = (0..moments.len()).min_by_key(|&at| moments[at]);
            let next = next.unwrap_or_default();
            let time = moments[next].time;
            let sent = self.link.next_end();
            if sent <= time && sent < f64::INFINITY {
                let chunk = self.link.take(sent);
                self.sent(sent, chunk);
                continue;
            }
            if time == f64::INFINITY {
                break;
            }
            match next {
                0 => {
                    if let Some((_, chunk)) = self.opening.pop_front() {
                        self.opened(time, chunk);
                    }
                }
                1 => {
                    if let Some((_, chunk)) = self.arriving.pop_front() {
                        self.arrived(time, chunk);
                    }
                }
                2 => {
                    if let Some((_, worker)) = self.requests.pop_front() {
                        self.asking.push_back(worker);
                        self.send(time);
                    }
                }
                _ => {
                    if let Some(Reverse((_, chunk))) = self.ends.pop() {
                        self.ended(time, chunk);
                    }
                }
            }
        }
        let finish = self.outcome.finish.iter().copied();
        let last = finish.fold(self.received, f64::max);
        let has_ended = |worker: &Worker| !worker.computes && worker.queue.is_empty();
        let have_ended = self.open == 0 && self.workers.iter().all(has_ended);
        self.outcome.makespan = if have_ended { last } else { f64::INFINITY };
        self.outcome.messages = self.outcome.chunks.len();
        self.outcome
    }

    fn moment(&mut self, time: f64) -> Moment {
        self.order += 1;
        Moment {
            time,
            order: self.order,
        }
    }

    /// Opens sends while there may be more: first of what is sent unasked, then for who asks.
    fn send(&mut self, now: f64) {
        while self.open < self.deal.open.max(1) {
            let index = self.outcome.chunks.len();
            let chunk = if let Some(chunk) = self.deal.sent.get(index) {
                chunk.clone()
            } else if self.dealer.is_done() {
                break;
            } else if let Some(worker) = self.asking.pop_front() {
                let worker = worker as usize;
                match self.dealer.next(worker) {
                    Some(items) => Chunk { worker, items },
                    None => break,
                }
            } else {
                break;
            };
            self.outcome.chunks.push(chunk);
            self.open += 1;
            let moment = self.moment(now + self.platform.setup);
            self.opening.push_back((moment, index as u32));
        }
    }

    fn opened(&mut self, now: f64, chunk: u32) {
        let bytes = self.items.bytes(&self.outcome.chunks[chunk as usize].items);
        if self.link.is_instant() {
            self.sent(now, chunk);
        } else {
            let order = self.moment(now).order;
            self.link.begin(now, bytes, order, chunk);
        }
    }

    fn sent(&mut self, now: f64, chunk: u32) {
        self.open -= 1;
        let moment = self.moment(now + self.platform.latency);
        self.arriving.push_back((moment, chunk));
        self.send(now);
    }

    fn arrived(&mut self, now: f64, chunk: u32) {
        let worker = self.outcome.chunks[chunk as usize].worker;
        self.workers[worker].queue.push_back(chunk);
        if !self.workers[worker].computes {
            self.start(now, worker);
        }
    }

    /// Starts the next chunk that a worker has, if any.
    fn start(&mut self, now: f64, worker: usize) {
        let Some(chunk) = self.workers[worker].queue.pop_front() else {
            self.workers[worker].computes = false;
            return;
        };
        self.workers[worker].computes = true;
        if (chunk as usize) < self.deal.sent.len() {
            self.workers[worker].awaited -= 1;
        }
        let cost = self.items.cost(&self.outcome.chunks[chunk as usize].items);
        let seconds = self.platform.overhead + cost / self.platform.speed_of(worker);
        self.outcome.busy[worker] += seconds;
        let moment = self.moment(now + seconds);
        self.ends.push(Reverse((moment, chunk)));
        if self.deal.prefetch {
            self.ask(now, worker);
        }
    }

    fn ended(&mut self, now: f64, chunk: u32) {
        let Chunk { worker, items } = &self.outcome.chunks[chunk as usize];
        let worker = *worker;
        self.received = self.receive(now, self.items.results(items));
        self.outcome.finish[worker] = now;
        self.start(now, worker);
        if !self.deal.prefetch && !self.workers[worker].computes {
            self.ask(now, worker);
        }
    }

    /// Returns when the master has received results that were sent now, one after the other.
    fn receive(&self, now: f64, bytes: f64) -> f64 {
        if bytes == 0.0 {
            return self.received;
        }
        let bandwidth = self.platform.shared_bandwidth(1);
        let start = self.received.max(now + self.platform.latency);
        start + self.platform.setup + bytes / bandwidth
    }

    /// Asks for the next chunk, if a worker has none and none is to come.
    fn ask(&mut self, now: f64, worker: usize) {
        let Worker { queue, awaited, .. } = &self.workers[worker];
        if !queue.is_empty() || *awaited > 0 || self.dealer.is_done() {
            return;
        }
        let moment = self.moment(now + self.platform.setup + self.platform.latency);
        self.requests.push_back((moment, worker as u32));
    }
}

/// A link whose bandwidth all transfers share equally.
///
/// Virtual time is what each transfer has got so far, in bytes. It is the same clock for all, so
/// that a transfer's end on it never changes.
struct Link<'a> {
    platform: &'a Platform,
    now: f64,
    got: f64,
    transfers: BinaryHeap<Reverse<(Moment, u32)>>,
}

impl<'a> Link<'a> {
    fn new(platform: &'a Platform) -> Self {
        Self {
            platform,
            now: 0.0,
            got: 0.0,
            transfers: BinaryHeap::new(),
        }
    }

    fn is_instant(&self) -> bool {
        self.platform.shared_bandwidth(1).is_infinite()
    }

    fn rate(&self) -> f64 {
        self.platform.shared_bandwidth(self.transfers.len())
    }

    fn advance(&mut self, now: f64) {
        if self.transfers.is_empty() {
            self.got = 0.0;
        } else {
            self.got += (now - self.now) * self.rate();
        }
        self.now = now;
    }

    fn begin(&mut self, now: f64, bytes: f64, order: u64, chunk: u32) {
        self.advance(now);
        let time = self.got + bytes;
        self.transfers
            .push(Reverse((Moment { time, order }, chunk)));
    }

    /// Returns when the next transfer ends if none begins before; infinity if there is none.
    fn next_end(&self) -> f64 {
        match self.transfers.peek() {
            Some(Reverse((end, _))) => self.now + ((end.time - self.got) / self.rate()).max(0.0),
            None => f64::INFINITY,
        }
    }

    /// Ends the next transfer.
    fn take(&mut self, now: f64) -> u32 {
        self.advance(now);
        let ended = self.transfers.pop();
        ended.map_or(u32::MAX, |Reverse((end, chunk))| {
            self.got = end.time;
            chunk
        })
    }
}
