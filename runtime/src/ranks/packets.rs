//! Words of memories as messages: packed where they are, sent, received, and unpacked.
//!
//! A message lies in a buffer of the communicator, which gives it again once it has left or been
//! read. Memory that is new to a process costs a page fault for each 4 KiB, which takes longer than
//! to copy them.

use superstep_plan::Strided;

use super::{Communicator, RankError};
use crate::error::catch;
use crate::kernel::Kernel;

/// Returns copies that read words from where these put them.
pub(crate) fn at_target(strided: &Strided) -> Strided {
    Strided {
        from: strided.to,
        from_step: strided.to_step,
        ..*strided
    }
}

/// Returns copies that put words to where these read them.
pub(crate) fn at_source(strided: &Strided) -> Strided {
    Strided {
        to: strided.from,
        to_step: strided.from_step,
        ..*strided
    }
}

/// Begins to send words of a memory to other ranks.
pub(crate) fn send_packed<K: Kernel>(
    ranks: &mut dyn Communicator,
    to: &[usize],
    packet: &mut K::Packet,
    memory: &K::Memory,
    strided: impl Iterator<Item = Strided>,
) -> Result<(), RankError> {
    let Some((&last, others)) = to.split_last() else {
        return Ok(());
    };
    let bytes = packed::<K>(ranks.buffer(), packet, memory, strided);
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
    strided: impl Iterator<Item = Strided>,
) -> Result<(), RankError> {
    let bytes = ranks.receive(from)?;
    let unpacked = unpacked::<K>(from, &bytes, packet, memory, strided);
    ranks.reuse(bytes);
    unpacked
}

/// Packs words of a memory; returns them as bytes, in an empty buffer that is given.
pub(crate) fn packed<K: Kernel>(
    mut bytes: Vec<u8>,
    packet: &mut K::Packet,
    memory: &K::Memory,
    strided: impl Iterator<Item = Strided>,
) -> Vec<u8> {
    K::clear(packet);
    strided.for_each(|strided| K::pack(memory, packet, &strided));
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
    strided: impl Iterator<Item = Strided>,
) -> Result<(), RankError> {
    K::clear(packet);
    let (mut rest, mut is_whole) = (bytes, true);
    let read = K::streams(packet, &mut |stream| is_whole &= stream.read(&mut rest));
    let is_whole = is_whole && read.is_ok() && rest.is_empty();
    let unpack = || strided.for_each(|strided| K::unpack(packet, memory, &strided));
    let unpacked = is_whole && catch(unpack).is_ok();
    unpacked.then_some(()).ok_or(RankError::Malformed { from })
}
