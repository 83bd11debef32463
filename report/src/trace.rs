//! Trace events: a timeline as viewers of traces open it, such as Perfetto.

use std::fmt::Write;

use superstep_order::{Timeline, Times};

use crate::{Details, Report};

/// Bytes of the events of a file, at most: viewers of traces lock up above.
const MOST_BYTES: usize = 100_000_000;

/// Bytes of an event, at most.
const EVENT: usize = 128;

/// A trace, and how much of the timeline it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The file: one JSON object, as the *Trace Event Format* has it.
    pub json: String,
    /// Number of supersteps, waits and copies of the timeline, all that take any time.
    pub events: usize,
    /// Number of them that the file has: the longest.
    pub kept: usize,
}

/// Writes the last timeline of some details, the recorded one if there is one. Each processor has
/// a track of its own, from time 0 on: its supersteps, each behind its wait and its copy.
pub fn trace(report: &Report, details: &Details) -> Trace {
    let nothing = Timeline::default();
    trace_within(
        report,
        details.timelines.last().unwrap_or(&nothing),
        MOST_BYTES,
    )
}

/// An event: processor, superstep, name, begin and length in nanoseconds.
type Event = (usize, usize, &'static str, u64, u64);

fn trace_within(report: &Report, timeline: &Timeline, most: usize) -> Trace {
    let mut events: Vec<Event> = Vec::new();
    for processor in 0..timeline.processors() {
        let mut now = 0;
        for (superstep, &Times { wait, copy, work }) in
            timeline.steps_of(processor).iter().enumerate()
        {
            for (name, length) in [("wait", wait), ("copy", copy), ("superstep", work)] {
                if length > 0 {
                    events.push((processor, superstep, name, now, length));
                }
                now = u64::saturating_add(now, length);
            }
        }
    }
    let all = events.len();
    let room = most / EVENT;
    if all > room {
        events.sort_unstable_by_key(|event| std::cmp::Reverse(event.4));
        events.truncate(room);
        events.sort_unstable_by_key(|event| (event.0, event.3));
    }
    let mut json = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    let name = serde_json::Value::from(report.name());
    let _ = write!(
        json,
        "{{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{{\"name\":{name}}}}}"
    );
    for processor in 0..timeline.processors() {
        let _ = write!(
            json,
            ",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{processor},\"name\":\"thread_name\",\"args\":{{\"name\":\"processor {processor}\"}}}}"
        );
    }
    let us = |ns: u64| ns as f64 / 1e3;
    for &(processor, superstep, name, begin, length) in &events {
        let _ = write!(
            json,
            ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{processor},\"name\":\"{name} {superstep}\",\"ts\":{:.3},\"dur\":{:.3}}}",
            us(begin),
            us(length)
        );
    }
    json.push_str("\n]}\n");
    Trace {
        json,
        events: all,
        kept: events.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline() -> Timeline {
        let step = |wait, work| Times {
            wait,
            work,
            copy: 0,
        };
        Timeline::new(vec![0, 1, 3], vec![step(0, 80), step(0, 50), step(35, 20)])
    }

    #[test]
    fn each_wait_and_step_is_an_event() {
        let trace = trace_within(&Report::default(), &timeline(), MOST_BYTES);
        assert_eq!((trace.events, trace.kept), (4, 4));
        let value: serde_json::Value = serde_json::from_str(&trace.json).unwrap();
        let events = value["traceEvents"].as_array().unwrap();
        let last = &events[events.len() - 1];
        assert_eq!(
            (&last["name"], &last["ts"], &last["dur"]),
            (&"superstep 1".into(), &0.085.into(), &0.02.into())
        );
    }

    #[test]
    fn of_too_many_events_the_longest_are_kept() {
        let trace = trace_within(&Report::default(), &timeline(), 2 * EVENT);
        assert_eq!((trace.events, trace.kept), (4, 2));
        assert!(!trace.json.contains("wait"), "80 and 50 are longer than 35");
    }
}
