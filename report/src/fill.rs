//! Fills in the shares of processors and supersteps.

use superstep_order::Timeline;

use crate::{Details, Load, Report, StepLoad, Steps, Traffic};

/// Supersteps of which a report has a row, at most: those in which most time is lost.
const MOST_STEPS: usize = 20_000;

impl Report {
    /// Fills in processors and supersteps from the details, of which the first timeline is that of
    /// the prediction.
    pub fn fill(&mut self, details: &Details) {
        let tasks = &details.tasks()[..];
        let processors = details.plan.processors as usize;
        let timeline = details.timelines.first().cloned().unwrap_or_default();
        self.loads = loads(processors, &timeline, tasks, &details.traffic);
        self.steps = steps(processors, &timeline, tasks, &details.traffic);
    }
}

fn loads(processors: usize, timeline: &Timeline, tasks: &[u64], traffic: &[Traffic]) -> Vec<Load> {
    let mut loads = vec![Load::default(); processors];
    for (at, count) in tasks.iter().enumerate() {
        loads[at % processors].tasks += count;
    }
    let end = timeline.end();
    for (load, sum) in loads.iter_mut().zip(timeline.sums()) {
        (load.work_ns, load.copy_ns, load.wait_ns) = (sum.work, sum.copy, sum.wait);
        load.idle_ns = end - sum.total();
    }
    for each in traffic {
        loads[each.from as usize].words_sent += each.words;
        loads[each.to as usize].words_received += each.words;
    }
    loads
}

fn steps(processors: usize, timeline: &Timeline, tasks: &[u64], traffic: &[Traffic]) -> Steps {
    let tasks = tasks.chunks_exact(processors.max(1));
    let mut rows: Vec<StepLoad> = tasks
        .enumerate()
        .map(|(step, tasks)| StepLoad {
            step,
            tasks: tasks.iter().sum(),
            ..StepLoad::default()
        })
        .collect();
    for processor in 0..timeline.processors() {
        for (row, times) in rows.iter_mut().zip(timeline.steps_of(processor)) {
            row.longest_ns = row.longest_ns.max(times.work);
            row.mean_ns = row.mean_ns.saturating_add(times.work);
            row.wait_ns = row.wait_ns.saturating_add(times.wait);
        }
    }
    rows.iter_mut()
        .for_each(|row| row.mean_ns /= processors as u64);
    for each in traffic {
        let row = &mut rows[each.superstep as usize];
        row.words += each.words;
        row.messages += 1;
    }
    let total = rows.len();
    let lost = |row: &StepLoad| row.longest_ns.saturating_sub(row.mean_ns);
    rows.sort_by_key(|row| (std::cmp::Reverse(lost(row)), row.step));
    rows.truncate(MOST_STEPS);
    Steps { total, rows }
}

#[cfg(test)]
mod tests {
    use superstep_plan::{Body, Code, Plan, Term};

    use super::*;

    #[test]
    fn processors_and_supersteps_are_sums_of_the_details() {
        let run = |count| Code {
            terms: vec![Term::Run { body: 0 }],
            values: vec![count, 0, 1],
            ..Code::default()
        };
        let step = |wait, work| superstep_order::Times {
            wait,
            copy: 1,
            work,
        };
        let details = Details {
            plan: Plan {
                processors: 2,
                supersteps: 2,
                bodies: vec![Body::own(vec![0], 1)],
                code: [1, 2, 6, 0].map(run).to_vec(),
                ..Plan::default()
            },
            timelines: vec![Timeline::new(
                vec![0, 2, 4],
                vec![step(0, 10), step(9, 60), step(0, 20), step(4, 0)],
            )],
            traffic: vec![
                Traffic {
                    superstep: 0,
                    from: 0,
                    to: 1,
                    words: 3,
                },
                Traffic {
                    superstep: 0,
                    from: 1,
                    to: 0,
                    words: 4,
                },
            ],
            ..Details::default()
        };
        let mut report = Report::default();
        report.fill(&details);
        let [first, second] = report.loads[..] else {
            panic!("two processors")
        };
        assert_eq!(
            (first.tasks, first.work_ns, first.wait_ns, first.idle_ns),
            (7, 70, 9, 0)
        );
        assert_eq!(
            (second.tasks, second.work_ns, second.copy_ns, second.idle_ns),
            (2, 20, 2, 55)
        );
        assert_eq!((first.words_sent, first.words_received), (3, 4));
        // The second superstep loses 30, the first 5.
        assert_eq!(report.steps.total, 2);
        let [worst, other] = report.steps.rows[..] else {
            panic!("two supersteps")
        };
        assert_eq!(
            (worst.step, worst.longest_ns, worst.mean_ns, worst.wait_ns),
            (1, 60, 30, 13)
        );
        assert_eq!(
            (other.step, other.tasks, other.words, other.messages),
            (0, 3, 7, 2)
        );
    }
}
