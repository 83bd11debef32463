//! The graphs of the thesis have the sizes that it prints.

use superstep_dag::{Dag, depths, levels};
use superstep_graphs::generate;

fn sizes(graph: &Dag) -> (usize, usize, u32) {
    let levels = levels(graph).into_iter().max();
    assert_eq!(levels, depths(graph).into_iter().max());
    (graph.tasks(), graph.edges(), levels.unwrap_or(0))
}

#[test]
fn lu_graphs_have_the_published_sizes() {
    assert_eq!(sizes(&generate::lu(32).unwrap()), (10_912, 30_256, 62));
    assert_eq!(
        sizes(&generate::lu(128).unwrap()),
        (699_008, 2_056_384, 254)
    );
}

#[test]
fn the_fft_graph_has_the_published_sizes() {
    assert_eq!(sizes(&generate::fft(8192).unwrap()), (159_744, 253_952, 26));
}
