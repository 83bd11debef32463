//! Files: written ones are read back, malformed ones are refused with their line, the peers' graphs
//! have their figures.

#[path = "../../dag-builder/tests/common/mod.rs"]
mod common;

use std::path::PathBuf;

use common::graphs;
use proptest::prelude::*;
use superstep_dag::{Dag, levels};
use superstep_graphs::formats::{FormatError, dot, hdag, mtx};
use superstep_graphs::{Statistics, read, write};

type Reader = fn(&[u8]) -> Result<Dag, FormatError>;

fn written(write: impl Fn(&Dag, &mut Vec<u8>) -> Result<(), FormatError>, graph: &Dag) -> Vec<u8> {
    let mut file = Vec::new();
    write(graph, &mut file).unwrap();
    file
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

proptest! {
    #[test]
    fn dot_keeps_everything(graph in graphs(40)) {
        let file = written(|g, f| dot::write(g, f), &graph);
        prop_assert_eq!(dot::read(&file[..]).unwrap(), graph);
    }

    #[test]
    fn hdag_keeps_all_but_the_words_of_unread_values(graph in graphs(40)) {
        let tasks = 0..graph.tasks() as u32;
        let unread = |t: u32| graph.successors(t).is_empty();
        let words = tasks.map(|t| if unread(t) { 1 } else { graph.words(t) }).collect();
        let file = written(|g, f| hdag::write(g, f), &graph);
        prop_assert_eq!(hdag::read(&file[..]).unwrap(), graph.clone().with_words(words).unwrap());
    }

    #[test]
    fn mtx_keeps_the_edges_of_triangular_graphs(graph in graphs(40)) {
        let forward: Vec<_> = graph.edge_list().map(|(u, v)| (u.min(v), u.max(v))).collect();
        let graph = Dag::from_edges(graph.tasks(), &forward).unwrap();
        let weights = (0..graph.tasks() as u32).map(|t| graph.predecessors(t).len() as u32).collect();
        let file = written(|g, f| mtx::write(g, f), &graph);
        prop_assert_eq!(mtx::read(&file[..]).unwrap(), graph.with_weights(weights).unwrap());
    }
}

/// Returns one message per kind of mistake.
fn messages(reader: Reader, files: &[&str]) -> String {
    let told = files
        .iter()
        .map(|f| reader(f.as_bytes()).expect_err(f).to_string());
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn mistakes_in_hdag_files_are_told_with_their_line() {
    insta::assert_snapshot!(messages(|f| hdag::read(f), &[
        "",
        "% nothing\n",
        "1 2\n",
        "1 2 x\n",
        "1 2 99999999999\n",
        "1 2 2\n0\n",
        "1 2 2\n1\n",
        "1 2 2\n0 1 1 1.5\n",
        "1 2 2\n0\n0\n1 1e3\n",
        "1 2 2\n0\n0\n1 4294967296\n",
        "1 2 2\n0\n1\n1\n0 0\n0 1\n",
        "0 2147483648 0\n",
        "99999999999999999999 1 1\n",
        "4000000000 2 2\n0\n",
        "1 2 3000000000\n0\n0\n1\n0 0\n",
        "0 2 1\n0\n1\n0 0\n",
        "1 2 2\n\n0\n0\n1\n0 0\n0 1\n",
        "1 2 2\n0\n0\n1 -5\n0 0\n0 1\n",
        "1 2 2\n0\n0\n1\n1 0\n0 1\n",
        "1 2 2\n0\n0\n1\n0 0\n0 2\n",
        "1 2 2\n0\n0\n1\n0 0\n0 0\n",
        "1 2 2\n0\n0\n1\n0 0\n",
        "1 2 2\n0\n0\n1\n0 0\n0 1\n0 1\n",
        "2 2 4\n0\n1\n0\n1\n0 0\n0 1\n1 1\n1 0\n",
        "3 5 6\n0\n1\n2\n0\n1\n2\n3\n4\n0 4\n0 2\n1 2\n1 3\n2 3\n2 4\n",
    ]), @r"
line 1: expected `hyperedges tasks pins`, found the end of the file
line 2: expected `hyperedges tasks pins`, found the end of the file
line 1: expected `hyperedges tasks pins`, found `1 2`
line 1: expected `hyperedges tasks pins` in integers from 0, found `1 2 x`
line 1: expected `hyperedges tasks pins` in integers below 2^32, found `1 2 99999999999`
line 3: expected `task [work]`, number 1 of 2, found the end of the file
line 2: expected a hyperedge from 0 to 0, found `1`
line 2: expected `hyperedge [words]` and further integers, found `0 1 1 1.5`
line 4: expected `task [work]` in integers from 0, found `1 1e3`
line 4: expected `task [work]` in integers below 2^32, found `1 4294967296`
line 4: expected one line for each task, found another one for task 1
line 1: expected fewer than 2^31 tasks, found `0 2147483648 0`
line 1: expected `hyperedges tasks pins` in integers below 2^32, found `99999999999999999999 1 1`
line 3: expected `hyperedge [words]`, number 2 of 4000000000, found the end of the file
line 6: expected `hyperedge task`, number 2 of 3000000000, found the end of the file
line 4: expected no hyperedge, as the header says, found `0 0`
line 2: expected `hyperedge [words]`, found an empty line
line 4: expected `task [work]` in integers from 0, found `1 -5`
line 5: expected a hyperedge from 0 to 0, found `1 0`
line 6: expected a task from 0 to 1, found `0 2`
line 6: expected a task other than the first of its hyperedge, found `0 0`
line 6: expected `hyperedge task`, number 2 of 2, found the end of the file
line 7: expected the end of the file, found `0 1`
the edges form a cycle: 0 -> 1 -> 0
the edges form a cycle: 2 -> 3 -> 4 -> 2
");
}

#[test]
fn mistakes_in_dot_files_are_told_with_their_line() {
    insta::assert_snapshot!(messages(|f| dot::read(f), &[
        "",
        "graph { 0 }",
        "digraph 0->1",
        "digraph {\n0\n1\n",
        "digraph {\n0 -> a\n}",
        "digraph {\n0 -- 1\n}",
        "digraph {\n0 -> 0\n}",
        "digraph {\nsubgraph x { 0 }\nsubgraph x { 1 } }",
        "digraph {\n0 -> { 1; 0 }\n}",
        "digraph {\nedge [work_weight=2]\n}",
        "digraph {\n0 -> 1 [work_weight=2]\n}",
        "digraph {\ngraph [work_weight=2]\n}",
        "digraph {\ncomm_weight=2\n}",
        "digraph {\nnode [work_weight=-1]\n}",
        "digraph {\n0 [work_weight=1e3]\n}",
        "digraph {\n0 [work_weight=\"\"]\n}",
        "digraph {\n0 [work_weight=4294967296]\n}",
        "digraph {\n0 [label=\"a\" + b]\n}",
        "digraph {\n0 [label=<a <b>]\n\n}",
        "digraph {\n01\n}",
        "digraph {\n<0>\n}",
        "digraph {\n1 -> 2\n}",
        "digraph {\n0 [work_weight=1.5]\n}",
        "digraph {\n0 [work_weight]\n}",
        "digraph {\n0 [work_weight=\"1]\n}",
        "digraph {\n0 /* 1\n}",
        "digraph {\n0: -> 1\n}",
        "digraph {\n0 - 1\n}",
        "digraph {\n0; 2;\n1->4;}",
        "digraph {\n0; 2;\n0->2;}",
        "digraph {\n4294967295;}",
        "digraph {\n2147483647;}",
        "digraph {\n0->1->2\n2->0 }",
        "digraph {}\n{",
    ]), @r#"
line 1: expected `digraph`, found the end of the file
line 1: expected `digraph`, found `graph`
line 1: expected `{`, found `->`
line 4: expected a task (0, 1, 2, ... below 2^31 - 1), a subgraph, a setting or `}`, found the end of the file
line 2: expected a task (0, 1, 2, ... below 2^31 - 1) or a subgraph, found `a`
line 2: expected `->` (edges have directions), found `--`
line 2: expected a task other than 0, found an edge 0 -> 0
line 3: expected a name that no other subgraph has (write it in one piece), found `x`
line 2: expected a task other than 0, found an edge 0 -> 0
line 2: expected `comm_weight`, the one weight of an edge, found `work_weight`
line 2: expected `comm_weight`, the one weight of an edge, found `work_weight`
line 2: expected the weights of nodes in `node [...]`, those of edges in `edge [...]`, found `work_weight`
line 2: expected the weights of nodes in `node [...]`, those of edges in `edge [...]`, found `comm_weight`
line 2: expected a weight (an integer below 2^32), found `-1`
line 2: expected a weight (an integer below 2^32), found `1e3`
line 2: expected a weight (an integer below 2^32), found `""`
line 2: expected a weight (an integer below 2^32), found `4294967296`
line 2: expected a quotation after `+`, found `b`
line 4: expected the end of an HTML string that begins in line 2, found the end of the file
line 2: expected a task (0, 1, 2, ... below 2^31 - 1), a subgraph, a setting or `}`, found `01`
line 2: expected a task (0, 1, 2, ... below 2^31 - 1), a subgraph, a setting or `}`, found `<0>`
line 3: expected every task from 0 to 2; there is no task 0, found the end of the file
line 2: expected a weight (an integer below 2^32), found `1.5`
line 2: expected `=`, found `]`
line 3: expected the end of a quotation that begins in line 2, found the end of the file
line 3: expected the end of a comment that begins in line 2, found the end of the file
line 2: expected a port, found `->`
line 2: expected `->`, found `-`
line 3: expected every task from 0 to 4; there is no task 3, found the end of the file
line 3: expected every task from 0 to 2; there is no task 1, found the end of the file
line 2: expected a task (0, 1, 2, ... below 2^31 - 1), a subgraph, a setting or `}`, found `4294967295`
line 2: expected a task (0, 1, 2, ... below 2^31 - 1), a subgraph, a setting or `}`, found `2147483647`
the edges form a cycle: 0 -> 1 -> 2 -> 0
line 2: expected the end of the file, found `{`
"#);
}

#[test]
fn mistakes_in_mtx_files_are_told_with_their_line() {
    let of = |kind: &str, rest: &str| format!("%%MatrixMarket matrix coordinate {kind}\n{rest}");
    let file = |rest: &str| of("real general", rest);
    let files = [
        String::new(),
        "2 2 1\n2 1 1.0\n".into(),
        "%%MatrixMarket matrix array real general\n".into(),
        file(""),
        file("2 3 1\n2 1 1.0\n"),
        file("2 2\n"),
        file("2 2 1\n\n% late\n2 1\n"),
        file("2 2 1\n2 1 one\n"),
        file("2 2 1\n2 1 1.0 2.0\n"),
        file("2 2 1\n1 2 1.0\n"),
        file("2 2 1\n0 1 1.0\n"),
        file("2 2 1\n3 1 1.0\n"),
        file("2 2 2\n2 1 1.0\n"),
        file("2 2 1\n2 1 1.0\n2 2 1.0\n"),
        file("2 2 3000000000\n2 1 1.0\n"),
        file("2147483647 2147483647 1\n2 1 1.0\n"),
        file("2147483648 2147483648 1\n2 1 1.0\n"),
        file("99999999999999999999 99999999999999999999 1\n2 1 1.0\n"),
        file("-2 -2 1\n2 1 1.0\n"),
        file("2 2 1\n2.0 1 1.0\n"),
        file("2 2 1\n18446744073709551617 1 1.0\n"),
        of("pattern general", "2 2 1\n2 1 1.0\n"),
        of("complex hermitian", "2 2 1\n2 1 1.0\n"),
        of("real skew-symmetric", "2 2 1\n2 2 1.0\n"),
        of("real hermitian", ""),
        of("pattern skew-symmetric", ""),
        of("quaternion general", ""),
        of("real lower", ""),
        of("real", ""),
    ];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    insta::assert_snapshot!(messages(|f| mtx::read(f), &files), @r"
line 1: expected `%%MatrixMarket`, found the end of the file
line 1: expected `%%MatrixMarket`, found `2`
line 1: expected the format `coordinate` (an `array` lists no pattern), found `array`
line 2: expected `rows columns entries`, found the end of the file
line 2: expected a square matrix, found `2 3 1`
line 2: expected the number of entries of `rows columns entries`, found the end of the line
line 5: expected the value, a number, found the end of the line
line 3: expected the value, a number, found `one`
line 3: expected the end of the line, found `2.0`
line 3: expected an entry on or below the diagonal: the matrix of a triangular solve, found `1 2 1.0`
line 3: expected a row from 1 to 2, found `0`
line 3: expected a row from 1 to 2, found `3`
line 4: expected entry 2 of 2, found the end of the file
line 4: expected the end of the file after 1 entries, found `2`
line 4: expected entry 2 of 3000000000, found the end of the file
line 2: expected at most 65614 rows and columns in so short a file, found 2147483647
line 2: expected fewer than 2^31 rows, found `2147483648 2147483648 1`
line 2: expected the number of rows, below 2^32 - 1, of `rows columns entries`, found `99999999999999999999`
line 2: expected the number of rows, below 2^32 - 1, of `rows columns entries`, found `-2`
line 3: expected a row from 1 to 2, found `2.0`
line 3: expected a row from 1 to 2, found `18446744073709551617`
line 3: expected the end of the line, found `1.0`
line 3: expected the imaginary part, a number, found the end of the line
line 3: expected an entry below the diagonal of a skew matrix, found `2`
line 1: expected `general` or `symmetric` (`skew-symmetric` needs values, `hermitian` complex ones), found `hermitian`
line 1: expected `general` or `symmetric` (`skew-symmetric` needs values, `hermitian` complex ones), found `skew-symmetric`
line 1: expected a field: `real`, `integer`, `complex` or `pattern`, found `quaternion`
line 1: expected a symmetry: `general`, `symmetric`, `skew-symmetric` or `hermitian`, found `lower`
line 1: expected a symmetry: `general`, `symmetric`, `skew-symmetric` or `hermitian`, found the end of the line
");
}

#[test]
fn what_graphviz_understands_is_understood() {
    let file = br#"strict digraph "a graph" { // tasks
        rankdir=LR; node [shape=box, color="red"]; edge [color = blue]
        # a line
        2 [comm_weight=7, label="say \"two\""] /* the
        sink */ 0 [work_weight="5"][style=bold];
        "0" -> 1 -> 2 [comm_weight=9] 0 -> 2
    }"#;
    let graph = dot::read(&file[..]).unwrap();
    assert_eq!(
        graph.edge_list().collect::<Vec<_>>(),
        [(0, 1), (0, 2), (1, 2)]
    );
    assert_eq!(
        [0, 1, 2].map(|t| (graph.weight(t), graph.words(t))),
        [(5, 9), (1, 9), (1, 7)]
    );
}

#[test]
fn rows_of_symmetric_and_pattern_matrices_count_alike() {
    let pattern =
        "%%MatrixMarket matrix coordinate pattern symmetric\r\n3 3 3\r\n3 1\r\n3 2\r\n3 3\r\n";
    let complex =
        "%%matrixmarket MATRIX coordinate complex general\n3 3 2\n 3 2 1 0\n\n3 1 1e3 -2.5\n";
    let graph = mtx::read(pattern.as_bytes()).unwrap();
    assert_eq!(graph, mtx::read(complex.as_bytes()).unwrap());
    assert_eq!([0, 1, 2].map(|t| graph.weight(t)), [0, 0, 2]);
}

/// Tasks, edges, work, and lower bounds for 4 and 16 processors, as another reader of the same
/// files counts them.
#[test]
fn the_graphs_of_others_have_their_figures() {
    for (name, expected) in [
        ("instance_bicgstab.hdag", (54, 62, 83, 21, 19)),
        ("instance_CG_N4_K1_nzP0d35.hdag", (78, 120, 137, 35, 26)),
        ("instance_exp_N4_K2_nzP0d5.hdag", (45, 66, 81, 21, 11)),
        ("instance_kNN_N4_K3_nzP0d5.hdag", (48, 72, 85, 22, 15)),
        ("instance_pregel.hdag", (57, 104, 128, 32, 16)),
        ("instance_spmv_N6_nzP0d4.hdag", (48, 54, 78, 20, 8)),
        ("ErdosRenyi_8_19_A.mtx", (8, 19, 19, 14, 14)),
        ("RandomBand_p80_b5_100_419_A.mtx", (100, 419, 419, 356, 356)),
    ] {
        let s = Statistics::of(&read(data(name)).unwrap());
        let bounds = (s.lower_bound(4), s.lower_bound(16));
        assert_eq!(
            (s.tasks, s.edges, s.total_work, bounds.0, bounds.1),
            expected,
            "{name}"
        );
    }
}

/// 128 chains of 129 tasks, trees over their ends, and two tasks more.
#[test]
fn the_jacobi_surrogate_has_its_shape() {
    let jacobi = read(data("jacobi_thesis_128.hdag")).unwrap();
    assert!(jacobi.is_unit() && jacobi.ids_are_topological());
    assert_eq!((jacobi.tasks(), jacobi.edges()), (17_150, 17_403));
    assert_eq!(levels(&jacobi).into_iter().max(), Some(129 + 7 + 2));
}

#[test]
fn the_ending_tells_the_format() {
    let graph = Dag::from_edges(3, &[(0, 1), (1, 2)]).unwrap();
    let folder = std::env::temp_dir().join(format!("superstep-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["graph.hdag", "graph.dot", "graph.mtx"] {
        let path = folder.join(name);
        write(&path, &graph).unwrap();
        assert_eq!(levels(&read(&path).unwrap()), [3, 2, 1]);
    }
    let unknown = write(folder.join("graph.svg"), &graph)
        .unwrap_err()
        .to_string();
    assert!(
        unknown
            .ends_with("graph.svg: unknown kind of file: graph files end in .hdag, .dot or .mtx")
    );
    let missing = read(folder.join("missing.hdag")).unwrap_err();
    assert!(
        matches!(missing, FormatError::File { error, .. } if matches!(*error, FormatError::Io(_)))
    );
    let backwards = Dag::from_edges(2, &[(1, 0)]).unwrap();
    let refused = write(folder.join("graph.mtx"), &backwards).unwrap_err();
    assert!(
        matches!(refused, FormatError::File { error, .. } if matches!(*error, FormatError::NotTriangular { from: 1, to: 0 }))
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
