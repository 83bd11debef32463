//! Schedules of complete binary trees, piece by piece.

use superstep_schedule::Schedule;

use super::CompleteTree;
#[cfg(feature = "classics")]
use super::{Entry, Timetable};

/// A schedule of a complete binary tree, as pieces: the top levels of a subtree, computed by one processor without a pause, level by level
/// from below.
///
/// From it come both explicit forms: a [`Timetable`] with a time for each task, and a bulk-synchronous [`Schedule`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeSchedule {
    height: u32,
    tau: u64,
    /// Within a level of a piece, the right task before the left.
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

/// When something happens: by the delay model and by the bulk-synchronous model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    pub start: u64,
    pub superstep: u32,
}

impl TreeSchedule {
    pub(super) fn new(height: u32, tau: u64) -> Self {
        assert!((1..=30).contains(&height), "task ids have 31 bits");
        Self {
            height,
            tau,
            from_right: false,
            pieces: Vec::new(),
        }
    }

    #[cfg(feature = "classics")]
    pub(super) fn from_right_to_left(height: u32, tau: u64) -> Self {
        Self {
            from_right: true,
            ..Self::new(height, tau)
        }
    }

    /// Adds the top `levels` levels below `root`. Pieces of one processor come in the order in which it computes them.
    pub(super) fn place(&mut self, root: u32, levels: u32, processor: u32, at: At) {
        self.pieces.push(Piece {
            root,
            levels,
            processor,
            at,
        });
    }

    /// The delay that it was made for.
    pub fn tau(&self) -> u64 {
        self.tau
    }

    /// How many processors it takes; they are numbered from 0.
    pub fn processors(&self) -> u32 {
        self.pieces
            .iter()
            .map(|piece| piece.processor + 1)
            .max()
            .unwrap_or(0)
    }

    /// When the root has been computed.
    pub fn makespan(&self) -> u64 {
        let end = |piece: &Piece| piece.at.start + super::arithmetic::sequential(piece.levels);
        self.pieces.iter().map(end).max().unwrap_or(0)
    }

    #[cfg(feature = "classics")]
    /// The time and processor of each task of [`complete_tree`](super::complete_tree()). Cost: a sort, 16 bytes per task.
    pub fn timetable(&self) -> Timetable {
        let mut entries = Vec::with_capacity((1 << self.height) - 1);
        for piece in &self.pieces {
            for (start, task) in (piece.at.start..).zip(self.tasks(piece)) {
                entries.push(Entry {
                    task: task - 1,
                    processor: piece.processor,
                    start,
                });
            }
        }
        Timetable::new(entries)
    }

    /// The bulk-synchronous schedule of `tree` on that many processors.
    ///
    /// For PY, ALG2, ALG3 and ALG3* its [makespan](superstep_schedule::cost::makespan()) is the tree's. ALG1 and the optimum overlap communication with
    /// computation, which supersteps cannot: they take longer in this form.
    ///
    /// # Panics
    /// When the tree has another height, or there are too few processors, or too many for a [`Schedule`].
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

    /// Heap ids of a piece's tasks in the order in which they are computed.
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
