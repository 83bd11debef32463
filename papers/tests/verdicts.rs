//! Items agree with what is published as far as their verdicts permit.

use std::collections::HashSet;

use superstep_papers::{Effort, Findings, Kind, Row, SOURCES, Source, Verdict};

/// Repeated items that compare times: these are measured, and never tested.
const TIMED: [(&str, &str); 2] = [("latency", "figure 9"), ("prediction", "figure 6")];

/// Items with figures that no plausible value of what the source leaves open moves nearer: the page
/// says why.
const UNMOVED: [(&str, &str); 4] = [
    ("thesis", "table 3.1"),
    ("thesis", "table 3.4"),
    ("thesis", "table 3.6"),
    ("thesis", "figure 3.10"),
];

#[test]
fn numbers_of_items_are_their_own() {
    for source in &SOURCES {
        let numbers: HashSet<&str> = source.items.iter().map(|item| item.number).collect();
        assert_eq!(numbers.len(), source.items.len(), "{}", source.name);
        for item in source.items {
            let found = source.item(item.number).expect("it has the item");
            assert_eq!(found.title, item.title);
        }
    }
    let thesis = Source::named("thesis").expect("it is one of five");
    assert!(thesis.item("4.1").is_none(), "a table and a figure");
    assert!(thesis.item("9.9").is_none() && Source::named("thesi").is_none());
}

/// Returns the findings of all items that can be tested, by source and number.
fn all() -> Vec<(&'static str, &'static str, Findings)> {
    let items = SOURCES.iter().flat_map(|source| {
        let items = source.items.iter();
        items.map(move |item| (source.name, item))
    });
    let repeated = items.filter_map(|(source, item)| match item.kind {
        Kind::Repeated(experiment) if !TIMED.contains(&(source, item.number)) => {
            let findings = experiment(Effort::Quick).expect("it can be repeated");
            Some((source, item.number, findings))
        }
        _ => None,
    });
    repeated.collect()
}

/// Items that differ, as the page lists them.
fn listed() -> Vec<(String, String)> {
    let page = include_str!("../../docs/PAPERS.md");
    let rows = page
        .lines()
        .skip_while(|line| !line.starts_with("| source | item | "))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let mut cell = || cells.next().expect("a row has cells").to_owned();
        (cell(), cell())
    });
    cells.collect()
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn no_finding_is_off_and_a_quarter_of_the_items_differ_at_most() {
    let all = all();
    let mut differing = Vec::new();
    for (source, number, findings) in &all {
        assert!(!findings.rows.is_empty(), "{source}, {number}");
        for row in &findings.rows {
            check(row, UNMOVED.contains(&(*source, *number)));
        }
        let differs = |row: &Row| matches!(row.verdict, Verdict::Differs(_));
        if findings.rows.iter().any(differs) {
            differing.push(((*source).to_owned(), (*number).to_owned()));
        }
        for drawing in &findings.drawings {
            let rows = drawing.curves[0].points.len();
            assert_eq!(drawing.csv().lines().count(), rows + 1, "{}", drawing.name);
            let svg = drawing.svg().expect("it can be drawn");
            assert!(drawing.curves.iter().all(|curve| svg.contains(&curve.name)));
        }
    }
    assert_eq!(differing, listed(), "as the page has them");
    assert!(4 * differing.len() <= all.len(), "{differing:?}");
}

/// Returns half of the last digit of a published figure, as a part of it.
fn rounding(published: &str) -> f64 {
    let digits = published
        .split_once('.')
        .map_or(0, |(_, after)| after.len());
    let figure: f64 = published.parse().expect("it is a number");
    0.5 / 10_f64.powi(digits as i32) / figure
}

/// A figure is in the range of what its source leaves open, or moves towards the published one
/// within it.
fn check(row: &Row, may_stay: bool) {
    let distance = |ratio: f64| (ratio - 1.0).abs();
    match (row.verdict, row.range, row.ratio) {
        (Verdict::Off, ..) => panic!("{row:?}"),
        (Verdict::Within(part), _, Some(ratio)) => {
            assert!(part <= 0.25 && distance(ratio) <= part, "{row:?}");
        }
        (Verdict::InRange(_), Some([low, high]), Some(ratio)) => {
            assert!(low <= ratio && ratio <= high, "{row:?}");
            let half = rounding(&row.published);
            assert!(low - half <= 1.0 && 1.0 <= high + half, "{row:?}");
        }
        (Verdict::Differs(_), Some([low, high]), Some(ratio)) => {
            let nearest = distance(low).min(distance(high));
            assert!(nearest < distance(ratio) || may_stay, "{row:?}");
            assert!(!(low..=high).contains(&1.0), "{row:?}");
        }
        (_, range, _) => assert!(range.is_none(), "{row:?}"),
    }
}

/// The ranges are those of an independent implementation.
#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn figures_over_all_delays_are_those_of_the_reference() {
    let thesis = Source::named("thesis").expect("it is one of five");
    let mut text = String::new();
    for number in ["figure 4.4", "figure 4.5", "table 4.1"] {
        let Kind::Repeated(experiment) = thesis.item(number).expect("it has one").kind else {
            panic!("it is repeated");
        };
        text += &experiment(Effort::Full).expect("it can be repeated").text();
    }
    for range in [
        "ALG1 / E: 1.000 to 1.398, 1.136 on average",
        "ALG2 / E: 1.089 to 1.544, 1.166 on average",
        "PY / E: 1.220 to 1.988, 1.703 on average",
        "ALG1 / e: 1.075 to 1.566, 1.140 on average",
        "2.9885 at most",
        "1.8601 for the worst tau and p",
    ] {
        assert!(text.contains(range), "{range}: {text}");
    }
}

#[test]
fn the_table_of_the_page_on_schedulers_is_that_of_figure_3_9() {
    let thesis = Source::named("thesis").expect("it is one of five");
    let Kind::Repeated(experiment) = thesis.item("figure 3.9").expect("it has one").kind else {
        panic!("it is repeated");
    };
    let found = experiment(Effort::Quick).expect("it can be repeated").notes;
    let page = include_str!("../../docs/SCHEDULERS.md");
    let stated = page
        .lines()
        .skip_while(|line| !line.starts_with("| P | BCSH, packed"))
        .skip(2)
        .take(4);
    let mut rows = 0;
    for row in stated {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [p, packed, single, dsh, factor] = cells[..] else {
            panic!("{row} has five cells");
        };
        let [packed_time, dsh_time] =
            [packed, dsh].map(|cell| cell.parse::<f64>().expect("a number"));
        let stated: f64 = factor.parse().expect("a number");
        assert!((dsh_time / packed_time - stated).abs() < 0.06, "{row}");
        let expected = format!("p = {p}: {packed}, {single}, {dsh}");
        assert!(found.contains(&expected), "{expected}: {found:?}");
        rows += 1;
    }
    assert_eq!(rows, 4);
    let Kind::Repeated(experiment) = thesis.item("figure 3.10").expect("it has one").kind else {
        panic!("it is repeated");
    };
    let found = experiment(Effort::Quick).expect("it can be repeated").rows;
    let found: Vec<&str> = found.iter().map(|row| &*row.found).collect();
    assert_eq!(found, ["7.2", "8.4", "24.9"], "as the page states them");
}
