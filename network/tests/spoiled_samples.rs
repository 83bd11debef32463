//! Spoiled files of latencies: an error that names the place or samples, never a panic, and memory
//! in proportion to the file.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use std::path::Path;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_files::FileError;
use superstep_network::latency::Samples;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const VALID: &str = "# round trips\na, b (us), \"c [s]\"\n41, 52000, 0.04\n43 ms, -, 41ms\n\n40.5, 0.05 s, timeout\n";

fn hold(file: &[u8]) {
    let text = String::from_utf8_lossy(file);
    let (samples, bytes) = peak(|| Samples::from_csv(&text, Path::new("rtt.csv")));
    assert!(
        bytes <= 64 * text.len() + 4096,
        "{bytes} bytes for {}",
        text.len()
    );
    match samples {
        Ok(samples) => {
            assert!(samples.paths() >= 1 && samples.periods() >= 1);
            for path in 0..samples.paths() {
                assert!(samples.path(path).iter().all(|x| x.is_finite() && *x > 0.0));
            }
        }
        Err(error) => assert!(error.to_string().starts_with("rtt.csv:"), "{error}"),
    }
}

proptest! {
    #[test]
    fn spoiled_files(file in spoiled(VALID.into())) {
        hold(&file);
    }

    #[test]
    fn noise(file in prop::collection::vec(any::<u8>(), 0..300), text in "[0-9a,.\n# us()-]{0,200}") {
        hold(&file);
        hold(text.as_bytes());
    }
}

#[test]
fn dense_files_take_memory_in_proportion() {
    for text in [
        ",", "1,", "a,", "\n", "1\n", "-\n", "1,\n", "\"", "#", "a,\n1,\n",
    ] {
        hold(text.repeat((1 << 18) / text.len()).as_bytes());
        hold(format!("a,b\n{}", text.repeat((1 << 18) / text.len())).as_bytes());
    }
}

#[test]
fn errors_name_file_line_and_column() {
    let error = |text: &str| {
        Samples::from_csv(text, Path::new("rtt.csv"))
            .unwrap_err()
            .to_string()
    };
    let latency = "is no latency: a positive number with `us`, `ms` or `s`, or `-` if it is lost";
    assert_eq!(
        error("1,2\n3,0"),
        format!("rtt.csv:2: column 2: `0` {latency}")
    );
    assert_eq!(
        error("1,x\n3,4"),
        format!("rtt.csv:1: column 2: `x` {latency}")
    );
    assert_eq!(
        error("a,b\n\n# note\n3,-4 ms"),
        format!("rtt.csv:4: column 2: `-4 ms` {latency}")
    );
    assert_eq!(error("1e400"), "rtt.csv: there are no samples");
    assert_eq!(
        error("1,2\n3"),
        "rtt.csv:2: column 1: the row has 1 columns, and the first row has 2"
    );
    assert_eq!(
        error("1,2\n3,4,5"),
        "rtt.csv:2: column 3: the row has 3 columns, and the first row has 2"
    );
    assert_eq!(error(""), "rtt.csv: there are no samples");
    assert_eq!(
        error("a,b\n1,-\n2,nan"),
        "rtt.csv: column 2: all samples are lost"
    );
    let missing = Samples::read("no/such/rtt.csv").unwrap_err();
    assert!(matches!(missing, FileError::Io { .. }));
    assert!(missing.to_string().starts_with("no/such/rtt.csv: "));
}

#[test]
fn lost_samples_repeat_the_previous_one() {
    let samples = Samples::from_csv(VALID, Path::new("rtt.csv")).unwrap();
    assert_eq!(samples.lost(), 2);
    assert_eq!(samples.path(1), [52.0, 52.0, 50.0]);
    assert_eq!(samples.path(2), [40.0, 41.0, 41.0]);
    let late = Samples::from_csv("-\n\u{feff}\n5", Path::new("rtt.csv"));
    assert!(late.is_err());
    let late = Samples::from_csv("-\n5\n-\n6", Path::new("rtt.csv")).unwrap();
    assert_eq!(late.path(0), [5.0, 5.0, 5.0, 6.0]);
}
