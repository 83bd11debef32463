//! Uses of a tree: placement of ranks and levels.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_network::topology::{Hosts, Matrix, Placement, Tree, levels, simulated::Network};

fn names(count: usize) -> Vec<String> {
    (0..count).map(|rank| format!("r{rank}")).collect()
}

fn cost(tree: &Tree, traffic: &Matrix, hosts: &[u32]) -> f64 {
    let pairs = (0..hosts.len()).flat_map(|i| (0..hosts.len()).map(move |j| (i, j)));
    pairs
        .filter(|(i, j)| i != j)
        .map(|(i, j)| traffic.get(i, j) * tree.distance(hosts[i], hosts[j]))
        .sum()
}

/// Returns the least cost over all orders of the hosts (Heap's algorithm).
fn best(tree: &Tree, traffic: &Matrix) -> f64 {
    let mut hosts: Vec<u32> = (0..tree.hosts() as u32).collect();
    let mut counters = vec![0; hosts.len()];
    let of = |hosts: &[u32]| cost(tree, traffic, &hosts[..traffic.size()]);
    let mut least = of(&hosts);
    let mut at = 1;
    while at < hosts.len() {
        if counters[at] < at {
            hosts.swap(at, if at % 2 == 0 { 0 } else { counters[at] });
            least = least.min(of(&hosts));
            counters[at] += 1;
            at = 1;
        } else {
            counters[at] = 0;
            at += 1;
        }
    }
    least
}

/// Draws some traffic of each rank to few others.
fn traffic(ranks: usize, seed: u64) -> Matrix {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let words: Vec<f64> = (0..ranks * ranks)
        .map(|_| match random.random_range(0..3_u32) {
            0 => f64::from(random.random_range(0..100_u32)),
            _ => 0.0,
        })
        .collect();
    Matrix::from_fn(names(ranks), |i, j| words[i * ranks + j])
}

#[test]
fn small_placements_are_the_best_of_all() {
    for seed in 0..60 {
        let hosts = 4 + (seed % 4) as usize;
        let tree = Network::random(hosts, seed).tree;
        let traffic = traffic(hosts - (seed % 2) as usize, seed);
        let found = Placement::of_traffic(&tree, 1, &traffic, 1).unwrap();
        let least = best(&tree, &traffic);
        assert!(
            found.cost <= least * (1.0 + 1e-9) + 1e-9,
            "{seed}: {} {least}",
            found.cost
        );
    }
}

