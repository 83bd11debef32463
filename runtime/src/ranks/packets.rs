//! Words of memories as messages: packed where they are, sent, received, and unpacked.
//!
//! A message lies in a buffer of the communicator, which gives it again once it has left or been
//! read. Memory that is new to a process costs a page fault for each 4 KiB, which takes longer than
//! to copy them.

use superstep_plan::Copies;

use super::{Communicator, RankError};
use crate::error::catch;
use crate::kernel::Kernel;

/// Returns copies that read words from where these copies put them.
pub(crate) fn at_target(copies: &Copies) -> Copies {
    Copies {
        from: copies.to,
        from_step: copies.to_step,
        ..*copies
    }
}

/// Returns copies that put words to where these copies read them.
pub(crate) fn at_source(copies: &Copies) -> Copies {
    Copies {
        to: copies.from,
        to_step: copies.from_step,
        ..*copies
    }
}

/// Begins to send words of a memory to another rank.
pub(crate) fn send_packed<K: Kernel>(
    ranks: &mut dyn Communicator,
    to: usize,
    packet: &mut K::Packet,
    memory: &K::Memory,
    copies: impl Iterator<Item = Copies>,
) -> Result<(), RankError> {
    let bytes = packed::<K>(ranks.buffer(), packet, memory, copies);
    ranks.send(to, bytes)
}

/// Begins to send words of a memory to several ranks.
pub(crate) fn send_to_all<K: Kernel>(
    ranks: &mut dyn Communicator,
    to: &[usize],
    packet: &mut K::Packet,
    memory: &K::Memory,
    copies: impl Iterator<Item = Copies>,
) -> Result<(), RankError> {
    let Some((&last, others)) = to.split_last() else {
        return Ok(());
    };
    let bytes = packed::<K>(ranks.buffer(), packet, memory, copies);
    for &other in others {
        let mut own = ranks.buffer();
        own.extend_from_slice(&bytes);
        ranks.send(other, own)?;
    }
    ranks.send(last, bytes)
}

/// Waits for the words that another rank sends next, and puts them into a memory.
pub(crate) fn receive_packed<K: Kernel>(
    ranks: &mut dyn Communicator,
    from: usize,
    packet: &mut K::Packet,
    memory: &mut K::Memory,
    copies: impl Iterator<Item = Copies>,
) -> Result<(), RankError> {
    let bytes = ranks.receive(from)?;
    let unpacked = unpacked::<K>(from, &bytes, packet, memory, copies);
    ranks.reuse(bytes);
    unpacked
}

/// Packs words of a memory; returns them as bytes, in an empty buffer that is given.
pub(crate) fn packed<K: Kernel>(
    mut bytes: Vec<u8>,
    packet: &mut K::Packet,
    memory: &K::Memory,
    copies: impl Iterator<Item = Copies>,
) -> Vec<u8> {
    K::clear(packet);
    copies.for_each(|copies| K::pack(memory, packet, &copies));
    let mut length = 0;
    let counted = K::streams(packet, &mut |stream| length += stream.bytes());
    bytes.reserve(length);
    let done = K::streams(packet, &mut |stream| stream.write(&mut bytes));
    debug_assert!(counted.and(done).is_ok(), "`able` has asked");
    bytes
}

/// Unpacks words that are bytes into a memory.
pub(crate) fn unpacked<K: Kernel>(
    from: usize,
    bytes: &[u8],
    packet: &mut K::Packet,
    memory: &mut K::Memory,
    copies: impl Iterator<Item = Copies>,
) -> Result<(), RankError> {
    K::clear(packet);
    let (mut rest, mut is_whole) = (bytes, true);
    let read = K::streams(packet, &mut |stream| is_whole &= stream.read(&mut rest));
    let is_whole = is_whole && read.is_ok() && rest.is_empty();
    let unpack = || copies.for_each(|copies| K::unpack(packet, memory, &copies));
    let unpacked = is_whole && catch(unpack).is_ok();
    unpacked.then_some(()).ok_or(RankError::Malformed { from })
}
