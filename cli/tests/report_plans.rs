//! `cargo superstep report` and `compare` on plan files and on runs of plans and farms, seen from
//! outside.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use superstep_order::{CallForm, Recording, Timeline, Times};
use superstep_sparse::{Kernel, Problem, grids};

/// A kernel of the user's own.
#[superstep::kernel(plan)]
pub fn chains(n: usize, x: &mut [f64]) {
    for chain in 0..n {
        for i in 1..400 {
            x[400 * chain + i] += 0.5 * x[400 * chain + i - 1];
        }
    }
}

/// Runs `cargo superstep report` in a folder: exit code, and both outputs.
fn report(folder: &Path, arguments: &str) -> (i32, String, String) {
    run(folder, "report", arguments)
}

/// Runs `cargo superstep compare` in a folder: exit code, and both outputs.
fn compare(folder: &Path, arguments: &str) -> (i32, String, String) {
    run(folder, "compare", arguments)
}

fn run(folder: &Path, command: &str, arguments: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"))
        .current_dir(folder)
        .arg(command)
        .args(arguments.split(' '))
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    let code = output.status.code().expect("it ended by itself");
    (code, text(output.stdout), text(output.stderr))
}

/// Makes a folder of one test, with a plan of `ilu0` on a grid, the matrix, and another one.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a writable folder");
    let grid = grids::five_point(60);
    let problem = Problem::new(Kernel::Ilu0, &grid, 1 << 20).expect("it is square");
    let plan = problem.plan(2).expect("it can be planned");
    plan.save(&folder.join("ilu0.plan"))
        .expect("a writable folder");
    for (name, side) in [("grid.mtx", 60), ("small.mtx", 59)] {
        let matrix = grids::five_point(side);
        let mut text = format!(
            "%%MatrixMarket matrix coordinate pattern general\n{0} {0} {1}\n",
            matrix.lines(),
            matrix.indices.len()
        );
        for row in 0..matrix.lines() {
            for (column, _) in matrix.line(row) {
                text += &format!("{} {}\n", row + 1, column + 1);
            }
        }
        fs::write(folder.join(name), text).expect("a writable folder");
    }
    folder
}

/// Writes a recorded run to a file of that name.
fn recorded(folder: &Path, name: &str, form: CallForm) -> Recording {
    let step = |wait: u64, work: u64| Times {
        wait: 1000 * wait,
        work: 1000 * work,
        copy: 0,
    };
    let steps = vec![step(0, 80), step(3, 50), step(35, 20)];
    let run = Recording {
        kernel: if form == CallForm::Farm {
            "a farm"
        } else {
            "chains"
        }
        .into(),
        form,
        call: 150_000,
        timeline: Timeline::new(vec![0, 2, 3], steps),
        threads: vec![0, 0, 1],
        ..Recording::default()
    };
    fs::write(folder.join(name), run.encode()).expect("a writable folder");
    run
}

fn json(text: &str) -> superstep_report::Report {
    serde_json::from_str(text).expect("it is a report")
}

#[test]
fn a_plan_file_tells_what_was_planned() {
    let folder = folder("plan_alone");
    let (code, text, said) = report(&folder, "--plan ilu0.plan");
    assert_eq!((code, &*said), (0, ""));
    insta::assert_snapshot!(text);
    let (_, text, _) = report(&folder, "--plan ilu0.plan --json");
    let alone = json(&text);
    assert_eq!(alone.kind, superstep_report::Kind::Plan);
    assert_eq!(alone.loads.iter().map(|load| load.tasks).sum::<u64>(), 3600);
    assert!(alone.times.is_none() && alone.plan.is_some());
}

#[test]
fn the_page_of_a_plan_file_is_drawn_in_iterations() {
    let folder = folder("plan_page");
    let (code, said, _) = report(
        &folder,
        "--plan ilu0.plan --html alone.html --dot waits.dot",
    );
    assert!(
        code == 0 && said.contains("alone.html: ilu0 (n = 3600"),
        "{said}"
    );
    let html = fs::read_to_string(folder.join("alone.html")).expect("it is written");
    let has = |html: &str, id: &str| html.contains(&format!("id=\"{id}\">"));
    assert!(has(&html, "plan") && !has(&html, "times") && !has(&html, "traffic"));
    assert!(!has(&html, "dependences"), "the kernel alone knows them");
    let dot = fs::read_to_string(folder.join("waits.dot")).expect("it is written");
    assert!(dot.contains(" -> "));
    let (code, _, _) = report(
        &folder,
        "--plan ilu0.plan --matrix grid.mtx --html whole.html",
    );
    let html = fs::read_to_string(folder.join("whole.html")).expect("it is written");
    assert!(code == 0 && has(&html, "plan") && has(&html, "times") && has(&html, "traffic"));
    assert!(has(&html, "dependences"));
}

