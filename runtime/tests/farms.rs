//! Farms: results in order and with the same bits, whoever computes them; errors that name what is
//! wrong.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use superstep_runtime::farm::{self, Algorithm, FarmError, Key, Policy, Target, Technique};
use superstep_runtime::reduce::{self, Tree};

/// Returns a value with rounding in it, of a number.
fn value(item: u32) -> f64 {
    (1.0 + f64::from(item)).sqrt().sin()
}

fn policies() -> impl Strategy<Value = Policy> {
    let rounds = |algorithm| Technique::Rounds {
        algorithm,
        tail: 0.2,
    };
    let techniques = [
        Technique::Static,
        Technique::SelfScheduling(1),
        Technique::SelfScheduling(7),
        Technique::Guided,
        Technique::Factoring,
        Technique::WeightedFactoring,
        rounds(Algorithm::Umr),
        rounds(Algorithm::Ptumr),
    ];
    let keys = prop_oneof![Just(Key::Count), Just(Key::Cost)];
    (prop::sample::select(techniques.to_vec()), keys)
        .prop_map(|(technique, key)| Policy::new(technique, key))
}

/// Source of predicted costs.
#[derive(Clone, Copy, Debug)]
enum Costs {
    None,
    Given,
    Sample(f64),
}

fn costs() -> impl Strategy<Value = Costs> {
    prop_oneof![
        Just(Costs::None),
        Just(Costs::Given),
        (0.01..1.0).prop_map(Costs::Sample)
    ]
}

