//! Reductions and scans keep the order of their operands and, in fixed order, every bit, whatever
//! the number of processors.

use std::ops::Range;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_runtime::error::RunError;
use superstep_runtime::reduce::{self, Costs, Order, Shape, Tree};

const MOST: usize = if cfg!(miri) { 4 } else { 16 };
const OPERANDS: [usize; 9] = [0, 1, 2, 3, 7, 64, 100, 515, 1500];

/// Trees on which as many processors as possible take part, by layers and by a postal tree.
fn trees(operands: usize, processors: usize) -> impl Iterator<Item = Tree> {
    [Order::Fixed, Order::Free]
        .into_iter()
        .flat_map(move |order| {
            [(0, 0), (1, 0), (3, 2)].map(|(tau, overhead)| {
                Tree::with_costs(order, operands, processors, Costs { tau, overhead })
            })
        })
}

fn letter(i: usize) -> String {
    char::from(b'a' + (i * i % 26) as u8).to_string()
}

fn concatenate(a: String, b: String) -> String {
    a + &b
}

fn text(range: Range<usize>) -> String {
    range.map(letter).collect()
}

#[test]
fn order_stays_for_every_number_of_processors() {
    let mut shapes = [false; 2];
    for operands in OPERANDS {
        let wanted = Some(text(0..operands)).filter(|_| operands > 0);
        for processors in 1..=MOST {
            for tree in trees(operands, processors) {
                let found = reduce::reduce(&tree, letter, concatenate).unwrap();
                assert_eq!(found, wanted, "{tree}");
                shapes[usize::from(*tree.shape() == Shape::Postal)] = true;
                let shared = tree.clone();
                let found = reduce::run(processors, move |member| {
                    let first = member.reduce(&shared, letter, concatenate);
                    (first, member.allreduce(&shared, letter, concatenate))
                });
                let found = found.unwrap();
                assert_eq!(found.len(), processors);
                for (processor, (reduced, all)) in found.into_iter().enumerate() {
                    assert_eq!(reduced, wanted.clone().filter(|_| processor == 0), "{tree}");
                    assert_eq!(all, wanted, "{tree}, processor {processor}");
                }
            }
        }
    }
    assert_eq!(shapes, [true; 2], "both shapes of trees were tried");
}

#[test]
fn scans_keep_the_order_too() {
    for operands in [0, 1, 2, 7, 64, 150] {
        for processors in 1..=MOST {
            for tree in trees(operands, processors) {
                let shared = tree.clone();
                let found = reduce::run(processors, move |member| {
                    let inclusive = member.inclusive_scan(&shared, letter, concatenate);
                    let nothing = String::from("-");
                    let exclusive = member.exclusive_scan(&shared, letter, nothing, concatenate);
                    (member.operands(&shared), inclusive, exclusive)
                });
                let mut next = 0;
                for (range, inclusive, exclusive) in found.unwrap() {
                    assert_eq!(range.start, next);
                    next = range.end;
                    let wanted: Vec<_> = range.clone().map(|i| text(0..i + 1)).collect();
                    assert_eq!(inclusive, wanted, "{tree}");
                    let before = |i| if i == 0 { "-".to_owned() } else { text(0..i) };
                    assert_eq!(exclusive, range.map(before).collect::<Vec<_>>(), "{tree}");
                }
                assert_eq!(next, operands);
            }
        }
    }
}

type Matrix = [[u64; 2]; 2];

fn matrix(i: usize) -> Matrix {
    let i = i as u64;
    [[i % 7 + 1, i % 3], [i % 5, i % 2 + 1]]
}