#[test]
fn placements_do_not_depend_on_the_unit_of_traffic() {
    let tree = Network::random(12, 1).tree;
    let traffic = traffic(24, 1);
    let placed = |unit: f64| {
        let traffic = Matrix::from_fn(names(24), |i, j| unit * traffic.get(i, j));
        Placement::of_traffic(&tree, 2, &traffic, 1).unwrap().hosts
    };
    let without = Placement::depth_first(&tree, 2, &traffic).unwrap().hosts;
    assert_ne!(placed(1.0), without);
    for power in [-50, 50] {
        assert_eq!(placed(2.0_f64.powi(power)), placed(1.0), "2^{power}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn placements_cost_as_they_say_and_no_more_than_in_depth_first_order(hosts in 2_usize..20, seed: u64) {
        let tree = Network::random(hosts, seed).tree;
        let traffic = traffic(hosts, seed);
        let found = Placement::of_traffic(&tree, 1, &traffic, seed).unwrap();
        prop_assert!((found.cost - cost(&tree, &traffic, &found.hosts)).abs() < 1e-6);
        let mut used = found.hosts.clone();
        used.sort_unstable();
        prop_assert_eq!(used, (0..hosts as u32).collect::<Vec<_>>());
        prop_assert!(found.cost <= Placement::depth_first(&tree, 1, &traffic).unwrap().cost);
        prop_assert_eq!(&Placement::of_traffic(&tree, 1, &traffic, seed).unwrap(), &found);
    }

    #[test]
    fn hosts_have_as_many_ranks_as_processors_at_most(hosts in 2_usize..8, processors in 1_u32..6, left in 0_usize..5, seed: u64) {
        let tree = Network::random(hosts, seed).tree;
        let ranks = (hosts * processors as usize - left.min(hosts - 1)).max(1);
        let traffic = traffic(ranks, seed);
        let found = Placement::of_traffic(&tree, processors, &traffic, seed).unwrap();
        prop_assert_eq!(found.hosts.len(), ranks);
        prop_assert!((found.cost - cost(&tree, &traffic, &found.hosts)).abs() < 1e-6);
        for host in 0..hosts as u32 {
            let on_it = found.hosts.iter().filter(|&&other| other == host).count();
            prop_assert!(on_it <= processors as usize);
        }
        let without = Placement::depth_first(&tree, processors, &traffic).unwrap();
        prop_assert!(found.cost <= without.cost);
        prop_assert_eq!(Placement::of_traffic(&tree, u32::MAX, &traffic, seed).unwrap().cost, 0.0);
    }

    #[test]
    fn levels_are_nested_and_end_in_one_group(hosts in 2_usize..40, seed: u64, ratio in 1.0_f64..3.0) {
        let tree = Network::random(hosts, seed).tree;
        let levels = levels(&tree, ratio);
        prop_assert_eq!(levels.last().unwrap().count(), 1);
        for pair in levels.windows(2) {
            prop_assert!(pair[0].count() > pair[1].count());
            prop_assert!(pair[0].round_trip <= pair[1].round_trip);
            for a in 0..hosts {
                for b in 0..a {
                    let is_one = |level: usize| pair[level].groups[a] == pair[level].groups[b];
                    prop_assert!(!is_one(0) || is_one(1));
                }
            }
        }
    }
}

#[test]
fn levels_of_four_clusters_are_the_sites_and_all() {
    let tree = Network::four_clusters(10, 1000.0, 1).tree;
    let levels = levels(&tree, levels::RATIO);
    let groups: Vec<Vec<u32>> = levels
        .iter()
        .map(|level| level.groups.iter().step_by(10).copied().collect())
        .collect();
    // Clusters 3 and 4 are hardly farther apart than cluster 4 is wide.
    assert_eq!(groups, [[0, 1, 2, 2], [0; 4]]);
}

#[test]
fn neighbours_in_a_ring_go_through_the_tree_in_depth_first_order() {
    let tree: Tree = "(a:1,(c:1,(e:1,f:1):9):9,(b:1,d:1):9);".parse().unwrap();
    let ring = Matrix::from_fn(names(6), |i, j| f64::from(u8::from((i + 1) % 6 == j)));
    let found = Placement::of_traffic(&tree, 1, &ring, 1).unwrap();
    assert_eq!(found, Placement::depth_first(&tree, 1, &ring).unwrap());
    assert_eq!(found.host_file(&tree), "a\nc\ne\nf\nb\nd\n");
}

#[test]
fn machines_of_more_processors_than_files_have_are_refused() {
    let tree: Tree = "(a:1,b:1,c:1);".parse().unwrap();
    let machine = |processors| {
        let hosts = Hosts {
            processors,
            latency: 0.2,
            task: 2.0,
            gap: 1.0,
        };
        hosts
            .machine(&tree, levels::RATIO)
            .map(|machine| machine.processors)
    };
    assert_eq!(machine(21_845), Ok(65_535));
    for processors in [21_846, 1 << 30, u32::MAX] {
        let error = machine(processors).unwrap_err().to_string();
        let count = 3 * u64::from(processors);
        assert_eq!(
            error,
            format!("`processors` must be at most 65536 in all, not {count}")
        );
    }
}

#[test]
fn more_ranks_than_hosts_are_refused() {
    let tree: Tree = "(a:1,b:1,c:1);".parse().unwrap();
    let error = Placement::of_traffic(&tree, 1, &traffic(4, 1), 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "4 ranks do not fit on 3 hosts, 1 on each"
    );
}
