//! Schedule files: a written one is read back, and garbage is an error.

use proptest::prelude::*;
use superstep_schedule::{Schedule, ScheduleForm, ScheduleParseError};

const FORMS: [ScheduleForm; 2] = [ScheduleForm::Json, ScheduleForm::Binary];

fn schedules() -> impl Strategy<Value = Schedule> {
    (1..5usize, 0..4usize)
        .prop_flat_map(|(processors, supersteps)| {
            let list = prop::collection::vec(prop_oneof![0..100u32, any::<u32>()], 0..6);
            let row = prop::collection::vec(list, processors);
            (
                Just(processors as u32),
                prop::collection::vec(row, supersteps),
            )
        })
        .prop_map(|(processors, rows)| Schedule::from_lists(processors, rows))
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(schedule in schedules()) {
        for form in FORMS {
            let bytes = schedule.to_bytes(form);
            prop_assert_eq!(Schedule::from_bytes(&bytes, form), Ok(schedule.clone()));
        }
    }

    #[test]
    fn garbage_is_no_schedule(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for form in FORMS {
            prop_assert!(Schedule::from_bytes(&bytes, form).is_err());
        }
    }

    #[test]
    fn a_damaged_file_is_read_without_panic(schedule in schedules(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        for form in FORMS {
            let mut bytes = schedule.to_bytes(form);
            let end = at.index(bytes.len());
            if let Err(error) = Schedule::from_bytes(&bytes[..end], form) {
                prop_assert!(!error.to_string().is_empty());
            } else {
                // Only the newline at the end can be spared.
                prop_assert_eq!((form, end), (ScheduleForm::Json, bytes.len() - 1));
            }
            bytes[end] = byte;
            if let Ok(read) = Schedule::from_bytes(&bytes, form) {
                prop_assert_eq!(Schedule::from_bytes(&read.to_bytes(form), form), Ok(read));
            }
        }
    }
}

#[test]
fn the_json_form_is_what_the_readme_says() {
    let schedule = Schedule::from_lists(2, [[vec![0, 1], vec![2]], [vec![], vec![3]]]);
    let json = String::from_utf8(schedule.to_bytes(ScheduleForm::Json)).unwrap();
    assert_eq!(
        json,
        "{\"processors\":2,\"supersteps\":[[[0,1],[2]],[[],[3]]]}\n"
    );
    for form in [
        format!("\u{feff}{json}"),
        json.replace('\n', "\r\n"),
        json.trim_end().into(),
    ] {
        assert_eq!(
            Schedule::from_bytes(form.as_bytes(), ScheduleForm::Json),
            Ok(schedule.clone())
        );
    }
    let keys_in_another_order = br#"{ "comment": {"by": ["hand"]}, "supersteps": [[[0, 1], [2]], [[], [3]]], "processors": 2 }"#;
    assert_eq!(
        Schedule::from_bytes(keys_in_another_order, ScheduleForm::Json),
        Ok(schedule)
    );
}

#[test]
fn lists_in_trace_order_take_two_bytes_per_task_at_most() {
    let schedule = Schedule::from_lists(1, [[(0..100_000).map(|task| task * 60)]]);
    assert!(schedule.to_bytes(ScheduleForm::Binary).len() < 200_020);
}

fn json_error(text: &str) -> String {
    Schedule::from_bytes(text.as_bytes(), ScheduleForm::Json)
        .unwrap_err()
        .to_string()
}

#[test]
fn json_errors_say_where_and_what() {
    assert_eq!(
        json_error("{\"processors\": 2}"),
        "line 1, column 17: missing field `supersteps`"
    );
    assert_eq!(
        json_error("{\"supersteps\": []}"),
        "line 1, column 18: missing field `processors`"
    );
    assert_eq!(
        json_error("{\"processors\": 0, \"supersteps\": []}"),
        "line 1, column 35: `processors` must be 1 to 1024"
    );
    assert_eq!(
        json_error("{\"processors\": 2,\n \"supersteps\": [[[0], []], [[1]]]}"),
        "line 2, column 34: superstep 1 has 1 lists, but there are 2 processors"
    );
    assert_eq!(
        json_error("{\"supersteps\": [[[0], []], [[1], []]], \"processors\": 3}"),
        "line 1, column 55: superstep 0 has 2 lists, but there are 3 processors"
    );
    assert_eq!(
        json_error("{\"processors\": 1, \"supersteps\": [[[0, -1]]]}"),
        "line 1, column 40: invalid value: integer `-1`, expected a task, an integer from 0 to 2^32 - 1"
    );
    assert_eq!(
        json_error("{\"processors\": 1, \"supersteps\": [[[4294967296]]]}"),
        "line 1, column 45: invalid value: integer `4294967296`, expected a task, an integer from 0 to 2^32 - 1"
    );
    for number in ["99999999999999999999", "1e3", "2.0"] {
        let error = json_error(&format!("{{\"processors\": {number}, \"supersteps\": []}}"));
        let message = "invalid value: number of more than 64 bits or with a point, expected the number of processors, an integer from 0 to 2^32 - 1";
        assert!(error.ends_with(message), "{error}");
    }
    assert_eq!(
        json_error("\u{feff}{"),
        "line 1, column 4: EOF while parsing an object"
    );
    assert_eq!(
        json_error("{\"processors\": 1, \"supersteps\": [[0]]}"),
        "line 1, column 35: invalid type: integer `0`, expected a list of task ids"
    );
}

fn binary_error(bytes: &[u8]) -> ScheduleParseError {
    Schedule::from_bytes(bytes, ScheduleForm::Binary).unwrap_err()
}

#[test]
fn binary_errors_say_where_and_what() {
    let file = |tail: &[u8]| [b"superBSP\x01", tail].concat();
    let cases: [(&[u8], usize, &str); 8] = [
        (&[0, 0], 10, "the number of processors is out of range"),
        (
            &[2, 200, 1],
            12,
            "the file is too short for its number of supersteps",
        ),
        (&[1, 1, 5, 0], 12, "the file is too short for its next list"),
        (&[1, 1, 1, 1], 13, "a task id is out of range"),
        (&[1, 1, 1, 0, 9], 13, "the file goes on after its last list"),
        (&[1, 1, 1, 0x80], 13, "the file ends early"),
        (
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
            19,
            "a number is too long",
        ),
        (
            &[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
            18,
            "the file is too short for its number of supersteps",
        ),
    ];
    for (tail, offset, message) in cases {
        assert_eq!(
            binary_error(&file(tail)),
            ScheduleParseError::Binary { offset, message },
            "{tail:?}"
        );
    }
    let message = "this is no binary schedule file of version 1";
    assert_eq!(
        binary_error(b"superBSP\x02"),
        ScheduleParseError::Binary { offset: 0, message }
    );
}

#[test]
fn files_have_the_form_that_their_ending_says() {
    let directory =
        std::env::temp_dir().join(format!("superstep-schedule-files-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let schedule = Schedule::from_lists(2, [[vec![7], vec![8, 9]]]);
    for (name, first) in [
        ("a.json", b'{'),
        ("b.JSON", b'{'),
        ("c.schedule", b's'),
        ("d", b's'),
    ] {
        let path = directory.join(name);
        schedule.write(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap()[0], first);
        assert_eq!(Schedule::read(&path).unwrap(), schedule);
    }
    std::fs::write(directory.join("e.json"), "{").unwrap();
    let error = Schedule::read(directory.join("e.json"))
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("e.json: line 1, column 1: EOF while parsing an object"),
        "{error}"
    );
    std::fs::remove_dir_all(&directory).unwrap();
}
