//! Reads trees, matrices and lists of pairs; what is read is written and read again, and times give
//! a tree or a reason.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use superstep_network::topology::{Recorded, Setting, Tree, infer};

fuzz_target!(|file: &[u8]| {
    let text = String::from_utf8_lossy(file);
    let path = Path::new("file");
    if let Ok(tree) = Tree::from_text(&text, path) {
        assert_eq!(Tree::from_text(&tree.to_json(), path).ok(), Some(tree));
    }
    if let Ok(mut probe) = Recorded::from_csv(&text, None, path) {
        let (names, pairs) = (probe.names().to_vec(), probe.measurements());
        if let Ok(inference) = infer(&names, &mut probe, &Setting::default(), |_| {}) {
            drop(inference.misfits(pairs));
        }
    }
});