fn product(a: Matrix, b: Matrix) -> Matrix {
    let entry = |i: usize, j: usize| {
        a[i][0]
            .wrapping_mul(b[0][j])
            .wrapping_add(a[i][1].wrapping_mul(b[1][j]))
    };
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

#[test]
fn products_of_matrices_are_exact_for_every_number_of_processors() {
    let operands = if cfg!(miri) { 300 } else { 20_000 };
    let wanted = (0..operands).map(matrix).reduce(product);
    for processors in 1..=MOST {
        for tree in trees(operands, processors) {
            assert!(2 * tree.active() > processors, "{tree}");
            assert_eq!(
                reduce::reduce(&tree, matrix, product).unwrap(),
                wanted,
                "{tree}"
            );
        }
    }
}

/// Doubles of very different size, whose sum depends on the order.
fn doubles(count: usize, seed: u64) -> Arc<[f64]> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut next = || random.random_range(-0.5..0.5) * 10f64.powi(random.random_range(-8..9));
    (0..count).map(|_| next()).collect()
}

/// Combines in the fixed order by its definition, recursively.
fn by_definition(x: &[f64]) -> f64 {
    match x {
        [x] => *x,
        _ => {
            let (left, right) = x.split_at(x.len().next_power_of_two() / 2);
            by_definition(left) + by_definition(right)
        }
    }
}

#[test]
fn sums_and_dot_products_have_the_same_bits_for_every_number_of_processors() {
    let n = if cfg!(miri) { 2000 } else { 1_000_000 };
    let (x, y) = (doubles(n, 1), doubles(n, 2));
    let bits = |tree: &Tree| {
        let (a, b) = (Arc::clone(&x), Arc::clone(&y));
        let dots = [
            reduce::dot(tree, &x, &y),
            reduce::reduce(tree, move |i| a[i] * b[i], |a, b| a + b),
        ];
        let a = Arc::clone(&x);
        let sums = [
            reduce::sum(tree, &x),
            reduce::reduce(tree, move |i| a[i], |a, b| a + b),
        ];
        [sums, dots].map(|both| {
            let [slices, indexed] = both.map(|result| result.unwrap().unwrap().to_bits());
            assert_eq!(slices, indexed, "{tree}");
            slices
        })
    };
    let products: Vec<f64> = x.iter().zip(&*y).map(|(x, y)| x * y).collect();
    let wanted = [by_definition(&x), by_definition(&products)].map(f64::to_bits);
    let mut other_bits = 0;
    for processors in 1..=MOST {
        assert_eq!(
            bits(&Tree::fixed(n, processors)),
            wanted,
            "P = {processors}"
        );
        for tree in trees(n, processors) {
            assert!(2 * tree.active() > processors, "{tree}");
            let found = bits(&tree);
            if tree.order() == Order::Fixed {
                assert_eq!(found, wanted, "{tree}");
            } else {
                other_bits += usize::from(found != wanted);
            }
        }
    }
    assert!(other_bits > 0, "the order of these operands matters");
}

#[test]
fn short_lists_follow_the_definition_too() {
    for n in 1..700 {
        let x = doubles(n, n as u64);
        let wanted = by_definition(&x);
        let costs = Costs {
            tau: 0,
            overhead: 0,
        };
        let tree = Tree::with_costs(Order::Fixed, n, 3, costs);
        let found = reduce::sum(&tree, &x).unwrap();
        assert_eq!(found.map(f64::to_bits), Some(wanted.to_bits()), "n = {n}");
    }
}

#[test]
fn scans_have_the_same_bits_for_every_number_of_processors() {
    let n = if cfg!(miri) { 700 } else { 30_000 };
    let x = doubles(n, 3);
    let bits = |processors| {
        let tree = Tree::with_costs(
            Order::Fixed,
            n,
            processors,
            Costs {
                tau: 1,
                overhead: 0,
            },
        );
        let x = Arc::clone(&x);
        let sums = reduce::run(processors, move |member| {
            member.inclusive_scan(&tree, |i| x[i], |a, b| a + b)
        });
        sums.unwrap()
            .concat()
            .into_iter()
            .map(f64::to_bits)
            .collect::<Vec<_>>()
    };
    let one = bits(1);
    assert_eq!(one.len(), n);
    for processors in 2..=MOST {
        assert_eq!(bits(processors), one, "P = {processors}");
    }
}

