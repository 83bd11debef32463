//! Needs of processors of later supersteps for values.

use super::{growth::Growth, leveled::Leveled};

/// Values of tasks, by ascending place, and the processors that need them, as bits.
pub(super) type Needs = Vec<(u32, u64)>;

/// Collector of the needs for values of the tasks before a layer.
#[derive(Default)]
pub(super) struct Collector {
    /// Processors that need each place, as bits; 0 between uses.
    needed_by: Vec<u64>,
}

impl Collector {
    /// Returns the needs for values of the tasks before the layer: those of later layers, and those
    /// of the layer itself. `processors` has the set of processors of each class of the layer.
    pub(super) fn before(
        &mut self,
        graph: &Leveled<'_>,
        layer: &Growth,
        processors: &[u64],
        after: &Needs,
    ) -> Needs {
        let end = layer.places().end;
        self.needed_by.resize(graph.tasks(), 0);
        let mut needs: Needs = Vec::new();
        for &(place, set) in after {
            if place >= end {
                self.needed_by[place as usize] = set;
                needs.push((place, 0));
            }
        }
        for place in layer.places() {
            let set = processors[layer.slot_of(place) as usize];
            for predecessor in graph.predecessors(place) {
                if predecessor >= end {
                    let needed_by = &mut self.needed_by[predecessor as usize];
                    if *needed_by == 0 {
                        needs.push((predecessor, 0));
                    }
                    *needed_by |= set;
                }
            }
        }
        needs.sort_unstable();
        for (place, set) in &mut needs {
            *set = std::mem::take(&mut self.needed_by[*place as usize]);
        }
        needs
    }
}

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
    pub(super) slot: u32,
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
    pub(super) fn count(&mut self, graph: &Leveled<'_>, layer: &Growth, needs: &Needs) {
        let end = layer.places().end;
        while let Some(&(place, needed_by)) = needs.get(self.counted)
            && place < end
        {
            self.counted += 1;
            let words = graph.words(place);
            if words == 0 {
                continue;
            }
            let slot = layer.slot_of(place);
            match self.entries.last_mut() {
                Some(last) if (last.slot, last.needed_by) == (slot, needed_by) => {
                    last.words += words;
                }
                _ => self.entries.push(Entry {
                    slot,
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
            .sort_unstable_by_key(|entry| (entry.slot, entry.needed_by));
        self.entries.dedup_by(|entry, kept| {
            let same = (entry.slot, entry.needed_by) == (kept.slot, kept.needed_by);
            if same {
                kept.words += entry.words;
            }
            same
        });
        self.compressed = self.entries.len();
    }

    /// Follows the slots when classes were merged.
    pub(super) fn remap(&mut self, remap: &[u32]) {
        for entry in &mut self.entries {
            entry.slot = remap[entry.slot as usize];
        }
        self.compress();
    }
}
