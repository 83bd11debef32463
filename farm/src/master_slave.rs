//! Master/slave programs under LogGP: one queue of items, dealt to whichever slave is free.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
};

use crate::{
    Invalid,
    error::{check, check_times},
};

/// LogGP parameters of a network, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LogGp {
    /// Latency of a message (L).
    pub latency: f64,
    /// Time that a processor spends on sending or receiving a message (o).
    pub overhead: f64,
    /// Least time between two messages of a processor (g); 0 leaves it out, as published.
    pub gap: f64,
    /// Time for each byte of a message (G).
    pub byte_gap: f64,
}

/// Way in which the first items come to the slaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The master sends one to each slave in turn.
    #[default]
    Assigned,
    /// Each slave asks for one.
    Requested,
}

/// A master that deals items in their order, and the slaves that compute them.
///
/// Simulates as Mizutani, Ino and Hagihara (fast performance prediction of master/slave programs,
/// section 3.3). A heap stands in place of their list, whose insertions shift a part of it.
///
/// ```
/// use superstep_farm::{LogGp, MasterSlave};
///
/// let network = LogGp { latency: 0.5, overhead: 0.1, byte_gap: 0.001, ..LogGp::default() };
/// let master = MasterSlave { input: 16.0, output: 8.0, ..MasterSlave::new(network, 3) };
/// let dealt = master.simulate(&[5.0, 1.0, 1.0, 4.0, 2.0, 2.0, 1.0])?;
/// assert!((dealt.makespan - 9.604).abs() < 1e-12);
/// assert_eq!(dealt.items, [2, 2, 3]);
/// # Ok::<(), superstep_farm::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MasterSlave {
    /// The network between them.
    pub network: LogGp,
    /// Time that each slave takes for an item, by that on the processor that measured it.
    pub slowness: Vec<f64>,
    /// Bytes that an item's message has.
    pub input: f64,
    /// Bytes that a result's message has.
    pub output: f64,
    /// Consecutive items that travel together, as one message there and one back.
    pub chunk: usize,
    /// Way in which the first items come to the slaves.
    pub start: Start,
}

/// Result of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Dealt {
    /// Time at which the master has received the last result, in seconds.
    pub makespan: f64,
    /// Number of items that each slave computed.
    pub items: Vec<usize>,
}

/// One chunk on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assignment {
    /// First item of the chunk.
    pub item: usize,
    /// Slave that computes it.
    pub slave: usize,
    /// Time at which the master has sent it, in seconds.
    pub sent: f64,
    /// Time at which its result is at the master, in seconds.
    pub back: f64,
}

/// Something that arrives at the master. It has the bits of its time, which order as the time does,
/// how many came into the queue before it, and its slave.
type Arrival = Reverse<(u64, u64, usize)>;

impl MasterSlave {
    /// Sets up slaves as fast as the processor that measured, items without bytes, sent one by one.
    #[must_use]
    pub fn new(network: LogGp, slaves: usize) -> Self {
        Self {
            network,
            slowness: vec![1.0; slaves],
            input: 0.0,
            output: 0.0,
            chunk: 1,
            start: Start::Assigned,
        }
    }

    /// Simulates the dealing of items with these costs, in seconds.
    ///
    /// Takes time in proportion to the items and the logarithm of the slaves. A million items on a
    /// thousand slaves take a tenth of a second.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if there is no slave, the chunk is 0, or a time or a number of bytes is
    /// negative or not finite.
    pub fn simulate(&self, costs: &[f64]) -> Result<Dealt, Invalid> {
        self.simulate_each(costs, |_| ())
    }

    /// Simulates as [`simulate`](Self::simulate) does, and tells each assignment in its order.
    ///
    /// # Errors
    ///
    /// As those of [`simulate`](Self::simulate).
    pub fn simulate_each(
        &self,
        costs: &[f64],
        mut each: impl FnMut(Assignment),
    ) -> Result<Dealt, Invalid> {
        self.check(costs)?;
        let LogGp {
            latency,
            overhead,
            gap,
            byte_gap,
        } = self.network;
        let mut chunks = costs.chunks(self.chunk).enumerate();
        let mut items = vec![0; self.slowness.len()];
        let mut clock = 0.0;
        // Sends the next chunk, if there is one: when its result arrives.
        let mut assign = |slave: usize, clock: &mut f64| {
            let (number, chunk) = chunks.next()?;
            let bytes = |each: f64| each * chunk.len() as f64 * byte_gap;
            *clock += (overhead + bytes(self.input)).max(gap);
            let work = chunk.iter().sum::<f64>() * self.slowness[slave];
            let back = *clock + 2.0 * latency + work + 2.0 * overhead + bytes(self.output);
            items[slave] += chunk.len();
            each(Assignment {
                item: number * self.chunk,
                slave,
                sent: *clock,
                back,
            });
            Some(back)
        };
        let mut queue = BinaryHeap::with_capacity(self.slowness.len());
        let mut queued = 0;
        let mut arrival = |time: f64, slave| -> Arrival {
            queued += 1;
            Reverse((time.to_bits(), queued, slave))
        };
        for slave in 0..self.slowness.len() {
            let first = match self.start {
                Start::Assigned => assign(slave, &mut clock),
                Start::Requested => Some(clock + overhead + latency),
            };
            queue.extend(first.map(|time| arrival(time, slave)));
        }
        while let Some(mut earliest) = queue.peek_mut() {
            let Reverse((time, _, slave)) = *earliest;
            clock = f64::from_bits(time).max(clock) + overhead.max(gap);
            match assign(slave, &mut clock) {
                Some(back) => *earliest = arrival(back, slave),
                None => drop(PeekMut::pop(earliest)),
            }
        }
        Ok(Dealt {
            makespan: clock,
            items,
        })
    }

    fn check(&self, costs: &[f64]) -> Result<(), Invalid> {
        if self.slowness.is_empty() {
            return Err(Invalid::Count {
                name: "slaves",
                found: 0,
                expected: 1,
                why: "somebody has to compute",
            });
        }
        check(
            "chunk",
            self.chunk as f64,
            self.chunk > 0,
            "at least one item",
        )?;
        for (name, value) in [
            ("latency", self.network.latency),
            ("overhead", self.network.overhead),
            ("gap", self.network.gap),
            ("byte_gap", self.network.byte_gap),
            ("input", self.input),
            ("output", self.output),
        ] {
            let fits = value.is_finite() && value >= 0.0;
            check(name, value, fits, "finite and not negative")?;
        }
        check_times("slowness", &self.slowness)?;
        check_times("costs", costs)
    }
}
