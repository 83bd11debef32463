//! The gallery has kernels large enough to matter.

use std::path::Path;

/// Reads the build's report of every kernel: its name, and the most tasks of its instances.
fn reports() -> Vec<(String, u64)> {
    let folder = Path::new(env!("OUT_DIR")).join("superstep");
    let files = folder.read_dir().expect("the build script wrote it");
    let paths = files.map(|file| file.expect("a readable folder").path());
    let reports = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    reports
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("a readable file");
            let report: serde_json::Value = serde_json::from_str(&text).expect("a report is JSON");
            let instances = report["programs"].as_array().expect("a list of programs");
            let tasks = instances
                .iter()
                .filter_map(|instance| instance["tasks"].as_u64());
            (report["kernel"].to_string(), tasks.max().unwrap_or(0))
        })
        .collect()
}

#[test]
fn there_are_a_hundred_kernels_and_twenty_large_ones() {
    let reports = reports();
    assert!(reports.len() >= 100, "{} kernels", reports.len());
    let large = reports.iter().filter(|(_, tasks)| *tasks > 100_000);
    assert!(large.count() >= 20, "{reports:?}");
}