proptest! {
    #[test]
    fn each_item_runs_once_and_results_are_in_order(
        items in 0..3000_u32, workers in 1..9_usize, policy in policies(), costs in costs()
    ) {
        let runs: Arc<Vec<AtomicU32>> = Arc::new((0..items).map(|_| AtomicU32::new(0)).collect());
        let counted = Arc::clone(&runs);
        let numbers: Vec<u32> = (0..items).collect();
        let farm = farm::map(numbers, move |&item| {
            counted[item as usize].fetch_add(1, Ordering::Relaxed);
            value(item)
        });
        let farm = farm.workers(workers).policy(policy);
        let mut farm = match costs {
            Costs::None => farm,
            Costs::Given => farm.cost(|&item| f64::from(item % 13)),
            Costs::Sample(share) => farm.sample(Target { error: 0.01, share }),
        };
        let plan = farm.plan().unwrap();
        let busy = workers.min((items as usize).max(1));
        prop_assert_eq!((plan.items, plan.workers), (items as usize, busy));
        let most = match costs {
            Costs::Sample(share) => ((share * f64::from(items)) as usize).max(2),
            _ => 0,
        };
        prop_assert!(plan.sampled <= most, "{} of {}", plan.sampled, most);
        let found = farm.run().unwrap();
        prop_assert!(found.iter().map(|x| x.to_bits()).eq((0..items).map(|item| value(item).to_bits())));
        prop_assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn a_sum_has_the_bits_of_a_reduction_in_fixed_order(items in 0..3000_u32, workers in 1..9_usize) {
        let tree = Tree::fixed(items as usize, 1);
        let expected = reduce::reduce(&tree, |item| value(item as u32), |a, b| a + b).unwrap();
        let farm = farm::map((0..items).collect::<Vec<_>>(), |&item| value(item)).workers(workers);
        let found = farm.reduce(|a, b| a + b).unwrap();
        prop_assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
    }

    #[test]
    fn the_panic_of_the_first_item_is_the_error(
        items in 1..2000_u32, bad in prop::collection::btree_set(0..2000_u32, 1..6), workers in 1..5_usize, policy in policies()
    ) {
        let first = *bad.first().unwrap();
        let farm = farm::map((0..items).collect::<Vec<_>>(), move |&item| {
            assert!(!bad.contains(&item), "number {item} is bad");
        });
        let outcome = quietly(|| farm.workers(workers).policy(policy).run());
        match outcome {
            Ok(results) => prop_assert!(first >= items && results.len() == items as usize),
            Err(error) => prop_assert_eq!(
                error.to_string(),
                format!("item {first} panicked: number {first} is bad")
            ),
        }
    }
}

proptest! {
    #[test]
    fn the_panic_of_the_first_item_is_the_error_of_a_sample_too(
        items in 1..2000_u32, bad in prop::collection::btree_set(0..2000_u32, 1..200), workers in 1..5_usize, share in 0.01..1.0f64
    ) {
        let first = *bad.first().unwrap();
        let farm = farm::map((0..items).collect::<Vec<_>>(), move |&item| {
            assert!(!bad.contains(&item), "number {item} is bad");
        });
        let farm = farm.workers(workers).sample(Target { error: 1e-9, share });
        match quietly(|| farm.run()) {
            Ok(results) => prop_assert!(first >= items && results.len() == items as usize),
            Err(error) => prop_assert_eq!(
                error.to_string(),
                format!("item {first} panicked: number {first} is bad")
            ),
        }
    }
}

/// Runs `f` without the messages of panics.
fn quietly<R>(f: impl FnOnce() -> R) -> R {
    static HOOK: Mutex<()> = Mutex::new(());
    let _one = HOOK.lock().unwrap();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = f();
    std::panic::set_hook(hook);
    result
}

#[test]
fn samples_of_short_items_keep_to_their_share() {
    let default = Target::default().share;
    let larger = [100, 4096, 8192, 16_384, 1 << 20].map(|items| (items, default));
    // Few blocks, of each of which a group is run: two of them at least.
    let few = (2..12).map(|most| (504, (f64::from(most) + 0.5) / 504.0));
    for (items, share) in larger.into_iter().chain(few) {
        let numbers: Vec<u32> = (0..items).collect();
        let farm = farm::map(numbers, |&item| value(item)).workers(2);
        let mut farm = farm.sample(Target {
            share,
            ..Target::default()
        });
        let sampled = farm.plan().unwrap().sampled;
        let most = ((f64::from(items) * share) as usize).max(2);
        assert!((1..=most).contains(&sampled), "{sampled} of {most}");
    }
}

#[test]
fn an_item_that_takes_long_holds_back_none_of_its_chunk() {
    const ITEMS: u32 = 10_000;
    if thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    let done = Arc::new(AtomicU32::new(0));
    // The first item waits until all others have run: that would be for ever, were they behind it.
    let farm = farm::map((0..ITEMS).collect::<Vec<_>>(), move |&item| {
        while item == 0 && done.load(Ordering::Relaxed) < ITEMS - 1 {
            thread::yield_now();
        }
        done.fetch_add(1, Ordering::Relaxed);
    });
    let all_at_once = Policy::new(Technique::Static, Key::Count);
    let results = farm.workers(2).policy(all_at_once).run().unwrap();
    assert_eq!(results.len(), ITEMS as usize);
}

#[test]
fn progress_ends_with_all_items_and_its_panic_comes_after_them() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let farm = farm::map((0..5000).collect::<Vec<u32>>(), |&item| value(item)).workers(1);
    let farm = farm.on_progress(Duration::ZERO, move |progress| {
        heard.lock().unwrap().push(*progress);
    });
    farm.run().unwrap();
    let told = told.lock().unwrap();
    assert!(told.is_sorted_by_key(|progress| progress.begun));
    assert!(told.is_sorted_by_key(|progress| progress.elapsed));
    let last = told.last().unwrap();
    assert_eq!(
        (last.begun, last.items, last.left),
        (5000, 5000, Duration::ZERO)
    );

    // Items change hands while others look: reports count each once, and are in order.
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let farm = farm::map((0..5000).collect::<Vec<u32>>(), |&item| value(item)).workers(3);
    let farm = farm.on_progress(Duration::ZERO, move |progress| {
        heard.lock().unwrap().push(*progress);
    });
    farm.run().unwrap();
    let told = told.lock().unwrap();
    assert!(told.is_sorted_by_key(|progress| (progress.begun, progress.elapsed)));
    assert!(told.iter().all(|progress| progress.begun <= 5000));

    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let farm = farm::map((0..5000).collect::<Vec<u32>>(), move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let farm = farm.on_progress(Duration::ZERO, |_| panic!("no ear for it"));
    let panic = quietly(|| catch_unwind(AssertUnwindSafe(|| farm.run())));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"no ear for it"));
    assert_eq!(ran.load(Ordering::Relaxed), 5000);
}

#[test]
fn a_farm_in_a_farm_runs_on_its_thread() {
    let farm = farm::map(vec![10, 20, 30_u32], |&items| {
        let here = thread::current().id();
        let inner = farm::map((0..items).collect::<Vec<_>>(), move |&item| {
            assert_eq!(thread::current().id(), here);
            item
        });
        inner.workers(3).run().unwrap().into_iter().sum::<u32>()
    });
    assert_eq!(farm.workers(3).run().unwrap(), [45, 190, 435]);
}