#[test]
fn with_its_matrix_a_plan_is_told_in_full() {
    let folder = folder("plan_matrix");
    let (code, text, said) = report(
        &folder,
        "--plan ilu0.plan --matrix grid.mtx --explain --json",
    );
    assert_eq!((code, &*said), (0, ""));
    let whole = json(&text);
    let problem = Problem::new(Kernel::Ilu0, &grids::five_point(60), 1 << 20).expect("square");
    let plan = problem.plan(2).expect("it can be planned");
    let made = plan
        .report()
        .explained()
        .in_full()
        .expect("it can be tracked");
    assert_eq!(whole.times, made.times);
    assert_eq!(whole.loads, made.loads);
    assert_eq!(whole.steps, made.steps);
    assert_eq!(whole.answers, made.answers);
    assert!(
        whole
            .loads
            .iter()
            .all(|load| load.words_sent > 0 && load.work_ns > 0)
    );
    let (code, said, _) = report(
        &folder,
        "--plan ilu0.plan --matrix grid.mtx --trace ilu0.json",
    );
    assert!(code == 0 && said.contains("events"), "{said}");
}

#[test]
fn a_recorded_run_of_the_plan_stands_beside_it() {
    let folder = folder("plan_run");
    let problem = Problem::new(Kernel::Ilu0, &grids::five_point(60), 1 << 20).expect("square");
    let plan = problem.plan_recorded(2).expect("it can be planned");
    plan.save(&folder.join("run.plan"))
        .expect("a writable folder");
    plan.run(&mut problem.start().to_vec()).expect("it runs");
    let timeline = superstep::last_timeline().expect("it was recorded");
    timeline
        .write(folder.join("run.timeline"))
        .expect("a writable folder");
    for matrix in ["", " --matrix grid.mtx"] {
        let arguments = format!("--plan run.plan --timeline run.timeline --json{matrix}");
        let (code, text, said) = report(&folder, &arguments);
        assert_eq!((code, &*said), (0, ""));
        let times = json(&text).times.expect("it was recorded");
        assert!(times.measured.is_some_and(|times| times.work_ns > 0));
        assert_eq!(times.predicted.run_ns > 0, !matrix.is_empty());
    }
    // Without its plan the run tells less, and where to find more.
    let (code, text, _) = report(&folder, "--timeline run.timeline");
    assert!(code == 0 && text.contains("--plan FILE"), "{text}");
    recorded(&folder, "other.timeline", CallForm::Plan);
    let (code, _, said) = report(&folder, "--plan run.plan --timeline other.timeline");
    assert!(
        code == 1 && said.contains("no run of the plan in run.plan"),
        "{said}"
    );
}

#[test]
fn a_recorded_farm_tells_what_each_thread_did() {
    let folder = folder("farm");
    recorded(&folder, "farm.timeline", CallForm::Farm);
    let (code, text, said) = report(&folder, "--timeline farm.timeline");
    assert_eq!((code, &*said), (0, ""));
    insta::assert_snapshot!(text);
    let arguments = "--timeline farm.timeline --html farm.html --trace farm.json --dot farm.dot";
    let (code, said, _) = report(&folder, arguments);
    assert!(
        code == 0 && said.contains("farm.html: farm on 2 processors"),
        "{said}"
    );
    let html = fs::read_to_string(folder.join("farm.html")).expect("it is written");
    assert!(html.contains("id=\"times\">") && html.contains("\"kind\":\"farm\""));
    let trace = fs::read_to_string(folder.join("farm.json")).expect("it is written");
    let trace: serde_json::Value = serde_json::from_str(&trace).expect("it is JSON");
    assert!(
        trace["traceEvents"]
            .as_array()
            .is_some_and(|events| events.len() == 8)
    );
    let (_, text, _) = report(&folder, "--timeline farm.timeline --json");
    assert_eq!(json(&text).kind, superstep_report::Kind::Farm);
}

