//! Spoiled plan files without their kernel: an error or a report and a page, never a panic, and
//! memory in proportion to the bytes.
#![cfg(feature = "report")]

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use std::path::PathBuf;
use std::sync::Arc;
use std::{env, fs};

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_order::{CallForm, Recording, Timeline, Times};
use superstep_planner::file::{Digest, Identity, encode};
use superstep_planner::{Algorithm, Candidate, Order, Plan, Report, Rows, Wait, Windows, Within};
use superstep_runtime::planned::Saved;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn file(plan: &Plan) -> Vec<u8> {
    let mut identity = Identity::new("solve", "");
    identity.scalar("n", &25);
    let windows = Windows {
        grains: 3,
        chunks: 2,
        within: Within::Run,
    };
    let report = Report {
        level: 0,
        iterations: plan.boundaries.last().copied().unwrap_or(0),
        grains: 4,
        edges: 3,
        levels: 3,
        parallelism: 1.5,
        processors: plan.order.processors() as u32,
        nanoseconds: 1000.0,
        candidates: vec![Candidate {
            algorithm: Algorithm::Doacross(windows),
            ratio: 0.75,
            loaded: 0.5,
            chunks: 4,
            waits: 1,
        }],
        chosen: 0,
        scratch: Vec::new(),
        outside: Vec::new(),
        others: Vec::new(),
        unpaid: None,
        measured: None,
    };
    encode(plan, &report, &identity)
}

/// Makes a plan of two processors with two chunks each; the last waits for the first.
fn plan() -> Plan {
    let wait = Wait {
        processor: 0,
        steps: 1,
    };
    Plan {
        boundaries: [0, 5, 11, 20, 25].into(),
        order: Arc::new(Order {
            processors: vec![0, 2, 4],
            waits: Rows::sorted(4, [(3, wait)].into_iter()),
        }),
        grains: Rows::sorted(4, [(0, 0), (1, 2), (2, 1), (3, 3)].into_iter()),
    }
}

/// Behind magic, version and length.
const BODY: usize = 20;

/// Makes a file that has this between its head and its checksum, which are right.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = file(&plan())[..BODY - 8].to_vec();
    bytes.extend((body.len() as u64 + 36).to_le_bytes());
    bytes.extend(body);
    let checksum = Digest::of(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Makes a file of one test.
fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("a writable folder");
    path
}

/// Reads a file and reports on it.
fn hold(name: &str, bytes: &[u8]) {
    let path = temporary(name, bytes);
    let (read, most) = peak(|| {
        Saved::read(&path)
            .map(|saved| saved.whole(None))
            .map_err(|error| error.to_string())
    });
    let bound = 2_000 * bytes.len() + (1 << 20);
    assert!(most <= bound, "{most} bytes for {}", bytes.len());
    match read {
        Ok(whole) => {
            assert!(whole.report.text().contains("solve") || !bytes.is_empty());
            if let Some(details) = whole.details {
                let tasks: u64 = details.tasks().iter().sum();
                assert_eq!(tasks, whole.report.tasks as u64);
            }
        }
        Err(error) => assert!(!error.is_empty()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn spoiled_files(bytes in spoiled(file(&plan()))) {
        hold("spoiled.plan", &bytes);
    }

    #[test]
    fn spoiled_files_with_a_checksum_that_is_right(
        body in spoiled({ let file = file(&plan()); file[BODY..file.len() - 16].to_vec() }),
    ) {
        hold("sealed.plan", &sealed(&body));
    }
}

#[test]
fn what_most_processors_have_no_part_in_is_not_drawn() {
    let chunks = 1 << 14;
    let mut processors = vec![0; 256];
    processors.push(chunks);
    let plan = Plan {
        boundaries: [0, 25].into(),
        order: Arc::new(Order {
            processors,
            waits: Rows::sorted(chunks as usize, std::iter::empty()),
        }),
        grains: Rows::sorted(chunks as usize, [(7, 0)].into_iter()),
    };
    let bytes = file(&plan);
    hold("uneven.plan", &bytes);
    let path = temporary("uneven.plan", &bytes);
    let whole = Saved::read(&path).expect("a plan file").whole(None);
    assert!(whole.details.is_none() && whole.notices.len() == 1);
    assert_eq!(whole.report.loads[255].tasks, 25);
    assert_eq!(whole.report.supersteps, chunks as usize);
}

/// Hashes a plan as recordings do.
fn identity(plan: &Plan) -> u64 {
    let waits = plan.order.waits.items.iter();
    let waits = waits.flat_map(|wait| [wait.processor, wait.steps]);
    let arrays = [
        &plan.boundaries[..],
        &plan.order.processors,
        &plan.grains.offsets,
        &plan.grains.items,
    ];
    let numbers = arrays.concat().into_iter().chain(waits);
    let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    superstep_plan::digest(b"solve", &bytes)
}

#[test]
fn a_recorded_run_counts_if_it_is_of_the_plan() {
    let path = temporary("recorded.plan", &file(&plan()));
    let saved = Saved::read(&path).expect("a plan file");
    let step = |work| Times {
        work,
        ..Times::default()
    };
    let timeline = |firsts: Vec<u32>| {
        let steps = vec![step(u64::MAX / 2); firsts[firsts.len() - 1] as usize];
        Timeline::new(firsts, steps)
    };
    let mut run = Recording {
        kernel: "solve".into(),
        form: CallForm::Plan,
        timeline: timeline(vec![0, 2, 4]),
        threads: vec![0, 0, 1, 1],
        ..Recording::default()
    };
    assert!(!saved.is_of(&run) && saved.whole(Some(&run)).report.times.is_none());
    run.identity = identity(&plan());
    let whole = saved.whole(Some(&run));
    assert!(saved.is_of(&run) && whole.report.times.is_some());
    assert_eq!(
        whole.details.map(|details| details.timelines.len()),
        Some(1)
    );
    // Steps that the plan has not, and a hash that is right.
    run.timeline = timeline(vec![0, 3, 4]);
    assert!(!saved.is_of(&run) && saved.whole(Some(&run)).report.times.is_none());
}
