//! Calls of kernels without a build script: they try plans, and say why not. Each test has sizes of
//! its own, as calls remember those of other tests.

use std::thread;

use superstep::{Reason, last_reason, last_run};
use superstep_planned::calls::*;

/// The most calls until a plan has run some times: where others keep the cores, it waits until its
/// trial is paid for.
const MOST: usize = 500_000;

fn words(count: usize) -> Vec<f64> {
    (0..count).map(|i| 1.3 + (i as f64 * 1.7).sin()).collect()
}

/// A matrix and a vector of a size, and the products.
fn products(n: usize) -> [Vec<f64>; 3] {
    let (a, x, mut y) = (words(n * n), words(n), vec![0.0; n]);
    rows(n, &a, &x, &mut y);
    [a, x, y]
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Calls until three have run a plan, each of which is to give what the function gives. Returns
/// whether they have.
fn tries_a_plan(expected: &[f64], mut call: impl FnMut(&mut [f64])) -> bool {
    let most = if cores() > 1 { MOST } else { 300 };
    let mut count = 0;
    for number in 0..most {
        let mut y = vec![0.5; expected.len()];
        call(&mut y);
        assert!(y == expected, "call {number}");
        if last_reason() == Some(Reason::Planned) {
            let ran = last_run().expect("a plan is a run");
            assert!(ran.processors > 1 && ran.instead_of.is_none(), "{ran:?}");
            count += 1;
        }
        if count == 3 {
            return true;
        }
    }
    false
}

#[test]
fn calls_make_a_plan_and_give_the_same_bits() {
    // Three sizes in turn, of which each has a plan of its own.
    let sizes = [240, 241, 242].map(|n| (n, products(n)));
    let has_plan = |n: usize| {
        tries_a_plan(&sizes[n - 240].1[2], |y| {
            for (other, [a, x, expected]) in &sizes {
                let mut result = vec![0.0; *other];
                rows::parallel(*other, a, x, &mut result);
                assert!(result == *expected);
            }
            let [a, x, _] = &sizes[n - 240].1;
            rows::parallel(n, a, x, y);
        })
    };
    assert_eq!([240, 241, 242].map(has_plan), [cores() > 1; 3]);
}

#[test]
fn the_first_calls_run_the_function() {
    let [a, x, expected] = products(230);
    for _ in 0..20 {
        let mut y = vec![0.5; 230];
        rows::parallel(230, &a, &x, &mut y);
        assert_eq!(y, expected);
        let why = if cores() > 1 {
            last_reason()
        } else {
            Some(Reason::NotBuilt)
        };
        assert_eq!((last_run(), why), (None, Some(Reason::NotBuilt)));
    }
    assert!(!rows::is_scheduled(230));
}

#[test]
fn who_insists_has_a_plan_at_once() {
    let [a, x, expected] = products(243);
    for processors in [2, 3, 5] {
        let mut y = vec![0.5; 243];
        rows::with()
            .exactly(processors)
            .run(243, &a, &x, &mut y)
            .unwrap();
        assert_eq!(y, expected);
        assert_eq!(last_run().map(|ran| ran.processors), Some(processors));
        let prepared = rows::with().exactly(processors).prepare(243).unwrap();
        assert_eq!(prepared.processors(), processors);
        y.fill(0.5);
        prepared.run(&a, &x, &mut y).unwrap();
        assert_eq!(y, expected);
        assert_eq!(last_run().map(|ran| ran.processors), Some(processors));
    }
    // There is nothing to plan for one processor, nor where processors run in turn.
    let mut y = vec![0.5; 243];
    rows::with().exactly(1).run(243, &a, &x, &mut y).unwrap();
    assert_eq!(
        (y == expected, last_reason()),
        (true, Some(Reason::NotBuilt))
    );
    let in_turn = rows::with()
        .exactly(2)
        .transport(superstep::Transport::InTurn);
    in_turn.run(243, &a, &x, &mut y).unwrap();
    assert_eq!(
        (y == expected, last_reason()),
        (true, Some(Reason::NotBuilt))
    );
}

#[test]
fn what_is_prepared_tries_a_plan() {
    let [a, x, expected] = products(244);
    let prepared = rows::prepare(244).unwrap();
    assert_eq!(
        tries_a_plan(&expected, |y| prepared.run(&a, &x, y).unwrap()),
        cores() > 1
    );
    // Several threads at once, of one that was prepared and its copy.
    thread::scope(|scope| {
        for copy in [prepared.clone(), prepared] {
            let (a, x, expected) = (&a, &x, &expected);
            scope.spawn(move || {
                for _ in 0..200 {
                    let mut y = vec![0.5; 244];
                    copy.run(a, x, &mut y).unwrap();
                    assert_eq!(&y, expected);
                }
            });
        }
    });
}

/// Patterns that look alike at a glance have plans of their own: by the plan for chains of 20
/// words, one of 40 would race.
#[test]
fn patterns_are_told_apart() {
    // Words: enough that each processor has chains of both lengths, of a microsecond a word.
    const N: usize = 600;
    // A glance sees the first entry, those behind each third, and the last.
    let is_seen = |i: usize| [0, N / 3, 2 * N / 3, N - 1].contains(&i);
    let chains = |length: usize| -> Vec<u32> {
        let from = (0..N).map(|i| match is_seen(i) || i % length == 0 {
            true => 0,
            false => i as u32 - 1,
        });
        from.collect()
    };
    let a = words(400);
    let (one, other) = (chains(20), chains(40));
    for from in [&one, &other, &one, &other] {
        let mut expected = words(N);
        chained(from, &a, &mut expected);
        for _ in 0..20 {
            let mut x = words(N);
            let insists = chained::with().exactly(2);
            insists.run(from, &a, &mut x).unwrap();
            assert_eq!(last_run().map(|ran| ran.processors), Some(2));
            assert!(x == expected);
        }
        let owned = chained::prepare_owned(from.clone(), a.len()).unwrap();
        let mut x = words(N);
        owned.run(&a, &mut x).unwrap();
        assert!(x == expected);
    }
}

/// More sizes than calls keep, from several threads.
#[test]
fn any_number_of_sizes_gives_the_same_bits() {
    let sizes: Vec<_> = (60..90).map(|n| (n, products(n))).collect();
    thread::scope(|scope| {
        for number in 0..3 {
            let sizes = &sizes;
            scope.spawn(move || {
                for round in 0..60 {
                    for (n, [a, x, expected]) in &sizes[(7 * round + number) % 20..] {
                        let mut y = vec![0.5; *n];
                        rows::parallel(*n, a, x, &mut y);
                        assert_eq!(&y, expected);
                    }
                }
            });
        }
    });
}

#[test]
fn kernels_that_give_up_return_what_the_function_returns() {
    const N: usize = 250;
    let (mut a, mut expected) = (words(N * N), vec![0.0; N]);
    assert_eq!(roots(N, &a, &mut expected), Ok(()));
    let call = |y: &mut [f64]| assert_eq!(roots::parallel(N, &a, y), Ok(()));
    assert_eq!(tries_a_plan(&expected, call), cores() > 1);
    a[100 * N] = -1e6;
    a[200 * N] = -1e7;
    let error = roots(N, &a, &mut expected).unwrap_err();
    assert_eq!(error.0, 100);
    let mut y = vec![0.0; N];
    for _ in 0..300 {
        assert_eq!(roots::parallel(N, &a, &mut y), Err(error));
    }
    assert_eq!(
        roots::with().exactly(2).run(N, &a, &mut y).unwrap(),
        Err(error)
    );
    assert_eq!(
        roots::prepare(N).unwrap().run(&a, &mut y).unwrap(),
        Err(error)
    );
    assert_eq!(roots::try_parallel(N, &a, &mut y).unwrap(), Err(error));
    // What cannot be planned gives up, too.
    assert_eq!(first_negative::parallel(&[-1.0; 4]), Err(Negative(0, -1.0)));
    assert_eq!(first_negative::parallel(&[1.0; 4]), Ok(()));
}

#[test]
fn what_is_in_the_way_is_told() {
    let (x, mut y) = (words(8), vec![0.0; 8]);
    growing::parallel(8, &x, &mut y);
    let source = include_str!("../src/calls.rs").lines();
    let line = source.take_while(|line| !line.contains("end = (3")).count() + 1;
    let why = format!("calls.rs:{line}: a kernel that is planned at run time cannot");
    let Some(Reason::Unplanned(told)) = last_reason() else {
        panic!("{:?}", last_reason());
    };
    assert!(told.contains(&why), "{told}");
    assert_eq!(told, growing::UNPLANNED);
    assert_eq!(
        growing::prepare(8).unwrap_err().to_string(),
        format!(
            "growing: no program was built for these control arguments, and none can be planned: {told}"
        )
    );
    assert!(Reason::Unplanned(told).to_string().ends_with(told));
    let _ = first_negative::parallel(&[1.0; 4]);
    let told =
        "there is nothing to plan: the kernel has no loop whose iterations write different words";
    assert!(first_negative::UNPLANNED.ends_with(told));
}

#[test]
fn who_wants_no_plans_has_none() {
    let mut x = words(4);
    doubled::with().exactly(2).run(4, &mut x).unwrap();
    assert_eq!(last_reason(), Some(Reason::NotBuilt));
    assert_eq!(
        doubled::prepare(4).unwrap_err().to_string(),
        "doubled: no program was built for these control arguments"
    );
}

/// Control that is no number is no error of the compiler, and its plan none.
#[test]
fn control_of_other_types_is_not_planned() {
    let mut x = words(9);
    let mut expected = x.clone();
    of_a_kind(9, &mut expected);
    of_a_kind::with().exactly(2).run(9, &mut x).unwrap();
    assert_eq!((&x, last_reason()), (&expected, Some(Reason::Sequential)));
    in_steps(9, &mut expected);
    in_steps::with().exactly(2).run(9, &mut x).unwrap();
    assert_eq!(x, expected);
}

/// Methods of a user's trait are not planned, where those of the number itself are.
#[test]
fn methods_of_traits_are_not_planned() {
    let mut x = words(400);
    let mut expected = x.clone();
    by_a_trait(400, &mut expected);
    by_a_trait::with().exactly(2).run(400, &mut x).unwrap();
    assert_eq!((&x, last_reason()), (&expected, Some(Reason::Sequential)));
    by_a_flag(400, &mut expected);
    by_a_flag::with().exactly(2).run(400, &mut x).unwrap();
    assert_eq!((&x, last_reason()), (&expected, Some(Reason::Sequential)));
    let (mut one, mut other) = (vec![0.0; 400], vec![0.0; 400]);
    halved(400, &x, &mut one);
    halved::with().exactly(2).run(400, &x, &mut other).unwrap();
    assert_eq!((&one, last_reason()), (&other, Some(Reason::Planned)));
}
