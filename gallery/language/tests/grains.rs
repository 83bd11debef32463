//! Loops marked `#[grain]` against their programs, on every number of processors up to eight.

mod same;

use same::{on_all, same, words};
use superstep_language::grains::*;

#[test]
fn rows_of_a_factorisation() {
    let mut a = words(40 * 40);
    (0..40).for_each(|i| a[i * 41] += 40.0);
    on_all!(a.clone(), |a| lu(40, a));
}

#[test]
fn rows_of_a_grid() {
    on_all!((words(400), words(400)), |s| jacobi(
        20, 5, &mut s.0, &mut s.1
    ));
}

#[test]
fn blocks_of_a_transform() {
    let pairs = |count: usize| -> Vec<[f64; 2]> {
        words(2 * count).chunks(2).map(|w| [w[0], w[1]]).collect()
    };
    let twiddles = pairs(64);
    on_all!(pairs(128), |x| fft(128, 8, x, &twiddles));
}

#[test]
fn tiles_of_a_table() {
    let letters = |step: usize| -> Vec<u8> { (0..60).map(|i| (i * i * step % 4) as u8).collect() };
    let (a, b) = (letters(3), letters(7));
    on_all!(vec![9; 3600], |table| lcs(60, 7, &a, &b, table));
}

#[test]
fn every_kind_of_loop_and_jump() {
    same!((words(24), 1.0), |s| jumps(24, &mut s.0, &mut s.1));
}

#[test]
fn programs_over_both_kinds_of_memory_for_one_number_of_processors() {
    let n = 33;
    let input: Vec<f64> = words(n * n).iter().map(|word| word + 3.0).collect();
    let mut expected = input.clone();
    lu(n, &mut expected);
    for private in [true, false] {
        let call = lu::with().exactly(2).private_memory(private);
        let mut result = input.clone();
        call.run(n, &mut result).expect("nothing panics");
        assert_eq!(result, expected);
        let prepared = call.prepare(n).expect("the program is there");
        prepared
            .altered(|tables| assert_eq!(tables.shared.contains(&true), !private))
            .expect("nothing is altered");
    }
}