#[test]
fn a_farm_that_ran_is_told() {
    let folder = folder("farm_run");
    let farm = superstep::farm::map((0..100_u64).collect::<Vec<_>>(), |&i| i * i);
    let squares = farm.workers(2).record(true).run().expect("no item panics");
    assert_eq!(squares[99], 9801);
    let timeline = superstep::last_timeline().expect("it was recorded");
    timeline
        .write(folder.join("farm.timeline"))
        .expect("a writable folder");
    let (code, text, said) = report(&folder, "--timeline farm.timeline --json");
    assert_eq!((code, &*said), (0, ""));
    let farm = json(&text);
    let chunks: u64 = farm.loads.iter().map(|load| load.tasks).sum();
    assert!(chunks > 0 && chunks == farm.tasks as u64);
}

#[test]
fn a_call_that_ran_as_a_plan_is_told_without_it() {
    let folder = folder("plan_call");
    recorded(&folder, "chains.timeline", CallForm::Plan);
    let (code, text, said) = report(&folder, "--timeline chains.timeline");
    assert_eq!((code, &*said), (0, ""));
    insta::assert_snapshot!(text);
    let (code, _, said) = report(&folder, "other --timeline chains.timeline");
    assert!(code == 1 && said.contains("no program fits"), "{said}");
}

