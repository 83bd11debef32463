//! Packing and unpacking of one message.

use superstep_plan::synchronisation::Link;
use superstep_plan::{Copies, Plan};

use crate::kernel::Kernel;

/// A fault that a test injects: one word of one message gets lost, and the receiver keeps the value that it had in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Index into `Plan::messages`.
    pub(crate) message: usize,
    /// Which of the message's words, in the order of its copies.
    pub(crate) word: usize,
}

impl Fault {
    /// The word that a fault takes from `message`.
    fn word_of(fault: Option<Self>, message: usize) -> Option<usize> {
        fault
            .filter(|fault| fault.message == message)
            .map(|fault| fault.word)
    }
}

/// Fills `packet` with the words of the link's message.
pub(crate) fn pack<K: Kernel>(plan: &Plan, link: Link, memory: &K::Memory, packet: &mut K::Packet) {
    K::clear(packet);
    for copies in &plan.messages[link.message as usize].copies {
        K::pack(memory, packet, copies);
    }
}

/// Takes the words of the link's message out of `packet`, all but the one that the fault takes.
pub(crate) fn unpack<K: Kernel>(
    plan: &Plan,
    link: Link,
    fault: Option<Fault>,
    packet: &mut K::Packet,
    memory: &mut K::Memory,
) {
    let message = &plan.messages[link.message as usize];
    let lost = Fault::word_of(fault, link.message as usize);
    let Some(mut lost) = lost else {
        return message
            .copies
            .iter()
            .for_each(|copies| K::unpack(packet, memory, copies));
    };
    for copies in &message.copies {
        match lost.checked_sub(copies.count as usize) {
            Some(later) => {
                K::unpack(packet, memory, copies);
                lost = later;
            }
            None => {
                let lost = std::mem::replace(&mut lost, usize::MAX) as u32;
                K::unpack(packet, memory, &part(copies, 0, lost));
                lose::<K>(packet, memory, &part(copies, lost, 1));
                K::unpack(
                    packet,
                    memory,
                    &part(copies, lost + 1, copies.count - lost - 1),
                );
            }
        }
    }
}

/// Takes a word out of `packet` and restores what stood in its place.
fn lose<K: Kernel>(packet: &mut K::Packet, memory: &mut K::Memory, word: &Copies) {
    let mut kept = K::Packet::default();
    K::pack(
        memory,
        &mut kept,
        &Copies {
            from: word.to,
            ..*word
        },
    );
    K::unpack(packet, memory, word);
    K::unpack(&mut kept, memory, word);
}

/// `count` of the copies, from the `first` on.
fn part(copies: &Copies, first: u32, count: u32) -> Copies {
    let at = |start: u32, step: i32| (i64::from(start) + i64::from(first) * i64::from(step)) as u32;
    Copies {
        count,
        from: at(copies.from, copies.from_step),
        to: at(copies.to, copies.to_step),
        ..*copies
    }
}
