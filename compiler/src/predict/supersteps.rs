//! A call of a program, superstep by superstep.

use superstep_machine::Times;
use superstep_order::{Timeline, Times as StepTimes};
use superstep_plan::synchronisation::{Link, Synchronisation};
use superstep_plan::{Body, Plan, Strided};
use superstep_tracer::Kernel;
use superstep_tuning::tuned;

use super::cache_lines::{CacheLines, sizes, words};
use super::caches::{Caches, Misses};
use super::costs::RunCosts;
use super::crowds::lost_by_copies;
use super::first::FirstCache;
use super::loops::ALONE;
use super::work::Work;
use crate::pattern::signature::Signature;

tuned! {
    /// Share of the shorter of computing and getting cache lines that does not go on beside the
    /// longer.
    const BESIDE: f64 = 0.25, off 0.0;

    /// Time of fetching a cache line for a word of a loose run, in such lines in a row: nothing
    /// prefetches it.
    const SCATTERED: f64 = 2.0, off 1.0;

    /// Time of fetching a cache line back that another core has prefetched, in such lines in a row:
    /// this core prefetches none of them.
    const TAKEN: f64 = 6.0, off 0.0;
}

/// Holder of the inputs before a call, and of the results behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// The caller: words of private memories are copied from its arrays, and back.
    Caller,
    /// The processors that use them: nothing is copied, as in the parts of ranks.
    Processors,
}

/// Predicts a call of the program in nanoseconds, its arguments in the caches as far as they fit.
///
/// Costs some nanoseconds for each run and each cache line that it touches.
pub(crate) fn predict(
    kernel: &Kernel,
    plan: &Plan,
    signatures: &[Signature],
    times: &Times,
    data: Data,
) -> f64 {
    let costs = RunCosts::new(kernel, signatures, times);
    time(kernel, plan, &costs, times, data)
}

/// Predicts a call of a plan whose loops take what these costs say.
pub(super) fn time(
    kernel: &Kernel,
    plan: &Plan,
    costs: &RunCosts<'_>,
    times: &Times,
    data: Data,
) -> f64 {
    let clocks = clocks(kernel, plan, costs, times, |_, _| {});
    clocks.last() + call(kernel, plan, times, data)
}

/// A call of a program, superstep by superstep, in nanoseconds.
pub(crate) struct Prediction {
    /// Times at which each processor waits, copies and works.
    pub timeline: Timeline,
    /// Beginning and ending the call, with the words that the caller copies.
    pub call: f64,
    /// Work of each statement.
    pub statements: Vec<f64>,
}

impl Prediction {
    /// Predicts as [`predict`] does.
    pub(crate) fn new(
        kernel: &Kernel,
        plan: &Plan,
        signatures: &[Signature],
        times: &Times,
        data: Data,
    ) -> Self {
        let costs = RunCosts::new(kernel, signatures, times);
        let mut bodies = vec![0.0; plan.bodies.len()];
        let seen = |body: usize, time: f64| bodies[body] += time;
        let timeline = clocks(kernel, plan, &costs, times, seen).timeline();
        let mut statements = vec![0.0; kernel.statements.len()];
        for (body, time) in plan.bodies.iter().zip(bodies) {
            share(kernel, body, time, &mut statements);
        }
        Self {
            timeline,
            call: call(kernel, plan, times, data),
            statements,
        }
    }
}

/// Shares the time of a body among its statements, by their words and operations.
fn share(kernel: &Kernel, body: &Body, time: f64, statements: &mut [f64]) {
    let weight = |&number: &u16| {
        let statement = kernel.statement(number);
        let work = Work::of(&statement.operations);
        1.0 + statement.operands.len() as f64 + work.operations + work.calls
    };
    let all: f64 = body.statements().iter().map(weight).sum();
    for number in body.statements() {
        statements[usize::from(*number)] += time * weight(number) / all;
    }
}

