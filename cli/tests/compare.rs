//! `cargo superstep compare`, seen from outside: what it prints, and its exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes a command `cargo superstep compare` in the folder of the data.
fn compare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"));
    command.arg("compare").args(arguments);
    command
}

/// Returns exit code and both outputs of a command.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    format!(
        "exit code {code}\n--- output\n{}--- errors\n{}",
        text(output.stdout),
        text(output.stderr)
    )
}

/// Returns the text without the last column of tables, which has times that differ from run to run.
fn timeless(command: &mut Command) -> String {
    let is_time =
        |line: &str| line.ends_with(" time") || line.trim_end_matches('*').ends_with(" s");
    let cut = |line: &str| match is_time(line) {
        true => {
            let rest = line.trim_end_matches('*').trim_end_matches(" s").trim_end();
            let end = rest.rfind(' ').unwrap_or(rest.len());
            rest[..end].trim_end().to_owned() + "\n"
        }
        false => line.to_owned() + "\n",
    };
    run(command).lines().map(cut).collect()
}

#[test]
fn algorithms_are_compared_for_each_number_of_processors() {
    insta::assert_snapshot!(timeless(&mut compare(&[
        "--graph",
        "heat.dot",
        "-P",
        "2,3",
        "--tau",
        "3",
        "--latency",
        "2"
    ])));
}

#[test]
fn machine_files_and_chosen_algorithms_are_compared() {
    let arguments = ["--graph", "triangular.mtx", "-a", "levels,alg1,etf"];
    let machine = ["--machine", "two_sites.toml"];
    insta::assert_snapshot!(timeless(&mut compare(&[&arguments[..], &machine].concat())));
    // Fewer processors of the file are another machine.
    let fewer = [&arguments[..], &machine, &["-P", "2", "-P", "4"]].concat();
    let text = timeless(&mut compare(&fewer));
    let machines = text
        .lines()
        .filter(|line| line.contains(" processors, g ="));
    assert_eq!(machines.count(), 2, "{text}");
}

#[test]
fn json_has_each_figure_beside_the_best_and_beside_its_bound() {
    let arguments = [
        "--graph",
        "heat.dot",
        "-P",
        "2",
        "--tau",
        "3",
        "-a",
        "serial,etf",
        "--json",
    ];
    let output = compare(&arguments).output().unwrap();
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["schema"], 1);
    let [serial, etf] = [0, 1].map(|at| &found["schedules"][at]);
    assert_eq!(
        (&serial["algorithm"], &etf["algorithm"]),
        (&"serial".into(), &"etf".into())
    );
    assert_eq!(serial["makespan"]["over_best"], 22.0 / 16.0);
    assert_eq!(serial["makespan"]["over_bound"], 2.0);
    assert_eq!(etf["makespan"]["is_best"], true);
    assert!(found.get("programs").is_none() && found.get("pair").is_none());
}

#[test]
fn the_default_leaves_out_in_silence_what_does_not_serve() {
    let text = run(&mut compare(&["--graph", "heat.dot", "-P", "65"]));
    assert!(text.starts_with("exit code 0"), "{text}");
    assert!(
        !text.contains("bcsh") && text.contains("etf") && !text.contains("left out"),
        "{text}"
    );
}

#[test]
fn errors_name_what_is_wrong() {
    let wrong: [(&[&str], u8, &str); 6] = [
        (
            &["--graph", "heat.dot", "-a", "alg1"],
            1,
            "no algorithm serves heat.dot: alg1",
        ),
        (&["--graph", "missing.hdag"], 1, "missing.hdag: "),
        (
            &["--graph", "heat.dot", "-a", "magic"],
            2,
            "invalid value 'magic'",
        ),
        (&["--graph", "heat.dot", "lu"], 2, "cannot be used with"),
        (&["-a", "etf"], 2, "--graph <FILE>"),
        (
            &["a.timeline"],
            1,
            "`a.timeline` is no kernel: give two recorded runs",
        ),
    ];
    for (arguments, code, message) in wrong {
        let text = run(&mut compare(arguments));
        assert!(text.starts_with(&format!("exit code {code}\n")), "{text}");
        assert!(text.contains(message), "{text}");
    }
    let text = run(&mut compare(&["heat.dot", "missing.timeline"]));
    assert!(
        text.contains("error: heat.dot: no recording of a run"),
        "{text}"
    );
    let text = run(&mut compare(&["missing.timeline", "heat.dot"]));
    assert!(
        text.contains("error: missing.timeline cannot be read: "),
        "{text}"
    );
}

