//! Decodes parts of plans for three processors, and words of ranks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superstep_planner::exchange::{decode, decode_runs, encode_runs};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(part) = decode(bytes, 3) {
        assert_eq!(decode(&part.encode(), 3).as_ref(), Ok(&part));
    }
    if let Ok(runs) = decode_runs(bytes) {
        assert_eq!(decode_runs(&encode_runs(&runs)).as_ref(), Ok(&runs));
    }
});
