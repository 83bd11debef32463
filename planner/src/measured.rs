//! Prices from a recorded run of a plan, in place of those that are assumed.

use std::collections::BTreeSet;
use std::fmt;

use superstep_order::{Recording, Timeline, Times};

use crate::{Costs, Graph, Plan, prediction::chunk_times};

/// Part of the words, those of the cheapest and of the dearest chunks each, that the price of a
/// word leaves out.
///
/// A chunk in which the system took the core away takes a thousand times as long as others. Where
/// iterations differ, as points of the Mandelbrot set do, the dear ones count: so it is no median.
/// A choice between the two, not tuned.
const TRIMMED: f64 = 0.1;

/// Waits of which a median is taken, at least: with fewer, those for threads that still wake up
/// would be a third of them. A bound, not tuned.
const LEAST_WAITS: usize = 8;

/// Prices that a recorded run tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// All prices: of these [`Costs::word`] is measured, and mostly [`Costs::wait`].
    pub costs: Costs,
    /// Reason for which the price of a wait is as it was, if it is.
    pub keeps_wait: Option<String>,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Costs { word, wait, .. } = self.costs;
        write!(
            f,
            "measured: {word:.2} ns for a word, {wait:.0} ns for a wait"
        )?;
        match &self.keeps_wait {
            Some(why) => write!(f, " as before: {why}"),
            None => Ok(()),
        }
    }
}

/// Finds the prices of words and waits by which a recorded run of a plan took as long as it did.
/// There are none if it has other steps than the plan has chunks, or these took no time.
///
/// * A **word** has the time of chunks beyond their jumps, crossings and what a chunk itself takes.
///   It is the mean of all words but the cheapest and the dearest tenth. Those three keep their
///   prices: they grow with a chunk's words, so that one run cannot tell them from words.
/// * A **wait** has the median time from the end of what a processor waits for to its going on. It
///   is taken where the processor had to wait and each has a thread of its own.
///
/// The graph is the one of which the plan was made, by these costs.
///
/// Cost: linear in grains and edges, near-linear in chunks and waits.
///
/// ```
/// use superstep_order::{Recording, Timeline, Times};
/// use superstep_planner::{Costs, Graph, choose, measured};
/// # use superstep_planner::{Accesses, Fault, Track};
/// # struct Chain;
/// # impl Track for Chain {
/// #     fn iterations(&self) -> u32 { 100 }
/// #     fn lengths(&self) -> &[usize] { &[100] }
/// #     fn track(&self, all: std::ops::Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
/// #         for i in all.start as usize..all.end as usize {
/// #             x.begin();
/// #             x.read(0, i.saturating_sub(1)..i);
/// #             x.write(0, i..i + 1);
/// #         }
/// #         Ok(())
/// #     }
/// # }
///
/// // A chain of 599 words, which is predicted to take as many nanoseconds, and 50 for its chunk.
/// let costs = Costs::default();
/// let graph = Graph::new(&Chain, &costs)?;
/// let (plan, report) = choose(&graph, 2, &costs).expect("two processors");
/// assert_eq!(report.nanoseconds, 599.0);
/// let steps = vec![Times { work: 6040, ..Times::default() }];
/// let run = Recording {
///     timeline: Timeline::new(vec![0, 1], steps),
///     threads: vec![0],
///     ..Recording::default()
/// };
/// let measured = measured(&graph, &plan, &run, &costs).expect("a step for its chunk");
/// assert_eq!(measured.costs.word.round(), 10.0);
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn measured(graph: &Graph, plan: &Plan, run: &Recording, costs: &Costs) -> Option<Measured> {
    let timeline = &run.timeline;
    let is_of_plan = timeline.processors() == plan.order.processors()
        && timeline.steps().len() == plan.grains.len()
        && graph.boundaries() == &plan.boundaries;
    let word = is_of_plan.then(|| word(graph, plan, timeline, costs))?;
    let (wait, keeps_wait) = match wait(plan, run) {
        Ok(wait) => (wait, None),
        Err(why) => (costs.wait, Some(why)),
    };
    let costs = Costs {
        word,
        wait,
        ..*costs
    };
    (word > 0.0 && word.is_finite()).then_some(Measured { costs, keeps_wait })
}