#[test]
fn options_that_say_nothing_of_what_is_compared_are_refused() {
    let idle: [(&[&str], &str); 6] = [
        (&["a.plan", "b.plan", "--effort", "fast"], "--effort"),
        (&["a.timeline", "b.timeline", "--tau", "3"], "--tau"),
        (&["lu", "--g", "1"], "--g"),
        (&["--latency", "2"], "--latency"),
        (&["a.plan", "b.plan", "--memo", "night"], "--memo"),
        (&["--graph", "heat.dot", "--memo", ""], "--memo"),
    ];
    for (arguments, option) in idle {
        let for_what = match option {
            "--memo" => "a page: --html",
            _ => "schedules of a task graph: --graph",
        };
        let text = run(&mut compare(arguments));
        let error = format!("error: {option} is only for {for_what}\n");
        assert!(text.starts_with("exit code 2\n"), "{text}");
        assert!(text.contains(&error), "{text}");
    }
}

#[test]
fn help_says_what_can_be_said() {
    insta::assert_snapshot!(run(&mut compare(&["--help"])));
}

/// Programs of a crate, as a build leaves them, and a stand-in for the cargo that builds it.
#[cfg(unix)]
mod programs {
    use std::os::unix::fs::PermissionsExt;

    use superstep_order::{Recording, Timeline, Times as Step};
    use superstep_plan::synchronisation::Synchronisation;
    use superstep_plan::{Body, Code, Plan, Precedence, Term};
    use superstep_report::{
        Array, Breakdown, Details, Figures, KernelReport, Kind, Location, Report, SCHEMA,
        Statement, Times, Traffic,
    };

    use super::*;

    /// Tasks of `x[i] += y[i]`: in each superstep each processor runs a block of neighbours.
    fn plan(processors: u32, supersteps: u32, n: u32, is_shared: bool) -> Plan {
        let blocks = processors * supersteps;
        let code = (0..blocks).map(|block| {
            let (first, count) = (i64::from(block * n / blocks), i64::from(n / blocks));
            Code {
                terms: vec![Term::Run { body: 0 }],
                values: vec![count, first, first, first, 1, 1, 1],
                ..Code::default()
            }
        });
        let waits = (1..supersteps).flat_map(|step| Precedence::barrier(step, processors));
        Plan {
            processors,
            supersteps,
            extents: vec![n, n],
            shared: if is_shared { vec![true; 2] } else { Vec::new() },
            precedences: waits.collect(),
            lengths: vec![if is_shared { 0 } else { n }; 2 * processors as usize],
            scatter: vec![Vec::new(); processors as usize],
            gather: vec![Vec::new(); processors as usize],
            bodies: vec![Body::own(vec![0], 3)],
            code: code.collect(),
            ..Plan::default()
        }
    }

    /// Steps of 100 us and more; those of later supersteps take `slower` more each.
    fn timeline(plan: &Plan, slower: u64) -> Timeline {
        let steps = (0..plan.processors * plan.supersteps).map(|at| Step {
            wait: 10_000 * u64::from(at % plan.supersteps),
            copy: 0,
            work: 100_000 + slower * u64::from(at % plan.supersteps),
        });
        let first = (0..=plan.processors).map(|processor| processor * plan.supersteps);
        Timeline::new(first.collect(), steps.collect())
    }

