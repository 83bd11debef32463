//! Promises of rounds, deals and simulations, on random platforms and items.

use proptest::prelude::*;
use superstep_farm::{
    Algorithm, Clock, Groups, Invalid, Items, Key, Platform, Policy, Pulled, Sums, Technique,
    Weighted, candidates, choose, corrected, equalised, rounds, search, simulate,
};

fn platform(most: usize) -> impl Strategy<Value = Platform> {
    let quantity = |least: f64, most: f64| (least.ln()..most.ln()).prop_map(f64::exp);
    let time = || prop_oneof![Just(0.0), quantity(1e-4, 1.0)];
    let times = (time(), time(), time());
    let rates = (quantity(0.1, 10.0), quantity(1.0, 1e3), quantity(1.0, 1e4));
    (1..=most, rates, times).prop_map(|(workers, rates, times)| Platform {
        workers,
        speed: rates.0,
        worker_bandwidth: rates.1,
        master_bandwidth: rates.2,
        setup: times.0,
        latency: times.1,
        overhead: times.2,
        weights: Vec::new(),
    })
}

fn weighted(most: usize) -> impl Strategy<Value = Platform> {
    platform(most).prop_flat_map(|platform| {
        let weights = prop::collection::vec(0.25..4.0, platform.workers);
        let weights = prop_oneof![Just(Vec::new()), weights];
        weights.prop_map(move |weights| Platform {
            weights,
            ..platform.clone()
        })
    })
}