/// Returns the price of a word.
fn word(graph: &Graph, plan: &Plan, timeline: &Timeline, costs: &Costs) -> f64 {
    let predicted = chunk_times(plan, graph, costs);
    let chunks = predicted
        .iter()
        .zip(timeline.steps())
        .zip(plan.grains.iter());
    let price = |((predicted, step), grains): ((&f64, &Times), &[u32])| {
        let work = step.work as f64;
        let words = grains
            .iter()
            .map(|&grain| f64::from(graph.work()[grain as usize]));
        let words = words.sum::<f64>().max(1.0);
        let beside = predicted - words * costs.word;
        // Of a chunk that took less than predicted all has become cheaper alike.
        let beside = beside.min(beside / predicted * work);
        (((work - beside) / words).max(0.0), words)
    };
    trimmed_mean(chunks.map(price).collect())
}

/// Returns the mean of prices, each with its weight, without the lowest and the highest.
fn trimmed_mean(mut prices: Vec<(f64, f64)>) -> f64 {
    prices.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let all: f64 = prices.iter().map(|(_, weight)| weight).sum();
    let [first, last] = [TRIMMED * all, (1.0 - TRIMMED) * all];
    let (mut before, mut sum) = (0.0, 0.0);
    for (price, weight) in prices {
        let end: f64 = before + weight;
        sum += price * (end.min(last) - before.max(first)).max(0.0);
        before = end;
    }
    sum / (last - first)
}