#[test]
fn wrong_input_is_named() {
    let farm = || farm::map(vec![1_u32, 2, 3], |&x| x);
    let error = |result: Result<Vec<u32>, FarmError>| result.unwrap_err().to_string();
    assert_eq!(
        error(farm().workers(0).run()),
        "the farm cannot be planned: there are no workers"
    );
    assert_eq!(
        error(farm().cost(|&x| if x == 2 { f64::NAN } else { 1.0 }).run()),
        "the farm cannot be planned: costs[1] is NaN, which must be finite and not negative"
    );
    assert_eq!(
        error(farm().cost(|&x| 1.0 - f64::from(x)).run()),
        "the farm cannot be planned: costs[1] is -1, which must be finite and not negative"
    );
    assert_eq!(
        error(farm().shape(&[2, 2]).run()),
        "a shape of [2, 2] does not have the 3 items that there are"
    );
    assert_eq!(
        error(farm().shape(&[usize::MAX, 3]).run()),
        format!(
            "a shape of [{}, 3] does not have the 3 items that there are",
            usize::MAX
        )
    );
    let target = Target {
        error: 0.0,
        share: 0.1,
    };
    assert_eq!(
        error(farm().sample(target).run()),
        "the farm cannot be planned: error is 0, which must be above 0"
    );
    let too_many = farm::map(vec![(); 1 << 32], |()| ());
    assert_eq!(
        too_many.run().unwrap_err().to_string(),
        "4294967296 items are more than a farm takes, which is 2^31"
    );
}

/// Payload that panics when it is dropped, with another one that does.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::panic_any(Self);
    }
}

#[test]
fn payloads_that_panic_when_they_are_dropped_end_a_farm_with_its_error() {
    for sampled in [false, true] {
        for _ in 0..50 {
            let farm = farm::map(vec![(); 1000], |()| std::panic::panic_any(Bomb)).workers(4);
            let farm = match sampled {
                true => farm.sample(Target::default()),
                false => farm,
            };
            let outcome: Result<Vec<()>, FarmError> = quietly(|| farm.run());
            let error = outcome.unwrap_err();
            assert_eq!(
                error.to_string(),
                "item 0 panicked: a panic without a message"
            );
            quietly(|| drop(error));
        }
    }
}

#[test]
fn payloads_that_panic_when_they_are_dropped_end_a_reduction_with_its_error() {
    let tree = Tree::with_costs(
        reduce::Order::Fixed,
        1 << 14,
        8,
        reduce::Costs {
            tau: 1,
            overhead: 0,
        },
    );
    assert_eq!(tree.active(), 8);
    let sum: Result<Option<()>, _> =
        quietly(|| reduce::reduce(&tree, |_| std::panic::panic_any(Bomb), |(), ()| ()));
    let error = sum.unwrap_err();
    assert_eq!(
        error.to_string(),
        "reduce: processor 0 panicked in superstep 1: a panic without a message"
    );
    let each: Result<Vec<()>, _> = quietly(|| reduce::run(3, |_| std::panic::panic_any(Bomb)));
    let error = each.unwrap_err();
    assert_eq!(
        error.to_string(),
        "reduce: processor 0 panicked in superstep 0: a panic without a message"
    );
}

#[test]
fn nothing_to_do_is_done() {
    let none: Vec<u32> = Vec::new();
    assert_eq!(farm::map(none.clone(), |&x| x).run().unwrap(), [0_u32; 0]);
    let sampled = farm::map(none.clone(), |&x| x).sample(Target::default());
    assert_eq!(sampled.reduce(|a, b| a + b).unwrap(), None);
    // Costs that are all 0 tell nothing.
    let free = farm::map((0..100).collect::<Vec<u32>>(), |&x| x).cost(|_| 0.0);
    assert!(free.run().unwrap().into_iter().eq(0..100));
}

#[test]
fn a_plan_can_be_read() {
    let mut farm = farm::map((0..1000).collect::<Vec<u32>>(), |&x| x).workers(4);
    assert_eq!(
        farm.plan().unwrap().to_string(),
        "1000 items on 4 workers in 32 chunks (fac2 by cost)"
    );
    let mut farm = farm::map((0..100).collect::<Vec<u32>>(), |&x| x)
        .workers(1)
        .sample(Target {
            error: 1e-9,
            share: 0.5,
        });
    let plan = farm.plan().unwrap().to_string();
    assert!(plan.starts_with("100 items on 1 worker in "), "{plan}");
    assert!(
        plan.contains(", predicted from ") && plan.contains(" of them to take 0.0"),
        "{plan}"
    );
}
