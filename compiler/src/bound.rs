//! The least time of a candidate's program, by a sample of its lists.

use superstep_machine::Times;
use superstep_schedule::{CheckedSchedule, Transfer, communication};
use superstep_tracer::Trace;

use crate::place::columns::Sample;
use crate::place::layout::Layout;
use crate::place::tasks::Tasks;
use crate::predict::cache_lines::sizes;
use crate::reorder::estimate::{Sorts, sample};

/// Lower bound of a program's time: its share of the time of a schedule's longest lists, by a
/// sample of them, and of its barriers.
///
/// With it a fifth of 773 candidates (of the gallery, the transform and the solver) is not lowered.
/// The programs that are chosen are those that are chosen without it, with 0.6 as with 0.7. With
/// 0.8 two of 330 are others, one of them half as fast again.
const LEAST: f64 = 0.6;

/// Bounds the time of a program of that schedule from below, in nanoseconds: [so much](LEAST)
/// of the time of its longest lists, by a sample of them, of its exchanges, and of an even
/// share of their words. Gives the sample, too.
pub(crate) fn bound(
    trace: &Trace,
    schedule: &CheckedSchedule<'_>,
    times: &Times,
    sorts: Sorts,
) -> (f64, Sample) {
    let lists = schedule.schedule();
    let longest = |superstep| {
        let lengths = lists.superstep(superstep).map(<[u32]>::len);
        lengths.max().unwrap_or(0)
    };
    let load: usize = (0..lists.supersteps()).map(longest).sum();
    let (exchanges, words) = {
        let communication = communication(schedule);
        // A gap is that of eight bytes.
        let sizes = sizes(trace.kernel());
        let bytes = |transfer: &Transfer| sizes[usize::from(trace.written(transfer.task).array)];
        let bytes: usize = communication.transfers().iter().map(bytes).sum();
        let words = bytes as f64 / 8.0 / lists.processors() as f64;
        (communication.supersteps().count() as f64, words)
    };
    let tasks = Tasks::new(trace, Layout::given(trace));
    let sample = Sample::new(&tasks, sample(lists.lists()), times, sorts);
    let task = sample.per_task();
    let least = LEAST * (load as f64 * task + exchanges * times.barrier + words * times.gap);
    (least, sample)
}
