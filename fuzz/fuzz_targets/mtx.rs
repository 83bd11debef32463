//! Reads `.mtx` files; what was read can be written, and is read again with the same edges.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superstep_graphs::formats::mtx;

fuzz_target!(|file: &[u8]| {
    if let Ok(graph) = mtx::read(file) {
        let mut written = Vec::new();
        mtx::write(&graph, &mut written).expect("a graph that was read can be written");
        let again = mtx::read(&written[..]).expect("what was written can be read");
        assert!(again.edge_list().eq(graph.edge_list()));
    }
});
