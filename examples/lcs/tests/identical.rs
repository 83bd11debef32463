//! Every generated program gives the table of the original; and these tests would notice if one did
//! not.

use superstep_example_lcs::{kernels, sequence};
use superstep_side_by_side::Check;

const N: usize = 2000;

#[test]
fn every_program_is_identical() {
    let (a, b) = (sequence(N, 1), sequence(N, 2));
    let table = vec![0; (N + 1) * (N + 1)];
    let check = Check::new(&table, |length| kernels::lcs(N, N, &a, &b, length));
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, length| {
        kernels::lcs::with()
            .exactly(processors)
            .transport(transport)
            .run(N, N, &a, &b, length)
    });
    // Supersteps, and processors that worked.
    assert_eq!(
        shapes,
        [(1, 1), (33, 2), (229, 3), (35, 4), (51, 7), (56, 8)]
    );
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let (mut a, b) = (sequence(N, 1), sequence(N, 2));
    let table = vec![0; (N + 1) * (N + 1)];
    let check = Check::new(&table, |length| kernels::lcs(N, N, &a, &b, length));
    a[0] ^= 1;
    let lcs = kernels::lcs::with().exactly(4);
    assert!(!check.accepts_run(&table, |length| lcs.run(N, N, &a, &b, length)));
}

#[test]
fn a_lost_word_of_a_message_counts() {
    // A processor keeps what it had in place of the word. Small integers are often equal: one of
    // these words is not.
    let (a, b) = (sequence(N, 114), sequence(N, 1000));
    let table = vec![0; (N + 1) * (N + 1)];
    let check = Check::new(&table, |length| kernels::lcs(N, N, &a, &b, length));
    let lcs = kernels::lcs::with().exactly(8);
    let prepared = lcs.prepare(N, N).expect("it was built");
    assert!((0..40).any(|message| {
        let lossy = prepared.altered(|plan| plan.messages[message].lose(0));
        let lossy = lossy.expect("the tables are good");
        !check.accepts_run(&table, |length| lossy.run(&a, &b, length))
    }));
    assert!(check.accepts_run(&table, |length| lcs.run(N, N, &a, &b, length)));
}
