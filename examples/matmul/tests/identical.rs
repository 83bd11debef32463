//! Every generated program gives the bits of the original; and these tests would notice if one did
//! not.

use superstep_example_matmul::{factors, kernels};
use superstep_side_by_side::Check;

#[test]
fn every_program_is_identical() {
    let n = 64;
    let [a, b] = factors(n);
    let check = Check::new(&vec![0.0; n * n], |c| kernels::matmul(n, &a, &b, c));
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, c| {
        let matmul = kernels::matmul::with()
            .exactly(processors)
            .transport(transport);
        matmul.run(n, &a, &b, c)
    });
    // Supersteps, and processors that worked. 64 rows are not cut into 3 or 7 parts without cutting
    // sums.
    assert_eq!(shapes, [(1, 1), (1, 2), (2, 3), (1, 4), (2, 7), (1, 8)]);
}

#[test]
fn the_larger_size_is_identical() {
    let n = 256;
    let [a, b] = factors(n);
    let check = Check::new(&vec![0.0; n * n], |c| kernels::matmul(n, &a, &b, c));
    let shapes = check.programs(&[1, 2], |processors, transport, c| {
        let matmul = kernels::matmul::with()
            .exactly(processors)
            .transport(transport);
        matmul.run(n, &a, &b, c)
    });
    assert_eq!(shapes, [(1, 1), (1, 2)]);
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let n = 64;
    let [mut a, b] = factors(n);
    let check = Check::new(&vec![0.0; n * n], |c| kernels::matmul(n, &a, &b, c));
    // A power of two times as large, so that no sum can swallow the difference.
    a[5] *= 2.0;
    let matmul = kernels::matmul::with().exactly(4);
    assert!(!check.accepts_run(&vec![0.0; n * n], |c| matmul.run(n, &a, &b, c)));
}
