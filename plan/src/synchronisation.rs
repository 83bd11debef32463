//! Precedences and messages of a plan, by the processors that wait, send and receive.
//!
//! Supersteps are not separated by barriers. A processor begins one when those processors have
//! ended theirs from which it has a message, or with which it shares a written word. Nobody else
//! holds it up. A barrier is the case in which everyone waits for all others, and stands in a plan
//! only where storage needs that.

use std::sync::Arc;

use superstep_order::{Order, Ordered, Rows, Wait};

use crate::error::PlanError;
use crate::{Plan, Precedence};

/// Packets of one pair of processors: so many messages may be on their way before the sender waits
/// for the receiver.
const PACKETS: usize = 4;

/// One end of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Index into [`Plan::messages`].
    pub message: u32,
    /// Number of the packet that carries it. The messages from one processor to another take turns
    /// in a few.
    pub packet: u32,
}

/// Waits, messages and who listens, for each superstep of each processor, precomputed once for a
/// plan.
///
/// Memory: 8 bytes for each end of a message, 12 bytes for each wait, 16 bytes for each superstep
/// and processor.
///
/// The steps of the [order](Order) are the supersteps, processor after processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synchronisation {
    supersteps: usize,
    ordered: Arc<Ordered>,
    sends: Rows<Link>,
    receives: Rows<Link>,
    packets: usize,
}

impl Synchronisation {
    /// Makes the table of a plan. Near-linear in the number of messages and precedences.
    ///
    /// # Errors
    /// If a message or precedence is out of order, joins a processor with itself, or names a
    /// superstep or processor beyond the plan's.
    pub fn new(plan: &Plan) -> Result<Self, PlanError> {
        if let Some(what) = contradiction(plan) {
            return Err(PlanError::Malformed(what));
        }
        let processors = plan.processors as usize;
        let supersteps = plan.supersteps as usize;
        let rows = supersteps * processors;
        let row =
            |superstep: u32, processor: u32| processor as usize * supersteps + superstep as usize;
        let (packet_of, packets, reuses) = packets(plan);
        let links = plan.messages.iter().zip(packet_of).zip(0..);
        let link = |packet, message| Link { message, packet };
        let sends = links
            .clone()
            .map(|((m, packet), message)| (row(m.superstep, m.from), link(packet, message)));
        let receives =
            links.map(|((m, packet), message)| (row(m.superstep + 1, m.to), link(packet, message)));
        let arrivals = plan.messages.iter().map(|m| Precedence {
            superstep: m.superstep + 1,
            processor: m.to,
            peer: m.from,
            ended: m.superstep,
        });
        let mut waits = plan.precedences.clone();
        waits.extend(arrivals.chain(reuses));
        let waits = news(waits, processors);
        let wait = |p: &Precedence| Wait {
            processor: p.peer,
            steps: p.ended + 1,
        };
        let waits = waits
            .iter()
            .map(|p| (row(p.superstep, p.processor), wait(p)));
        let first = |processor| processor * plan.supersteps;
        let order = Order {
            processors: (0..=plan.processors).map(first).collect(),
            waits: Rows::sorted(rows, waits),
        };
        Ok(Self {
            supersteps,
            ordered: Arc::new(Ordered::from(Arc::new(order))),
            sends: Rows::sorted(rows, sends),
            receives: Rows::sorted(rows, receives),
            packets,
        })
    }

    /// Returns the order: the steps of each processor are its supersteps.
    pub fn ordered(&self) -> &Arc<Ordered> {
        &self.ordered
    }

    fn step(&self, superstep: usize, processor: usize) -> usize {
        processor * self.supersteps + superstep
    }

    /// Returns for whom `processor` waits before `superstep`, ascending, each of them but once for
    /// the same superstep.
    pub fn waits(&self, superstep: usize, processor: usize) -> &[Wait] {
        let step = self.step(superstep, processor);
        self.ordered.order().waits.row(step)
    }

    /// Returns what `processor` sends after `superstep`, ascending by receiver.
    pub fn sends(&self, superstep: usize, processor: usize) -> &[Link] {
        self.sends.row(self.step(superstep, processor))
    }