/// Returns the price of a wait, or why it is not measured.
fn wait(plan: &Plan, run: &Recording) -> Result<f64, String> {
    let order = &plan.order;
    if order.is_free() {
        return Err("nobody waited".to_owned());
    }
    let threads: BTreeSet<&u32> = run.threads.iter().collect();
    if threads.len() < order.processors() {
        let several = || "processors shared threads".to_owned();
        return Err(run.alone().unwrap_or_else(several));
    }
    let ends = run.timeline.ends();
    let mut waits = Vec::new();
    for (chunk, step) in (0..).zip(run.timeline.steps()) {
        let begin = order
            .before(chunk)
            .map_or(0, |before| ends[before as usize]);
        let awaited = order
            .awaited_by(chunk)
            .map(|awaited| ends[awaited as usize]);
        if let Some(awaited) = awaited.max().filter(|&awaited| awaited > begin) {
            let ready = ends[chunk as usize].saturating_sub(step.work);
            waits.push(ready.saturating_sub(awaited));
        }
    }
    if waits.len() < LEAST_WAITS {
        return Err(format!("{} waits are too few to tell", waits.len()));
    }
    waits.sort_unstable();
    Ok(waits[waits.len() / 2] as f64)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::{Accesses, Fault, Track, Windows, Within, doacross, farm};

    /// `x[i] += x[i - 10]`, 4 words of work beside 3 accesses.
    struct Strides;

    impl Track for Strides {
        fn iterations(&self) -> u32 {
            4000
        }
        fn lengths(&self) -> &[usize] {
            &[4000]
        }
        fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
            for i in iterations {
                x.begin();
                let i = i as usize;
                let before = i.saturating_sub(10);
                x.read(0, before..before + 1);
                x.update(0, i..i + 1);
            }
            Ok(())
        }
    }

    fn graph() -> Graph {
        Graph::new(&Strides, &Costs::default()).unwrap()
    }

    fn windows(graph: &Graph) -> Plan {
        let windows = Windows {
            grains: 8,
            chunks: 2,
            within: Within::Run,
        };
        doacross(graph, 2, windows)
    }

    /// Records a run by these prices, each processor on a thread of its own.
    fn run(plan: &Plan, graph: &Graph, costs: &Costs) -> Recording {
        let times = chunk_times(plan, graph, costs);
        let ends = crate::prediction::ends(plan, &times, costs.wait).unwrap();
        let (mut steps, mut threads) = (Vec::new(), Vec::new());
        for processor in 0..plan.order.processors() as u32 {
            let mut before = 0;
            for chunk in plan.order.steps_of(processor) {
                let end = ends[chunk as usize].round() as u64;
                let work = (times[chunk as usize].round() as u64).min(end - before);
                steps.push(Times {
                    wait: end - before - work,
                    copy: 0,
                    work,
                });
                threads.push(processor);
                before = end;
            }
        }
        Recording {
            timeline: Timeline::new(plan.order.processors.clone(), steps),
            threads,
            ..Recording::default()
        }
    }

    fn is_near(found: f64, given: f64) -> bool {
        (found / given - 1.0).abs() < 0.01
    }

    #[test]
    fn prices_of_a_run_are_found_again() {
        let graph = graph();
        let plan = windows(&graph);
        let prices = |word: f64, wait: f64| {
            let costs = Costs {
                word,
                wait,
                ..Costs::default()
            };
            let run = run(&plan, &graph, &costs);
            measured(&graph, &plan, &run, &Costs::default()).unwrap()
        };
        for (word, wait) in [(1.0, 90.0), (3.0, 150.0), (12.0, 900.0)] {
            let found = prices(word, wait);
            assert_eq!(found.keeps_wait, None);
            assert!(is_near(found.costs.word, word), "{found}");
            assert!(is_near(found.costs.wait, wait), "{found}");
        }
        // A run does not tell whether words have become cheaper, or what a chunk takes beside them.
        let found = prices(0.4, 90.0);
        assert!((0.4..0.7).contains(&found.costs.word), "{found}");
    }

    #[test]
    fn a_chunk_whose_core_was_taken_away_does_not_count() {
        let graph = graph();
        let plan = windows(&graph);
        let costs = Costs {
            word: 3.0,
            ..Costs::default()
        };
        let run = run(&plan, &graph, &costs);
        let mut steps = run.timeline.steps().to_vec();
        assert!(steps.len() > 20);
        steps[7].work += 4_000_000;
        let timeline = Timeline::new(plan.order.processors.clone(), steps);
        let run = Recording { timeline, ..run };
        let found = measured(&graph, &plan, &run, &Costs::default()).unwrap();
        assert!(is_near(found.costs.word, 3.0), "{found}");
    }

    #[test]
    fn waits_keep_their_price_where_processors_shared_a_thread_or_nobody_waited() {
        let graph = graph();
        let costs = Costs {
            word: 3.0,
            wait: 700.0,
            ..Costs::default()
        };
        let plan = windows(&graph);
        let mut alone = run(&plan, &graph, &costs);
        alone.threads.fill(0);
        let parts = farm(&graph, 2, &Costs::default());
        for (plan, run) in [(&plan, alone), (&parts, run(&parts, &graph, &costs))] {
            let found = measured(&graph, plan, &run, &Costs::default()).unwrap();
            assert!(is_near(found.costs.word, 3.0), "{found}");
            assert_eq!(found.costs.wait, 150.0);
            assert!(found.keeps_wait.is_some());
        }
    }

    #[test]
    fn a_run_of_other_steps_or_without_times_tells_nothing() {
        let graph = graph();
        let plan = windows(&graph);
        let costs = Costs::default();
        let run = run(&plan, &graph, &costs);
        let still = vec![Times::default(); plan.grains.len()];
        let still = Timeline::new(plan.order.processors.clone(), still);
        for timeline in [Timeline::default(), still] {
            let other = Recording {
                timeline,
                ..run.clone()
            };
            assert_eq!(measured(&graph, &plan, &other, &costs), None);
        }
        let sequential = Plan::sequential(graph.boundaries().clone());
        assert_eq!(measured(&graph, &sequential, &run, &costs), None);
    }
}
