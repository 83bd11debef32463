//! Reads trees and matrices; what is read is written and read again, and times give a tree or a
//! reason.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use superstep_machine::topology::{Matrix, Recorded, Setting, Tree, infer};

fuzz_target!(|file: &[u8]| {
    let text = String::from_utf8_lossy(file);
    let path = Path::new("file");
    if let Ok(tree) = Tree::from_text(&text, path) {
        assert_eq!(Tree::from_text(&tree.to_json(), path).ok(), Some(tree));
    }
    if let Ok(matrix) = Matrix::from_csv(&text, path)
        && let Ok(mut probe) = Recorded::new(matrix, None)
    {
        let names = probe.names().to_vec();
        drop(infer(&names, &mut probe, &Setting::default(), |_| {}));
    }
});
