//! Spoiled schedule files: an error or a schedule, never a panic, and memory in proportion to the
//! file.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_dag::Dag;
use superstep_schedule::{CheckedSchedule, Schedule, ScheduleForm};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FORMS: [ScheduleForm; 2] = [ScheduleForm::Json, ScheduleForm::Binary];

fn schedule() -> Schedule {
    Schedule::from_lists(2, [[vec![0, 1, 300], vec![2]], [vec![], vec![3, u32::MAX]]])
}

/// Checks that a file in both forms is read in memory in proportion to it.
fn hold(file: &[u8]) {
    for form in FORMS {
        let (read, bytes) = peak(|| Schedule::from_bytes(file, form));
        let most = 64 * file.len() + (1 << 16);
        assert!(bytes <= most, "{bytes} bytes for {}", file.len());
        match read {
            Ok(read) => {
                let again = Schedule::from_bytes(&read.to_bytes(form), form);
                assert_eq!(again.as_ref(), Ok(&read));
                let graph = Dag::from_edges(4, &[(0, 1), (1, 2)]).unwrap();
                if let Err(error) = CheckedSchedule::new(&graph, read) {
                    assert!(!error.to_string().is_empty());
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

proptest! {
    #[test]
    fn spoiled_files(file in prop_oneof![
        spoiled(schedule().to_bytes(ScheduleForm::Json)),
        spoiled(schedule().to_bytes(ScheduleForm::Binary)),
    ]) {
        hold(&file);
    }

    #[test]
    fn noise(file in prop::collection::vec(any::<u8>(), 0..300), text in "[0-9\\[\\]{},:\"a-c.-]{0,300}") {
        hold(&file);
        hold(&[b"superBSP\x01", &file[..]].concat());
        hold(text.as_bytes());
        hold(format!("{{\"processors\":1,\"supersteps\":{text}").as_bytes());
    }
}

/// Files that say most in the fewest bytes, a megabyte each.
#[test]
fn dense_files_take_memory_in_proportion() {
    const BYTES: usize = 1 << 20;
    for text in ["[", "[],", "[[]],", "0,", "[0],", "{\"a\":", "\""] {
        let many = text.repeat(BYTES / text.len());
        hold(format!("{{\"processors\":1,\"supersteps\":[{many}").as_bytes());
        hold(format!("{{\"processors\":1,\"supersteps\":[[{many}").as_bytes());
        hold(format!("{{\"processors\":1,\"supersteps\":[[[{many}").as_bytes());
        hold(format!("{{\"a\":{many}").as_bytes());
    }
    for head in [
        &b"\x01\x80\x80\x40"[..],
        b"\x01\x01\x80\x80\x40",
        b"\x80\x08\x80\x08",
    ] {
        for byte in [0, 1, 2, 0x80, 0xff] {
            hold(&[b"superBSP\x01", head, &vec![byte; BYTES]].concat());
        }
    }
}
