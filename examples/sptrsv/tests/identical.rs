//! Every generated program gives the bits of the original; and these tests would notice if one did
//! not.

use std::sync::Arc;
use std::thread;

use superstep_example_sptrsv::{kernels, pattern, right_hand_side, values};
use superstep_side_by_side::Check;

#[test]
fn every_program_is_identical() {
    let (row, col) = pattern::lower_laplacian(300);
    let n = row.len() - 1;
    let (values, b, x) = (values(&row), right_hand_side(n), vec![0.0; n]);
    let check = Check::new(&x, |x| kernels::sptrsv(n, &row, &col, &values, &b, x));
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, x| {
        let with = kernels::sptrsv::with()
            .exactly(processors)
            .transport(transport);
        let prepared = with.prepare(n, &row, &col).expect("this pattern was built");
        prepared.run(&values, &b, x)
    });
    // Supersteps, and processors that worked.
    assert_eq!(shapes, [(1, 1), (9, 2), (14, 3), (19, 4), (20, 7), (21, 8)]);
}

#[test]
fn a_prepared_program_can_own_its_pattern() {
    let (row, col) = pattern::lower_laplacian(300);
    let n = row.len() - 1;
    let (values, b, x) = (values(&row), right_hand_side(n), vec![0.0; n]);
    let check = Check::new(&x, |x| kernels::sptrsv(n, &row, &col, &values, &b, x));
    let (row, col) = (Arc::<[usize]>::from(row), Arc::new(col));
    let with = kernels::sptrsv::with().exactly(2);
    let owned = with.prepare_owned(n, Arc::clone(&row), Arc::clone(&col));
    let prepared = owned.expect("this pattern was built");
    let ran = thread::spawn(move || {
        let mut x = x;
        prepared.run(&values, &b, &mut x).map(|()| x)
    });
    let x = ran.join().expect("no panic").expect("it runs");
    assert!(check.accepts(&x));
    assert_eq!((Arc::strong_count(&row), Arc::strong_count(&col)), (1, 1));
}

#[test]
fn another_pattern_runs_the_original_until_it_has_a_plan() {
    let (row, col) = pattern::lower_laplacian(20);
    let n = row.len() - 1;
    let (values, b, mut x) = (values(&row), right_hand_side(n), vec![0.0; n]);
    let check = Check::new(&x, |x| kernels::sptrsv(n, &row, &col, &values, &b, x));
    kernels::sptrsv::parallel(n, &row, &col, &values, &b, &mut x);
    assert!(check.accepts(&x));
    assert_eq!(superstep::last_run(), None);
    let prepared = kernels::sptrsv::prepare(n, &row, &col).expect("it can be planned");
    x.fill(0.0);
    prepared.run(&values, &b, &mut x).expect("it runs");
    assert!(check.accepts(&x));
    let insisting = kernels::sptrsv::with().exactly(2);
    x.fill(0.0);
    insisting
        .run(n, &row, &col, &values, &b, &mut x)
        .expect("it runs");
    assert!(check.accepts(&x));
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let (row, col) = pattern::lower_laplacian(300);
    let n = row.len() - 1;
    let (values, mut b, x) = (values(&row), right_hand_side(n), vec![0.0; n]);
    let check = Check::new(&x, |x| kernels::sptrsv(n, &row, &col, &values, &b, x));
    b[0] = b[0].next_up();
    let sptrsv = kernels::sptrsv::with().exactly(4);
    assert!(!check.accepts_run(&x, |x| sptrsv.run(n, &row, &col, &values, &b, x)));
}

#[test]
fn a_lost_word_of_a_message_counts() {
    // A processor keeps what it had in place of the word: nothing of this right-hand side, which no
    // other test has.
    let (row, col) = pattern::lower_laplacian(300);
    let n = row.len() - 1;
    let (values, x) = (values(&row), vec![0.0; n]);
    let b: Vec<f64> = right_hand_side(n)
        .iter()
        .map(|word| 1.7 * word + 0.3)
        .collect();
    let check = Check::new(&x, |x| kernels::sptrsv(n, &row, &col, &values, &b, x));
    let sptrsv = kernels::sptrsv::with().exactly(3);
    let prepared = sptrsv.prepare(n, &row, &col).expect("it was built");
    let lossy = prepared.altered(|plan| plan.messages[0].lose(0));
    let lossy = lossy.expect("the tables are good");
    assert!(!check.accepts_run(&x, |x| lossy.run(&values, &b, x)));
    assert!(check.accepts_run(&x, |x| sptrsv.run(n, &row, &col, &values, &b, x)));
}