#[test]
fn what_is_wrong_with_a_plan_file_is_named() {
    let folder = folder("plan_wrong");
    let own = chains::plan(64)
        .processors(2)
        .build()
        .expect("it can be planned");
    own.save(folder.join("own.plan"))
        .expect("a writable folder");
    recorded(&folder, "farm.timeline", CallForm::Farm);
    recorded(&folder, "chains.timeline", CallForm::Plan);
    let bytes = fs::read(folder.join("ilu0.plan")).expect("it is there");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("writable");
    write("cut.plan", &bytes[..bytes.len() / 2]);
    let mut damaged = bytes.clone();
    damaged[200] ^= 1;
    write("damaged.plan", &damaged);
    let mut newer = bytes;
    newer[8] += 1;
    write("newer.plan", &newer);
    for (arguments, code, said) in [
        ("--plan none.plan", 1, "none.plan: "),
        ("--plan grid.mtx", 1, "grid.mtx: not a plan file"),
        ("--plan cut.plan", 1, "cut.plan: the plan file is cut off"),
        (
            "--plan damaged.plan",
            1,
            "the plan file is damaged: its checksum",
        ),
        ("--plan newer.plan", 1, "build the plan anew"),
        (
            "--plan ilu0.plan --matrix small.mtx",
            1,
            "`n` was 3600 when the plan was saved",
        ),
        (
            "--plan ilu0.plan --matrix small.mtx",
            1,
            "the plan is of another matrix",
        ),
        ("--plan ilu0.plan --matrix none.mtx", 1, "none.mtx"),
        (
            "--plan own.plan --matrix grid.mtx",
            1,
            "`plan.report().write_html(..)`",
        ),
        (
            "--plan own.plan --matrix grid.mtx",
            1,
            "the plan is of the kernel `chains`",
        ),
        ("--plan ilu0.plan --explain", 2, "--explain needs --matrix"),
        ("--plan ilu0.plan --trace x.json", 2, "--trace needs times"),
        ("--plan ilu0.plan --costs x.json", 2, "--costs"),
        (
            "--plan ilu0.plan --graph g.dot --schedule s.json",
            2,
            "--graph",
        ),
        ("--matrix grid.mtx", 2, "--plan"),
        (
            "--plan ilu0.plan --timeline grid.mtx",
            1,
            "grid.mtx: no recording of a run",
        ),
        (
            "--plan ilu0.plan --timeline farm.timeline",
            1,
            "no run of the plan in ilu0.plan",
        ),
        ("--timeline farm.timeline --explain", 2, "a run of a farm"),
        (
            "--timeline chains.timeline --costs x.json",
            2,
            "measured(&timeline)",
        ),
        (
            "--plan ilu0.plan --html no/such/x.html",
            1,
            "x.html cannot be written",
        ),
    ] {
        let (found, _, error) = report(&folder, arguments);
        assert_eq!(found, code, "{arguments}: {error}");
        assert!(error.contains(said), "{arguments}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
    let (code, text, _) = report(&folder, "--plan own.plan");
    assert!(
        code == 0 && text.contains("chains") && text.contains("n = 64"),
        "{text}"
    );
}

#[test]
fn two_plans_are_compared_by_their_iterations() {
    let folder = folder("plans_compared");
    let problem = Problem::new(Kernel::Ilu0, &grids::five_point(60), 1 << 20).expect("square");
    let wide = problem.plan(3).expect("it can be planned");
    wide.save(&folder.join("wide.plan"))
        .expect("a writable folder");
    let (code, text, said) = compare(&folder, "ilu0.plan wide.plan --matrix grid.mtx");
    assert_eq!((code, &*said), (0, ""));
    insta::assert_snapshot!(text);
    let (_, text, _) = compare(&folder, "ilu0.plan wide.plan --json");
    let alone: superstep_report::Comparison = serde_json::from_str(&text).expect("a comparison");
    let pair = alone.pair.expect("there are two");
    let moved = pair.statements[0].moved.expect("iterations have numbers");
    assert_eq!((moved.matched, pair.same_program), (3600, false));
    assert!(moved.processor > 0 && moved.stayed > 0);
    let page = "ilu0.plan wide.plan --matrix grid.mtx --html both.html";
    let (code, said, _) = compare(&folder, page);
    assert!(code == 0 && said.starts_with("both.html: "), "{said}");
}

#[test]
fn two_runs_of_a_plan_or_a_farm_are_compared_by_their_steps() {
    let folder = folder("runs_compared");
    for form in [CallForm::Plan, CallForm::Farm] {
        let mut run = recorded(&folder, "fast.timeline", form);
        let mut steps = run.timeline.steps().to_vec();
        steps[1].work += 50_000;
        run.timeline = Timeline::new(vec![0, 2, 3], steps);
        let write = |run: &Recording, name| fs::write(folder.join(name), run.encode());
        write(&run, "slow.timeline").expect("a writable folder");
        run.identity += 1;
        write(&run, "other.timeline").expect("a writable folder");
        let (code, text, said) = compare(&folder, "fast.timeline slow.timeline");
        assert_eq!((code, &*said), (0, ""));
        insta::assert_snapshot!(format!("{form:?}"), text);
        let (_, text, _) = compare(&folder, "fast.timeline other.timeline");
        assert!(text.contains("chunks are not matched: "), "{text}");
    }
}

#[test]
fn files_that_cannot_be_compared_are_told() {
    let folder = folder("not_compared");
    recorded(&folder, "farm.timeline", CallForm::Farm);
    recorded(&folder, "chains.timeline", CallForm::Plan);
    let small = Problem::new(Kernel::Ilu0, &grids::five_point(59), 1 << 20).expect("square");
    let plan = small.plan(2).expect("it can be planned");
    plan.save(&folder.join("small.plan"))
        .expect("a writable folder");
    for (arguments, message) in [
        (
            "farm.timeline chains.timeline",
            "a recorded run of a farm and a recorded run of a plan",
        ),
        ("ilu0.plan chains.timeline", "are of different kinds"),
        ("ilu0.plan small.plan", "are of different instances"),
        ("ilu0.plan grid.mtx", "grid.mtx: "),
        (
            "ilu0.plan small.plan --matrix grid.mtx",
            "the plan is of another matrix",
        ),
        ("ilu0.plan missing.plan", "missing.plan"),
    ] {
        let (code, _, said) = compare(&folder, arguments);
        assert!(code == 1 && said.contains(message), "{arguments}: {said}");
    }
    for (arguments, message) in [
        (
            "ilu0.plan small.plan -P 2",
            "-P is only for programs and their runs",
        ),
        (
            "farm.timeline farm.timeline --control n",
            "--control is only for programs and their runs",
        ),
        (
            "farm.timeline farm.timeline --matrix grid.mtx",
            "--matrix is only for plans",
        ),
    ] {
        let (code, _, said) = compare(&folder, arguments);
        assert!(code == 2 && said.contains(message), "{arguments}: {said}");
    }
}
