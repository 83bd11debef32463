//! The walk of a user from an empty folder with an own kernel to its report and its explanation.
//! The explanation leads to a program that is predicted to be faster.
//!
//! `cargo test -p superstep-cli --test walks -- --ignored`: cargo builds a package, for a minute.

mod package;

use self::package::Package;

const BUILD: &str = r#"#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new()
        .kernel(kernels::total::instance(100_000).exactly([2]))
        .kernel(kernels::scaled::instance(200).exactly([1]))
        .kernel(kernels::strips::instance(80_000).exactly([2]))
        .run()
}
"#;

const KERNELS: &str = r"use superstep::kernel;

#[kernel]
pub fn total(n: usize, x: &[f64], sum: &mut f64) {
    for i in 0..n {
        *sum += x[i];
    }
}

#[kernel]
pub fn scaled(n: usize, by: &[f64], a: &mut [f64]) {
    for j in 0..n {
        for i in 0..n {
            a[i * n + j] *= by[i];
        }
    }
}

#[kernel]
pub fn strips(n: usize, x: &[f64], y: &mut [f64]) {
    #[grain]
    for strip in 0..3 {
        for i in 0..n {
            y[strip * n + i] = 0.5 * (x[strip * n + i] + x[strip * n + i + 1]);
        }
    }
}
";

/// The kernels as the answers say.
const MENDED: [[&str; 2]; 3] = [
    [
        "    for i in 0..n {\n        *sum",
        "    #[reduce]\n    for i in 0..n {\n        *sum",
    ],
    [
        "    for j in 0..n {\n        for i in 0..n {",
        "    for i in 0..n {\n        for j in 0..n {",
    ],
    ["    #[grain]\n", ""],
];

const MAIN: &str = r#"mod kernels;

fn main() {
    let x = vec![1.0; 100_000];
    let mut sum = 0.0;
    kernels::total::with().exactly(2).record(true).run(100_000, &x, &mut sum);
    assert_eq!(sum, 100_000.0);
    let timeline = superstep::last_timeline().expect("it was recorded");
    timeline.write("total.timeline").expect("a writable folder");
}
"#;

/// Returns the predicted time of a kernel's program, from its report.
fn predicted(walk: &Package, kernel: &str) -> f64 {
    let (json, code) = walk.superstep(&format!("report {kernel} --json"));
    assert_eq!(code, 0);
    let report: superstep_report::Report = serde_json::from_str(&json).expect("it is a report");
    assert_eq!(report.schema, superstep_report::SCHEMA);
    report.predicted()
}

#[test]
#[ignore = "cargo builds a package, for a minute"]
fn from_an_own_kernel_by_its_explanation_to_a_faster_program() {
    let files = [
        ("build.rs", BUILD),
        ("src/kernels.rs", KERNELS),
        ("src/main.rs", MAIN),
    ];
    let walk = Package::new("walk", &files);
    let (list, code) = walk.superstep("report");
    assert_eq!((code, list.matches("predicted").count()), (0, 3), "{list}");
    let kernels = ["total", "scaled", "strips"];
    let before = kernels.map(|kernel| predicted(&walk, kernel));
    let advice = [
        "#[reduce]",
        "exchange the loops",
        "take the marks `#[grain]` away",
    ];
    let mut told = Vec::new();
    for (kernel, advice) in kernels.iter().zip(advice) {
        let (text, code) = walk.superstep(&format!("explain {kernel}"));
        assert!(code == 0 && text.contains(advice), "{text}");
        assert!(
            text.contains("src/kernels.rs:"),
            "the line is shown: {text}"
        );
        let (_, code) = walk.superstep(&format!("explain {kernel} --check"));
        assert_eq!(code, 1, "there is something to gain");
        let (json, _) = walk.superstep(&format!("explain {kernel} --json"));
        let report: superstep_report::Report = serde_json::from_str(&json).expect("a report");
        let answer = report
            .answers
            .iter()
            .find(|answer| answer.title.contains(advice));
        told.push(answer.expect("it is told").gain);
    }
    let mended = MENDED.iter().fold(KERNELS.to_owned(), |text, [from, to]| {
        text.replace(from, to)
    });
    walk.write("src/kernels.rs", &mended);
    for ((kernel, before), told) in kernels.iter().zip(before).zip(told) {
        let gain = 1.0 - predicted(&walk, kernel) / before;
        assert!(
            (gain - told).abs() < 0.01,
            "{kernel}: {told} was told, and it is {gain}"
        );
    }
    let run = walk.command(env!("CARGO"), &["run"]);
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let page = "report total --timeline total.timeline --html total.html --trace total.json";
    let (said, code) = walk.superstep(page);
    assert_eq!(code, 0, "{said}");
    let html = walk.read("total.html");
    assert!(html.contains("\"measured\":{") && html.contains("#[reduce]"));
    let folder = walk.0.to_string_lossy().into_owned();
    assert!(!html.contains(&folder), "no absolute path is shown");
    let trace: serde_json::Value = serde_json::from_str(&walk.read("total.json")).expect("JSON");
    assert!(
        trace["traceEvents"]
            .as_array()
            .is_some_and(|events| events.len() > 2)
    );
    let (_, code) = walk.superstep("report total --timeline total.timeline --costs costs.json");
    assert_eq!(code, 0);
    let costs: Vec<superstep_report::StatementCost> =
        serde_json::from_str(&walk.read("costs.json")).expect("costs of statements");
    assert!(costs.iter().all(|cost| cost.kernel == "total"));
    // A build takes measured costs, and schedules by them.
    let slow = "[{ \"kernel\": \"strips\", \"statement\": \"y[strip * n + i] = 0.5 * (x[strip * n + i] + x[strip * n + i + 1])\", \"measured\": 1000, \"predicted\": 1 }]";
    walk.write("costs.json", slow);
    let before = predicted(&walk, "strips");
    let measured = BUILD.replace("Builder::new()", "Builder::new().measured(\"costs.json\")");
    walk.write("build.rs", &measured);
    assert!(
        predicted(&walk, "strips") > 20.0 * before,
        "it is scheduled by a thousand times the work"
    );
    walk.write("build.rs", BUILD);
    // A timeline of the program before is that of another.
    walk.write("src/kernels.rs", KERNELS);
    let (_, code) = walk.superstep("report total --timeline total.timeline");
    assert_eq!(code, 1);
}
