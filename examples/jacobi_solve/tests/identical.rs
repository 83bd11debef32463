//! Every generated program gives the bits of the original; and these tests would notice if one did
//! not.

use superstep_example_jacobi_solve::{System, kernels, system};
use superstep_side_by_side::Check;

const N: usize = 512;

#[test]
fn every_program_is_identical() {
    let System { a, b, x } = system(N);
    let results = (vec![0.0; N], 0.0);
    let check = Check::new(&results, |(y, change)| {
        kernels::jacobi_solve(N, &a, &b, &x, y, change)
    });
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, (y, change)| {
        let jacobi_solve = kernels::jacobi_solve::with()
            .exactly(processors)
            .transport(transport);
        jacobi_solve.run(N, &a, &b, &x, y, change)
    });
    // Supersteps, and processors that worked.
    assert_eq!(shapes, [(1, 1), (2, 2), (2, 3), (9, 2), (2, 7), (2, 8)]);
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let System { a, b, mut x } = system(N);
    let results = (vec![0.0; N], 0.0);
    let check = Check::new(&results, |(y, change)| {
        kernels::jacobi_solve(N, &a, &b, &x, y, change)
    });
    x[0] = x[0].next_up();
    let jacobi_solve = kernels::jacobi_solve::with().exactly(4);
    assert!(!check.accepts_run(&results, |(y, change)| {
        jacobi_solve.run(N, &a, &b, &x, y, change)
    }));
}

#[test]
fn a_lost_word_of_a_message_counts() {
    // A processor keeps what it had in place of the word: nothing of this system, which no other
    // test has.
    let System { a, b, mut x } = system(N);
    x.reverse();
    let results = (vec![0.0; N], 0.0);
    let check = Check::new(&results, |(y, change)| {
        kernels::jacobi_solve(N, &a, &b, &x, y, change)
    });
    let jacobi_solve = kernels::jacobi_solve::with().exactly(4);
    let prepared = jacobi_solve.prepare(N).expect("it was built");
    let lossy = prepared.altered(|plan| plan.messages[0].lose(0));
    let lossy = lossy.expect("the tables are good");
    assert!(!check.accepts_run(&results, |(y, change)| { lossy.run(&a, &b, &x, y, change) }));
    assert!(check.accepts_run(&results, |(y, change)| {
        jacobi_solve.run(N, &a, &b, &x, y, change)
    }));
}
