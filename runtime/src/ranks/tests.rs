//! Tests that sums over ranks have the bits of one process, and kernels those of their programs.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use superstep_reduction::Tree;

use super::{Communicator, Distributed, Ranges, RankError, local};
use crate::reduce;

/// Words whose sum depends on the order in which they are added.
fn rough(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed | 1;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let mantissa = (state >> 12) as f64 / (1u64 << 52) as f64 - 0.5;
        mantissa * f64::from(1u32 << (state & 31))
    };
    (0..count).map(|_| next()).collect()
}

/// Ranges of up to nine ranks, some of them empty.
fn lengths() -> impl Strategy<Value = Vec<usize>> {
    let length = prop_oneof![Just(0), 0..5usize, 0..40usize, Just(64), 900..3000usize];
    proptest::collection::vec(length, 1..10)
}

/// Sums, dot products and norms of all ranks.
fn sums(lengths: &[usize], x: &[f64], y: &[f64], threads: usize) -> Vec<[Option<f64>; 3]> {
    let ranges = Ranges::from_lengths(lengths.iter().copied());
    local::run(lengths.len(), |ranks| {
        let own = ranges.of(ranks.rank());
        let x = Distributed::new(ranks, &x[own.clone()])?.threads(threads);
        let y = Distributed::with_ranges(ranks, Arc::clone(x.ranges()), &y[own])?;
        assert_eq!(**x.ranges(), ranges);
        Ok([x.sum(ranks)?, x.dot(&y, ranks)?, Some(x.norm(ranks)?)])
    })
    .into_iter()
    .collect::<Result<_, RankError>>()
    .expect("no rank fails")
}

fn bits(sums: [Option<f64>; 3]) -> [Option<u64>; 3] {
    sums.map(|sum| sum.map(f64::to_bits))
}

proptest! {
    #[test]
    fn sums_have_the_bits_of_one_process(lengths in lengths(), seed: u64) {
        let count = lengths.iter().sum();
        let (x, y) = (rough(seed, count), rough(!seed, count));
        let tree = Tree::fixed(count, 1);
        let (all_x, all_y): (Arc<[f64]>, Arc<[f64]>) = (x.as_slice().into(), y.as_slice().into());
        let one = [
            reduce::sum(&tree, &all_x).unwrap(),
            reduce::dot(&tree, &all_x, &all_y).unwrap(),
            Some(reduce::dot(&tree, &all_x, &all_x).unwrap().unwrap_or(0.0).sqrt()),
        ];
        for sums in sums(&lengths, &x, &y, 1) {
            prop_assert_eq!(bits(sums), bits(one));
        }
    }

    #[test]
    fn scans_have_the_bits_of_one_process(lengths in lengths(), seed: u64) {
        let x = rough(seed, lengths.iter().sum());
        let tree = Tree::fixed(x.len(), 1);
        let all = x.clone();
        let one = reduce::run(1, move |member| {
            let inclusive = member.inclusive_scan(&tree, |i| all[i], |a, b| a + b);
            let exclusive = member.exclusive_scan(&tree, |i| all[i], 7.0, |a, b| a + b);
            [inclusive, exclusive]
        });
        let one = one.unwrap().remove(0);
        let ranges = Ranges::from_lengths(lengths.iter().copied());
        let parts = local::run(lengths.len(), |ranks| {
            let own = ranges.of(ranks.rank());
            let all = Distributed::new(ranks, &x[own]).unwrap();
            let inclusive = all.inclusive_scan(ranks, |a, b| a + b).unwrap();
            [inclusive, all.exclusive_scan(ranks, 7.0, |a, b| a + b).unwrap()]
        });
        for (kind, one) in one.iter().enumerate() {
            let words = parts.iter().flat_map(|part| &part[kind]);
            let words: Vec<u64> = words.map(|word| word.to_bits()).collect();
            let one: Vec<u64> = one.iter().map(|word| word.to_bits()).collect();
            prop_assert_eq!(words, one);
        }
    }

    #[test]
    fn operations_need_be_associative_alone(lengths in lengths()) {
        let ranges = Ranges::from_lengths(lengths.iter().copied());
        // The beginning and end of a run: `None` where runs are not combined in their order.
        type Run = [u64; 2];
        let broken = [u64::MAX; 2];
        let join = move |[a, b]: Run, [c, d]: Run| if b == c { [a, d] } else { broken };
        let runs = local::run(lengths.len(), |ranks| {
            let own = ranges.of(ranks.rank());
            let own: Vec<u64> = own.map(|i| i as u64).collect();
            let all = Distributed::new(ranks, own)?;
            all.reduce(ranks, |i, word| [word, i as u64 + 1], join)
        });
        let count = ranges.words() as u64;
        for run in runs {
            prop_assert_eq!(run.unwrap(), (count > 0).then_some([0, count]));
        }
    }
}

#[test]
fn threads_change_no_bit() {
    let lengths = [100_000, 0, 70_001, 3];
    let x = rough(5, lengths.iter().sum());
    let one = sums(&lengths, &x, &x, 1);
    for threads in [2, 3] {
        assert_eq!(sums(&lengths, &x, &x, threads), one, "{threads} threads");
    }
    let tree = Tree::fixed(x.len(), 1);
    assert_eq!(one[3][0], reduce::sum(&tree, &x.into()).unwrap());
}

#[test]
fn another_order_has_other_bits() {
    // These tests would notice: a sum from left to right is another one.
    let x = rough(5, 5000);
    let one = sums(&[5000], &x, &x, 1)[0][0];
    assert_ne!(one, Some(x.iter().sum()));
}

#[test]
fn ranges_that_contradict_their_words_are_refused() {
    let refused = local::run(2, |ranks| {
        let ranges = Arc::new(Ranges::even(10, 2));
        Distributed::with_ranges(ranks, ranges, vec![0.0; 4 + ranks.rank()]).map(drop)
    });
    let texts = refused
        .into_iter()
        .map(|it| it.map_err(|error| error.to_string()));
    let texts: Vec<_> = texts.collect();
    assert_eq!(
        texts,
        [Err("rank 0 owns 5 words, and gives 4".to_owned()), Ok(())]
    );
}

#[test]
fn a_rank_that_fails_ends_all() {
    let ended = local::run(3, |ranks| match ranks.rank() {
        1 => {
            let error = RankError::Malformed { from: 7 };
            ranks.abort(&error);
            error.to_string()
        }
        _ => ranks.receive(1).unwrap_err().to_string(),
    });
    for rank in [0, 2] {
        assert!(
            ended[rank].starts_with("rank 1 has failed: a message of rank 7"),
            "{ended:?}"
        );
    }
}

#[test]
fn a_rank_that_panics_ends_all_with_its_message() {
    let ran = std::panic::catch_unwind(|| {
        local::run(3, |ranks| match ranks.rank() {
            1 => panic!("overflow"),
            _ => assert!(ranks.receive(1).is_err()),
        })
    });
    let payload = ran.expect_err("it panics");
    assert_eq!(
        payload.downcast_ref::<String>().unwrap(),
        "rank 1: overflow"
    );
}

#[test]
fn a_silent_rank_is_named() {
    let ended = local::run(2, |ranks| {
        ranks.wait_at_most(Duration::from_millis(20));
        (ranks.rank() == 0).then(|| ranks.receive(1).unwrap_err().to_string())
    });
    assert!(
        ended[0]
            .as_ref()
            .unwrap()
            .starts_with("rank 1 has been silent for 0.02"),
        "{ended:?}"
    );
}
