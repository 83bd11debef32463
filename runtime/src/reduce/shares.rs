//! Shares of one reduction on a team: every thread does its own first, then what is left of the
//! others'.
//!
//! Shares are cut into pieces, which threads claim at run time. So a thread that comes late holds
//! nobody back, and one that loses its core only with the piece that it is at. Who combines a piece
//! changes nothing of the order: a share's pieces are put together from left to right, then the
//! shares are.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use superstep_reduction::Tree;

use super::forest::Forest;
use super::operands::Operands;
use crate::error::{Payload, catch};
use crate::sync::{Mutex, Padded, lock};
use crate::team;

/// Number of pieces of a share, if it has as many blocks; at most twice as many.
const PIECES: usize = 8;

/// Shares of one reduction.
pub(super) struct Shares<T, O, C> {
    tree: Tree,
    operands: O,
    combine: C,
    /// Share of each processor that takes part.
    shares: Vec<Padded<Share<T>>>,
    panics: Mutex<Vec<Panic>>,
}

struct Share<T> {
    operands: Range<usize>,
    /// Operands of a piece: pieces begin at its multiples and where the share does.
    piece: usize,
    claimed: AtomicUsize,
    /// Pieces that have been combined; when those were all, the whole share alone.
    combined: Mutex<Vec<Combined<T>>>,
}

/// Piece, or whole share, that has been combined.
struct Combined<T> {
    first: usize,
    forest: Forest<T>,
}

/// Panic with which a piece of a processor's share unwound.
pub(super) struct Panic {
    /// First operand of the piece.
    first: usize,
    pub(super) processor: usize,
    pub(super) payload: Payload,
}

impl<T> Share<T> {
    fn new(tree: &Tree, processor: usize) -> Self {
        let operands = tree.range(processor);
        let blocks = operands.len().div_ceil(tree.block());
        let together = (blocks / PIECES).max(1).ilog2();
        Self {
            operands,
            piece: tree.block() << together,
            claimed: AtomicUsize::new(0),
            combined: Mutex::new(Vec::new()),
        }
    }

    fn pieces(&self) -> usize {
        self.operands.end.div_ceil(self.piece) - self.operands.start / self.piece
    }

    /// Returns the next piece that nobody has claimed.
    fn claim(&self) -> Option<Range<usize>> {
        let number = self.claimed.fetch_add(1, Ordering::Relaxed);
        let start = (self.operands.start / self.piece + number) * self.piece;
        let end = start + self.piece;
        (number < self.pieces()).then(|| start.max(self.operands.start)..end.min(self.operands.end))
    }

    /// Adds a piece; returns all of them, from left to right, when this was the last.
    fn add(&self, one: Combined<T>) -> Option<Vec<Combined<T>>> {
        let mut all = lock(&self.combined);
        all.push(one);
        if all.len() < self.pieces() {
            return None;
        }
        let mut all = std::mem::take(&mut *all);
        all.sort_unstable_by_key(|one| one.first);
        Some(all)
    }
}

impl<T, O, C> Shares<T, O, C>
where
    O: Operands<T>,
    C: Fn(T, T) -> T,
{
    pub(super) fn new(tree: &Tree, operands: O, combine: C) -> Self {
        let share = |processor| Padded(Share::new(tree, processor));
        Self {
            tree: tree.clone(),
            operands,
            combine,
            shares: (0..tree.active()).map(share).collect(),
            panics: Mutex::new(Vec::new()),
        }
    }

    /// Returns all operands combined, when all processors' parts have run.
    pub(super) fn finish(&self) -> Result<Option<T>, Panic> {
        let panics = std::mem::take(&mut *lock(&self.panics));
        // All pieces have run, so the first of these is the same in every run.
        if let Some(first) = panics.into_iter().min_by_key(|panic| panic.first) {
            return Err(first);
        }
        let all = || {
            let shares = self
                .shares
                .iter()
                .map(|share| lock(&share.0.combined).pop());
            let forests = shares.flatten().map(|one| one.forest);
            self.put_together(forests).finish(&self.combine)
        };
        catch(all).map_err(|payload| Panic {
            first: 0,
            processor: 0,
            payload,
        })
    }

    /// Combines a piece, and its share with it if it was the last one.
    fn combine(&self, share: &Share<T>, piece: Range<usize>) {
        let piece = Combined {
            first: piece.start,
            forest: Forest::of(&self.tree, piece, &self.operands, &self.combine),
        };
        if let Some(all) = share.add(piece) {
            let whole = Combined {
                first: share.operands.start,
                forest: self.put_together(all.into_iter().map(|one| one.forest)),
            };
            lock(&share.combined).push(whole);
        }
    }

    fn put_together(&self, forests: impl Iterator<Item = Forest<T>>) -> Forest<T> {
        let mut all = Forest::new(self.tree.order());
        forests.for_each(|forest| all.append(forest, &self.combine));
        all
    }
}

impl<T, O, C> team::Job for Shares<T, O, C>
where
    T: Send,
    O: Operands<T> + Send + Sync,
    C: Fn(T, T) -> T + Send + Sync,
{
    fn run(&self, processor: usize) {
        let active = self.shares.len();
        for owner in (processor..active).chain(0..processor) {
            let share = &self.shares[owner].0;
            while let Some(piece) = share.claim() {
                let first = piece.start;
                let combine = || self.combine(share, piece);
                if let Err(payload) = catch(combine) {
                    lock(&self.panics).push(Panic {
                        first,
                        processor: owner,
                        payload,
                    });
                }
            }
        }
    }
}