    fn program(processors: u32, supersteps: u32, n: u32, is_shared: bool) -> (Report, Details) {
        let plan = plan(processors, supersteps, n, is_shared);
        let timeline = timeline(&plan, 0);
        let table = Synchronisation::new(&plan).unwrap();
        let predicted = Breakdown::of(&timeline, table.ordered().order(), 5_000);
        let array = |name: &str| Array {
            name: name.into(),
            element: "f64".into(),
            words: n,
            shared: is_shared,
            ..Array::default()
        };
        let traffic = (1..processors).map(|to| Traffic {
            superstep: 0,
            from: 0,
            to,
            words: 3,
        });
        let details = Details {
            plan,
            timelines: vec![timeline],
            traffic: if supersteps > 1 {
                traffic.collect()
            } else {
                Vec::new()
            },
            dependences: None,
        };
        let mut report = Report {
            schema: SCHEMA,
            kind: Kind::Program,
            kernel: Some(Location {
                name: "sums".into(),
                file: "src/kernels.rs".into(),
                line: 4,
            }),
            control: format!("n = {n}"),
            tasks: n as usize,
            processors: processors as usize,
            supersteps: supersteps as usize,
            private_memory: !is_shared,
            function: 1_000_000,
            program: Some(Figures {
                predicted: predicted.run_ns,
                ..Figures::default()
            }),
            times: Some(Times {
                predicted,
                measured: None,
            }),
            arrays: vec![array("x"), array("y")],
            statements: vec![Statement {
                line: 6,
                column: 9,
                text: "x[i] += y[i]".into(),
                writes: Some(0),
                reads: vec![0, 1],
                tasks: n.into(),
                work_ns: 100_000 * u64::from(processors * supersteps),
                ..Statement::default()
            }],
            ..Report::default()
        }
        .by("levels");
        report.fill(&details);
        (report, details)
    }

