//! Reads Matrix Market files; what was read can be written, and is read again with the same places.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superstep_matrix::market;

fuzz_target!(|file: &[u8]| {
    if let Ok(matrix) = market::read(file) {
        let mut written = Vec::new();
        market::write(&matrix, &mut written).expect("a matrix that was read can be written");
        let again = market::read(&written[..]).expect("what was written can be read");
        assert_eq!(again.places, matrix.places);
    }
});