/// Lets the clocks of all processors go through a call; `seen` is told the body and the time of
/// each run.
fn clocks<'a>(
    kernel: &Kernel,
    plan: &'a Plan,
    costs: &RunCosts<'_>,
    times: &'a Times,
    mut seen: impl FnMut(usize, f64),
) -> Clocks<'a> {
    let processors = plan.processors as usize;
    let mut caches = Caches::new(kernel, plan, times);
    let first = |processor| {
        let words = words(plan, processor);
        FirstCache::new(CacheLines::new(kernel, words, &times.core), &times.core)
    };
    let mut first: Vec<FirstCache> = (0..processors).map(first).collect();
    let mut clocks = Clocks {
        plan,
        sizes: sizes(kernel),
        times,
        synchronisation: Synchronisation::new(plan).expect("an assembled plan is consistent"),
        steps: Vec::with_capacity(plan.code.len()),
    };
    for superstep in 0..plan.supersteps as usize {
        for (processor, first) in first.iter_mut().enumerate() {
            let code = plan.code(superstep, processor);
            let mut time = costs.tables(code);
            code.walk(&plan.bodies, &mut |body, run| {
                let Misses {
                    missed,
                    fetched,
                    taken,
                    claimed,
                } = caches.run(processor, costs.iteration(body), &plan.bodies[body], run);
                // Cache lines come in while the core computes.
                let fetch = times.core.words_of_line()
                    * times.gap
                    * if costs.iteration(body).is_loose {
                        SCATTERED.get()
                    } else {
                        1.0
                    };
                let lines = missed as f64 * times.line
                    + fetched as f64 * fetch
                    + claimed as f64 * times.claim;
                let computes = costs.iterations(body, &plan.bodies[body], run, first);
                let own =
                    costs.start(body) + computes.max(lines) + BESIDE.get() * computes.min(lines);
                let taken = taken as f64 * TAKEN.get() * times.core.words_of_line() * times.gap;
                seen(body, own + taken);
                time += own;
                time += taken;
            });
            clocks.superstep(superstep, processor, time);
        }
    }
    clocks
}

/// Returns what a call takes beside its supersteps.
fn call(kernel: &Kernel, plan: &Plan, times: &Times, data: Data) -> f64 {
    let sizes = sizes(kernel);
    let copied = match data {
        Data::Caller => [&plan.scatter, &plan.gather]
            .map(|copies| handed(copies, &sizes, times))
            .iter()
            .sum(),
        Data::Processors => 0.0,
    };
    match plan.processors {
        0 | 1 => copied,
        _ => times.call + copied,
    }
}

/// Returns the time of the words that the caller copies to and from the memories of the processors.
/// All processors but the first have cores of their own.
fn handed(strided: &[Vec<Strided>], sizes: &[usize], times: &Times) -> f64 {
    let part = |(processor, strided): (usize, &Vec<Strided>)| {
        let moved = match processor {
            0 => 0.0,
            _ => times.exchanged(),
        };
        let crowded = strided
            .iter()
            .map(|each| lost_by_copies(each, sizes[usize::from(each.array)], &times.core));
        copied(strided, sizes, moved, times) + crowded.sum::<f64>() * times.word
    };
    strided.iter().enumerate().map(part).sum()
}

/// Returns the time of copying words, of which eight bytes take `moved` to cross between cores.
fn copied(strided: &[Strided], sizes: &[usize], moved: f64, times: &Times) -> f64 {
    let word = |strided: &Strided| {
        2.0 * times.word + moved * sizes[usize::from(strided.array)] as f64 / 8.0
    };
    let each =
        |strided: &Strided| f64::from(strided.count) * word(strided) + ALONE.get() * times.run;
    strided.iter().map(each).sum()
}

/// Clocks: the times at which each processor ends each superstep, and its work before.
struct Clocks<'a> {
    plan: &'a Plan,
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    times: &'a Times,
    synchronisation: Synchronisation,
    /// `[superstep * processors + processor]`
    steps: Vec<Clock>,
}

