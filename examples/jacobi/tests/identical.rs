//! Every generated program gives the bits of the original; and these tests would notice if one did
//! not.

use superstep_example_jacobi::{grid, kernels};
use superstep_side_by_side::Check;

const N: usize = 512;
const ROUNDS: usize = 5;

#[test]
fn every_program_is_identical() {
    let grids = (grid(N), grid(N));
    let check = Check::new(&grids, |(u, v)| kernels::jacobi(N, ROUNDS, u, v));
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, (u, v)| {
        kernels::jacobi::with()
            .exactly(processors)
            .transport(transport)
            .run(N, ROUNDS, u, v)
    });
    // Supersteps, and processors that worked.
    assert_eq!(
        shapes,
        [(1, 1), (10, 2), (10, 3), (10, 4), (10, 7), (10, 8)]
    );
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let mut grids = (grid(N), grid(N));
    let check = Check::new(&grids, |(u, v)| kernels::jacobi(N, ROUNDS, u, v));
    // Averages round the last bit of most words away; this one's comes through.
    let inside = 100 * N + 106;
    grids.0[inside] = grids.0[inside].next_up();
    assert!(!check.accepts_run(&grids, |(u, v)| {
        kernels::jacobi::with().exactly(4).run(N, ROUNDS, u, v)
    }));
}

#[test]
fn a_lost_word_of_a_message_counts() {
    // A processor keeps what it had in place of the word: nothing of this grid, which no other test
    // has.
    let colder: Vec<f64> = grid(N).iter().map(|value| value - 1.5).collect();
    let grids = (colder.clone(), colder);
    let check = Check::new(&grids, |(u, v)| kernels::jacobi(N, ROUNDS, u, v));
    let jacobi = kernels::jacobi::with().exactly(4);
    let prepared = jacobi.prepare(N, ROUNDS).expect("it was built");
    let lossy = prepared.altered(|plan| plan.messages[0].lose(0));
    let lossy = lossy.expect("the tables are good");
    assert!(!check.accepts_run(&grids, |(u, v)| lossy.run(u, v)));
    assert!(check.accepts_run(&grids, |(u, v)| jacobi.run(N, ROUNDS, u, v)));
}