    /// Returns what `processor` receives before `superstep`, ascending by sender.
    pub fn receives(&self, superstep: usize, processor: usize) -> &[Link] {
        self.receives.row(self.step(superstep, processor))
    }

    /// Returns the number of packets.
    pub fn packets(&self) -> usize {
        self.packets
    }
}

/// Finds the packet of each message, how many there are, and the precedences that follow from their
/// reuse. A packet is filled again only when the superstep has ended before which the receiver took
/// out of it.
fn packets(plan: &Plan) -> (Vec<u32>, usize, Vec<Precedence>) {
    let mut routes: Vec<(u32, u32, u32)> = (0..)
        .zip(&plan.messages)
        .map(|(message, m)| (m.from, m.to, message))
        .collect();
    routes.sort_unstable();
    let mut packet_of = vec![0; plan.messages.len()];
    let (mut packets, mut reuses) = (0, Vec::new());
    for route in routes.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        for (number, &(from, to, message)) in route.iter().enumerate() {
            packet_of[message as usize] = (packets + number % PACKETS) as u32;
            if let Some(before) = number.checked_sub(PACKETS) {
                let before = plan.messages[route[before].2 as usize].superstep;
                reuses.push(Precedence {
                    superstep: plan.messages[message as usize].superstep,
                    processor: from,
                    peer: to,
                    ended: before + 1,
                });
            }
        }
        packets += route.len().min(PACKETS);
    }
    (packet_of, packets, reuses)
}

/// Keeps the precedences that do not follow from what a processor has waited for before, ascending
/// by (superstep, processor, peer).
fn news(mut waits: Vec<Precedence>, processors: usize) -> Vec<Precedence> {
    // The latest of each peer first.
    waits.sort_unstable_by_key(|p| (p.superstep, p.processor, p.peer, u32::MAX - p.ended));
    let mut known = vec![0; processors * processors];
    waits.retain(|p| {
        let known = &mut known[p.processor as usize * processors + p.peer as usize];
        let is_new = *known <= p.ended;
        *known = (p.ended + 1).max(*known);
        is_new
    });
    waits
}

