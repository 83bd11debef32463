//! The safe view of one array on which an inner loop works: the words it writes, and the words around them that it reads.

/// An array split into the words that a run writes, at `start..start + count`, and those below and above.
///
/// A run that reads and writes the same array can be a loop over slices, which the compiler vectorises, when it reads nothing that it
/// writes; `Window` gives out such slices without `unsafe`, and says `None` where they would overlap.
#[derive(Debug)]
pub struct Window<'a, T> {
    below: &'a [T],
    above: &'a [T],
    start: usize,
    end: usize,
}

impl<'a, T: Copy> Window<'a, T> {
    /// Splits `array`: the words to write, and the window around them.
    ///
    /// # Panics
    /// When `start + count` is beyond the array.
    #[inline(always)]
    pub fn split(array: &'a mut [T], start: usize, count: usize) -> (&'a mut [T], Self) {
        let (below, rest) = array.split_at_mut(start);
        let (written, above) = rest.split_at_mut(count);
        (
            written,
            Self {
                below,
                above,
                start,
                end: start + count,
            },
        )
    }

    /// The `count` words from `at`, or `None` where one of them is written.
    ///
    /// # Panics
    /// When `at + count` is beyond the array.
    #[inline(always)]
    pub fn words(&self, at: usize, count: usize) -> Option<&'a [T]> {
        if at >= self.end {
            Some(&self.above[at - self.end..][..count])
        } else if at + count <= self.start {
            Some(&self.below[at..at + count])
        } else {
            None
        }
    }

    /// The word at `at`, or `None` where it is written.
    ///
    /// # Panics
    /// When `at` is beyond the array.
    #[inline(always)]
    pub fn word(&self, at: usize) -> Option<T> {
        self.words(at, 1).map(|words| words[0])
    }
}

#[cfg(test)]
mod tests {
    use super::Window;

    #[test]
    fn reads_around_but_never_inside_what_is_written() {
        let mut array = [0, 1, 2, 3, 4, 5, 6, 7];
        let (written, window) = Window::split(&mut array, 3, 2);
        assert_eq!(written, [3, 4]);
        assert_eq!(window.words(0, 3), Some(&[0, 1, 2][..]));
        assert_eq!(window.words(5, 3), Some(&[5, 6, 7][..]));
        assert_eq!(window.words(2, 2), None);
        assert_eq!(window.words(4, 2), None);
        assert_eq!(window.words(2, 4), None);
        assert_eq!(
            (window.word(2), window.word(3), window.word(5)),
            (Some(2), None, Some(5))
        );
    }
}
