//! Every generated program gives the bits of the original; and these tests would notice if one did
//! not.

use superstep_example_lu::{kernels, matrix};
use superstep_side_by_side::Check;

#[test]
fn every_program_is_identical() {
    let n = 128;
    let a = matrix(n);
    let check = Check::new(&a, |a| kernels::lu(n, a));
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, a| {
        kernels::lu::with()
            .exactly(processors)
            .transport(transport)
            .run(n, a)
    });
    // Supersteps, and processors that worked.
    assert_eq!(shapes, [(1, 1), (9, 2), (12, 3), (13, 4), (13, 7), (16, 8)]);
}

#[test]
fn the_larger_size_is_identical() {
    let n = 256;
    let a = matrix(n);
    let check = Check::new(&a, |a| kernels::lu(n, a));
    let shapes = check.programs(&[1, 2, 4, 8], |processors, transport, a| {
        kernels::lu::with()
            .exactly(processors)
            .transport(transport)
            .run(n, a)
    });
    assert_eq!(shapes, [(1, 1), (17, 2), (25, 4), (29, 8)]);
}

#[test]
fn sizes_that_were_not_built_run_the_original() {
    let n = 9;
    let mut a = matrix(n);
    let check = Check::new(&matrix(n), |a| kernels::lu(n, a));
    assert!(kernels::lu::is_scheduled(128) && !kernels::lu::is_scheduled(n));
    kernels::lu::parallel(n, &mut a);
    assert!(check.accepts(&a));
    assert_eq!(superstep::last_run(), None);
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let n = 128;
    let mut a = matrix(n);
    let check = Check::new(&a, |a| kernels::lu(n, a));
    a[0] = a[0].next_up();
    assert!(!check.accepts_run(&a, |a| kernels::lu::with().exactly(4).run(n, a)));
}

#[test]
fn a_lost_word_of_a_message_counts() {
    let n = 128;
    // A processor keeps what it had in place of the word: nothing of this matrix, which no other
    // test has.
    let a: Vec<f64> = matrix(n).iter().map(|element| 1.3 * element).collect();
    let check = Check::new(&a, |a| kernels::lu(n, a));
    let lu = kernels::lu::with().exactly(4);
    let prepared = lu.prepare(n).expect("it was built");
    let lossy = prepared.altered(|plan| plan.messages[0].lose(0));
    let lossy = lossy.expect("the tables are good");
    assert!(!check.accepts_run(&a, |a| lossy.run(a)));
    assert!(check.accepts_run(&a, |a| lu.run(n, a)));
}
