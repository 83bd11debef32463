//! Which cache line a word of an array stands in.

use std::ops::Range;

use superstep_tracer::Kernel;

/// Bytes of a line.
pub(crate) const LINE: usize = 64;

/// The lines of one processor's arrays, each of which is taken to begin with one.
pub(crate) struct CacheLines {
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    /// First line of each array, and the number of all lines.
    bases: Vec<usize>,
}

impl CacheLines {
    /// Of arrays with so many words.
    pub(crate) fn new(kernel: &Kernel, lengths: impl Iterator<Item = u32>) -> Self {
        let sizes = sizes(kernel);
        let mut bases = vec![0];
        let mut end = 0;
        for (length, size) in lengths.zip(&sizes) {
            end += (length as usize * size).div_ceil(LINE);
            bases.push(end);
        }
        Self { sizes, bases }
    }

    /// The line of a word.
    pub(crate) fn line(&self, array: usize, slot: usize) -> usize {
        self.bases[array] + slot * self.sizes[array] / LINE
    }

    /// The lines of an array.
    pub(crate) fn array(&self, array: usize) -> Range<usize> {
        self.bases[array]..self.bases[array + 1]
    }
}

/// Bytes of a word of each array.
pub(crate) fn sizes(kernel: &Kernel) -> Vec<usize> {
    let arrays = kernel.arrays.iter();
    arrays.map(|array| size(&array.element)).collect()
}

/// Bytes of a word of that type; eight for types that are not built in.
pub(crate) fn size(element: &str) -> usize {
    let part = |element: &str| match element.trim() {
        "u8" | "i8" | "bool" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" | "f32" | "char" => 4,
        "u128" | "i128" => 16,
        _ => 8,
    };
    match element.split_once('<') {
        Some((name, inner)) if name.trim().ends_with("Complex") => {
            2 * part(inner.trim_end_matches('>'))
        }
        _ => part(element),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn words_have_the_sizes_of_their_types() {
        let sizes = [
            "f64",
            "u8",
            "i32",
            "Complex<f64>",
            "Complex < f32 >",
            "Pair",
        ]
        .map(size);
        assert_eq!(sizes, [8, 1, 4, 16, 8, 8]);
    }
}
