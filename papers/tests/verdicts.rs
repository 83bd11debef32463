//! Items agree with what is published as far as their verdicts permit.

use std::collections::HashSet;

use superstep_papers::{Effort, Kind, SOURCES, Source, Verdict};

/// Repeated items of which some figure differs, as the source leaves something open.
const DIFFERENT: usize = 19;

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

/// Figure 9 of the latencies is left out: it compares times.
#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn no_finding_is_off_and_few_differ() {
    let (mut items, mut differ) = (0, 0);
    for source in &SOURCES {
        for item in source.items {
            let Kind::Repeated(experiment) = item.kind else {
                continue;
            };
            if (source.name, item.number) == ("latency", "figure 9") {
                continue;
            }
            let findings = experiment(Effort::Quick).expect("it can be repeated");
            let text = findings.text();
            let is = |of: fn(Verdict) -> bool| findings.rows.iter().any(|row| of(row.verdict));
            assert!(!findings.rows.is_empty(), "{}", item.number);
            assert!(
                !is(|verdict| verdict == Verdict::Off),
                "{}: {text}",
                item.number
            );
            for drawing in &findings.drawings {
                let rows = drawing.curves[0].points.len();
                assert_eq!(drawing.csv().lines().count(), rows + 1);
                let svg = drawing.svg().expect("it can be drawn");
                assert!(drawing.curves.iter().all(|curve| svg.contains(&curve.name)));
            }
            items += 1;
            differ += usize::from(is(|verdict| matches!(verdict, Verdict::Differs(_))));
        }
    }
    assert!(
        items >= 35 && differ <= DIFFERENT,
        "{differ} of {items} items differ"
    );
}

/// The ranges are those of an independent implementation.
#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn curves_over_all_delays_are_those_of_the_reference() {
    let thesis = Source::named("thesis").expect("it is one of five");
    let mut text = String::new();
    for number in ["figure 4.4", "figure 4.5"] {
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
