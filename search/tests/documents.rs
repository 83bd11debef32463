//! The documents show the one list of algorithms.

use superstep_search::ALL;

/// Returns the names in the first column of the first table that begins with this row.
fn names(page: &str, head: &str) -> Vec<String> {
    let rows = page
        .lines()
        .skip_while(|line| !line.starts_with(head))
        .skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).unwrap_or_default().to_owned())
        .collect()
}

fn all() -> Vec<String> {
    ALL.iter().map(|each| each.name().to_owned()).collect()
}

#[test]
fn the_page_on_schedulers_has_a_row_for_each_with_its_idea() {
    let page = include_str!("../../docs/SCHEDULERS.md");
    assert_eq!(names(page, "| name |"), all());
    for each in ALL {
        let row = format!("| `{}` | {}", each.name(), each.idea());
        assert!(page.contains(&row), "{row}");
    }
}
