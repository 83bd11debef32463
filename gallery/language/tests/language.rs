//! Each kernel against its programs, on one to three processors and both transports.

mod same;

use same::{same, words};
use superstep_language::kernels::*;

#[test]
fn kernels_of_the_same_name_are_two() {
    same!(words(9), |x| one::scale(9, x));
    same!(words(9), |x| two::scale(9, x));
}

#[test]
fn scalars_and_control() {
    same!((words(16), 1.0), |s| scalars(
        9, 0.5, &1.5, &mut s.0, &mut s.1
    ));
}

#[test]
fn shapes_of_arrays() {
    let v = [
        [1.0, 2.0, 3.0],
        [0.5, 0.25, 0.1],
        [7.0, 1.0, 2.0],
        [1.1, 2.2, 3.3],
    ];
    same!(([[1.0; 4]; 3], [0.0; 3]), |s| shapes(
        &mut s.0,
        &v,
        [1.0, 0.5, 0.25, 0.1],
        &mut s.1
    ));
}

#[test]
fn a_local_of_a_parameters_type_needs_a_word_of_it() {
    let particle = Particle {
        x: 1.0,
        v: [2.0, 3.0],
    };
    same!(words(5), |x| untouched(5, &[particle], x));

    let mut expected = words(5);
    let mut x = expected.clone();
    untouched(5, &[], &mut expected);
    untouched::parallel(5, &[], &mut x);
    assert_eq!(x, expected);
    assert_eq!(steps::last_run(), None, "the function itself ran");
}

#[test]
fn fields_of_elements() {
    let particle = |i: usize| Particle {
        x: i as f64,
        v: [0.5, i as f64 * 0.1],
    };
    let particles: Vec<Particle> = (0..4).map(particle).collect();
    same!((particles, (0.5, 3), vec![7, 8, 9, 10], false), |s| fields(
        4, &mut s.0, &mut s.1, &mut s.2, &mut s.3
    ));
}

#[test]
fn locals_of_another_type() {
    let x = words(5);
    same!(0.0, |width| local_type(5, &x, width));
}

#[test]
fn lengths_are_control() {
    let a = words(5);
    same!(vec![0.0; 4], |x| lengths(&a, x));
    assert!(lengths::is_scheduled(5, 4));
    assert!(!lengths::is_scheduled(4, 5));
    lengths::parallel(&a, &mut [0.0; 3]);
    assert!(steps::last_run().is_none(), "another length has no program");
}

#[test]
fn matches() {
    let x = words(6);
    same!(vec![0.0; 6], |y| arms(6, &[0, 1, 2, -1, -2, 3], &x, y));
}

#[test]
fn conditions_on_control_and_data() {
    let x = words(6);
    same!((vec![0.0; 6], vec![false; 6]), |s| guards(
        6,
        &[0, 1, 2, -1, -2, 3],
        &x,
        &mut s.0,
        &mut s.1
    ));
}

#[test]
fn structure_of_every_shape() {
    same!(words(4), |x| edges(
        &[[0, 1], [1, 2], [3, 0]],
        &[true, false, true],
        x
    ));
    assert!(!edges::is_scheduled(
        &[[0, 1], [1, 2], [3, 0]],
        &[true, false, false]
    ));
}

#[test]
fn integers_of_both_kinds() {
    let x: Vec<u64> = (0..16).map(|i| i * 77 + 5).collect();
    let y: Vec<i32> = (0..16).map(|i| 100 - i).collect();
    same!((x, y), |s| integers(8, 12345, &mut s.0, &mut s.1));
}

#[test]
fn two_ways_through() {
    same!((vec![0; 9], 250), |s| ways(5, 7, true, &mut s.0, &mut s.1));
    same!((vec![0; 9], 250), |s| ways(5, 7, false, &mut s.0, &mut s.1));
}

#[test]
fn a_scalar_carried_along() {
    let x = words(6);
    same!(vec![0.0; 9], |y| smooth(6, &[0, 1, 2], &x, y));
}

#[test]
fn parameters_by_value_that_change() {
    same!(words(8), |x| by_value(10, 1.5, x));
}

#[test]
fn names_of_the_expansion() {
    let (label, arguments) = (words(4), words(7));
    same!((words(7), 0.0, words(5)), |s| hygiene(
        2,
        &[0, 1, 2, 3],
        &mut s.0,
        &mut s.1,
        2.0,
        &label,
        &arguments,
        &mut s.2,
        &0.125,
        2
    ));
}

#[test]
fn what_is_prepared_runs_without_control_arguments() -> Result<(), Box<dyn std::error::Error>> {
    let (pattern, x) = ([0, 1, 2], words(6));
    let prepared = smooth::with().exactly(2).prepare(6, &pattern)?;
    assert_eq!(prepared.processors(), 2);
    let (mut expected, mut result) = (vec![0.0; 9], vec![0.0; 9]);
    smooth(6, &pattern, &x, &mut expected);
    prepared.run(&x, &mut result)?;
    assert!(steps::last_run().is_some());
    assert_eq!(result, expected);
    // Nothing was built for another size: runs try a plan.
    let (mut expected, mut result) = (vec![0.0; 9], vec![0.0; 9]);
    smooth(7, &pattern, &words(7), &mut expected);
    smooth::prepare(7, &pattern)?.run(&words(7), &mut result)?;
    assert_eq!(result, expected);
    assert_eq!(steps::last_reason(), Some(steps::Reason::NotBuilt));

    let prepared = lengths::prepare(5, 4)?;
    prepared.run(&x, &mut [0.0; 4])?;
    assert!(
        steps::last_run().is_none(),
        "6 words are not the 5 that were prepared for: the function runs"
    );
    Ok(())
}

#[test]
fn a_kernel_without_data_is_called() {
    nothing::parallel(3);
    assert!(steps::last_run().is_none());
}
