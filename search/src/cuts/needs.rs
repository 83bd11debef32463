//! Needs of processors of later supersteps for values.

use super::{growth::Growth, levelled::Levelled};

/// Values of tasks, by ascending rank, and the processors that need them, as bits.
pub(super) type Needs = Vec<(u32, u64)>;

/// Demand for the values of a layer, counted by class.
#[derive(Default)]
pub(super) struct Demand {
    pub(super) entries: Vec<Entry>,
    /// Number of the needs that are counted.
    counted: usize,
    /// Number of entries after the last compression.
    compressed: usize,
}

/// Words of a class that the same processors need.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) class: u32,
    pub(super) needed_by: u64,
    pub(super) words: u64,
}

impl Demand {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.counted = 0;
        self.compressed = 0;
    }

    /// Counts the needs for values of the tasks that the layer has got since.
    pub(super) fn count(&mut self, graph: &Levelled<'_>, layer: &Growth<'_>, needs: &Needs) {
        let end = layer.ranks().end;
        while let Some(&(rank, needed_by)) = needs.get(self.counted)
            && rank < end
        {
            self.counted += 1;
            let words = graph.words(rank);
            if words == 0 {
                continue;
            }
            let class = layer.class_of(rank);
            match self.entries.last_mut() {
                Some(last) if (last.class, last.needed_by) == (class, needed_by) => {
                    last.words += words;
                }
                _ => self.entries.push(Entry {
                    class,
                    needed_by,
                    words,
                }),
            }
        }
        if self.entries.len() > 2 * self.compressed + 100 {
            self.compress();
        }
    }

    fn compress(&mut self) {
        self.entries
            .sort_unstable_by_key(|entry| (entry.class, entry.needed_by));
        self.entries.dedup_by(|entry, kept| {
            let same = (entry.class, entry.needed_by) == (kept.class, kept.needed_by);
            if same {
                kept.words += entry.words;
            }
            same
        });
        self.compressed = self.entries.len();
    }

    /// Follows the numbers of classes that were merged.
    pub(super) fn remap(&mut self, remap: &[u32]) {
        for entry in &mut self.entries {
            entry.class = remap[entry.class as usize];
        }
        self.compress();
    }
}