fn items() -> impl Strategy<Value = Items> {
    let item = (prop_oneof![Just(0.0), 0.01..10.0], 0.0..20.0, 0.0..5.0);
    prop::collection::vec(item, 1..120).prop_map(|list| {
        let column = |of: fn(&(f64, f64, f64)) -> f64| list.iter().map(of).collect::<Vec<f64>>();
        let items = Items::new(&column(|item| item.0)).unwrap();
        let items = items.with_bytes(&column(|item| item.1)).unwrap();
        items.with_results(&column(|item| item.2)).unwrap()
    })
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

proptest! {
    /// All work is sent, and none beyond.
    #[test]
    fn rounds_conserve_work(
        platform in weighted(40),
        size in 1..40usize,
        count in 1..8usize,
        work in 0.1..1e4f64,
    ) {
        let groups = Groups::new(&platform, platform.workers, size);
        if let Some(found) = rounds(&groups, size, work, count) {
            prop_assert_eq!(found.count(), count);
            let mut sum = 0.0;
            for round in 0..count {
                for (group, seconds) in groups.groups().iter().zip(found.round(round)) {
                    prop_assert!(seconds >= 0.0);
                    let members = groups.order()[group.members.clone()].iter();
                    sum += members.map(|&worker| platform.speed_of(worker) * seconds).sum::<f64>();
                }
            }
            prop_assert!(near(sum, work), "{sum} of {work}");
            let bound = platform.lower_bound(work, 0.0);
            prop_assert!(found.makespan >= bound * (1.0 - 1e-9));
        }
    }

    /// Compares with the paper's correction where that can be made: the equaliser is no worse.
    #[test]
    fn the_equaliser_is_never_worse_than_the_correction(
        platform in platform(40),
        size in 1..40usize,
        count in 2..8usize,
        work in 0.1..1e4f64,
    ) {
        let groups = Groups::new(&platform, platform.workers, size);
        if let Some(chunks) = groups.chunks(work, count)
            && let Some(paper) = corrected(&groups, &chunks)
        {
            let mut clock = Clock::new(&groups);
            for &chunk in &chunks[..count - 1] {
                clock.send(&groups, |_| chunk);
            }
            let last = equalised(&groups, &clock, chunks[count - 1] * work / chunks.iter().sum::<f64>());
            let mut exact = clock.clone();
            exact.send(&groups, |at| last[at]);
            clock.send(&groups, |at| paper[at]);
            prop_assert!(exact.makespan() <= clock.makespan() * (1.0 + 1e-9));
        }
    }

    /// Before the last round is levelled no worker waits exactly if the second chunk is no shorter
    /// than the first.
    #[test]
    fn nobody_idles_exactly_if_chunks_do_not_shrink(
        platform in platform(40),
        size in 1..40usize,
        count in 2..8usize,
        work in 0.1..1e4f64,
    ) {
        let groups = Groups::new(&platform, platform.workers, size);
        if let Some(chunks) = groups.chunks(work, count) {
            // One group alone is always served in time.
            prop_assume!(groups.groups().len() > 1);
            let growth = chunks[1] - chunks[0];
            // On the border rounding decides.
            prop_assume!(growth.abs() > 1e-6 * chunks[0]);
            let mut clock = Clock::new(&groups);
            clock.send(&groups, |_| chunks[0]);
            let mut waited: f64 = 0.0;
            for &chunk in &chunks[1..] {
                let before = clock.clone();
                clock.send(&groups, |_| chunk);
                for (finish, before) in clock.finish.iter().zip(&before.finish) {
                    waited = waited.max(finish - before - platform.overhead - chunk);
                }
            }
            let idle = waited > 1e-9 * clock.makespan();
            prop_assert_eq!(!idle, Groups::no_idle(&chunks), "waited {}", waited);
        }
    }

    /// Compares the closed form with the simulated makespan where nobody idles and the correction
    /// delays nobody: they are equal.
    #[test]
    fn the_objective_is_exact_where_nobody_idles(
        platform in platform(40),
        size in 1..40usize,
        count in 2..8usize,
        work in 0.1..1e4f64,
    ) {
        let groups = Groups::new(&platform, platform.workers, size);
        if let Some(chunks) = groups.chunks(work, count)
            && Groups::no_idle(&chunks)
            && let Some(last) = corrected(&groups, &chunks)
        {
            let (first, before) = (chunks[0], chunks[count - 1]);
            // What the correction moves to early groups must fit into their slack.
            let sends: Vec<f64> = groups.groups().iter().map(|group| {
                group.members.len() as f64 * platform.speed
                    / (platform.shared_bandwidth(group.members.len()) * group.members.len() as f64)
            }).collect();
            let all: f64 = sends.iter().sum();
            let (mut sent, mut moved) = (0.0, 0.0);
            let fits = sends.iter().zip(&last).all(|(send, last)| {
                sent += send;
                moved += (last - before) * send;
                moved <= (all - sent) * (before - first) + 1e-12 * work
            });
            prop_assume!(fits);
            let mut clock = Clock::new(&groups);
            for &chunk in &chunks[..count - 1] {
                clock.send(&groups, |_| chunk);
            }
            clock.send(&groups, |at| last[at]);
            prop_assert!(near(clock.makespan(), groups.objective(work, count as f64)));
        }
    }

    /// Boundaries are the nearest to the shares: no chunk is off by more than one item.
    #[test]
    fn boundaries_are_cut_by_the_cumulated_shares(workers in 1..40usize, count in 1..500usize) {
        let items = Items::new(&vec![1.0; count]).unwrap();
        let platform = Platform::threads(workers);
        let deal = Policy::new(Technique::Static, Key::Count).deal(&platform, &items).unwrap();
        for chunk in &deal.sent {
            let end = (chunk.worker + 1) as f64 * count as f64 / workers as f64;
            prop_assert!((chunk.items.end as f64 - end).abs() <= 0.5 + 1e-9);
        }
    }

    /// Deals all items; what one worker asks for depends on its speed.
    #[test]
    fn weighted_factoring_deals_by_speed(count in 64..500usize) {
        let platform = Platform { weights: vec![1.0, 3.0], ..Platform::threads(2) };
        let items = Items::new(&vec![1.0; count]).unwrap();
        let policy = Policy::new(Technique::WeightedFactoring, Key::Cost);
        let deal = policy.deal(&platform, &items).unwrap();
        let Pulled::Weighted(_) = &deal.pulled else { panic!("it is weighted") };
        let mut dealer = deal.pulled.dealer();
        let [slow, fast] = [0, 1].map(|worker| dealer.next(worker).unwrap().len());
        // An eighth and three of them, in whole items.
        prop_assert!(slow.abs_diff(count / 8) <= 1 && fast.abs_diff(3 * count / 8) <= 1);
        let rest = std::iter::from_fn(|| dealer.next(0)).map(|chunk| chunk.len()).sum::<usize>();
        prop_assert_eq!(slow + fast + rest, count);
        prop_assert!(dealer.is_done());
    }
}

proptest! {
    // Each case tries hundreds of plans.
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// More rounds, other groups and fewer workers are no better than what the search finds.
    #[test]
    fn the_search_finds_the_best(platform in weighted(8), work in 0.1..1e3f64) {
        let found = search(&platform, work, Algorithm::Ptumr).unwrap();
        for workers in 1..=platform.workers {
            for size in 1..=workers {
                let groups = Groups::new(&platform, workers, size);
                for count in 1..10 {
                    if let Some(other) = rounds(&groups, size, work, count) {
                        prop_assert!(found.makespan <= other.makespan * (1.0 + 1e-8));
                    }
                }
            }
        }
        let auto = search(&platform, work, Algorithm::Auto).unwrap();
        prop_assert!(near(auto.makespan, found.makespan));
    }

    /// Every policy deals each item once; no simulation undercuts the bound, and busy times add up.
    #[test]
    fn deals_are_whole_and_simulations_consistent(platform in weighted(9), items in items()) {
        let bound = platform.lower_bound(items.total_cost(), items.total_bytes());
        for policy in candidates(&platform, &items) {
            let deal = policy.deal(&platform, &items).unwrap();
            prop_assert_eq!(deal.validate(platform.workers, items.len()), Ok(()));
            let found = simulate(&platform, &items, &deal).unwrap();
            prop_assert!(found.makespan >= bound * (1.0 - 1e-9), "{}", policy.name());
            prop_assert_eq!(found.messages, found.chunks.len());
            let mut next = 0;
            let mut busy = vec![0.0; platform.workers];
            for chunk in &found.chunks {
                prop_assert_eq!(chunk.items.start, next);
                next = chunk.items.end;
                busy[chunk.worker] +=
                    platform.overhead + items.cost(&chunk.items) / platform.speed_of(chunk.worker);
            }
            prop_assert_eq!(next, items.len());
            for (busy, (found_busy, finish)) in busy.iter().zip(found.busy.iter().zip(&found.finish)) {
                prop_assert!(near(*busy, *found_busy));
                prop_assert!(*finish <= found.makespan);
                prop_assert!(*found_busy <= finish * (1.0 + 1e-9));
            }
        }
    }

    /// One worker without a network takes as long as all work.
    #[test]
    fn one_worker_does_everything(items in items()) {
        let platform = Platform { latency: 0.0, ..Platform::threads(1) };
        for policy in candidates(&platform, &items) {
            let found = simulate(&platform, &items, &policy.deal(&platform, &items).unwrap()).unwrap();
            prop_assert!(near(found.makespan, items.total_cost()) || items.total_cost() == 0.0);
        }
    }
}

#[test]
fn bad_input_is_named() {
    let good = Platform::threads(4);
    let cases = [
        (
            Platform {
                workers: 0,
                ..good.clone()
            },
            "there are no workers",
        ),
        (
            Platform {
                speed: 0.0,
                ..good.clone()
            },
            "speed is 0, which must be finite and above 0",
        ),
        (
            Platform {
                speed: f64::INFINITY,
                ..good.clone()
            },
            "speed is inf, which must be finite and above 0",
        ),
        (
            Platform {
                master_bandwidth: 0.0,
                ..good.clone()
            },
            "master_bandwidth is 0, which must be above 0",
        ),
        (
            Platform {
                worker_bandwidth: f64::NAN,
                ..good.clone()
            },
            "worker_bandwidth is NaN, which must be above 0",
        ),
        (
            Platform {
                setup: -1.0,
                ..good.clone()
            },
            "setup is -1, which must be finite and not negative",
        ),
        (
            Platform {
                latency: f64::INFINITY,
                ..good.clone()
            },
            "latency is inf, which must be finite and not negative",
        ),
        (
            Platform {
                weights: vec![1.0],
                ..good.clone()
            },
            "there are 1 weights, and 4 are needed: each worker has one",
        ),
        (
            Platform {
                weights: vec![1.0, 1.0, 0.0, 1.0],
                ..good.clone()
            },
            "weights[2] is 0, which must be finite and above 0",
        ),
        (
            Platform {
                weights: vec![1.0, f64::INFINITY, 1.0, 1.0],
                ..good.clone()
            },
            "weights[1] is inf, which must be finite and above 0",
        ),
        (
            Platform {
                weights: vec![1.0, 1e308, 1e308, 1.0],
                ..good.clone()
            },
            "the sum of weights, up to weights[2], is beyond the largest number",
        ),
    ];
    for (platform, message) in cases {
        let found = search(&platform, 1.0, Algorithm::Auto).unwrap_err();
        assert_eq!(found.to_string(), message);
    }
    let found = search(&good, f64::NAN, Algorithm::Umr).unwrap_err();
    assert_eq!(
        found.to_string(),
        "work is NaN, which must be finite and not negative"
    );
    assert_eq!(Items::new(&[]).unwrap_err(), Invalid::NoItems);
    let found = Items::new(&[1.0, f64::NAN]).unwrap_err();
    assert_eq!(
        found.to_string(),
        "costs[1] is NaN, which must be finite and not negative"
    );
    let found = Items::new(&[1.0, f64::INFINITY]).unwrap_err();
    assert_eq!(
        found.to_string(),
        "costs[1] is inf, which must be finite and not negative"
    );
    let found = Items::new(&[1.0, 1e308, 0.0, 1e308]).unwrap_err();
    assert_eq!(
        found.to_string(),
        "the sum of costs, up to costs[3], is beyond the largest number"
    );
    let items = Items::new(&[1.0, 2.0]).unwrap();
    let found = items.clone().with_bytes(&[1.0]).unwrap_err();
    assert_eq!(
        found.to_string(),
        "there are 1 bytes, and 2 are needed: each item has one"
    );
    let mut deal = Policy::new(Technique::Guided, Key::Cost)
        .deal(&good, &items)
        .unwrap();
    deal.pulled = Pulled::Bounds(vec![0, 1]);
    let found = simulate(&good, &items, &deal).unwrap_err();
    assert_eq!(found.to_string(), "item 1 is not dealt once");
    for (last, told) in [(0.5, "0.5"), (f64::INFINITY, "inf"), (f64::NAN, "NaN")] {
        deal.pulled = Pulled::Weighted(Weighted {
            first: 0,
            key: Sums::Listed(vec![0.0, 1.0, last]),
            weights: vec![1.0; 4],
            divisor: 1.0,
            least: 0.0,
        });
        let found = simulate(&good, &items, &deal).unwrap_err();
        assert_eq!(
            found.to_string(),
            format!("sums[2] is {told}, which must be finite and not below the one before")
        );
    }
}

#[test]
fn extremes_end() {
    let platform = |speed: f64, bandwidth: f64, time: f64| Platform {
        workers: 3,
        speed,
        worker_bandwidth: bandwidth,
        master_bandwidth: bandwidth,
        setup: time,
        latency: time,
        overhead: time,
        weights: Vec::new(),
    };
    let extremes = [5e-324, 1e-300, 1.0, 1e300, f64::MAX];
    for speed in extremes {
        for bandwidth in extremes.into_iter().chain([f64::INFINITY]) {
            for time in extremes.into_iter().chain([0.0]) {
                let platform = platform(speed, bandwidth, time);
                for work in [5e-324, 1.0, f64::MAX] {
                    match search(&platform, work, Algorithm::Auto) {
                        Ok(found) => assert!(found.makespan.is_finite()),
                        Err(error) => assert_eq!(error, Invalid::Endless),
                    }
                }
                let items = Items::new(&[1.0, 1e-300])
                    .unwrap()
                    .with_bytes(&[1.0, 1e300])
                    .unwrap();
                match choose(&platform, &items, 0.5) {
                    Ok(choice) => assert!(choice.makespan.is_finite()),
                    Err(error) => assert_eq!(error, Invalid::Endless),
                }
            }
        }
    }
}

#[test]
fn without_latencies_rounds_end_too() {
    // Each round more is a little better.
    let platform = Platform {
        workers: 10,
        speed: 1.0,
        worker_bandwidth: 10.0,
        master_bandwidth: 10.0,
        setup: 0.0,
        latency: 0.0,
        overhead: 0.0,
        weights: Vec::new(),
    };
    let found = search(&platform, 1000.0, Algorithm::Auto).unwrap();
    assert!(found.count() <= 256);
    assert!(found.makespan < 1.02 * platform.lower_bound(1000.0, 1000.0));
}

#[test]
fn no_work_is_no_plan() {
    let found = search(&Platform::threads(4), 0.0, Algorithm::Auto).unwrap();
    assert_eq!(
        (found.count(), found.workers(), found.makespan),
        (0, 0, 0.0)
    );
}

#[test]
fn rounds_of_unequal_workers_are_within_a_percent_of_the_bound() {
    // Half of the workers are half as fast; the reference finds 1.004 of the bound.
    let weights = (0..64).map(|worker| if worker % 2 == 0 { 1.0 } else { 0.5 });
    let platform = Platform {
        workers: 64,
        speed: 1.0,
        worker_bandwidth: 16384.0 / 0.05,
        master_bandwidth: 16384.0 / 0.05,
        setup: 5e-6,
        latency: 25e-6,
        overhead: 5e-6,
        weights: weights.collect(),
    };
    let items = Items::new(&vec![0.5 * 48.0 / 16384.0; 16384]).unwrap();
    let items = items.with_bytes(&vec![1.0; 16384]).unwrap();
    let technique = Technique::Rounds {
        algorithm: Algorithm::Ptumr,
        tail: 0.0,
    };
    let deal = Policy::new(technique, Key::Cost)
        .deal(&platform, &items)
        .unwrap();
    let found = simulate(&platform, &items, &deal).unwrap();
    let bound = platform.lower_bound(items.total_cost(), items.total_bytes());
    assert!(found.makespan < 1.01 * bound, "{}", found.makespan / bound);
    // Who takes all for equally fast waits for the slow half.
    let equal = Platform {
        weights: Vec::new(),
        ..platform.clone()
    };
    let deal = Policy::new(technique, Key::Cost)
        .deal(&equal, &items)
        .unwrap();
    let found = simulate(&platform, &items, &deal).unwrap();
    assert!(found.makespan > 1.4 * bound, "{}", found.makespan / bound);
}
