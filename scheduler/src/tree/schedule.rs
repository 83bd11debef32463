//! Schedules of complete binary trees, piece by piece.

use superstep_schedule::Schedule;

use super::CompleteTree;

/// Schedule of a complete binary tree, in pieces. A piece is the top levels of a subtree, which one
/// processor computes without a pause, level by level from below.
///
/// From it come both explicit forms: the [time](Self::executions) of each task, and a
/// bulk-synchronous [`Schedule`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeSchedule {
    height: u32,
    tau: u64,
    /// Set if, within a level of a piece, the right task comes before the left.
    from_right: bool,
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Heap id of its root.
    root: u32,
    levels: u32,
    processor: u32,
    at: At,
}

/// Time at which something happens: by the delay model and by the bulk-synchronous model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// Time, in tasks.
    pub start: u64,
    /// Number of the superstep.
    pub superstep: u32,
}

/// Returns the tasks of a complete binary tree of `height` levels, which is also its makespan on
/// one processor.
pub fn sequential(height: u32) -> u64 {
    (1 << height) - 1
}

impl TreeSchedule {
    /// Makes a schedule without pieces of the tree of `height` levels under a delay of `tau` tasks.
    ///
    /// # Panics
    /// When the height is 0 or more than 30.
    pub fn new(height: u32, tau: u64) -> Self {
        assert!((1..=30).contains(&height), "task ids have 31 bits");
        Self {
            height,
            tau,
            from_right: false,
            pieces: Vec::new(),
        }
    }

    /// Makes a schedule whose pieces compute, in each level, the right task before the left.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn from_right_to_left(height: u32, tau: u64) -> Self {
        Self {
            from_right: true,
            ..Self::new(height, tau)
        }
    }

    /// Adds a piece: the top `levels` levels below `root`. Pieces of one processor come in the
    /// order in which it computes them.
    pub fn place(&mut self, root: u32, levels: u32, processor: u32, at: At) {
        self.pieces.push(Piece {
            root,
            levels,
            processor,
            at,
        });
    }

    /// Returns the delay that it was made for.
    pub fn tau(&self) -> u64 {
        self.tau
    }

    /// Returns the number of processors that it takes; they are numbered from 0.
    pub fn processors(&self) -> u32 {
        self.pieces
            .iter()
            .map(|piece| piece.processor + 1)
            .max()
            .unwrap_or(0)
    }

    /// Returns the time at which the root has been computed.
    pub fn makespan(&self) -> u64 {
        let end = |piece: &Piece| piece.at.start + sequential(piece.levels);
        self.pieces.iter().map(end).max().unwrap_or(0)
    }

    /// Returns each task of [`complete_tree`](super::complete_tree()) with its processor and the
    /// time at which it starts.
    pub fn executions(&self) -> impl Iterator<Item = (u32, u32, u64)> {
        self.pieces.iter().flat_map(|piece| {
            let times = (piece.at.start..).zip(self.tasks(piece));
            times.map(|(start, task)| (task - 1, piece.processor, start))
        })
    }

    /// Returns the bulk-synchronous schedule of `tree` on that many processors.
    ///
    /// For PY, ALG2, ALG3 and ALG3* its [makespan](superstep_schedule::cost::makespan()) is the
    /// tree's. ALG1 and the optimum overlap communication with computation, which supersteps
    /// cannot: they take longer in this form.
    ///
    /// # Panics
    /// When the tree has another height, or there are too few processors, or too many for a
    /// [`Schedule`].
    pub fn supersteps(&self, tree: &CompleteTree, processors: u32) -> Schedule {
        assert_eq!(tree.height(), self.height, "a schedule of another tree");
        assert!(self.processors() <= processors, "too few processors");
        let mut pieces: Vec<&Piece> = self.pieces.iter().collect();
        pieces.sort_by_key(|piece| (piece.at.superstep, piece.processor));
        let supersteps = pieces.last().map_or(0, |piece| piece.at.superstep + 1);
        let mut schedule = Schedule::new(processors);
        let mut rest = &pieces[..];
        for superstep in 0..supersteps {
            for processor in 0..processors {
                let here = |piece: &&&Piece| {
                    (piece.at.superstep, piece.processor) == (superstep, processor)
                };
                let (list, later) = rest.split_at(rest.iter().take_while(here).count());
                let tasks = list.iter().flat_map(|piece| self.tasks(piece));
                schedule.push(tasks.map(|task| tree.task(task)));
                rest = later;
            }
        }
        schedule
    }

    /// Returns the heap ids of a piece's tasks in the order in which they are computed.
    fn tasks(&self, piece: &Piece) -> impl Iterator<Item = u32> {
        let (root, from_right) = (piece.root, self.from_right);
        (0..piece.levels).rev().flat_map(move |depth| {
            let first = root << depth;
            let last = first + ((1 << depth) - 1);
            (first..=last).map(move |task| {
                if from_right {
                    first + last - task
                } else {
                    task
                }
            })
        })
    }
}
