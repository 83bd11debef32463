//! Oddities of real graph files: each is read as it is meant.

use superstep_dag::Dag;
use superstep_graphs::formats::{FormatError, dot, hdag, mtx};

type Reader = fn(&[u8]) -> Result<Dag, FormatError>;

/// A file of each format with the graph 0 -> 1, in which task 1 has work 1.
const FILES: [(&str, Reader); 3] = [
    ("1 2 2\n0 1\n0 0\n1 1\n0 0\n0 1\n", |f| hdag::read(f)),
    ("digraph {\n0 [work_weight=0];\n1;\n0 -> 1;\n}\n", |f| {
        dot::read(f)
    }),
    (
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2.5\n2 1 -1e-3\n",
        |f| mtx::read(f),
    ),
];

fn pair() -> Dag {
    let graph = Dag::from_edges(2, &[(0, 1)]).unwrap();
    graph.with_weights(vec![0, 1]).unwrap()
}

#[test]
fn ends_of_lines_marks_tabs_and_blank_ends_change_nothing() {
    for (file, reader) in FILES {
        let forms = [
            file.to_owned(),
            file.replace('\n', "\r\n"),
            format!("\u{feff}{file}"),
            file.trim_end().to_owned(),
            format!("{file}\n\n  \n\t\n"),
            file.replace(' ', "\t "),
            file.replace('\n', " \t\n"),
        ];
        for form in forms {
            assert_eq!(reader(form.as_bytes()).unwrap(), pair(), "{form:?}");
        }
    }
}

#[test]
fn empty_files_are_told_so() {
    for (file, reader) in FILES {
        for nothing in ["", "\u{feff}"] {
            let error = reader(nothing.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("line 1: expected `"), "{file}: {error}");
            let ends = [
                "the end of the file",
                "the end of the line",
                "an empty line",
            ];
            assert!(ends.iter().any(|end| error.ends_with(end)), "{error}");
        }
    }
}

#[test]
fn files_of_other_encodings_are_told_where() {
    for (file, reader) in FILES {
        let wide: Vec<u8> = file.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let error = reader(&[&b"\xff\xfe"[..], &wide].concat()).unwrap_err();
        assert!(error.to_string().starts_with("line 1: "), "{error}");
    }
}

#[test]
fn hdag_has_what_its_format_allows() {
    let file = b"%%MatrixMarket weighted-matrix coordinate pattern general
% HyperDAG file format v1
%
2 3 5 and whatever follows % more
1 7 3 -9 99999999999999999999 % further integers
0% no words: 1
% a comment between
2 +5%heavy
0 4 0
1
0 2 1 1 % the first pin of hyperedge 0
1 0
1 1
0 1
0 1
";
    let graph = hdag::read(&file[..]).unwrap();
    assert_eq!(graph.edge_list().collect::<Vec<_>>(), [(0, 1), (2, 1)]);
    assert_eq!(
        [0, 1, 2].map(|t| (graph.weight(t), graph.words(t))),
        [(4, 7), (1, 1), (5, 1)]
    );
}

#[test]
fn mtx_has_what_its_format_allows() {
    let graph = |kind: &str, rest: &str| {
        let file = format!("%%matrixmarket MATRIX Coordinate {kind}\n% comment\n\n{rest}");
        mtx::read(file.as_bytes()).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    let expected = graph("real general", "3 3 3\n1 1 1.0\n2 1 +2\n3 2 inf\n");
    assert_eq!(
        expected.edge_list().collect::<Vec<_>>(),
        [(0, 1), (1, 2)],
        "rows without a diagonal are rows"
    );
    for (kind, rest) in [
        ("Integer Symmetric", "3 3 2\n2 1 1\n3 2 1\n"),
        ("PATTERN symmetric", "3 3 3\n2 1\n3 2\n3 3\n"),
        ("pattern general", "3 3 3\n3 2\n2 1 % out of order\n2 1\n"),
        ("real skew-symmetric", "3 3 2\n2 1 -1\n3 2 nan\n"),
        ("complex hermitian", "3 3 3\n2 1 0 1\n3 2 1 -1\n1 1 1 0\n"),
        ("complex general", "+3 3 +2\n2 1 0 1\n3 2 1e5 -1\n"),
    ] {
        assert_eq!(graph(kind, rest), expected, "{kind}");
    }
    assert_eq!(graph("real general", "0 0 0").tasks(), 0);
    assert_eq!(
        graph("real general", "4000 4000 1\n2 1 1\n").edges(),
        1,
        "few rows may be empty"
    );
}
