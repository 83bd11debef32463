//! Plan files that somebody has crafted: they are for as many threads as was asked for, and take
//! memory in proportion to themselves.

use std::sync::Arc;

use std::fs;
use std::path::{Path, PathBuf};

use superstep::kernel;
use superstep::plan::FileError;
use superstep_planner::file::{self, Identity};
use superstep_planner::{Plan, Report, Rows, Wait};

/// Adds to words what stands some places before them.
#[kernel(plan)]
pub(crate) fn strides(n: usize, x: &mut [f64]) {
    for i in 40..n {
        x[i] += x[i - 40];
    }
}

const N: usize = 1040;

/// Writes a plan file for the kernel, with what somebody has made of it.
fn crafted(name: &str, craft: impl FnOnce(&mut Plan, &mut Report)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crafted");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let built = strides::plan(N).processors(2).build().unwrap();
    built.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    // Behind magic, version and length: the kernel's name, and the hash of its text.
    let mut rest = &bytes[20..];
    let [name, text] = [(); 2].map(|()| {
        let (text, behind) = rest[1..].split_at(usize::from(rest[0]));
        rest = behind;
        std::str::from_utf8(text).unwrap()
    });
    let mut identity = Identity::new(name, text);
    identity.scalar("n", &N);
    let (mut plan, mut report) = file::decode(&bytes, &identity).unwrap();
    craft(&mut plan, &mut report);
    fs::write(&path, file::encode(&plan, &report, &identity)).unwrap();
    path
}

/// Has a plan in order, on the first of 200 processors or more. All others have chunks without a
/// grain, some of which wait for nothing much.
fn wide(plan: &mut Plan, processors: u32, chunks: u32, waiting: u32) {
    *plan = Plan::sequential(plan.boundaries.clone());
    let grains = plan.grains.items.len() as u32;
    let all = 1 + (processors - 1) * chunks;
    Arc::make_mut(&mut plan.order).processors = [0]
        .into_iter()
        .chain((0..processors).map(|each| 1 + each * chunks))
        .collect();
    plan.grains.offsets = [0].into_iter().chain((0..all).map(|_| grains)).collect();
    let wait = Wait {
        processor: 0,
        steps: 1,
    };
    Arc::make_mut(&mut plan.order).waits = Rows {
        offsets: (0..=all)
            .map(|chunk| chunk.saturating_sub(1).min(waiting))
            .collect(),
        items: vec![wait; waiting as usize],
    };
}

#[test]
fn a_plan_runs_on_no_more_threads_than_its_report_says() {
    let path = crafted("wide.plan", |plan, report| {
        wide(plan, 200, 1, 1);
        report.processors = 2;
    });
    for planner in [strides::plan(N).exactly(2), strides::plan(N)] {
        let error = planner.open(&path).map(|_| ()).unwrap_err();
        assert!(matches!(error, FileError::Decode { .. }), "{error}");
        let text = "the plan file is damaged: the number of processors";
        assert!(error.to_string().ends_with(text), "{error}");
    }
    // One that says so is for as many.
    let path = crafted("wide.plan", |plan, report| {
        wide(plan, 200, 1, 1);
        report.processors = 200;
    });
    let error = strides::plan(N).exactly(2).open(&path).map(|_| ());
    assert!(matches!(
        error,
        Err(FileError::Processors {
            found: 200,
            wanted: 2,
            ..
        })
    ));
    assert!(strides::plan(N).processors(200).open(&path).is_ok());
}

#[test]
fn a_proof_takes_memory_in_proportion_to_its_file() {
    let path = crafted("dense.plan", |plan, report| {
        wide(plan, 256, 256, 1 << 15);
        report.processors = 256;
    });
    let length = fs::metadata(&path).unwrap().len() as usize;
    assert!(length < 256 << 10, "{length} bytes");
    let error = strides::plan(N).open(&path).map(|_| ()).unwrap_err();
    let FileError::ProofMemory { needed, most, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(most, 64 * length + (16 << 20));
    assert!(needed > 1 << 25, "{needed}");
    let text = format!(
        "{}: the plan's proof takes {needed} bytes, of which {most} are allowed: `.proof_memory({needed})` allows it",
        path.display()
    );
    assert_eq!(error.to_string(), text);
    assert!(strides::plan(N).proof_memory(needed).open(&path).is_ok());
    assert!(
        strides::plan(N)
            .proof_memory(needed - 1)
            .open(&path)
            .is_err()
    );
}