    /// Builds a crate of such programs in a folder of that name, and records two runs of some of
    /// them.
    fn build(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let out = folder.join("out/superstep");
        fs::create_dir_all(&out).unwrap();
        let (programs, details): (Vec<Report>, Vec<Details>) = [
            program(1, 1, 8, true),
            program(2, 2, 8, true),
            program(4, 2, 8, true),
            program(1, 1, 16, true),
            program(2, 2, 16, false),
        ]
        .into_iter()
        .unzip();
        let recorded = |name: &str, at: usize, slower: u64| {
            let plan = &details[at].plan;
            let timeline = timeline(plan, slower);
            let recording = Recording {
                kernel: "sums".into(),
                identity: plan.identity(),
                call: timeline.end() + 20_000,
                threads: (0..plan.processors)
                    .flat_map(|thread| vec![thread; plan.supersteps as usize])
                    .collect(),
                timeline,
                ..Recording::default()
            };
            fs::write(folder.join(name), recording.encode()).unwrap();
        };
        recorded("fast.timeline", 1, 0);
        recorded("slow.timeline", 1, 50_000);
        recorded("wide.timeline", 2, 0);
        recorded("other.timeline", 4, 0);
        let slow = fs::read(folder.join("slow.timeline")).unwrap();
        let failed = Recording {
            has_failed: true,
            ..Recording::decode(&slow).unwrap()
        };
        fs::write(folder.join("failed.timeline"), failed.encode()).unwrap();
        for (at, details) in details.iter().enumerate() {
            fs::write(out.join(format!("sums.{at}.details")), details.encode()).unwrap();
        }
        let report = KernelReport {
            kernel: "sums".into(),
            file: "src/kernels.rs".into(),
            line: 4,
            instances: Vec::new(),
            programs,
            print_seconds: 0.0,
            unplanned: None,
            sources: Vec::new(),
        };
        let json = serde_json::to_string(&report).unwrap();
        fs::write(out.join("sums.json"), json).unwrap();
        let messages = [
            serde_json::json!({"reason": "compiler-artifact", "package_id": "p", "manifest_path": folder.join("Cargo.toml")}),
            serde_json::json!({"reason": "build-script-executed", "package_id": "p", "out_dir": folder.join("out")}),
        ];
        let lines = messages.map(|message| message.to_string());
        fs::write(folder.join("messages"), lines.join("\n")).unwrap();
        let cargo = folder.join("cargo");
        fs::write(&cargo, "#!/bin/sh\ncat \"$(dirname \"$0\")/messages\"\n").unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    fn seen(folder: &Path, arguments: &[&str]) -> String {
        let mut command = compare(arguments);
        run(command
            .current_dir(folder)
            .env("CARGO", folder.join("cargo")))
    }

    #[test]
    fn programs_are_compared_instance_by_instance() {
        insta::assert_snapshot!(seen(&build("instances"), &["sums"]));
    }

    #[test]
    fn two_programs_are_compared_in_detail_in_the_order_that_is_asked_for() {
        let folder = build("pair");
        insta::assert_snapshot!(seen(&folder, &["--control", "n = 8", "-P", "4", "-P", "2"]));
        let json = seen(&folder, &["--control", "n = 8", "-P", "2,4", "--json"]);
        let json = json
            .split("--- ")
            .nth(1)
            .unwrap()
            .trim_start_matches("output\n");
        let found: serde_json::Value = serde_json::from_str(json).unwrap();
        // Blocks of two words become blocks of one.
        let moved = &found["pair"]["statements"][0]["moved"];
        assert_eq!(
            (&moved["matched"], &moved["only_after"]),
            (&8.into(), &0.into())
        );
        let plans = [(2, 2), (4, 2)].map(|(processors, supersteps)| {
            (0..8).map(move |word| {
                let block = word * processors * supersteps / 8;
                (block % processors, block / processors)
            })
        });
        let [before, after] = plans;
        let elsewhere = before.zip(after).filter(|(a, b)| a.0 != b.0).count();
        assert_eq!(moved["processor"], elsewhere);
    }

    #[test]
    fn tasks_of_private_memory_are_not_matched_and_the_rest_is_compared() {
        insta::assert_snapshot!(seen(&build("private"), &["sums", "--control", "n = 16"]));
    }

    #[test]
    fn runs_of_one_program_tell_which_steps_took_longer() {
        insta::assert_snapshot!(seen(&build("runs"), &["fast.timeline", "slow.timeline"]));
    }

    #[test]
    fn runs_of_two_programs_tell_which_tasks_moved() {
        let text = seen(&build("two"), &["fast.timeline", "wide.timeline"]);
        assert!(
            text.contains("times are measured") && text.contains("75.0 %"),
            "{text}"
        );
    }

    #[test]
    fn a_run_that_panicked_is_told() {
        let text = seen(&build("failed"), &["fast.timeline", "failed.timeline"]);
        assert!(
            text.contains("\nfailed.timeline: the recorded run panicked, "),
            "{text}"
        );
    }

    #[test]
    fn a_page_has_both_and_what_they_differ_in() {
        let folder = build("page");
        let two = ["--control", "n = 8", "-P", "2,4", "--html", "pair.html"];
        let text = seen(&folder, &two);
        assert_eq!(
            text,
            "exit code 0\n--- output\npair.html: sums (n = 8): P = 2, levels and P = 4, levels\n--- errors\n"
        );
        let html = fs::read_to_string(folder.join("pair.html")).unwrap();
        for id in ["report", "report2", "times", "times2", "comparison"] {
            assert!(html.contains(&format!(" id=\"{id}\">")), "{id}");
        }
        assert!(!html.contains(folder.to_str().unwrap()), "no path is in it");
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let folder = build("refused");
        let wrong: [(&[&str], &str); 4] = [
            (&["nobody"], "no program fits"),
            (&["--html", "a.html"], "programs that fit: 5; choose two"),
            (
                &["fast.timeline", "other.timeline"],
                "different instances, whose tasks are not the same: sums (n = 8) and sums (n = 16)",
            ),
            (
                &["fast.timeline", "wide.timeline", "-P", "2"],
                "wide.timeline: the timeline is of another program of sums",
            ),
        ];
        for (arguments, message) in wrong {
            let text = seen(&folder, arguments);
            assert!(text.starts_with("exit code 1\n"), "{text}");
            assert!(text.contains(message), "{text}");
        }
    }
}
