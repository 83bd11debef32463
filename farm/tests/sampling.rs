//! Strata and predictions, for any shape.

use proptest::prelude::*;
use superstep_farm::{Invalid, LogGp, MasterSlave, Sampling, Target};

fn shape() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        prop::collection::vec(1usize..2000, 1),
        prop::collection::vec(1usize..60, 2),
        prop::collection::vec(1usize..14, 3..5),
    ]
}

fn sampling() -> impl Strategy<Value = Sampling> {
    (shape(), 2usize..600, any::<u64>())
        .prop_map(|(shape, budget, seed)| Sampling::new(&shape, budget, seed).unwrap())
}

fn count(sampling: &Sampling) -> usize {
    sampling.shape().iter().product()
}

/// Returns some cost for each item: a ramp, and noise of a hash.
fn cost(item: usize, seed: u64) -> f64 {
    let hash = (item as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    item as f64 + hash as f64
}

proptest! {
    #[test]
    fn each_cell_has_one_item(sampling in sampling()) {
        // Its own check counts the items of each cell.
        let items = sampling.items().to_vec();
        prop_assert_eq!(items.len(), sampling.cells().iter().product::<usize>());
        prop_assert!(items.iter().all(|&item| item < count(&sampling)));
        let taken = Sampling::from_items(sampling.shape(), items.clone(), 0).unwrap();
        prop_assert_eq!(taken.cells(), sampling.cells());
        let mut reversed = items;
        reversed.reverse();
        prop_assert!(Sampling::from_items(sampling.shape(), reversed, 0).is_ok());
    }

    #[test]
    fn budgets_are_kept_and_used(shape in shape(), budget in 1usize..600, seed in any::<u64>()) {
        let mut sampling = Sampling::new(&shape, budget, seed).unwrap();
        prop_assert!(sampling.items().len() <= budget);
        let drawn = sampling.items().len();
        if sampling.refine() {
            prop_assert!(sampling.items().len() > budget);
        } else {
            prop_assert!(2usize.pow(shape.len() as u32) * drawn > count(&sampling));
        }
    }

    #[test]
    fn a_refined_sample_is_that_of_a_larger_budget(shape in shape(), budget in 1usize..600, seed in any::<u64>()) {
        let mut refined = Sampling::new(&shape, budget, seed).unwrap();
        let first = refined.items().to_vec();
        let larger = Sampling::new(&shape, 2 * budget, seed).unwrap();
        refined.refine();
        prop_assert_eq!(&refined, &larger);
        prop_assert_eq!(&refined.items()[..first.len()], &first[..]);
        let mut later = Sampling::from_items(&shape, first, seed).unwrap();
        later.refine();
        prop_assert_eq!(later, larger);
    }

    #[test]
    fn equal_costs_are_predicted_exactly(sampling in sampling(), cost in 0.0..1e9f64) {
        let prediction = sampling.predict(&vec![cost; sampling.items().len()]).unwrap();
        let total = cost * count(&sampling) as f64;
        prop_assert!((prediction.total.value - total).abs() <= 1e-12 * total);
        prop_assert_eq!(prediction.total.low, prediction.total.value);
        prop_assert_eq!(prediction.total.high, prediction.total.value);
        prop_assert_eq!(prediction.residual, 0.0);
        for each in prediction.costs {
            prop_assert!((each - cost).abs() <= 1e-12 * cost);
        }
    }

    #[test]
    fn measured_costs_stay_and_all_add_up(sampling in sampling(), seed in any::<u64>()) {
        let costs: Vec<f64> = sampling.items().iter().map(|&item| cost(item, seed)).collect();
        let prediction = sampling.predict(&costs).unwrap();
        for (&item, &cost) in sampling.items().iter().zip(&costs) {
            prop_assert_eq!(prediction.costs[item], cost);
        }
        let total = prediction.total;
        let sum: f64 = prediction.costs.iter().sum();
        prop_assert!((sum - total.value).abs() <= 1e-9 * sum);
        prop_assert!(total.low <= total.value && total.value <= total.high);
        prop_assert!(prediction.measured <= total.low * (1.0 + 1e-12));
        prop_assert!(prediction.costs.iter().all(|&cost| cost >= 0.0));
    }

    #[test]
    fn whole_samples_leave_nothing_open(sides in prop::collection::vec(0u32..4, 1..4), seed in any::<u64>()) {
        let shape: Vec<usize> = sides.iter().map(|&side| 1 << side).collect();
        let sampling = Sampling::new(&shape, usize::MAX / 2, seed).unwrap();
        let costs: Vec<f64> = sampling.items().iter().map(|&item| cost(item, seed)).collect();
        let prediction = sampling.predict(&costs).unwrap();
        let total: f64 = (0..count(&sampling)).map(|item| cost(item, seed)).sum();
        prop_assert_eq!(costs.len(), count(&sampling));
        prop_assert!((prediction.total.value - total).abs() <= 1e-12 * total);
        prop_assert_eq!(prediction.total.low, prediction.total.high);
    }

    #[test]
    fn predictions_scale_with_the_costs(sampling in sampling(), seed in any::<u64>()) {
        let costs: Vec<f64> = sampling.items().iter().map(|&item| cost(item, seed)).collect();
        let larger: Vec<f64> = costs.iter().map(|cost| cost * 1024.0).collect();
        let [one, other] = [costs, larger].map(|costs| sampling.predict(&costs).unwrap());
        prop_assert_eq!(one.total.value * 1024.0, other.total.value);
        prop_assert_eq!(one.total.high * 1024.0, other.total.high);
        prop_assert_eq!(one.residual, other.residual);
    }

    #[test]
    fn a_makespan_has_its_interval(sampling in sampling(), seed in any::<u64>(), slaves in 1usize..20) {
        let costs: Vec<f64> = sampling.items().iter().map(|&item| cost(item, seed)).collect();
        let prediction = sampling.predict(&costs).unwrap();
        let master = MasterSlave::new(LogGp::default(), slaves);
        let makespan = prediction
            .makespan(|costs| Ok::<_, Invalid>(master.simulate(costs)?.makespan))
            .unwrap();
        prop_assert!(makespan.low <= makespan.value && makespan.value <= makespan.high);
        prop_assert!(makespan.value >= prediction.total.value / slaves as f64 * (1.0 - 1e-9));
        if slaves == 1 {
            prop_assert!((makespan.value - prediction.total.value).abs() <= 1e-9 * makespan.value);
            prop_assert!(makespan.high >= prediction.total.high * (1.0 - 1e-9));
        }
    }

    #[test]
    fn samples_grow_until_the_target_or_the_share(
        shape in shape(),
        seed in any::<u64>(),
        error in 0.001..0.5f64,
        share in 0.01..1.0f64,
    ) {
        let target = Target { error, share };
        let mut runs = Vec::new();
        let sampled = target.sample(&shape, seed, |items| {
            runs.extend_from_slice(items);
            Ok::<_, Invalid>(items.iter().map(|&item| cost(item, seed)).collect())
        });
        let sampled = sampled.unwrap();
        prop_assert_eq!(&runs[..], sampled.sampling.items());
        prop_assert!(runs.len() <= target.budget(&shape).unwrap());
        let within = sampled.prediction.total.relative_error() <= error;
        prop_assert_eq!(within, sampled.reached);
        let again = sampled.sampling.predict(&sampled.costs).unwrap();
        prop_assert_eq!(again, sampled.prediction);
    }
}

/// Samples half of 128 blocks of 32 items, each by one item alone, which are few of the items.
/// Costs are lognormal ones of deviation 0.5.
#[test]
fn blocks_that_are_measured_in_part_stay_uncertain() {
    let intervals = |part: f64| {
        let hold = |seed: u64| {
            let draw = |number: u64| (number as f64 + 0.5) / (1u64 << 24) as f64;
            let normal = |item: u64| {
                let hash = |salt: u64| {
                    let mixed =
                        (item ^ seed << 20 ^ salt << 50).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    draw((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40)
                };
                (-2.0 * hash(1).ln()).sqrt() * (std::f64::consts::TAU * hash(2)).cos()
            };
            let costs: Vec<f64> = (0..4096).map(|item| (0.5 * normal(item)).exp()).collect();
            let of_block = |&block: &usize| 32.0 * costs[32 * block + block % 32];
            let run = |blocks: &[usize]| -> Result<Vec<f64>, Invalid> {
                Ok(blocks.iter().map(of_block).collect())
            };
            let target = Target {
                error: 1e-9,
                share: 0.5,
            };
            let sampled = target.sample_parts(&[128], seed, part, run).unwrap();
            assert_eq!(sampled.costs.len(), 64);
            let total = sampled.prediction.total;
            let truth: f64 = costs.iter().sum();
            total.low <= truth && truth <= total.high
        };
        (0..400).filter(|&seed| hold(seed)).count()
    };
    assert!(intervals(1.0 / 32.0) > 340, "{}", intervals(1.0 / 32.0));
    // As if the whole blocks had been measured.
    assert!(intervals(1.0) < 335, "{}", intervals(1.0));
}

/// The total may be below the costs of blocks of which only a part was measured.
#[test]
fn makespans_come_from_blocks_that_are_measured_in_part() {
    for (share, heavy) in [(0.5, 100.0), (1.0, 100.0), (1.0, 1.0)] {
        let run = |blocks: &[usize]| -> Result<Vec<f64>, Invalid> {
            let cost = |at: usize| if at == 20 { heavy } else { 1.0 };
            Ok((0..blocks.len()).map(cost).collect())
        };
        let target = Target { error: 1e-9, share };
        let sampled = target.sample_parts(&[128], 1, 0.25, run).unwrap();
        let prediction = sampled.prediction;
        let total = |costs: &[f64]| -> Result<f64, Invalid> { Ok(costs.iter().sum()) };
        let found = prediction.makespan(total).unwrap();
        let residual = prediction.largest_residual;
        let expected = [
            prediction.total.value,
            (prediction.total.low - residual).max(0.0),
            prediction.total.high + residual,
        ];
        for (found, expected) in [found.value, found.low, found.high].iter().zip(expected) {
            assert!(
                (found - expected).abs() <= 1e-9 * expected,
                "{found} {expected}"
            );
        }
        let slaves = MasterSlave::new(LogGp::default(), 16);
        let makespan =
            prediction.makespan(|costs| Ok::<_, Invalid>(slaves.simulate(costs)?.makespan));
        assert!(makespan.is_ok_and(|makespan| makespan.low <= makespan.value));
    }
}

#[test]
fn parts_that_are_none_are_refused() {
    for part in [0.0, -1.0, 1.5, f64::NAN, f64::INFINITY] {
        let run = |blocks: &[usize]| Ok::<_, Invalid>(vec![1.0; blocks.len()]);
        let refused = Target::default().sample_parts(&[128], 1, part, run);
        let message = refused.expect_err("no part").to_string();
        assert!(message.contains("part"), "{message}");
    }
}

#[test]
fn the_least_and_the_greatest_costs_are_predicted() {
    let sampling = Sampling::new(&[1000], 64, 1).unwrap();
    let total = |unit: f64| {
        let costs: Vec<f64> = sampling
            .items()
            .iter()
            .map(|&item| unit * (1 + item % 7) as f64)
            .collect();
        let total = sampling.predict(&costs).unwrap().total;
        assert!(0.0 < total.low && total.low < total.value && total.value < total.high);
        assert!(total.high < 1e4 * unit);
        total.value / unit
    };
    let expected = total(1.0);
    for unit in [1e-300, 1e-160, 1e160, 1e300] {
        assert!((total(unit) / expected - 1.0).abs() < 1e-12, "{unit}");
    }
    let zero = sampling.predict(&[0.0; 64]).unwrap();
    assert_eq!(
        (zero.total.low, zero.total.high, zero.residual),
        (0.0, 0.0, 0.0)
    );
    assert_eq!(zero.total.relative_error(), 0.0);
}

#[test]
fn samples_that_are_none_are_refused() {
    fn message<T: std::fmt::Debug>(result: Result<T, Invalid>) -> String {
        result.unwrap_err().to_string()
    }
    assert_eq!(
        message(Sampling::new(&[10], 0, 1)),
        "budget is 0, which must be at least one item"
    );
    assert_eq!(
        message(Sampling::new(&[10, 0], 1, 1)),
        "items is 0, which must be from 1 to 268435456"
    );
    assert_eq!(
        message(Sampling::new(&[], 1, 1)),
        "there are 0 axes, and 1 are needed: items are numbered along at least one"
    );
    assert_eq!(
        message(Sampling::from_items(&[10], vec![3, 10], 1)),
        "items[1] is 10, which must be below the number of items of the shape"
    );
    assert_eq!(
        message(Sampling::from_items(&[10, 10], vec![3, 14], 1)),
        "the samples are no strata: 2 of the 2 samples are among the items from [0, 0] to [4, 9], where one is needed"
    );
    assert_eq!(
        message(Sampling::from_items(&[10], vec![], 1)),
        "the samples are no strata: 0 of the 0 samples are among the items from [0] to [9], where one is needed"
    );
    assert_eq!(
        message(Sampling::from_items(&[10], vec![1, 4, 6], 1)),
        "the samples are no strata: 0 of the 3 samples are among the items from [7] to [9], where one is needed"
    );
    let sampling = Sampling::new(&[10], 4, 1).unwrap();
    assert_eq!(
        message(sampling.predict(&[1.0; 3])),
        "there are 3 costs, and 4 are needed: each sample has one"
    );
    for (cost, text) in [(f64::NAN, "NaN"), (-1.0, "-1"), (f64::INFINITY, "inf")] {
        assert_eq!(
            message(sampling.predict(&[1.0, 2.0, cost, 1.0])),
            format!("costs[2] is {text}, which must be finite and not negative")
        );
    }
    assert_eq!(
        message(sampling.predict(&[f64::MAX; 4])),
        "total is inf, which must be finite"
    );
    assert_eq!(
        message(Sampling::new(&[10], 1, 1).unwrap().predict(&[1.0])),
        "there are 1 samples, and 2 are needed: one alone does not tell how far others differ"
    );
    assert_eq!(
        Sampling::new(&[1], 1, 1)
            .unwrap()
            .predict(&[3.0])
            .unwrap()
            .costs,
        [3.0]
    );
    for (target, expected) in [
        (
            Target {
                error: 0.0,
                ..Target::default()
            },
            "error is 0, which must be above 0",
        ),
        (
            Target {
                error: f64::NAN,
                ..Target::default()
            },
            "error is NaN, which must be above 0",
        ),
        (
            Target {
                share: 0.0,
                ..Target::default()
            },
            "share is 0, which must be above 0 and at most 1",
        ),
        (
            Target {
                share: 1.5,
                ..Target::default()
            },
            "share is 1.5, which must be above 0 and at most 1",
        ),
    ] {
        assert_eq!(message(target.budget(&[10])), expected);
    }
    // What runs the items has not run all of them.
    let short = Target::default().sample(&[1000], 1, |items| {
        Ok::<_, Invalid>(vec![1.0; items.len() - 1])
    });
    assert_eq!(
        message(short),
        "there are 7 costs, and 8 are needed: each sample has one"
    );
}