/// One superstep of a processor, in nanoseconds from the beginning.
#[derive(Clone, Copy)]
struct Clock {
    /// Time at which it knows that all have ended for whom it waits.
    ready: f64,
    /// Time of copying words from and to messages.
    copies: f64,
    end: f64,
}

impl Clocks<'_> {
    fn end(&self, superstep: usize, processor: usize) -> f64 {
        self.steps[superstep * self.plan.processors as usize + processor].end
    }

    /// Lets a processor compute for a time, after what it waits for and before what it sends. Each
    /// in turn, superstep by superstep.
    fn superstep(&mut self, superstep: usize, processor: usize, computes: f64) {
        let awaited = self.synchronisation.waits(superstep, processor);
        let mut begin = match superstep.checked_sub(1) {
            Some(before) => self.end(before, processor),
            None => 0.0,
        };
        for awaited in awaited {
            begin = begin.max(self.end(awaited.steps as usize - 1, awaited.processor as usize));
        }
        let waits = if awaited.is_empty() {
            0.0
        } else {
            self.times.barrier
        };
        let synchronisation = &self.synchronisation;
        let received = self.copied(
            synchronisation.receives(superstep, processor),
            self.times.gap,
        );
        let sent = self.copied(
            synchronisation.sends(superstep, processor),
            self.times.exchanged() - self.times.gap,
        );
        self.steps.push(Clock {
            ready: begin + waits,
            copies: received + sent,
            end: begin + waits + received + computes + sent,
        });
    }

    /// Returns what it takes to put words into packets, or to take them out: a receiver fetches
    /// each, and a sender claims it.
    fn copied(&self, links: &[Link], moved: f64) -> f64 {
        let messages = links
            .iter()
            .map(|link| &self.plan.messages[link.message as usize]);
        let copied =
            messages.map(|message| copied(&message.strided, &self.sizes, moved, self.times));
        copied.sum()
    }

    /// Returns the latest end.
    fn last(&self) -> f64 {
        self.steps.iter().map(|step| step.end).fold(0.0, f64::max)
    }

    /// Returns the steps in whole nanoseconds, whose sums are the ends.
    fn timeline(&self) -> Timeline {
        let processors = self.plan.processors as usize;
        let mut before = vec![0; processors];
        let step = |(at, clock): (usize, &Clock)| {
            let [ready, end] = [clock.ready, clock.end].map(|ns| ns.round() as u64);
            let copy = (clock.copies.round() as u64).min(end - ready);
            let wait = ready - std::mem::replace(&mut before[at % processors], end);
            StepTimes {
                wait,
                copy,
                work: end - ready - copy,
            }
        };
        let steps: Vec<StepTimes> = self.steps.iter().enumerate().map(step).collect();
        by_processor(processors, self.plan.supersteps as usize, &steps)
    }
}

/// Returns the timeline of steps that stand superstep by superstep.
pub(crate) fn by_processor(processors: usize, supersteps: usize, steps: &[StepTimes]) -> Timeline {
    let own = |processor| steps.iter().skip(processor).step_by(processors).copied();
    let first = |processor| (processor * supersteps) as u32;
    Timeline::new(
        (0..=processors).map(first).collect(),
        (0..processors).flat_map(own).collect(),
    )
}

#[cfg(test)]
mod tests {
    use superstep_machine::Times;
    use superstep_plan::Strided;

    use super::copied;

    #[test]
    fn words_cross_by_their_bytes() {
        let strided = Strided {
            array: 1,
            count: 10,
            from: 0,
            to: 0,
            from_step: 1,
            to_step: 1,
        };
        let time = |bytes, moved| copied(&[strided], &[8, bytes], moved, &Times::default());
        let crossing = |bytes| time(bytes, 300.0) - time(bytes, 0.0);
        assert_eq!(
            [4, 8, 16].map(crossing).map(f64::round),
            [1500.0, 3000.0, 6000.0]
        );
    }
}
