//! Lists of intervals: what the chunks of a plan run, one interval after the other.
//!
//! They are found once, when the plan is made, so that a run looks nothing up. A kernel is called
//! once for all intervals of a chunk that are of one visit (one execution of the loop), and walks
//! through them.

use std::cell::Cell;
use std::ops::Range;
use std::ptr;

use superstep_order::Rows;
use superstep_planner::Plan;

use super::space::Space;

/// Neighbouring iterations of one visit, which follow each other in a list, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    /// Number of the first iteration.
    pub(super) first: u32,
    /// Number of iterations.
    pub(super) count: u32,
}

impl Interval {
    /// Returns the iterations.
    pub(super) fn iterations(self) -> Range<u32> {
        self.first..self.first + self.count
    }
}

/// Intervals of a chunk that are of one visit: from where those before end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    visit: u32,
    end: u32,
}

/// Lists of the intervals of all chunks in their order: 8 bytes for each, and as many for each
/// visit of a chunk.
#[derive(Debug, Default)]
pub(super) struct Lists {
    intervals: Vec<Interval>,
    segments: Rows<Segment>,
}

impl Lists {
    /// Makes the lists of a plan's chunks. Takes a few nanoseconds for each grain.
    pub(super) fn new(plan: &Plan, space: &Space) -> Self {
        let chunks = plan.grains.iter();
        Self::of(
            chunks.map(|grains| grains.iter().map(|&grain| plan.iterations_of(grain))),
            space,
        )
    }

    /// Makes the lists of chunks, each of ranges of iterations.
    pub(super) fn of(
        chunks: impl Iterator<Item = impl Iterator<Item = Range<u32>>>,
        space: &Space,
    ) -> Self {
        let mut lists = Self::default();
        for ranges in chunks {
            ranges.for_each(|iterations| lists.add(iterations, space));
            lists.segments.end_row();
        }
        lists.intervals.shrink_to_fit();
        lists
    }

    /// Adds iterations to the chunk at hand.
    fn add(&mut self, mut iterations: Range<u32>, space: &Space) {
        while !iterations.is_empty() {
            let begun = self
                .segments
                .offsets
                .last()
                .map_or(0, |&begun| begun as usize);
            let last = self.segments.items[begun..].last();
            let last = last.map(|segment| segment.visit as usize);
            let is_of = |&visit: &usize| space.of_visit(visit).contains(&iterations.start);
            let visit = last.filter(is_of);
            let visit = visit.unwrap_or_else(|| space.visit_of(iterations.start));
            let end = space.of_visit(visit).end.min(iterations.end);
            let count = end - iterations.start;
            match self.intervals.last_mut() {
                Some(interval)
                    if last == Some(visit) && interval.iterations().end == iterations.start =>
                {
                    interval.count += count;
                }
                _ => self.intervals.push(Interval {
                    first: iterations.start,
                    count,
                }),
            }
            let end_of_list = self.intervals.len() as u32;
            match self.segments.items.last_mut() {
                Some(segment) if last == Some(visit) => segment.end = end_of_list,
                _ => self.segments.items.push(Segment {
                    visit: visit as u32,
                    end: end_of_list,
                }),
            }
            iterations.start = end;
        }
    }

    /// Returns where the intervals of some neighbouring chunks stand.
    pub(super) fn range(&self, chunks: Range<u32>) -> Range<u32> {
        let behind = |chunks: u32| {
            let segments = self.segments.offsets[chunks as usize] as usize;
            let last = segments.checked_sub(1);
            last.map_or(0, |last| self.segments.items[last].end)
        };
        behind(chunks.start)..behind(chunks.end)
    }

    /// Returns the number of chunks.
    #[cfg(feature = "ranks")]
    pub(super) fn chunks(&self) -> usize {
        self.segments.len()
    }

    /// Returns intervals.
    pub(super) fn intervals(&self, range: Range<u32>) -> &[Interval] {
        &self.intervals[range.start as usize..range.end as usize]
    }

    /// Returns the visits of a chunk from an interval on, each with the end of its intervals.
    pub(super) fn visits(&self, chunk: u32, from: u32) -> impl Iterator<Item = (usize, u32)> {
        let segments = self.segments.row(chunk as usize).iter();
        segments
            .map(|segment| (segment.visit as usize, segment.end))
            .skip_while(move |&(_, end)| end <= from)
    }

    /// Returns the bytes of all lists.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.intervals[..])
            + size_of_val(&self.segments.items[..])
            + size_of_val(&self.segments.offsets[..])
    }
}

/// Place that a chunk has come to.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Address of the interval that runs: a number, which costs one instruction to keep.
    interval: Cell<usize>,
    /// Iterations of that interval before the stretch that runs.
    before: Cell<u32>,
}

