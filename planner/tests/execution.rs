//! Plans give the bits of the sequential run, however their processors interleave.

mod support;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_planner::{Costs, Graph, Plan, by_level, choose, plan, prove};
use support::{Kernel, Pattern, Recorded, interleaved, plans, sequential};

/// Returns all plans of a kernel: those of each schedule, and the chosen one.
fn all_plans(kernel: &Kernel, processors: u32, costs: &Costs, window: u32) -> Vec<Plan> {
    let graph = Graph::new(kernel, costs).expect("a good kernel");
    let (chosen, report) = choose(&graph, processors, costs).expect("processors");
    assert!(report.chosen().ratio <= 1.0 || kernel.data()[0].is_empty());
    let mut all = plans(kernel, processors, costs, window);
    all.push(chosen);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_plan_is_proved_and_gives_the_same_bits(
        kind in 0..Kernel::KINDS,
        family in 0..Pattern::FAMILIES,
        n in 1usize..90,
        processors in 1u32..9,
        window in 1u32..70,
        least in prop::sample::select(vec![0.0, 12.0, 50.0]),
        wait in prop::sample::select(vec![0.0, 5.0, 40.0, 150.0]),
        seed in any::<u64>(),
    ) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let pattern = Pattern::family(family, n, random);
        let kernel = Kernel::family(kind, pattern, random);
        let expected = sequential(&kernel);
        let costs = Costs { least, wait, ..Costs::default() };
        let plans = all_plans(&kernel, processors, &costs, window);
        let sorted = plans.iter().map(|plan| by_level(&kernel, plan).expect("a good kernel"));
        let sorted: Vec<Plan> = sorted.flatten().collect();
        for plan in plans.into_iter().chain(sorted) {
            let proved = prove(&kernel, plan);
            prop_assert!(proved.is_ok(), "{proved:?}");
            let plan = proved.expect("proved").plan().clone();
            for _ in 0..3 {
                prop_assert!(interleaved(&kernel, &plan, random) == expected);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Also of more accesses than a block has.
    #[test]
    fn a_recorded_kernel_has_the_same_graph(
        kind in 0..Kernel::KINDS,
        family in 0..Pattern::FAMILIES,
        n in prop_oneof![1usize..90, 500usize..2000],
        least in prop::sample::select(vec![0.0, 12.0, 50.0]),
        seed in any::<u64>(),
    ) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let pattern = Pattern::family(family, n, random);
        let kernel = Kernel::family(kind, pattern, random);
        let costs = Costs { least, ..Costs::default() };
        let graph = Graph::new(&kernel, &costs).expect("a good kernel");
        let recorded = Graph::new(&Recorded::new(&kernel), &costs).expect("a good kernel");
        prop_assert_eq!(recorded.boundaries(), graph.boundaries());
        prop_assert_eq!(recorded.work(), graph.work());
        prop_assert_eq!(recorded.homes(), graph.homes());
        for grain in 0..graph.grains() {
            let [mut a, mut b] = [&graph, &recorded].map(|g| g.predecessors(grain).to_vec());
            a.sort_unstable();
            b.sort_unstable();
            prop_assert_eq!(a, b);
        }
    }
}

#[test]
fn kernels_without_iterations_have_plans() {
    for kind in 0..Kernel::KINDS {
        let random = &mut Pcg64Mcg::seed_from_u64(1);
        let kernel = Kernel::family(kind, Pattern::new([]), random);
        let (proved, report) = plan(&kernel, 4, &Costs::default(), u64::MAX).expect("planned");
        assert_eq!(report.grains, 0, "{report}");
        assert_eq!(proved.plan().grains.items, []);
    }
}

#[test]
fn large_kernels_give_the_same_bits() {
    for seed in 0..100 {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let pattern = Pattern::family(seed as usize, 4000, random);
        let kind = [0, 1, 2, 3, 6][random.random_range(0..5)];
        let kernel = Kernel::family(kind, pattern, random);
        let expected = sequential(&kernel);
        let processors = 1 + random.random_range(0..8) as u32;
        let mut plans = all_plans(&kernel, processors, &Costs::default(), 100);
        let sorted = plans
            .iter()
            .map(|plan| by_level(&kernel, plan).expect("a good kernel"));
        let sorted: Vec<Plan> = sorted.flatten().collect();
        plans.extend(sorted);
        for plan in plans {
            let plan = prove(&kernel, plan).expect("proved").plan().clone();
            assert!(interleaved(&kernel, &plan, random) == expected, "{seed}");
        }
    }
}