#[test]
fn vectors_are_reduced_by_element_short_or_long() {
    let mut scattered = [false; 2];
    for operands in [1, 5, 70] {
        for length in [0, 1, 3, 200] {
            for processors in 1..=MOST.min(6) {
                for tree in trees(operands, processors) {
                    scattered[usize::from(tree.scatters(length))] = true;
                    let element = |i: usize, k: usize| letter(i + 3 * k);
                    let wanted: Vec<String> = (0..length)
                        .map(|k| (0..operands).map(|i| element(i, k)).collect())
                        .collect();
                    let vector = move |i| (0..length).map(|k| element(i, k)).collect();
                    let shared = tree.clone();
                    let found = reduce::run(processors, move |member| {
                        let first = member.reduce_vectors(&shared, length, vector, concatenate);
                        let all = member.allreduce_vectors(&shared, length, vector, concatenate);
                        (first, all)
                    });
                    for (processor, (first, all)) in found.unwrap().into_iter().enumerate() {
                        let wanted = Some(wanted.clone());
                        assert_eq!(first, wanted.clone().filter(|_| processor == 0), "{tree}");
                        assert_eq!(all, wanted, "{tree}, processor {processor}");
                    }
                }
            }
        }
    }
    assert_eq!(scattered, [true; 2], "both ways were tried");
}

#[test]
fn a_panic_releases_all_processors_and_names_the_first() {
    let costs = Costs {
        tau: 0,
        overhead: 0,
    };
    for processors in 1..=MOST {
        for failing in 0..processors {
            let tree = Tree::with_costs(Order::Free, 1000, processors, costs);
            let error = reduce::run(processors, move |member| {
                member.allreduce(&tree, |i| i, |a, b| a + b);
                let bad = (member.processor() == failing).then(|| member.operands(&tree).start);
                let operand = |i| {
                    if Some(i) == bad {
                        panic!("operand {i}")
                    } else {
                        i
                    }
                };
                member.allreduce(&tree, operand, |a, b| a + b)
            });
            let Err(RunError::Panicked {
                processor,
                superstep,
                ..
            }) = error
            else {
                panic!("{error:?}");
            };
            assert_eq!((processor, superstep), (failing, 2));
        }
    }
}

#[test]
fn trees_for_larger_teams_are_refused() {
    let tree = Tree::with_costs(
        Order::Free,
        100,
        3,
        Costs {
            tau: 0,
            overhead: 0,
        },
    );
    assert_eq!(tree.active(), 3);
    let error = reduce::run(2, move |member| member.reduce(&tree, |i| i, |a, b| a + b));
    let text = error.expect_err("it panics").to_string();
    assert!(
        text.contains("the tree takes 3 processors, the team has 2"),
        "{text}"
    );
}

#[test]
fn of_several_panics_the_one_of_the_first_share_is_named() {
    let costs = Costs {
        tau: 0,
        overhead: 0,
    };
    for processors in 1..=MOST {
        let tree = Tree::with_costs(Order::Fixed, 2000, processors, costs);
        for first in 0..tree.active() {
            let bad: Vec<usize> = (first..tree.active())
                .map(|processor| tree.range(processor).end - 1)
                .collect();
            let operand = move |i| {
                assert!(!bad.contains(&i), "operand {i}");
                i
            };
            let error = reduce::reduce(&tree, operand, |a, b| a + b);
            let Err(RunError::Panicked { processor, .. }) = error else {
                panic!("{error:?}");
            };
            assert_eq!(processor, first);
        }
    }
}

#[test]
#[should_panic(expected = "the tree is for another length")]
fn trees_for_other_lengths_are_refused() {
    let x: Arc<[f64]> = [1.0; 5].into();
    let _ = reduce::sum(&Tree::fixed(4, 1), &x);
}
