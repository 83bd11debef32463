//! Tests of kernels over ranks that are threads: the bits of the function, and errors on every
//! rank.

use superstep::ranks::{Communicator, Inputs, Over, Results, local};
use superstep_mpi_kernels::{Case, RANKS, Way, lu, roots};

/// Runs a case; returns what each rank says of its bits.
fn run(case: Case, ranks: usize, way: Way) -> Vec<bool> {
    let ran = local::run(ranks, |ranks| case.run(ranks, way));
    ran.into_iter()
        .map(|it| it.expect("no rank fails"))
        .collect()
}

#[test]
fn every_program_has_the_bits_of_the_function() {
    for case in Case::ALL {
        for ranks in RANKS {
            let name = case.name();
            let same = run(case, ranks, Way::default());
            assert!(same.iter().all(|same| *same), "{name} on {ranks} ranks");
        }
    }
}

#[test]
fn inputs_and_results_may_be_on_each_rank() {
    for case in Case::ALL {
        for (inputs, results) in [
            (Inputs::Each, Results::First),
            (Inputs::Each, Results::Each),
            (Inputs::First, Results::Each),
            (Inputs::Each, Results::Own),
        ] {
            let way = Way {
                inputs,
                results,
                loses: false,
            };
            for ranks in [1, 3] {
                let same = run(case, ranks, way);
                assert!(
                    same.iter().all(|same| *same),
                    "{case:?}, {way:?}, {ranks} ranks"
                );
            }
        }
    }
}

#[test]
fn a_lost_word_of_a_message_is_found() {
    let way = Way {
        loses: true,
        ..Way::default()
    };
    // Products of matrices need no messages, and a maximum may have the same bits by another word.
    // Two ranks would rather transform all than wait.
    for case in [Case::Lu, Case::Fft, Case::Jacobi, Case::Sptrsv] {
        for ranks in [2, 4, 8] {
            if (case, ranks) == (Case::Fft, 2) {
                continue;
            }
            assert!(!run(case, ranks, way)[0], "{case:?} on {ranks} ranks");
        }
    }
}

/// Runs a case by parts; returns what each rank says of the bits of all.
fn in_parts(case: Case, ranks: usize, loses: bool) -> Vec<bool> {
    let ran = local::run(ranks, |ranks| case.is_same_in_parts(ranks, loses));
    ran.into_iter()
        .map(|it| it.expect("no rank fails"))
        .collect()
}

#[test]
fn parts_have_the_bits_of_the_function() {
    for case in Case::ALL {
        for ranks in RANKS {
            let same = in_parts(case, ranks, false);
            assert!(same.iter().all(|same| *same), "{case:?} on {ranks} ranks");
        }
    }
    for case in [Case::Lu, Case::Fft, Case::Jacobi, Case::Sptrsv] {
        assert!(!in_parts(case, 4, true)[0], "{case:?} loses a word");
    }
}

#[test]
fn ranks_without_a_processor_have_no_words() {
    let computed = local::run(3, |ranks| {
        let prepared = prepared(40, 2, true);
        let mut part = prepared.part(ranks).expect("all have it");
        let mut filled = 0;
        part.fill_a(|_| {
            filled += 1;
            1.0
        });
        part.run(ranks).expect("no rank fails");
        (filled > 0, part.results_a().count() > 0)
    });
    assert_eq!(computed, [(true, true), (true, true), (false, false)]);
}

