//! Names of a kernel that its expansion has use for, too: they mean what they mean in the function.

use superstep_planned::names::{self, Lent};

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
    let run = |run: &dyn Fn(&mut [f64], &mut [Lent], &mut [f64])| {
        let (mut scratch, mut memory, mut x) = ([0.0], vec![Lent(0.0); n], start.clone());
        run(&mut scratch, &mut memory, &mut x);
        (memory, x)
    };
    let expected = run(&|scratch, memory, x| {
        names::original(
            n, 1, n, &row, &col, &tape, &reader, scratch, &accesses, &view, memory, x, &2.0, 3.0,
        );
    });
    let in_place = run(&|scratch, memory, x| {
        plan.run(
            &tape, &reader, scratch, &accesses, &view, memory, x, &2.0, 3.0,
        )
        .unwrap();
    });
    let replayed = run(&|scratch, memory, x| {
        loaded
            .run(scratch, &accesses, &view, memory, x, &2.0, 3.0)
            .unwrap();
    });
    assert_eq!(in_place, expected);
    assert_eq!(replayed, expected);
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
