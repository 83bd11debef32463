//! Fuzz target of schedule files, JSON and binary: any bytes are read or refused, without a panic.
//! A schedule that was read is written, and read again as an equal one (a round trip).
#![no_main]

use libfuzzer_sys::fuzz_target;
use superstep_schedule::{Schedule, ScheduleForm};

fuzz_target!(|file: &[u8]| {
    for form in [ScheduleForm::Json, ScheduleForm::Binary] {
        if let Ok(schedule) = Schedule::from_bytes(file, form) {
            assert_eq!(
                Schedule::from_bytes(&schedule.to_bytes(form), form),
                Ok(schedule)
            );
        }
    }
});