/// Returns the mistake in the messages or precedences of a plan, if there is any.
pub(crate) fn contradiction(plan: &Plan) -> Option<&'static str> {
    let are_two = |a: u32, b: u32| a != b && a.max(b) < plan.processors;
    for message in &plan.messages {
        if message.superstep >= plan.supersteps.saturating_sub(1) {
            return Some("a message after the last superstep");
        }
        if !are_two(message.from, message.to) {
            return Some("a message without two processors");
        }
    }
    for precedence in &plan.precedences {
        if precedence.superstep >= plan.supersteps || precedence.ended >= precedence.superstep {
            return Some("a precedence without an earlier superstep");
        }
        if !are_two(precedence.processor, precedence.peer) {
            return Some("a precedence without two processors");
        }
    }
    let ends = plan.messages.iter().map(|m| (m.superstep, m.from, m.to));
    if !ends.is_sorted_by(|a, b| a < b) {
        return Some("messages out of order");
    }
    let ends = plan
        .precedences
        .iter()
        .map(|p| (p.superstep, p.processor, p.peer));
    if !ends.is_sorted_by(|a, b| a < b) {
        return Some("precedences out of order");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    fn plan(messages: &[(u32, u32, u32)], precedences: &[(u32, u32, u32, u32)]) -> Plan {
        let message = |&(superstep, from, to): &(u32, u32, u32)| Message {
            superstep,
            from,
            to,
            strided: vec![],
        };
        let precedence = |&(superstep, processor, peer, ended): &(u32, u32, u32, u32)| Precedence {
            superstep,
            processor,
            peer,
            ended,
        };
        Plan {
            processors: 3,
            supersteps: 8,
            messages: messages.iter().map(message).collect(),
            precedences: precedences.iter().map(precedence).collect(),
            ..Plan::default()
        }
    }

    fn awaited(table: &Synchronisation, superstep: usize, processor: usize) -> Vec<(u32, u32)> {
        let awaited = table.waits(superstep, processor).iter();
        awaited.map(|wait| (wait.processor, wait.steps)).collect()
    }

    #[test]
    fn both_ends_of_each_message_are_listed_in_order() {
        let messages = [(0, 1, 0), (0, 2, 0), (2, 0, 1), (2, 0, 2), (2, 2, 0)];
        let table = Synchronisation::new(&plan(&messages, &[])).expect("a good plan");
        let messages = |links: &[Link]| links.iter().map(|link| link.message).collect::<Vec<_>>();
        assert_eq!(messages(table.receives(1, 0)), [0, 1]);
        assert_eq!(messages(table.sends(2, 0)), [2, 3]);
        assert_eq!(messages(table.receives(3, 0)), [4]);
        assert!(table.sends(1, 0).is_empty() && table.receives(3, 1).len() == 1);
        assert_eq!(awaited(&table, 1, 0), [(1, 1), (2, 1)]);
        assert_eq!(awaited(&table, 3, 2), [(0, 3)]);
        let listeners = |step| table.ordered().listeners_of(step as u32);
        assert_eq!(listeners(table.step(2, 0)), [1, 2]);
        assert!(listeners(table.step(1, 0)).is_empty());
    }

    #[test]
    fn nobody_waits_for_what_he_knows() {
        let precedences = [
            (3, 0, 1, 2),
            (3, 1, 0, 0),
            (4, 0, 1, 1),
            (5, 0, 1, 2),
            (5, 0, 2, 4),
            (6, 0, 1, 3),
        ];
        let table = Synchronisation::new(&plan(&[(1, 1, 0), (2, 1, 0)], &precedences))
            .expect("a good plan");
        assert_eq!(awaited(&table, 2, 0), [(1, 2)]);
        // Both for the message and for the shared word.
        assert_eq!(awaited(&table, 3, 0), [(1, 3)]);
        assert_eq!(awaited(&table, 3, 1), [(0, 1)]);
        assert!(awaited(&table, 4, 0).is_empty());
        assert_eq!(awaited(&table, 5, 0), [(2, 5)]);
        assert_eq!(awaited(&table, 6, 0), [(1, 4)]);
    }

    #[test]
    fn a_packet_is_filled_again_when_its_receiver_is_done() {
        let messages: Vec<(u32, u32, u32)> = (0..7).map(|superstep| (superstep, 0, 1)).collect();
        let table = Synchronisation::new(&plan(&messages, &[])).expect("a good plan");
        assert_eq!(table.packets(), PACKETS);
        let packet = |superstep| table.sends(superstep, 0)[0].packet;
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(packet), [0, 1, 2, 3, 0, 1, 2]);
        // What is sent after superstep 0 is unpacked before superstep 1, which must be over before
        // the packet is used again.
        let waits: Vec<_> = (0..7)
            .map(|superstep| awaited(&table, superstep, 0))
            .collect();
        assert_eq!(waits[..4], vec![vec![]; 4]);
        assert_eq!(waits[4..], [[(1, 2)], [(1, 3)], [(1, 4)]]);
    }

    #[test]
    fn contradictions_are_refused() {
        let malformed =
            |plan: &Plan| matches!(Synchronisation::new(plan), Err(PlanError::Malformed(_)));
        for messages in [
            &[(7, 0, 1)][..],
            &[(0, 0, 3)],
            &[(0, 1, 1)],
            &[(1, 0, 1), (0, 0, 1)],
            &[(0, 0, 1), (0, 0, 1)],
        ] {
            assert!(malformed(&plan(messages, &[])), "{messages:?}");
        }
        for precedences in [
            &[(8, 0, 1, 0)][..],
            &[(1, 0, 1, 1)],
            &[(0, 0, 1, 0)],
            &[(1, 0, 3, 0)],
            &[(1, 1, 1, 0)],
            &[(2, 0, 1, 0), (1, 0, 1, 0)],
            &[(2, 0, 1, 0), (2, 0, 1, 1)],
        ] {
            assert!(malformed(&plan(&[], precedences)), "{precedences:?}");
        }
    }
}
