//! What ALG3 and ALG3* decided, by height and number of processors.

/// A table with a row for each number of processors that came up: those are few, p divided by a power-of-two remainder again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plans {
    height: u32,
    rows: Vec<(u64, Vec<Option<Plan>>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub makespan: u64,
    /// Height of the part above the cut; 0: there is no cut.
    cut: u32,
}

impl Plan {
    pub(super) fn cut(self) -> Option<u32> {
        Some(self.cut).filter(|&cut| cut > 0)
    }
}

impl Plans {
    pub(super) fn new(height: u32) -> Self {
        assert!(height <= 62, "a tree of {height} levels has too many tasks");
        Self {
            height,
            rows: Vec::new(),
        }
    }

    /// The plan for that tree, if it was made.
    pub(super) fn known(&self, height: u32, processors: u64) -> Option<Plan> {
        let row = self.rows.iter().find(|row| row.0 == processors)?;
        row.1[height as usize - 1]
    }

    pub(super) fn get(&self, height: u32, processors: u64) -> Plan {
        self.known(height, processors)
            .expect("the height was planned")
    }

    pub(super) fn insert(&mut self, height: u32, processors: u64, makespan: u64, cut: u32) {
        let row = self.rows.iter().position(|row| row.0 == processors);
        let row = row.unwrap_or_else(|| {
            self.rows
                .push((processors, vec![None; self.height as usize]));
            self.rows.len() - 1
        });
        self.rows[row].1[height as usize - 1] = Some(Plan { makespan, cut });
    }
}
