//! Reads `.hdag` files; what is read is written as what is read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superstep_graphs::formats::hdag;

fuzz_target!(|file: &[u8]| {
    if let Ok(graph) = hdag::read(file) {
        let mut written = Vec::new();
        hdag::write(&graph, &mut written).expect("a graph that was read can be written");
        let again = hdag::read(&written[..]).expect("what was written can be read");
        assert_eq!(again.edge_list().count(), graph.edges());
    }
});
