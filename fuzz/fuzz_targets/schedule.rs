//! Reads schedule files of both forms; what is read is written as what is read again.
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
