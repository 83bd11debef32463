//! Systems are symmetric and positive definite, and arguments that name none are refused.

use proptest::prelude::*;
use superstep_example_matrices::{Input, System};
use superstep_matrix::Compressed;

fn refused(argument: &str) -> String {
    Input::named(argument).unwrap_err().to_string()
}

/// Checks that a matrix equals its transpose, and that no row outweighs its diagonal.
fn assert_definite(system: &System) {
    let a = &system.a;
    assert_eq!(a.transposed(), *a, "{}", system.name);
    assert_eq!(system.b.len(), a.lines());
    let mut outweighs = 0;
    for row in 0..a.lines() {
        let part = |own: bool| -> f64 {
            let some = a.line(row).filter(|&(at, _)| (at == row) == own);
            some.map(|(_, value)| value.abs()).sum()
        };
        assert!(part(true) > 0.0 && part(true) >= part(false), "row {row}");
        outweighs += usize::from(part(true) > part(false));
    }
    assert!(outweighs > 0, "{}", system.name);
}

#[test]
fn grids_and_networks_are_systems() {
    for (argument, sizes) in [
        ("5", (125, 7 * 125 - 6 * 25)),
        ("rajat01", (6833, 43677)),
        ("pegase9241", (17036, 129412)),
    ] {
        let system = System::new(Input::named(argument).unwrap());
        assert_eq!((system.a.lines(), system.a.indices.len()), sizes);
        assert_definite(&system);
    }
}

proptest! {
    #[test]
    fn drawn_systems_have_the_pattern_of_both_halves(lines in prop::collection::vec(any::<u32>(), 1..30)) {
        let n = lines.len();
        let line = |&bits: &u32| (0..n).filter(move |at| bits >> at & 1 == 1).map(|at| (at, 1.0));
        let pattern = Compressed::from_lines(n, lines.iter().map(line));
        let system = System::drawn("drawn", &pattern);
        assert_definite(&system);
        for (row, bits) in lines.iter().enumerate() {
            let expected = (0..n).filter(|&at| row == at || bits >> at & 1 == 1 || lines[at] >> row & 1 == 1);
            prop_assert!(system.a.line(row).map(|(at, _)| at).eq(expected));
        }
    }
}

#[test]
fn arguments_that_name_no_system_are_refused() {
    assert_eq!(
        refused("-n"),
        "-n: arguments are SIDE, the points a side of a grid, rajat01 or pegase9241, or FILE.mtx[.gz], a matrix; any number of each"
    );
    for side in ["0", "201", "99999999999999999999999"] {
        assert_eq!(
            refused(side),
            format!("{side}: a grid has from 2 to 200 points a side")
        );
    }
    let missing = refused("no_such.mtx");
    assert!(missing.starts_with("no_such.mtx: line 1: "), "{missing}");
    assert!(Input::named("").is_err());
}

#[test]
fn files_without_a_system_are_refused() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let refused = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        refused(path).replace(path, name)
    };
    let head = "%%MatrixMarket matrix coordinate pattern general\n";
    assert_eq!(
        refused("oblong.mtx", &format!("{head}2 3 1\n1 3\n")),
        "oblong.mtx: a square matrix with entries is needed, this one has 2 rows, 3 columns and 1 entries"
    );
    assert_eq!(
        refused("empty.mtx", &format!("{head}0 0 0\n")),
        "empty.mtx: a square matrix with entries is needed, this one has 0 rows, 0 columns and 0 entries"
    );
    assert_eq!(
        refused("beyond.mtx", &format!("{head}2 2 1\n3 1\n")),
        "beyond.mtx: line 3, column 1: expected a row from 1 to 2, found `3`"
    );
}
