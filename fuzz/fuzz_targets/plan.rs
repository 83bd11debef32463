//! Decodes plans; what is decoded is encoded to what is decoded again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superstep_plan::synchronisation::Synchronisation;
use superstep_plan::{Plan, head};

fuzz_target!(|bytes: &[u8]| {
    let begins = head(bytes);
    if let Ok(plan) = Plan::decode(bytes) {
        assert_eq!(begins.map(|head| head.predicted), Ok(plan.predicted));
        assert!(Synchronisation::new(&plan).is_ok());
        assert_eq!(Plan::decode(&plan.encode()), Ok(plan));
    }
});
