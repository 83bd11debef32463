//! Memory of ranks that run a program by parts: no rank allocates an array in whole.
//!
//! This test is alone in its file, since it counts for the whole process.

// A counting allocator cannot be written without; it only hands on to the system's.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use superstep::ranks::{Communicator, local};
use superstep_mpi_kernels::{Case, Watch};

/// Ranks that are counted for, after all other threads.
const OWNERS: usize = 9;

/// Bytes that a rank has now, at most so far, and in its largest block.
struct Bytes {
    now: AtomicUsize,
    most: AtomicUsize,
    largest: AtomicUsize,
}

static BYTES: [Bytes; OWNERS] = [const {
    Bytes {
        now: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
        largest: AtomicUsize::new(0),
    }
}; OWNERS];

thread_local! {
    /// Owner of what this thread allocates: its rank from 1, or 0.
    static OWNER: Cell<usize> = const { Cell::new(0) };
}

/// Allocator that writes the owner before each block, as a message is freed by its receiver.
struct Counting;

/// Returns the layout with an owner before it, and where the block begins.
fn owned(layout: Layout) -> (Layout, usize) {
    Layout::new::<usize>()
        .extend(layout)
        .expect("it is no longer than memory")
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (whole, start) = owned(layout);
        // SAFETY: it is not empty.
        let block = unsafe { System.alloc(whole) };
        if block.is_null() {
            return block;
        }
        let owner = OWNER.get();
        let Bytes { now, most, largest } = &BYTES[owner];
        let bytes = now.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        most.fetch_max(bytes, Ordering::Relaxed);
        largest.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the block begins with a word for the owner.
        unsafe {
            block.cast::<usize>().write(owner);
            block.add(start)
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let (whole, start) = owned(layout);
        // SAFETY: `alloc` made it so.
        unsafe {
            let block = pointer.sub(start);
            let owner = block.cast::<usize>().read();
            BYTES[owner].now.fetch_sub(layout.size(), Ordering::Relaxed);
            System.dealloc(block, whole);
        }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Rank that is counted for from when the program is there.
struct Counted {
    rank: usize,
    results: usize,
}

impl Watch for Counted {
    fn begins(&mut self) {
        OWNER.set(1 + self.rank);
    }

    fn result(&mut self, _: usize, _: usize, _: [u64; 2]) {
        self.results += 1;
    }
}

/// Runs a case by parts; returns, for each rank, the bytes that it had at most, and in one block.
fn run(case: Case, ranks: usize) -> Vec<[usize; 2]> {
    for Bytes { now, most, largest } in &BYTES[1..] {
        most.store(now.load(Ordering::Relaxed), Ordering::Relaxed);
        largest.store(0, Ordering::Relaxed);
    }
    let ran = local::run(ranks, |ranks| {
        let mut counted = Counted {
            rank: ranks.rank(),
            results: 0,
        };
        let ran = case.run_in_parts(ranks, false, &mut counted);
        OWNER.set(0);
        ran.expect("no rank fails");
        counted.results
    });
    assert!(ran.iter().sum::<usize>() > 0);
    let of = |it: &AtomicUsize| it.load(Ordering::Relaxed);
    let bytes = |it: &Bytes| [of(&it.most), of(&it.largest)];
    BYTES[1..][..ranks].iter().map(bytes).collect()
}

/// Returns the bytes of the largest array of a case, and of all.
const fn bytes(case: Case) -> [usize; 2] {
    match case {
        Case::Lu => [12_800, 12_800],
        Case::Fft => [8192, 8192 + 4096],
        Case::Jacobi => [8192, 2 * 8192],
        Case::Lcs => [14_884, 14_884 + 2 * 60],
        Case::Matmul => [2048, 3 * 2048],
        Case::Sptrsv => [13_440, 13_440 + 2 * 4608],
    }
}

/// Blocks of memory are arrays and messages. Messages on their way count as their sender's, as
/// kernels so small send much for what they hold.
#[test]
fn no_rank_allocates_an_array_in_whole() {
    for (case, ranks, in_block, in_all) in [
        (Case::Lu, 4, 0.4, 0.8),
        (Case::Fft, 8, 0.4, 0.7),
        (Case::Jacobi, 4, 0.4, 0.55),
        (Case::Lcs, 3, 0.6, 0.65),
        (Case::Matmul, 8, 0.55, 0.35),
        (Case::Sptrsv, 4, 0.5, 0.6),
    ] {
        let [largest, all] = bytes(case).map(|bytes| bytes as f64);
        for (rank, [most, block]) in run(case, ranks).into_iter().enumerate() {
            let [most, block] = [most as f64 / all, block as f64 / largest];
            assert!(
                block <= in_block,
                "{case:?}, rank {rank}: {block} in a block"
            );
            assert!(most <= in_all, "{case:?}, rank {rank}: {most} in all");
        }
    }
    // The allocator counts: a rank alone has all.
    for case in [Case::Lu, Case::Fft, Case::Matmul] {
        let [most, block] = run(case, 1)[0];
        let [largest, all] = bytes(case);
        assert!(block >= largest && most >= all, "{case:?}: {block}, {most}");
    }
}
