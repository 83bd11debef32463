//! Spoiled graph files: an error or a graph, never a panic, and memory in proportion to the file.

#[path = "../../dag-builder/tests/common/mod.rs"]
mod common;
#[path = "../../fuzz/spoil.rs"]
mod spoil;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_dag::Dag;
use superstep_graphs::formats::{FormatError, dot, hdag, mtx};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

type Reader = fn(&[u8]) -> Result<Dag, FormatError>;

const READERS: [Reader; 3] = [|f| hdag::read(f), |f| dot::read(f), |f| mtx::read(f)];

/// Reads a file with all readers.
fn hold(file: &[u8]) {
    for reader in READERS {
        let (read, bytes) = peak(|| reader(file));
        let most = 64 * file.len() + (4 << 20);
        assert!(bytes <= most, "{bytes} bytes for {}", file.len());
        match read {
            Err(FormatError::Syntax { line, .. }) => {
                let lines = file.iter().filter(|&&b| b == b'\n').count() as u64 + 1;
                assert!(1 <= line && line <= lines + 1, "line {line} of {lines}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(graph) => assert!(graph.edges() <= file.len() + (1 << 16)),
        }
    }
}

const HDAG: &str =
    "%% head\n2 3 5 % sizes\n0 4\n1\n0 5\n2 1 7 -3\n1 1 % heavy\n0 0\n0 1\n0 2\n1 1\n1 2\n";
const DOT: &str = "strict digraph g { // tasks\n node [work_weight=5]; edge [comm_weight=\"3\"]\n 0 [label=\"a\\\\\" + \"b\"];\n subgraph s { 1 -> {2; 3:p} [x=<a<b>>] }\n {0 1} -> 4 /* end */\n}\n";
const MTX: &str = "%%MatrixMarket matrix coordinate real symmetric\n% no\n3 3 4\n1 1 2.5\n2 1 1\n3 1 -1\n3 2 1e5\n";

proptest! {
    #[test]
    fn spoiled_files(file in prop_oneof![spoiled(HDAG.into()), spoiled(DOT.into()), spoiled(MTX.into())]) {
        hold(&file);
    }

    #[test]
    fn noise(file in prop::collection::vec(any::<u8>(), 0..300)) {
        hold(&file);
        for head in [&b"digraph {"[..], b"%%MatrixMarket matrix coordinate pattern general\n", b"1 1 1\n"] {
            hold(&[head, &file].concat());
        }
    }

    #[test]
    fn noise_of_signs(file in "[0-9 \n%a-c{}\\[\\];=<>\"\\\\:+/*-]{0,300}") {
        hold(file.as_bytes());
        hold(format!("digraph {{{file}").as_bytes());
    }
}

/// Files that say most in the fewest bytes, a megabyte each.
#[test]
fn dense_files_take_memory_in_proportion() {
    const BYTES: usize = 1 << 20;
    let many = |head: &str, line: &str| {
        let count = BYTES / line.len();
        hold(format!("{head}{}", line.repeat(count)).as_bytes());
        hold(format!("{head}{}}}", line.repeat(count)).as_bytes());
    };
    let count = BYTES / 4;
    let banner = "%%MatrixMarket matrix coordinate pattern general\n";
    many(&format!("{banner}9 9 {count}\n"), "2 1\n");
    many(&format!("{banner}{BYTES} {BYTES} {count}\n"), "2 1\n");
    many(&format!("{banner}2147483647 2147483647 {count}\n"), "2 1\n");
    many(&format!("9 9 {count}\n"), "1\n");
    many("4294967295 2147483647 4294967295\n", "1\n");
    many("1 2 500000\n0\n0\n1\n", "0 1\n");
    for line in [
        "0;",
        "0->1;",
        "->1->0",
        "{",
        "{}",
        "\"",
        "\"a\"+",
        "<",
        "[a=b]",
        ";",
        "0:1 ",
        "0[comm_weight=1]",
        "node[]",
        "edge[]",
        "subgraph{}",
        "{0}->{1}",
        "//\n",
        "a=b ",
        "0->1[comm_weight=1]",
    ] {
        many("digraph {", line);
        many("digraph { 0", line);
        many(
            "digraph { node [comm_weight=1] edge [comm_weight=1] 0",
            line,
        );
    }
    let lines: String = (0..BYTES / 8).map(|task| format!("{task}\n")).collect();
    hold(format!("0 {} 0\n{lines}", BYTES / 8).as_bytes());
    let names: String = (0..BYTES / 16)
        .map(|name| format!("subgraph a{name}{{}}"))
        .collect();
    hold(format!("digraph {{{names}}}").as_bytes());
    let chain: String = (1..BYTES / 8).map(|task| format!("->{task}")).collect();
    hold(format!("digraph {{0{chain}}}").as_bytes());
    hold(&vec![b'1'; BYTES]);
    hold(&vec![b'%'; BYTES]);
    hold(&vec![0; BYTES]);
}

/// Edges between subgraphs are as many as the product of their tasks.
#[test]
fn products_of_subgraphs_have_a_limit() {
    let tasks =
        |range: std::ops::Range<u32>| -> String { range.map(|t| format!("{t} ")).collect() };
    let product = |n: u32| {
        format!(
            "digraph {{\n{{ {} }}\n-> {{ {} }} }}",
            tasks(0..n),
            tasks(n..2 * n)
        )
    };
    let (graph, _) = peak(|| dot::read(product(256).as_bytes()).unwrap());
    assert_eq!(graph.edges(), 1 << 16);
    let (error, bytes) = peak(|| dot::read(product(20_000).as_bytes()).unwrap_err());
    assert!(bytes < 8 << 20);
    assert_eq!(
        error.to_string(),
        "line 3: expected at most 294450 edges up to here (one a byte, and 2^16), found 400000000 between two subgraphs"
    );
    hold(product(20_000).as_bytes());
}