impl Place {
    /// Notes that an interval runs, from its first iteration on.
    #[inline(always)]
    pub(super) fn begin(&self, interval: &Interval) {
        self.go_to(interval);
        self.before.set(0);
    }

    /// Notes that another interval runs, as a whole, as the one before did.
    #[inline(always)]
    pub(super) fn go_to(&self, interval: &Interval) {
        self.interval.set(ptr::from_ref(interval).addr());
    }

    /// Notes that the interval's next iteration runs.
    #[inline(always)]
    pub(super) fn go_on(&self) {
        self.before.set(self.before.get() + 1);
    }

    /// Returns the position of the interval that runs.
    pub(super) fn position(&self, lists: &Lists) -> u32 {
        let bytes = self.interval.get() - lists.intervals.as_ptr().addr();
        (bytes / size_of::<Interval>()) as u32
    }

    /// Returns the first iteration of the stretch that runs. No other processor runs one of this
    /// stretch, so these first iterations tell which of two processors fails first.
    pub(super) fn iteration(&self, lists: &Lists) -> u32 {
        lists.intervals[self.position(lists) as usize].first + self.before.get()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use superstep_order::Order;

    use super::*;
    use crate::planned::space::tests::visits;
    use crate::planned::stretches;

    /// Makes a plan of one processor whose chunks have these grains.
    fn plan(boundaries: &[u32], chunks: &[&[u32]]) -> Plan {
        let mut grains = Rows::default();
        for chunk in chunks {
            grains.items.extend_from_slice(chunk);
            grains.end_row();
        }
        let order = Order {
            processors: vec![0, chunks.len() as u32],
            waits: Rows::sorted(chunks.len(), std::iter::empty()),
        };
        Plan {
            boundaries: Arc::from(boundaries),
            order: Arc::new(order),
            grains,
        }
    }

    #[test]
    fn grains_run_in_the_order_of_their_lists() {
        let (space, expected) = visits();
        // Grains within visits and across them.
        let boundaries = [0, 1, 3, 6, 7, 8, 9, 10, 12, 13, 15];
        let chunks: [&[u32]; 7] = [
            &[0, 1, 2, 3, 4, 5, 6, 7],
            &[7, 6, 5, 4, 3, 2, 1, 0],
            &[3, 1, 4, 0, 2, 7, 5, 6],
            &[],
            &[4, 3, 6, 7],
            &[5],
            &[9, 8, 0, 9],
        ];
        let plan = plan(&boundaries, &chunks);
        let lists = Lists::new(&plan, &space);
        assert_eq!(lists.range(0..7), 0..lists.intervals.len() as u32);
        for (chunk, grains) in (0..).zip(chunks) {
            let (mut found, place) = (Vec::new(), Place::default());
            let mut from = lists.range(chunk..chunk + 1).start;
            for (visit, end) in lists.visits(chunk, from) {
                let intervals = lists.intervals(from..end);
                place.begin(&intervals[0]);
                let site = space.site(visit, intervals, &place);
                let mut note = |stretch: &mut dyn Iterator<Item = i64>| {
                    let iterations = place.iteration(&lists)..;
                    found.extend(iterations.zip(stretch).map(|(iteration, value)| {
                        (iteration, (site.number, site.outer.to_vec(), value))
                    }));
                };
                // Ranges of both types have steps of their own in some visits.
                match chunk % 2 {
                    0 => stretches(|| 0..0i64, &site).for_each(|mut each| note(&mut each)),
                    _ => stretches(|| (0..0i64).rev(), &site).for_each(|mut each| note(&mut each)),
                }
                from = end;
            }
            let all = grains.iter().flat_map(|&grain| plan.iterations_of(grain));
            let all = all.map(|iteration| (iteration, expected[iteration as usize].clone()));
            assert_eq!(found, all.collect::<Vec<_>>(), "{grains:?}");
        }
    }

    #[test]
    fn neighbours_of_one_visit_are_one_interval() {
        let (space, _) = visits();
        let boundaries: Vec<u32> = (0..=12).collect();
        let lists = Lists::new(&plan(&boundaries, &[&[0, 1, 2, 3, 4], &[5, 6, 9]]), &space);
        let interval = |first, count| Interval { first, count };
        let chunks = [
            vec![interval(0, 4), interval(4, 1)],
            vec![interval(5, 2), interval(9, 1)],
        ];
        for (chunk, expected) in (0..).zip(chunks) {
            assert_eq!(lists.intervals(lists.range(chunk..chunk + 1)), expected);
        }
        let visits = |chunk, from| {
            lists
                .visits(chunk, from)
                .map(|(_, end)| end)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (visits(0, 0), visits(0, 1), visits(1, 2)),
            (vec![1, 2], vec![2], vec![3, 4])
        );
    }
}
