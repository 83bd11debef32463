//! Promises of trees: every operand belongs to one processor, and the order of the operands stays.

use proptest::prelude::*;
use superstep_reduction::{Costs, Order, Tree, layered, postal};

/// Returns the processors whose operands a processor's result holds, in order.
fn held(tree: &Tree, processor: usize) -> Vec<usize> {
    let mut held = vec![processor];
    for child in tree.children(processor) {
        held.extend(self::held(tree, child));
    }
    held
}

proptest! {
    #[test]
    fn trees_keep_the_order(
        operands in 0..3000usize,
        processors in 1..70usize,
        tau in 0..200u64,
        overhead in 0..5u64,
        fixed in any::<bool>(),
    ) {
        let order = if fixed { Order::Fixed } else { Order::Free };
        let tree = Tree::with_costs(order, operands, processors, Costs { tau, overhead });
        prop_assert!((1..=processors).contains(&tree.active()));
        let mut next = 0;
        for processor in 0..processors {
            let range = tree.range(processor);
            prop_assert_eq!(range.start, next);
            prop_assert!(range.start.is_multiple_of(tree.block()) || range.is_empty());
            prop_assert!(range.len() <= operands.div_ceil(tree.block()).div_ceil(tree.active()) * tree.block());
            next = range.end;
        }
        prop_assert_eq!(next, operands);
        prop_assert_eq!(held(&tree, 0), (0..tree.active()).collect::<Vec<_>>());
        prop_assert!(tree.time() <= operands.saturating_sub(1) as u64);
    }

    #[test]
    fn as_many_processors_take_part_as_are_fastest_of_all_numbers(
        operands in 0..3000usize,
        processors in 1..400usize,
        tau in 0..200u64,
        overhead in 0..5u64,
        fixed in any::<bool>(),
    ) {
        let order = if fixed { Order::Fixed } else { Order::Free };
        let tree = Tree::with_costs(order, operands, processors, Costs { tau, overhead });
        let blocks = operands.div_ceil(tree.block());
        let joined = |active: u64| {
            let step = 1 + overhead;
            let postal = step * postal::time(active, tau.div_ceil(step));
            layered::layers(active, tau, overhead).time.min(postal)
        };
        let times = (1..=processors.min(blocks).max(1)).map(|active| {
            let own = (blocks.div_ceil(active) * tree.block()).min(operands) as u64;
            (own.saturating_sub(1) + joined(active as u64), active)
        });
        prop_assert_eq!(times.min(), Some((tree.time(), tree.active())));
    }

    #[test]
    fn postal_trees_keep_the_order_and_are_never_slower_than_layers(processors in 1..600u64, tau in 0..60u64) {
        let parents = postal::parents(processors, tau);
        prop_assert_eq!(parents.len() as u64, processors);
        // Preorder: the parent of each is the one before it or an ancestor of that.
        for (at, &parent) in parents.iter().enumerate().skip(1) {
            let mut above = at - 1;
            while above != parent as usize {
                prop_assert!(above > 0, "{:?}", parents);
                above = parents[above] as usize;
            }
        }
        prop_assert!(postal::time(processors, tau) <= layered::layers(processors, tau, 0).time);
    }

    #[test]
    fn layers_reach_all_and_are_never_slower_than_a_binary_tree(parts in 2..5000u64, tau in 1..300u64) {
        let layers = layered::layers(parts, tau, 0);
        prop_assert!(layers.fan_ins.iter().product::<u64>() >= parts);
        prop_assert!(layers.fan_ins.iter().all(|&fan_in| fan_in >= 2));
        let depth = u64::from(parts.next_power_of_two().ilog2());
        prop_assert!(layers.time <= (depth * (1 + tau)).min(parts - 1 + tau));
    }
}
