//! Words as bytes, which ranks send each other.
//!
//! A word crosses between ranks as it lies in memory, so all ranks are of one kind of machine. A
//! type can be sent if `bytemuck` knows it: numbers, flags, characters, complex numbers of
//! `num-complex` (its feature `bytemuck`), and types that derive `Pod`.

use std::any::type_name;

use bytemuck::{CheckedBitPattern, NoUninit};

use crate::stream::Stream;

/// Type whose words can be sent. Implemented for all that `bytemuck` knows well enough.
pub trait Element: NoUninit + CheckedBitPattern {}

impl<T: NoUninit + CheckedBitPattern> Element for T {}

/// Returns words as bytes.
pub(super) fn bytes<T: Element>(words: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(words).to_vec()
}

/// Returns the words that bytes are; none if they are no words of the type.
pub(super) fn words<T: Element>(bytes: &[u8]) -> Option<Vec<T>> {
    let mut words = Vec::new();
    append(bytes, &mut words).then_some(words)
}

/// Appends the words that bytes are; returns whether they are words of the type.
fn append<T: Element>(bytes: &[u8], words: &mut Vec<T>) -> bool {
    let size = size_of::<T>();
    if size == 0 || !bytes.len().is_multiple_of(size) {
        return bytes.is_empty();
    }
    // Long messages are aligned as all that is allocated, and copied at once.
    if let Ok(all) = bytemuck::checked::try_cast_slice(bytes) {
        words.extend_from_slice(all);
        return true;
    }
    words.reserve(bytes.len() / size);
    bytes.chunks_exact(size).all(|chunk| {
        let word = bytemuck::checked::try_pod_read_unaligned(chunk);
        word.is_ok_and(|word| {
            words.push(word);
            true
        })
    })
}

/// Stream of words whose type its user does not know.
pub trait Raw {
    /// Returns how many bytes [`write`](Self::write) appends.
    fn bytes(&self) -> usize;

    /// Appends the number of words, in eight bytes, and the words.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Takes as many words off the front of `bytes` as they say; returns whether they are there.
    fn read(&mut self, bytes: &mut &[u8]) -> bool;

    /// Appends a word of zero bytes; returns whether there is one.
    fn zero(&mut self) -> bool;
}

impl<T: Element> Raw for Stream<T> {
    fn bytes(&self) -> usize {
        size_of::<u64>() + size_of_val(self.words())
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.words().len() as u64).to_le_bytes());
        bytes.extend_from_slice(bytemuck::cast_slice(self.words()));
    }

    fn read(&mut self, bytes: &mut &[u8]) -> bool {
        let Some((count, rest)) = bytes.split_first_chunk() else {
            return false;
        };
        let length = (u64::from_le_bytes(*count) as usize).checked_mul(size_of::<T>());
        let Some((own, rest)) = length.and_then(|length| rest.split_at_checked(length)) else {
            return false;
        };
        *bytes = rest;
        append(own, self.words_mut())
    }

    fn zero(&mut self) -> bool {
        append(&vec![0; size_of::<T>()], self.words_mut())
    }
}

/// Stream of a packet, as the expansion of `#[kernel]` hands it on. There are two methods `visit`:
/// the compiler takes the type's own if the words are [elements](Element), and else that of
/// [`Unstreamed`].
#[derive(Debug)]
pub struct Streamed<'s, T>(pub &'s mut Stream<T>);

impl<T: Element> Streamed<'_, T> {
    /// Hands the stream on.
    ///
    /// # Errors
    /// None: for types that are no elements there is [`Unstreamed::visit`].
    pub fn visit(self, visit: &mut dyn FnMut(&mut dyn Raw)) -> Result<(), &'static str> {
        visit(self.0);
        Ok(())
    }
}

/// Fallback for `visit` of [`Streamed`], for words that are no [elements](Element).
pub trait Unstreamed: Sized {
    /// Refuses.
    ///
    /// # Errors
    /// With the name of the type.
    fn visit(self, visit: &mut dyn FnMut(&mut dyn Raw)) -> Result<(), &'static str>;
}

impl<T> Unstreamed for Streamed<'_, T> {
    fn visit(self, _: &mut dyn FnMut(&mut dyn Raw)) -> Result<(), &'static str> {
        Err(type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use superstep_plan::Strided;

    use super::*;

    fn all(count: u32) -> Strided {
        Strided {
            array: 0,
            count,
            from: 0,
            from_step: 1,
            to: 0,
            to_step: 1,
        }
    }

    fn crossed<T: Element + PartialEq + std::fmt::Debug>(memory: &[T]) {
        let (mut packet, mut bytes) = (Stream::default(), Vec::new());
        packet.pack(memory, &all(memory.len() as u32));
        packet.write(&mut bytes);
        bytes.push(7);
        let (mut rest, mut arrived) = (&bytes[..], Stream::<T>::default());
        assert!(arrived.read(&mut rest));
        assert_eq!(rest, [7]);
        assert_eq!(arrived.words(), memory);
        for end in 0..bytes.len() - 1 {
            assert!(!Stream::<T>::default().read(&mut &bytes[..end]), "{end}");
        }
    }

    #[test]
    fn words_cross_as_bytes() {
        crossed(&[1.5f64, f64::MIN_POSITIVE, -0.0]);
        crossed(&[1u8, 2, 3]);
        crossed(&[true, false, true]);
        crossed(&['a', '\u{10ffff}']);
        crossed(&[[1u16, 2, 3], [4, 5, 6]]);
    }

    #[test]
    fn bytes_that_are_no_words_are_refused() {
        assert_eq!(words::<bool>(&[0, 1, 1]), Some(vec![false, true, true]));
        assert_eq!(words::<bool>(&[0, 2]), None);
        assert_eq!(words::<u32>(&[1, 0, 0]), None);
        let mut stream = Stream::<u64>::default();
        assert!(stream.zero());
        assert_eq!(stream.words(), [0]);
        assert!(!Stream::<std::num::NonZeroU8>::default().zero());
        assert!(!stream.read(&mut &u64::MAX.to_le_bytes()[..]));
    }

    #[test]
    fn types_that_are_not_known_as_bytes_are_named() {
        #[derive(Clone, Copy)]
        struct Padded(u8, u32);
        let mut stream = Stream::<Padded>::default();
        stream.words_mut().push(Padded(1, 2));
        assert_eq!(
            stream
                .words()
                .iter()
                .map(|it| u32::from(it.0) + it.1)
                .sum::<u32>(),
            3
        );
        let refused = Streamed(&mut stream).visit(&mut |_| unreachable!());
        assert!(refused.unwrap_err().ends_with("Padded"));
        let mut seen = 0;
        let visited = Streamed(&mut Stream::<u32>::default()).visit(&mut |_| seen += 1);
        assert_eq!((visited, seen), (Ok(()), 1));
    }
}