#[test]
fn own_results_are_those_that_a_rank_has_computed() {
    let n = 40;
    let mut whole: Vec<f64> = (0..n * n).map(|e| (e % 7) as f64).collect();
    (0..n).for_each(|i| whole[i * n + i] = 100.0);
    let mut expected = whole.clone();
    lu::lu(n, &mut expected);
    let parts = local::run(2, |ranks| {
        let prepared = lu::lu::with().exactly(2).private_memory(true).prepare(n);
        let mut a = whole.clone();
        let over = Over::new(ranks).inputs(Inputs::Each).results(Results::Own);
        prepared.unwrap().run_over(over, &mut a).unwrap();
        a
    });
    let is_own = |part: &[f64], e: usize| part[e].to_bits() == expected[e].to_bits();
    let mut changed = 0;
    for e in 0..n * n {
        assert!(parts.iter().any(|part| is_own(part, e)), "word {e}");
        changed += usize::from(parts.iter().any(|part| !is_own(part, e)));
    }
    assert!(changed > n, "each has a part alone");
}

/// Returns the error of each rank that runs `lu` so.
fn refusals(
    ranks: usize,
    lu: impl Fn(usize) -> lu::lu::Prepared<'static> + Sync,
    words: impl Fn(usize) -> usize + Sync,
) -> Vec<String> {
    let ran = local::run(ranks, |ranks| {
        let rank = ranks.rank();
        let mut a = vec![1.0; words(rank)];
        lu(rank).run_over(Over::new(ranks), &mut a)
    });
    ran.into_iter()
        .map(|it| it.unwrap_err().to_string())
        .collect()
}

fn prepared(n: usize, processors: usize, private: bool) -> lu::lu::Prepared<'static> {
    let with = lu::lu::with().exactly(processors).private_memory(private);
    with.prepare(n).expect("it was built")
}

#[test]
fn other_programs_are_errors_on_every_rank() {
    let private = |_| prepared(40, 2, true);
    let spoiled = |rank: usize| match rank {
        1 => private(0).altered(|plan| plan.messages[0].lose(0)).unwrap(),
        _ => private(0),
    };
    let another =
        "nothing has run, as of rank 1: lu: the program is another one than that of rank 0";
    assert_eq!(refusals(3, spoiled, |_| 1600), [another; 3]);
    let few =
        "nothing has run, as of rank 0: lu: the program is for 2 processors, and there are 1 ranks";
    assert_eq!(refusals(1, private, |_| 1600), [few]);
    let shared = "nothing has run, as of rank 0: lu: the program shares arrays; ask for one over private memory";
    assert_eq!(refusals(2, |_| prepared(8, 2, false), |_| 64), [shared; 2]);
    let parts = |processors: fn(usize) -> (usize, usize)| {
        local::run(2, |ranks| {
            let (n, processors) = processors(ranks.rank());
            let prepared = prepared(n, processors, n == 40);
            prepared.part(ranks).map(drop).unwrap_err().to_string()
        })
    };
    assert_eq!(parts(|_| (8, 2)), [shared; 2]);
    assert_eq!(parts(|rank| (40, 1 + rank)), [another; 2]);
    let short = "nothing has run, as of rank 0: lu: an argument is shorter than the program needs";
    assert_eq!(refusals(2, private, |_| 1599), [short; 2]);
    // Others than the first need no words.
    assert_eq!(refusals(2, private, |rank| 1599 * rank), [short; 2]);
}

#[test]
fn a_task_that_panics_ends_all_ranks() {
    let ended = local::run(4, |ranks| {
        let prepared = roots::roots::with()
            .exactly(4)
            .private_memory(true)
            .prepare(24);
        let mut x: Vec<f64> = (0..24).map(|i| 12.5 - f64::from(i)).collect();
        let ran = prepared.unwrap().run_over(Over::new(ranks), &mut x);
        ran.map_err(|error| error.to_string())
    });
    let said = |ended: &Result<(), String>| {
        ended
            .as_ref()
            .is_err_and(|it| it.contains("-0.5 has no root"))
    };
    assert!(said(&ended[0]), "{ended:?}");
    let first = ended.iter().filter_map(|it| it.as_ref().err());
    let named = first.filter(|it| it.starts_with("roots: rank ") && it.contains("roots.rs:"));
    assert!(named.count() >= 1, "{ended:?}");
}
