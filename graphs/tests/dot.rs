//! Graphviz: what the language says of nodes, edges and their attributes is what a graph has.

use superstep_graphs::formats::dot;

type Pairs = Vec<(u32, u32)>;

/// Reads the edges of a graph, and work and words of each task.
fn read(text: &str) -> (Pairs, Pairs) {
    let graph = dot::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let tasks = 0..graph.tasks() as u32;
    let weights = tasks.map(|t| (graph.weight(t), graph.words(t)));
    (graph.edge_list().collect(), weights.collect())
}

fn edges(text: &str) -> Pairs {
    read(text).0
}

fn weights(text: &str) -> Pairs {
    read(text).1
}

#[test]
fn defaults_hold_for_nodes_that_are_mentioned_first_after_them() {
    let text = "digraph {
        0
        node [work_weight=5]
        1 -> 0
        node [comm_weight=7]
        2; 3 [work_weight=9]
        node [work_weight=6]
        2; 1
    }";
    assert_eq!(weights(text), [(1, 1), (5, 1), (5, 7), (9, 7)]);
}

#[test]
fn defaults_of_a_subgraph_hold_in_it_and_within_it() {
    let text = "digraph {
        node [work_weight=2]
        0
        subgraph a { node [work_weight=3, shape=box]; 0 -> 1; { 2 node [comm_weight=4] 3 } 4 }
        5; { 6 }
    }";
    let expected = [(2, 1), (3, 1), (3, 1), (3, 4), (3, 1), (2, 1), (2, 1)];
    assert_eq!(weights(text), expected);
}

#[test]
fn given_weights_win_over_defaults_wherever_they_stand() {
    let text = "digraph { 0 -> 1; node [work_weight=5]; 1 [comm_weight=3]; 2 [work_weight=8]; 2 [work_weight=4] }";
    assert_eq!(weights(text), [(1, 1), (1, 3), (4, 1)]);
}

#[test]
fn a_value_has_the_most_words_that_its_task_or_an_edge_names() {
    let text = "digraph {
        0 -> 1 [comm_weight=3]
        0 -> 2 [comm_weight=5]
        edge [comm_weight=2]
        1 -> 2 -> 3
        { edge [comm_weight=0]; 3 -> 4 }
        4 -> 5
        4 [comm_weight=6]
    }";
    let words: Vec<u32> = weights(text).iter().map(|weights| weights.1).collect();
    assert_eq!(words, [5, 2, 2, 0, 6, 1]);
}

#[test]
fn edges_of_subgraphs_are_those_of_their_tasks() {
    assert_eq!(edges("digraph { 0 -> {1 2} }"), [(0, 1), (0, 2)]);
    assert_eq!(
        edges("digraph { {0 1} -> subgraph s {2; 3} -> 4 }"),
        [(0, 2), (0, 3), (1, 2), (1, 3), (2, 4), (3, 4)]
    );
    assert_eq!(
        edges("digraph { {0 -> 1} -> {2 {3}} [comm_weight=2] }"),
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]
    );
    assert_eq!(edges("digraph { 0 -> {} -> 1 }"), []);
}

#[test]
fn ports_and_strict_change_nothing() {
    assert_eq!(
        edges("STRICT Digraph \"x\" { 0:out -> 1:in:ne; 0 -> 1; \"0\":\"p q\" -> 2:s }"),
        [(0, 1), (0, 2)]
    );
}

#[test]
fn words_end_where_graphviz_ends_them() {
    // A backslash before the closing quote of a label, escaped or not.
    for label in [
        r#""abc\\""#,
        r#""a\"b""#,
        r#""\\\"]; 7""#,
        "\"two\nlines; 9 -> 8\"",
        "\"joined\\\nline\"",
        "\"joined\\\r\nline\"",
        r#""a" + "b]" + /* and */ "c""#,
        "<a <b>bold]</b> <i/>>",
        "<<!-- > > -->>",
        "-1.5",
        "schön",
    ] {
        let text = format!("digraph {{ 0 [label={label} work_weight=3]; 1 }}");
        assert_eq!(weights(&text), [(3, 1), (1, 1)], "{label}");
    }
    let joined = r#"digraph { "1" + "0" -> {0 1 2 3 4 5 6 7 8 9} }"#;
    assert_eq!(edges(joined).len(), 10);
}

#[test]
fn comments_and_separators_stand_anywhere() {
    let text = "// first\n# 1 \"line\"\ndigraph/**/{;;0[work_weight=2;comm_weight=3,];/* 5 -> 6 */0->1->2;;// 7\nrank=\"same\" a=b}\n\n";
    assert_eq!(
        read(text),
        (vec![(0, 1), (1, 2)], vec![(2, 3), (1, 1), (1, 1)])
    );
}

#[test]
fn subgraphs_are_no_deeper_than_the_stack() {
    let nested =
        |depth: usize| format!("digraph {}{}", "{".repeat(depth + 1), "}".repeat(depth + 1));
    assert!(dot::read(nested(200).as_bytes()).is_ok());
    let error = dot::read(nested(201).as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error,
        "line 1: expected at most 200 subgraphs within each other, found `{`"
    );
    assert!(dot::read("digraph {".repeat(100_000).as_bytes()).is_err());
    assert!(dot::read("digraph ".to_owned().as_bytes()).is_err());
    assert!(
        dot::read(["digraph ", &"{".repeat(1_000_000)].concat().as_bytes()).is_err(),
        "no overflow of the stack"
    );
}
