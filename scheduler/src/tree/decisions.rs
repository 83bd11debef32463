//! Decisions of ALG3 and ALG3*, by height and number of processors.

/// Table of decisions with a row for each number of processors that came up. Those are few: p is
/// divided by 2^cut mod p, again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisions {
    height: u32,
    rows: Vec<(u64, Vec<Option<Decision>>)>,
}

/// Decision for one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Time at which its root has been computed.
    pub makespan: u64,
    /// Height of the part above the cut; 0: there is no cut.
    cut: u32,
}

impl Decision {
    /// Returns the height of the part above the cut; `None`: one processor computes the whole tree.
    pub fn cut(self) -> Option<u32> {
        Some(self.cut).filter(|&cut| cut > 0)
    }
}

impl Decisions {
    /// Makes a table for trees of up to `height` levels.
    ///
    /// # Panics
    /// For more than 62 levels.
    pub fn new(height: u32) -> Self {
        assert!(height <= 62, "a tree of {height} levels has too many tasks");
        Self {
            height,
            rows: Vec::new(),
        }
    }

    /// Returns the decision for that tree, if it was made.
    ///
    /// # Panics
    /// When the height is 0, or the table is for lower trees.
    pub fn known(&self, height: u32, processors: u64) -> Option<Decision> {
        let row = self.rows.iter().find(|row| row.0 == processors)?;
        row.1[height as usize - 1]
    }

    /// Returns the decision for that tree.
    ///
    /// # Panics
    /// When it was not made.
    pub fn get(&self, height: u32, processors: u64) -> Decision {
        self.known(height, processors)
            .expect("the height was planned")
    }

    /// Enters the decision for that tree; a cut of 0 is none.
    ///
    /// # Panics
    /// As [`known`](Self::known).
    pub fn insert(&mut self, height: u32, processors: u64, makespan: u64, cut: u32) {
        let row = self.rows.iter().position(|row| row.0 == processors);
        let row = row.unwrap_or_else(|| {
            self.rows
                .push((processors, vec![None; self.height as usize]));
            self.rows.len() - 1
        });
        self.rows[row].1[height as usize - 1] = Some(Decision { makespan, cut });
    }
}
