//! The comparison with DSH gives the figures that `docs/SCHEDULERS.md` states.

#[test]
fn the_tables_are_those_of_the_page_on_schedulers() {
    let mut tables = Vec::new();
    superstep_papers::thesis::run(&mut tables).expect("a vector can be written to");
    let tables = String::from_utf8(tables).expect("text");
    let page = include_str!("../../docs/SCHEDULERS.md");
    let cells = |line: &str| -> Vec<String> {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    let stated = page
        .lines()
        .skip_while(|line| !line.starts_with("| P | BCSH, packed"));
    for row in stated.skip(2).take(4) {
        let [p, packed, single, dsh, factor] = &cells(row)[..] else {
            panic!("{row} has five cells");
        };
        let found = tables
            .lines()
            .map(cells)
            .find(|cells| cells[0] == **p)
            .expect("a row for each number of processors");
        let found = [&found[2], &found[4], &found[6], &found[8]];
        assert_eq!(found, [packed, single, dsh, factor], "P = {p}");
    }
    for speed_up in ["| 7.2 | 8 |", "| 8.4 | 12 |", "| 24.9 | 18 |"] {
        assert!(tables.contains(speed_up), "{tables}");
    }
}
