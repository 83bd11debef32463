//! Names of a kernel that its expansion has use for, too: they mean what they mean in the function.

use superstep_planned::names::{self, Lent, LentCommon};

#[test]
fn names_of_the_expansion_are_the_kernels_own() {
    let n = 40;
    let row: Vec<usize> = (0..=n).map(|i: usize| i.saturating_sub(1)).collect();
    let col: Vec<u32> = (0..n as u32 - 1).map(|i| i / 2).collect();
    let (tape, reader) = (vec![0.25; n - 1], vec![0.5; n]);
    let (accesses, view) = (vec![1.5; n], vec![0.75; n]);
    let plan = names::original::plan(n, 1, n, &row, &col, n - 1, n);
    let plan = plan.exactly(2).build().unwrap();
    let loaded = plan.load(&tape, &reader).unwrap();
    let start: Vec<f64> = (0..n).map(|i| 1.0 / (1 + i) as f64).collect();
    let data = || ([0.0], vec![Lent(0.0); n], start.clone());
    let (mut scratch, mut memory, mut x) = data();
    names::original(
        n,
        1,
        n,
        &row,
        &col,
        &tape,
        &reader,
        &mut scratch,
        &accesses,
        &view,
        &mut memory,
        &mut x,
        &2.0,
        3.0,
    );
    let expected = (memory, x);
    let (mut scratch, mut memory, mut x) = data();
    plan.run(
        &tape,
        &reader,
        &mut scratch,
        &accesses,
        &view,
        &mut memory,
        &mut x,
        &2.0,
        3.0,
    )
    .unwrap();
    assert_eq!((&memory, &x), (&expected.0, &expected.1));
    let (mut scratch, mut memory, mut x) = data();
    loaded
        .run(
            &mut scratch,
            &accesses,
            &view,
            &mut memory,
            &mut x,
            &2.0,
            3.0,
        )
        .unwrap();
    assert_eq!((memory, x), expected);
}

#[test]
fn a_kernel_may_be_named_as_what_is_in_its_module() {
    let accesses = [0.5, 0.25, 2.0];
    let (mut x, mut expected) = (vec![1.0; 32], vec![1.0; 32]);
    names::plan(32, &accesses, &mut expected);
    let plan = names::plan::plan(32, accesses.len()).exactly(2);
    plan.build().unwrap().run(&accesses, &mut x).unwrap();
    assert_eq!(x, expected);
}

#[test]
fn words_in_common_may_be_of_a_type_that_is_named_as_theirs() {
    let start = || (0..9).map(|i| LentCommon(f64::from(i))).collect::<Vec<_>>();
    let (mut x, mut expected) = (start(), start());
    names::lent(9, &mut expected);
    let plan = names::lent::plan(9).exactly(2).build().unwrap();
    plan.run(&mut x).unwrap();
    assert_eq!(x, expected);
}

#[test]
fn what_holds_arguments_may_be_named_as_one() {
    let (by, mut expected) = ([1.0, 2.0, 3.0], [1.0, 1.0]);
    names::held(2, &[2, 0], &by, &mut expected);
    let plan = names::held::plan_owned(2, vec![2, 0]).exactly(2).build();
    let mut found = [1.0, 1.0];
    plan.unwrap().run(&by, &mut found).unwrap();
    assert_eq!(found, expected);
}
