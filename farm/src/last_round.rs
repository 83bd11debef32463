//! The last round, in which the groups get different chunks so that all workers finish together.

use crate::{dispatch::Clock, rounds::Groups};

/// Returns the chunks of the last round as the PTUMR paper corrects them, in seconds of computing.
///
/// Groups that began earlier by the mean start get so much more. There are none for one round,
/// whose starts depend on its own chunks, and none where a chunk would be negative.
pub fn corrected(groups: &Groups, chunks: &[f64]) -> Option<Vec<f64>> {
    let (&first, &last) = match chunks {
        [first, .., last] => (first, last),
        _ => return None,
    };
    let mut clock = Clock::new(groups);
    clock.send(groups, |_| first);
    let start = |at: usize| clock.finish[at] - groups.overhead - first;
    let parts = groups.groups().iter().enumerate();
    let mean = parts.map(|(at, group)| group.rate * start(at)).sum::<f64>() / groups.rate;
    let chunks: Vec<f64> = (0..groups.groups().len())
        .map(|at| last + mean - start(at))
        .collect();
    chunks.iter().all(|&chunk| chunk >= 0.0).then_some(chunks)
}

/// Returns the chunks of the last round with which all workers that get one finish together, as
/// early as can be.
///
/// `rest` is the work that is left, and `clock` the times after the other rounds. A group that
/// could do nothing by then is left out.
pub fn equalised(groups: &Groups, clock: &Clock, rest: f64) -> Vec<f64> {
    let busy = clock.makespan();
    let mut low = busy;
    let mut high = busy.max(clock.master) + groups.setup + groups.latency + groups.overhead;
    // Doubled from the smallest number on, it passes whatever it is to reach.
    let mut step = (rest / groups.rate).max(f64::MIN_POSITIVE);
    while work_by(groups, clock, high).0 < rest {
        low = high;
        high += step;
        step *= 2.0;
    }
    // Work by a time is piecewise linear: Newton's steps from above end on its last piece, halving
    // guards them.
    let mut halve = false;
    while high - low > 2.0 * f64::EPSILON * high {
        let (work, slope) = work_by(groups, clock, high);
        let newton = high - (work - rest) / slope;
        let inside = newton > low && newton < high;
        let middle = if halve || !inside {
            low + (high - low) / 2.0
        } else {
            newton
        };
        if work - rest <= f64::EPSILON * rest || middle <= low || middle >= high {
            break;
        }
        if work_by(groups, clock, middle).0 < rest {
            low = middle;
            halve = true;
        } else {
            high = middle;
            halve = !halve;
        }
    }
    let mut chunks = vec![0.0; groups.groups().len()];
    let work = chunks_by(groups, clock, high, |at, chunk, _| chunks[at] = chunk);
    // What bisection left over is below the last digits of the chunks.
    let scale = if work.0 > 0.0 { rest / work.0 } else { 1.0 };
    chunks.iter_mut().for_each(|chunk| *chunk *= scale);
    chunks
}

/// Returns the work that a last round can do by a time, and by how much it grows with that time.
fn work_by(groups: &Groups, clock: &Clock, time: f64) -> (f64, f64) {
    chunks_by(groups, clock, time, |_, _, _| {})
}

/// Gives each group the longest chunk that it can compute by a time, and returns their work and its
/// slope.
fn chunks_by(
    groups: &Groups,
    clock: &Clock,
    time: f64,
    mut give: impl FnMut(usize, f64, f64),
) -> (f64, f64) {
    let (mut master, mut master_slope) = (clock.master, 0.0);
    let (mut work, mut work_slope) = (0.0, 0.0);
    for (at, group) in groups.groups().iter().enumerate() {
        let ready = time - groups.overhead - clock.finish[at];
        let each = 1.0 + group.send;
        let sent = (time - groups.overhead - groups.latency - master - groups.setup) / each;
        let (chunk, slope) = if ready <= sent {
            (ready, 1.0)
        } else {
            (sent, (1.0 - master_slope) / each)
        };
        if chunk <= 0.0 {
            continue;
        }
        give(at, chunk, slope);
        master += groups.setup + chunk * group.send;
        master_slope += slope * group.send;
        work += group.rate * chunk;
        work_slope += group.rate * slope;
    }
    (work, work_slope)
}
