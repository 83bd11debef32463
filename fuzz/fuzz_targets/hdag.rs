//! Reads `.hdag` files; what was read can be written, and is read again with the same edges.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superstep_graphs::formats::hdag;

fuzz_target!(|file: &[u8]| {
    if let Ok(graph) = hdag::read(file) {
        let mut written = Vec::new();
        hdag::write(&graph, &mut written).expect("a graph that was read can be written");
        let again = hdag::read(&written[..]).expect("what was written can be read");
        assert!(again.edge_list().eq(graph.edge_list()));
    }
});
