//! Ranks have the bits of as many blocks in one process, and these tests would notice others.

use superstep::ranks::{Communicator, Ranges, local};
use superstep_example_hybrid::{Block, Blocks};
use superstep_example_ilu_cg::{Functions, Matrix, Solution, solve};
use superstep_example_matrices::{Input, System};
use superstep_matrix::Compressed;

const FACTOR: f64 = 1e-10;
const MOST: usize = 500;

/// Solves on ranks with these ranges of rows.
fn on_ranks(System { a, b, .. }: &System, ranges: &Ranges, threads: usize) -> Solution {
    let parts = local::run(ranges.ranks(), |ranks| {
        let own = ranges.of(ranks.rank());
        let rows = own.clone().map(|row| a.line(row));
        let rows = Compressed::from_lines(a.across, rows);
        solve(
            &mut Block::new(ranks, &rows, threads)?,
            &b[own],
            FACTOR,
            MOST,
        )
    });
    let parts: Result<Vec<Solution>, _> = parts.into_iter().collect();
    let parts = parts.expect("it has a solution");
    for part in &parts {
        assert_eq!(
            (part.steps, part.residual),
            (parts[0].steps, parts[0].residual)
        );
    }
    Solution {
        x: parts.iter().flat_map(|part| part.x.clone()).collect(),
        ..parts[0]
    }
}

fn in_one_process(system: &System, ranges: &Ranges) -> Solution {
    let mut blocks = Blocks::new(&system.a, ranges.clone());
    solve(&mut blocks, &system.b, FACTOR, MOST).expect("it has a solution")
}

/// Bits of a solution, with its steps.
fn bits(solution: &Solution) -> (Vec<u64>, usize) {
    (
        solution.x.iter().map(|word| word.to_bits()).collect(),
        solution.steps,
    )
}

#[test]
fn ranks_have_the_bits_of_one_process() {
    for input in ["9", "rajat01"] {
        let system = System::new(Input::named(input).expect("it is here"));
        let n = system.a.lines();
        for (ranks, threads) in [(1, 1), (2, 1), (2, 2), (3, 1), (4, 2), (8, 1)] {
            let ranges = Ranges::even(n, ranks);
            let one = in_one_process(&system, &ranges);
            assert!(one.residual < FACTOR && one.steps < MOST);
            let solution = on_ranks(&system, &ranges, threads);
            assert_eq!(
                bits(&solution),
                bits(&one),
                "{input}: {ranks} ranks x {threads}"
            );
        }
    }
}

#[test]
fn ranges_may_be_uneven_and_empty() {
    let system = System::new(Input::named("8").expect("a grid"));
    let ranges = Ranges::from_lengths([1, 0, 400, 111, 0]);
    assert_eq!(
        bits(&on_ranks(&system, &ranges, 1)),
        bits(&in_one_process(&system, &ranges))
    );
}

#[test]
fn one_block_is_the_whole_factor() {
    let system = System::new(Input::named("8").expect("a grid"));
    let one = in_one_process(&system, &Ranges::even(512, 1));
    let matrix = Matrix::new(system.a);
    let whole = solve(&mut Functions::new(&matrix), &system.b, FACTOR, MOST);
    assert_eq!(bits(&one), bits(&whole.expect("it has a solution")));
}

#[test]
fn other_blocks_have_other_bits() {
    let system = System::new(Input::named("8").expect("a grid"));
    let even = on_ranks(&system, &Ranges::even(512, 2), 1);
    let other = in_one_process(&system, &Ranges::from_lengths([255, 257]));
    assert_ne!(bits(&even), bits(&other));
}
