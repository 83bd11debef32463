//! Spoiled reports of a build: `report` refuses or prints them, and never panics.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_report::KernelReport;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A report with something of everything.
const REPORT: &str = r#"{
    "kernel": "lu", "file": "src/kernels.rs", "line": 7,
    "programs": [{
        "control": "n = 32", "algorithm": "levels", "machine": "P = 2",
        "tasks": 10912, "edges": 30256, "total_work": 10912, "critical_path": 62,
        "lower_bound": 5456, "makespan_bound": 5456.5, "bsp_bound": 5456.0,
        "processors": 2, "supersteps": 31, "makespan": 6000.0, "bsp_cost": 6200.25,
        "duplication_rate": 1.5, "messages": 62, "mean_message_words": 12.5,
        "processors_used": 2, "folded_size": 400, "seconds": 0.125,
        "program": {
            "predicted": 12000, "processors": 2, "supersteps": 31, "instances": 16000,
            "loads": [8000, 8000], "longest": 9000, "single": 300,
            "single_by_statement": [100, 200], "runs": 700, "terms": 90, "functions": 3,
            "printed": false, "tiers": { "nests": 0.25, "tables": 0.5, "single": 0.25 },
            "table_bytes": 4000, "messages": 62, "words": 775,
            "scattered": 1024, "gathered": 1024, "overflowing": 3
        },
        "kind": "program", "kernel": { "name": "lu", "file": "src/kernels.rs", "line": 7 },
        "times": { "predicted": { "run_ns": 100, "work_ns": 90, "load_balance": 0.5 } },
        "statements": [
            { "file": "src/other.rs", "line": 9, "text": "a[i] /= a[k]", "words_sent": 70 }
        ],
        "loads": [{ "tasks": 8000, "work_ns": 90 }, { "tasks": 8000, "wait_ns": 3 }],
        "steps": { "total": 31, "rows": [{ "step": 4, "longest_ns": 7 }] }
    }]
}
"#;

/// Reads a report and prints it. A report of nothing but defaults takes 3 bytes in a file, and some
/// 600 in memory.
fn hold(text: &[u8]) {
    let (read, bytes) = peak(|| serde_json::from_slice::<KernelReport>(text));
    let most = 1000 * text.len() + (1 << 16);
    assert!(bytes <= most, "{bytes} bytes for {}", text.len());
    if let Ok(report) = read {
        assert!(!report.text().is_empty());
        assert!(report.summary().contains(&report.kernel));
    }
}

#[test]
fn the_report_is_one() {
    let report: KernelReport = serde_json::from_str(REPORT).unwrap();
    assert!(report.text().contains("levels"));
}

proptest! {
    #[test]
    fn spoiled_reports(text in spoiled(REPORT.into())) {
        hold(&text);
    }
}
