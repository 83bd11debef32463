//! Who waits for whom, for which values: the messages of a plan, by the processors that send and receive them.
//!
//! Today every boundary with a message is a barrier of all processors, and a boundary without one is nothing, unless
//! the plan says that processors have to wait there for what they share. The table says more than
//! that needs: a processor could as well wait only for those from which it has a message.

use std::ops::Range;

use crate::error::PlanError;
use crate::plan::Plan;

/// One end of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Index into [`Plan::messages`].
    pub message: u32,
    /// The processor at the other end.
    pub peer: u32,
    /// Index of the pair (sender, receiver) among the pairs that exchange messages.
    pub route: u32,
}

/// The links of each processor at each boundary, precomputed once for a plan: 12 bytes for each end of a message, 8 bytes for
/// each superstep and processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synchronisation {
    processors: usize,
    sends: Links,
    receives: Links,
    routes: usize,
    /// For each superstep, the number of its exchange among all; none if nothing crosses after it.
    exchanges: Vec<Option<u32>>,
}

/// Links in compressed rows, one row for each (superstep, processor).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Links {
    offsets: Vec<u32>,
    links: Vec<Link>,
}

impl Links {
    fn row(&self, row: usize) -> &[Link] {
        &self.links[Range {
            start: self.offsets[row] as usize,
            end: self.offsets[row + 1] as usize,
        }]
    }

    /// Sorts `(row, link)` pairs by row, stably.
    fn new(rows: usize, links: impl Iterator<Item = (usize, Link)> + Clone) -> Self {
        let mut offsets = vec![0u32; rows + 1];
        for (row, _) in links.clone() {
            offsets[row + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let mut sorted = vec![Link::default(); offsets[rows] as usize];
        for (row, link) in links {
            sorted[next[row] as usize] = link;
            next[row] += 1;
        }
        Self {
            offsets,
            links: sorted,
        }
    }
}

impl Synchronisation {
    /// The table of a plan. Near-linear in the number of messages.
    ///
    /// # Errors
    /// If a message names a superstep or processor that the plan does not have, goes from a processor to itself, or is out of order.
    pub fn new(plan: &Plan) -> Result<Self, PlanError> {
        check(plan)?;
        let processors = plan.processors as usize;
        let rows = plan.supersteps as usize * processors;
        let mut pairs: Vec<(u32, u32)> = plan.messages.iter().map(|m| (m.from, m.to)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let routes: Vec<u32> = plan
            .messages
            .iter()
            .map(|m| pairs.partition_point(|&pair| pair < (m.from, m.to)) as u32)
            .collect();
        let ends = plan.messages.iter().zip(&routes).zip(0u32..);
        let row =
            |superstep: u32, processor: u32| superstep as usize * processors + processor as usize;
        let sends = ends.clone().map(|((m, &route), message)| {
            (
                row(m.superstep, m.from),
                Link {
                    message,
                    peer: m.to,
                    route,
                },
            )
        });
        let receives = ends.map(|((m, &route), message)| {
            (
                row(m.superstep, m.to),
                Link {
                    message,
                    peer: m.from,
                    route,
                },
            )
        });
        let mut exchanges = vec![None; plan.supersteps as usize];
        let mut boundaries: Vec<u32> = plan.messages.iter().map(|m| m.superstep).collect();
        boundaries.extend(plan.barriers.iter().filter(|&&s| s < plan.supersteps));
        boundaries.sort_unstable();
        boundaries.dedup();
        for (superstep, number) in boundaries.into_iter().zip(0..) {
            exchanges[superstep as usize] = Some(number);
        }
        Ok(Self {
            processors,
            sends: Links::new(rows, sends),
            receives: Links::new(rows, receives),
            routes: pairs.len(),
            exchanges,
        })
    }

    /// What `processor` sends after `superstep`, ascending by receiver.
    pub fn sends(&self, superstep: usize, processor: usize) -> &[Link] {
        self.sends.row(superstep * self.processors + processor)
    }

    /// What `processor` receives after `superstep`, ascending by sender.
    pub fn receives(&self, superstep: usize, processor: usize) -> &[Link] {
        self.receives.row(superstep * self.processors + processor)
    }

    /// The number, among all exchanges, of the one after `superstep`; none if nothing crosses there.
    ///
    /// Buffers alternate by this number. (Not by the superstep's: two exchanges with an unsynchronised boundary between them would share
    /// a buffer, and the sender could overwrite what the receiver has still to read.)
    pub fn exchange(&self, superstep: usize) -> Option<u32> {
        self.exchanges[superstep]
    }

    /// Number of pairs (sender, receiver) that exchange messages.
    pub fn routes(&self) -> usize {
        self.routes
    }
}

fn check(plan: &Plan) -> Result<(), PlanError> {
    let malformed = |what| Err(PlanError::Malformed(what));
    for message in &plan.messages {
        if message.superstep >= plan.supersteps {
            return malformed("a message after the last superstep");
        }
        if message.from.max(message.to) >= plan.processors || message.from == message.to {
            return malformed("a message without two processors");
        }
    }
    if !plan
        .messages
        .is_sorted_by_key(|m| (m.superstep, m.from, m.to))
    {
        return malformed("messages out of order");
    }
    let doubled = |pair: &[crate::plan::Message]| {
        (pair[0].superstep, pair[0].from, pair[0].to)
            == (pair[1].superstep, pair[1].from, pair[1].to)
    };
    if plan.messages.windows(2).any(doubled) {
        return malformed("two messages between the same processors at one boundary");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Message;

    fn plan(messages: &[(u32, u32, u32)]) -> Plan {
        let message = |&(superstep, from, to): &(u32, u32, u32)| Message {
            superstep,
            from,
            to,
            copies: vec![],
        };
        Plan {
            processors: 3,
            supersteps: 4,
            messages: messages.iter().map(message).collect(),
            ..Plan::default()
        }
    }

    #[test]
    fn both_ends_of_each_message_are_listed_in_order() {
        let table = Synchronisation::new(&plan(&[
            (0, 1, 0),
            (0, 2, 0),
            (2, 0, 1),
            (2, 0, 2),
            (2, 2, 0),
        ]))
        .expect("a good plan");
        let peers = |links: &[Link]| {
            links
                .iter()
                .map(|link| (link.message, link.peer))
                .collect::<Vec<_>>()
        };
        assert_eq!(peers(table.receives(0, 0)), [(0, 1), (1, 2)]);
        assert_eq!(peers(table.sends(2, 0)), [(2, 1), (3, 2)]);
        assert_eq!(peers(table.receives(2, 0)), [(4, 2)]);
        assert!(table.sends(1, 0).is_empty() && table.receives(3, 2).is_empty());
        assert_eq!(
            [0, 1, 2, 3].map(|s| table.exchange(s)),
            [Some(0), None, Some(1), None]
        );
        assert_eq!(table.routes(), 4);
        assert_eq!(table.receives(0, 0)[1].route, table.receives(2, 0)[0].route);
    }

    #[test]
    fn contradictions_are_refused() {
        for messages in [
            &[(4, 0, 1)][..],
            &[(0, 0, 3)],
            &[(0, 1, 1)],
            &[(1, 0, 1), (0, 0, 1)],
            &[(0, 0, 1), (0, 0, 1)],
        ] {
            assert!(
                matches!(
                    Synchronisation::new(&plan(messages)),
                    Err(PlanError::Malformed(_))
                ),
                "{messages:?}"
            );
        }
    }
}
