//! `cargo superstep report` on schedules of task graphs, seen from outside. It gives text, JSON,
//! page, trace events and graph of waits, and says where something is wrong.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Runs `cargo superstep` in the folder of the data: exit code, and both outputs.
fn superstep(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"))
        .args(arguments)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    let code = output.status.code().expect("it ended by itself");
    (code, text(output.stdout), text(output.stderr))
}

/// Returns a file for one test.
fn temporary(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports");
    fs::create_dir_all(&folder).expect("a writable folder");
    folder.join(name)
}

/// Writes a schedule of the heat graph for three processors.
fn schedule(name: &str) -> String {
    let path = temporary(name).display().to_string();
    let options = ["--algorithm", "levels", "--processors", "3", "--out", &path];
    let (code, _, said) = superstep(&[&["schedule", "heat.dot"], &options[..]].concat());
    assert_eq!(code, 0, "{said}");
    path
}

/// Takes out what differs from run to run.
fn steady(text: &str) -> String {
    let mut steady = String::new();
    for line in text.lines() {
        let line = match line.trim_start() {
            time if time.starts_with("time ") => "time              [time]",
            time if time.starts_with("\"seconds\": ") => "  \"seconds\": [time],",
            _ => line,
        };
        steady += line;
        steady.push('\n');
    }
    steady
}

#[test]
fn a_schedule_is_reported_as_text() {
    let file = schedule("text.json");
    let (code, text, said) = superstep(&["report", "--graph", "heat.dot", "--schedule", &file]);
    assert_eq!((code, &*said), (0, ""));
    insta::assert_snapshot!(steady(&text));
}

#[test]
fn the_page_has_the_numbers_of_the_json() {
    let (file, page) = (
        schedule("page.json"),
        temporary("heat.html").display().to_string(),
    );
    let arguments = [
        "report",
        "--graph",
        "heat.dot",
        "--schedule",
        &file,
        "--memo",
        "</script> & co",
    ];
    let (_, json, _) = superstep(&[&arguments[..], &["--json"]].concat());
    let (code, said, _) = superstep(&[&arguments[..], &["--html", &page]].concat());
    assert!(
        code == 0 && said.contains("schedule on 3 processors"),
        "{said}"
    );
    let html = fs::read_to_string(&page).expect("it is written");
    assert!(html.len() < 200_000, "{} bytes", html.len());
    let element = |id: &str| {
        let begin = format!("id=\"{id}\">");
        let after = html.split(&begin).nth(1).expect("the element is there");
        after.split("</script>").next().expect("it ends").to_owned()
    };
    let values = |text: &str| {
        let mut value: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
        let report = value.as_object_mut().expect("an object");
        for differs in ["seconds", "made"] {
            report.remove(differs);
        }
        value
    };
    assert_eq!(values(&element("report")), values(&json));
    assert!(
        element("report").contains("\\u003c/script>"),
        "the note ends nothing"
    );
    // The page without its viewer and its data.
    let cut = |text: &str, begin: &str, end: &str| {
        let (before, rest) = text.split_once(begin).expect("it is there");
        let (_, after) = rest.split_once(end).expect("it ends");
        format!("{before}{begin}[..]{end}{after}")
    };
    let mut plain = cut(&html, "<style>", "</style>");
    for id in ["report", "page", "plan", "times", "traffic", "dependences"] {
        plain = cut(&plain, &format!("id=\"{id}\">"), "</script>");
    }
    plain = cut(&plain, "<pre>", "</pre>");
    let viewer = plain.rfind("<script>").expect("the viewer");
    plain = cut(&plain[..viewer], "<title>", "</title>")
        + &cut(&plain[viewer..], "<script>", "</script>");
    insta::assert_snapshot!(plain);
}

#[test]
fn a_trace_has_an_event_for_each_wait_and_superstep_and_dot_a_node_for_each_block() {
    let file = schedule("trace.json");
    let [trace, dot] =
        ["heat.trace.json", "heat.waits.dot"].map(|name| temporary(name).display().to_string());
    let (code, said, _) = superstep(&[
        "report",
        "--graph",
        "heat.dot",
        "--schedule",
        &file,
        "--trace",
        &trace,
        "--dot",
        &dot,
    ]);
    assert!(
        code == 0 && said.contains("events") && said.contains("who waits for whom"),
        "{said}"
    );
    let value: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(trace).expect("a file")).expect("JSON");
    let events = value["traceEvents"].as_array().expect("a list");
    let lasts = |event: &&serde_json::Value| event["ph"] == "X";
    assert!(
        events
            .iter()
            .filter(lasts)
            .all(|event| event["dur"].as_f64() > Some(0.0))
    );
    assert!(events.iter().filter(lasts).count() > 3);
    let text = fs::read_to_string(dot).expect("a file");
    assert!(text.starts_with("digraph schedule {") && text.contains(" -> "));
}

#[test]
fn what_is_wrong_is_named() {
    let file = schedule("wrong.json");
    let none = temporary("none.json").display().to_string();
    for (arguments, code, said) in [
        (vec!["report", "--graph", "heat.dot"], 2, "--schedule"),
        (
            vec!["report", "--graph", "heat.dot", "--schedule", &none],
            1,
            "none.json",
        ),
        (
            vec!["report", "--graph", "none.dot", "--schedule", &file],
            1,
            "none.dot",
        ),
        (
            vec!["report", "--graph", "diamond.hdag", "--schedule", &file],
            1,
            "",
        ),
        (
            vec![
                "report",
                "--graph",
                "heat.dot",
                "--schedule",
                &file,
                "--html",
                "no/such/folder/x.html",
            ],
            1,
            "x.html cannot be written",
        ),
        (
            vec!["report", "--manifest-path", "no/Cargo.toml"],
            1,
            "does not build",
        ),
        (
            vec!["explain", "--manifest-path", "no/Cargo.toml"],
            1,
            "does not build",
        ),
    ] {
        let (found, _, error) = superstep(&arguments);
        assert_eq!(found, code, "{arguments:?}: {error}");
        assert!(error.contains(said), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
