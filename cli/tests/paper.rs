//! `cargo superstep paper`, seen from outside: lists, items, curves, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Exit code and both outputs of `cargo superstep paper`.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"))
        .arg("paper")
        .args(arguments)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    let code = output.status.code().expect("it ended by itself");
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn sources_and_items_are_listed() {
    let (code, text, said) = run(&[]);
    assert_eq!((code, &*said), (0, ""));
    insta::assert_snapshot!(text);
    // The page on papers has them all, in that order.
    let page = include_str!("../../docs/PAPERS.md");
    let mut rows = page
        .lines()
        .filter(|line| line.starts_with("| figure") || line.starts_with("| table"));
    for line in text.lines().filter(|line| line.starts_with("  ")) {
        let row = rows.next().unwrap_or_default();
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let listed = format!("  {:<12} {}: {}", cells[0], cells[1], cells[2]);
        assert_eq!(line, listed);
    }
    assert_eq!(rows.next(), None);
    let (_, json, _) = run(&["--json"]);
    let all: Vec<serde_json::Value> = serde_json::from_str(&json).expect("a list");
    assert_eq!(all[3]["item"], "figure 4");
}

#[test]
fn items_have_rows_with_verdicts() {
    let (code, text, said) = run(&["thesis", "table 4.2", "table 3.6"]);
    assert_eq!((code, &*said), (0, ""));
    insta::assert_snapshot!(text);
    let (_, json, _) = run(&["thesis", "table 4.2", "figure 3.1", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&json).expect("a list");
    assert_eq!(all[0]["rows"][0]["verdict"], "equal");
    assert_eq!(all[1]["state"], "explains");
    assert_eq!(all[1].get("rows"), None);
}

#[test]
fn curves_are_written_as_svg_and_csv() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("paper-curves");
    let out = folder.to_str().expect("a folder of letters");
    let (code, text, _) = run(&["rounds", "8", "--out", out]);
    assert!(
        code == 0 && text.starts_with("rounds, figure 8: "),
        "{text}"
    );
    let read = |ending| fs::read_to_string(folder.join(format!("rounds-figure-8.{ending}")));
    assert!(
        read("csv")
            .expect("it is written")
            .starts_with("nLat,UMR Bm=120,")
    );
    assert!(
        read("svg")
            .expect("it is written")
            .contains("PTUMR Bm=1200")
    );
}

#[test]
fn unknown_sources_and_items_are_told() {
    for (arguments, message) in [
        (
            &["thesi"][..],
            "there are latency, topology, thesis, rounds, prediction, and `all`",
        ),
        (
            &["thesis", "4.1"],
            "thesis has no `4.1`, or a table and a figure of that number",
        ),
        (&["rounds", "figure 10"], "rounds has no `figure 10`"),
    ] {
        let (code, _, said) = run(arguments);
        assert!(code == 2 && said.contains(message), "{said}");
    }
}
