//! Spoiled recordings of runs: an error or a report and a page, never a panic, and memory in
//! proportion to the bytes.
#![cfg(feature = "page")]

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_order::{CallForm, Recording, Timeline, Times};
use superstep_report::page::Page;
use superstep_report::{Report, trace};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn recording(form: CallForm) -> Vec<u8> {
    let step = |wait, work| Times {
        wait,
        work,
        copy: 0,
    };
    let steps = vec![step(0, 80), step(3, 50), step(35, 20)];
    let recording = Recording {
        kernel: "solve".into(),
        form,
        call: 150,
        timeline: Timeline::new(vec![0, 2, 3], steps),
        threads: vec![0, 0, 1],
        ..Recording::default()
    };
    recording.encode()
}

/// Reads a recording and reports on it.
fn hold(bytes: &[u8]) {
    let (read, most) = peak(|| {
        Recording::decode(bytes)
            .ok()
            .map(|run| Report::of_recording(&run))
    });
    let bound = 2_000 * bytes.len() + (1 << 24);
    assert!(most <= bound, "{most} bytes for {}", bytes.len());
    let Some(Ok((report, details))) = read else {
        return;
    };
    assert!(report.text().contains("measured"));
    let page = Page {
        report: &report,
        details: details.as_ref(),
        sources: &[],
        notices: &[],
    };
    assert!(page.html().is_ok());
    if let Some(details) = &details {
        let json = serde_json::from_str(&trace(&report, details).json);
        let trace: serde_json::Value = json.expect("whatever its name is");
        assert_eq!(trace["traceEvents"][0]["args"]["name"], report.name());
    }
}

#[test]
fn few_bytes_that_tell_of_many_steps_are_not_drawn() {
    // A processor with all steps, and as many without one.
    let count = 1 << 10;
    let mut firsts = vec![0];
    firsts.resize(count + 1, count as u32);
    let run = Recording {
        form: CallForm::Farm,
        timeline: Timeline::new(firsts, vec![Times::default(); count]),
        threads: vec![0; count],
        ..Recording::default()
    };
    hold(&run.encode());
    let (report, details) = Report::of_recording(&run).expect("steps");
    assert!(details.is_none() && report.loads.len() == count);
}

proptest! {
    #[test]
    fn spoiled_recordings(farm in spoiled(recording(CallForm::Farm)), plan in spoiled(recording(CallForm::Plan))) {
        hold(&farm);
        hold(&plan);
    }
}
