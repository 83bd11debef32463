//! The proof refuses what is wrong, with the reason, and accepts just those plans of which every
//! interleaving is right.

mod support;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_planner::{
    Accesses, Costs, Dependence, Fault, Graph, Order, Plan, ProofError, Receiver, Rows, Track,
    Wait, Windows, Within, doacross, farm, grow_local, levels, owners, pipeline, prove,
};
use support::{Body, Kernel, Pattern, Recorded};

/// Words that a grain reads and writes.
#[derive(Default)]
struct Used {
    reads: HashSet<(u16, usize)>,
    writes: HashSet<(u16, usize)>,
}

impl Receiver for Used {
    fn read(&mut self, array: u16, words: Range<usize>) {
        self.reads.extend(words.map(|word| (array, word)));
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        self.writes.extend(words.map(|word| (array, word)));
    }
}

impl Used {
    fn must_be_ordered(&self, other: &Self) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }
}

/// Returns whether each interleaving of a plan runs each grain once and orders all conflicts as the
/// sequential run. Walks every state that its processors can be in together.
fn is_right(kernel: &dyn Track, plan: &Plan) -> bool {
    let grains = plan.boundaries.len() - 1;
    let mut once = vec![0; grains];
    for &grain in &plan.grains.items {
        match once.get_mut(grain as usize) {
            Some(count) => *count += 1,
            None => return false,
        }
    }
    if once.iter().any(|&count| count != 1) {
        return false;
    }
    let used: Vec<Used> = (0..grains as u32)
        .map(|grain| {
            let mut used = Used::default();
            let mut accesses = Accesses::new(&mut used);
            let told = kernel.track(plan.iterations_of(grain), &mut accesses);
            told.expect("no fault");
            accesses.end();
            used
        })
        .collect();
    // A step begins a chunk, runs a grain, or ends a chunk.
    let processors = plan.order.processors();
    let steps: Vec<Vec<Step>> = (0..processors as u32)
        .map(|processor| {
            let chunks = plan.order.steps_of(processor);
            chunks
                .flat_map(|chunk| {
                    let grains = plan.grains_of(chunk).iter().map(|&grain| Step::Run(grain));
                    let begin = [Step::Begin(chunk)].into_iter();
                    begin.chain(grains).chain([Step::End])
                })
                .collect()
        })
        .collect();
    let start = vec![0usize; processors];
    let (mut met, mut open) = (HashSet::from([start.clone()]), vec![start]);
    while let Some(state) = open.pop() {
        let ended = |processor: usize| {
            let done = &steps[processor][..state[processor]];
            done.iter().filter(|step| matches!(step, Step::End)).count()
        };
        let mut is_stuck = true;
        for processor in 0..processors {
            let Some(step) = steps[processor].get(state[processor]) else {
                continue;
            };
            match *step {
                Step::Begin(chunk) => {
                    let mut waits = plan.order.waits_of(chunk).iter();
                    if waits.any(|wait| ended(wait.processor as usize) < wait.steps as usize) {
                        continue;
                    }
                }
                Step::Run(grain) => {
                    let done = |other: u32| {
                        let mut all = steps.iter().zip(&state);
                        all.any(|(steps, &next)| steps[..next].contains(&Step::Run(other)))
                    };
                    let is_wrong = (0..grains as u32).any(|other| {
                        other != grain
                            && (other < grain) != done(other)
                            && used[other as usize].must_be_ordered(&used[grain as usize])
                    });
                    if is_wrong {
                        return false;
                    }
                }
                Step::End => {}
            }
            is_stuck = false;
            let mut next = state.clone();
            next[processor] += 1;
            if met.insert(next.clone()) {
                open.push(next);
            }
        }
        let is_over = state
            .iter()
            .zip(&steps)
            .all(|(&next, all)| next == all.len());
        if is_stuck && !is_over {
            return false;
        }
    }
    true
}

#[derive(PartialEq)]
enum Step {
    Begin(u32),
    Run(u32),
    End,
}

/// Grains of one iteration.
fn single() -> Costs {
    Costs {
        least: 0.0,
        wait: 5.0,
        ..Costs::default()
    }
}

fn windows(grains: u32, within: Within) -> Windows {
    Windows {
        grains,
        chunks: grains,
        within,
    }
}

fn small_kernel(n: usize, random: &mut Pcg64Mcg) -> Kernel {
    let family = random.random_range(0..Pattern::FAMILIES);
    let pattern = Pattern::family(family, n, random);
    let kind = [0, 1, 3, 6, 6][random.random_range(0..5)];
    let n = if kind == 3 { n.div_ceil(2) } else { n };
    let pattern = Pattern::new((0..n.min(pattern.rows())).map(|i| {
        let columns = pattern.columns(i).iter().copied();
        columns.filter(|&j| j < n.min(pattern.rows())).collect()
    }));
    Kernel::family(kind, pattern, random)
}

/// Removes a wait.
fn without(plan: &Plan, wait: usize) -> Plan {
    let mut plan = plan.clone();
    Arc::make_mut(&mut plan.order).waits.items.remove(wait);
    for first in &mut Arc::make_mut(&mut plan.order).waits.offsets {
        *first -= u32::from(*first as usize > wait);
    }
    plan
}

/// Draws a plan whose arrays fit each other, with any order, chunks and waits.
fn any_plan(grains: u32, random: &mut Pcg64Mcg) -> Plan {
    let processors = 1 + random.random_range(0..3);
    let mut plan = Plan {
        boundaries: (0..=grains).collect(),
        ..Plan::default()
    };
    plan.grains.items = (0..grains).collect();
    // Near the sequential order, or hardly any plan is right.
    for _ in 0..random.random_range(0..4) {
        let (a, b) = (
            random.random_range(0..grains as usize),
            random.random_range(0..grains as usize),
        );
        plan.grains.items.swap(a, b);
    }
    let mut lists = vec![vec![]; processors];
    for &grain in &plan.grains.items {
        lists[random.random_range(0..processors)].push(grain);
    }
    plan.grains.items = lists.concat();
    let mut end = 0;
    for list in &lists {
        let mut left = list.len();
        while left > 0 || random.random_range(0..6) == 0 {
            let size = random.random_range(0..left + 1);
            (left, end) = (left - size, end + size as u32);
            plan.grains.offsets.push(end);
        }
        Arc::make_mut(&mut plan.order)
            .processors
            .push(plan.grains.len() as u32);
    }
    for processor in 0..processors as u32 {
        for _ in plan.order.steps_of(processor) {
            while processors > 1 && random.random_range(0..3) > 0 {
                let peer =
                    (processor as usize + 1 + random.random_range(0..processors - 1)) % processors;
                let most = plan.order.steps_of(peer as u32).len();
                Arc::make_mut(&mut plan.order).waits.items.push(Wait {
                    processor: peer as u32,
                    steps: random.random_range(0..most + 1) as u32,
                });
            }
            Arc::make_mut(&mut plan.order).waits.end_row();
        }
    }
    plan
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_wait_less_is_refused_or_harmless(
        n in 2usize..9, processors in 2u32..4, window in 1u32..4, seed in any::<u64>(),
    ) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let kernel = small_kernel(n, random);
        let graph = Graph::new(&kernel, &single()).expect("a good kernel");
        for plan in [doacross(&graph, processors, windows(window, Within::Levels)), levels(&graph, processors), grow_local(&graph, processors, &single()), pipeline(&graph, processors, &single()), owners(&graph, processors, 2), farm(&graph, processors, &single())] {
            prop_assert!(is_right(&kernel, &plan));
            for wait in 0..plan.order.waits.items.len() {
                let less = without(&plan, wait);
                let is_right = is_right(&kernel, &less);
                prop_assert_eq!(prove(&kernel, less.clone()).is_ok(), is_right);
                prop_assert_eq!(prove(&Recorded::new(&kernel), less).is_ok(), is_right);
            }
        }
    }

    #[test]
    fn just_the_right_plans_are_accepted(n in 1usize..7, seed in any::<u64>()) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let kernel = small_kernel(n, random);
        for _ in 0..5 {
            let plan = any_plan(kernel.iterations(), random);
            let is_right = is_right(&kernel, &plan);
            let proved = prove(&kernel, plan.clone());
            prop_assert!(!matches!(proved, Err(ProofError::Malformed { .. })), "{:?}", proved);
            prop_assert_eq!(proved.is_ok(), is_right, "{:?}", plan);
            let recorded = prove(&Recorded::new(&kernel), plan);
            prop_assert_eq!(recorded.is_ok(), is_right);
        }
    }

    #[test]
    fn spoiled_plans_never_panic(n in 1usize..9, flips in 1usize..4, seed in any::<u64>()) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let kernel = small_kernel(n, random);
        let graph = Graph::new(&kernel, &single()).expect("a good kernel");
        let mut plan = doacross(&graph, 2, windows(2, Within::Run));
        for _ in 0..flips {
            spoil(&mut plan, random);
        }
        let spoiled = plan.clone();
        if prove(&kernel, plan).is_ok() {
            prop_assert!(is_right(&kernel, &spoiled));
        }
    }
}

/// Changes, removes or adds a number anywhere.
fn spoil(plan: &mut Plan, random: &mut Pcg64Mcg) {
    let mut boundaries = plan.boundaries.to_vec();
    let number = match random.random_range(0..4) {
        0 => u32::MAX - random.random_range(0..2) as u32,
        _ => random.random_range(0..12) as u32,
    };
    let which = random.random_range(0..6);
    if which == 5 {
        let wait = Wait {
            processor: random.random_range(0..3) as u32,
            steps: number,
        };
        if plan.order.is_free() || random.random_range(0..3) == 0 {
            Arc::make_mut(&mut plan.order).waits.items.push(wait);
        } else {
            let at = random.random_range(0..plan.order.waits.items.len());
            Arc::make_mut(&mut plan.order).waits.items[at] = wait;
        }
        return;
    }
    let numbers = match which {
        0 => &mut boundaries,
        1 => &mut Arc::make_mut(&mut plan.order).processors,
        2 => &mut plan.grains.offsets,
        3 => &mut plan.grains.items,
        _ => &mut Arc::make_mut(&mut plan.order).waits.offsets,
    };
    match random.random_range(0..4) {
        0 => numbers.push(number),
        1 => drop(numbers.pop()),
        _ if numbers.is_empty() => {}
        _ => {
            let at = random.random_range(0..numbers.len());
            numbers[at] = number;
        }
    }
    plan.boundaries = boundaries.into();
}

/// Makes a kernel whose grain 1 needs word 0, which grain 0 writes and grain 2 overwrites.
fn three() -> Kernel {
    Kernel::new(Body::Any(vec![
        (vec![], vec![0]),
        (vec![0], vec![2]),
        (vec![], vec![0]),
    ]))
}

/// Grains of processor 0, then of processor 1, each a chunk, and waits as (chunk, processor,
/// chunks).
fn two_lists(first: &[u32], second: &[u32], waits: &[(usize, u32, u32)]) -> Plan {
    let grains = [first, second].concat();
    let chunks = grains.len();
    let waits = waits.iter();
    let waits = waits.map(|&(chunk, processor, steps)| (chunk, Wait { processor, steps }));
    Plan {
        boundaries: [0, 1, 2, 3].into(),
        order: Arc::new(Order {
            processors: vec![0, first.len() as u32, chunks as u32],
            waits: Rows::sorted(chunks, waits),
        }),
        grains: Rows::sorted(chunks, grains.into_iter().enumerate()),
    }
}

#[track_caller]
fn refused(plan: Plan, message: &str) {
    let error = prove(&three(), plan).expect_err("a broken plan");
    assert_eq!(error.to_string(), message);
}

#[test]
fn plans_that_are_right_are_proved() {
    for plan in [
        two_lists(&[0, 1, 2], &[], &[]),
        two_lists(&[0, 2], &[1], &[(2, 0, 1), (1, 1, 1)]),
        two_lists(&[0], &[1, 2], &[(1, 0, 1)]),
    ] {
        assert_eq!(
            prove(&three(), plan.clone()).map(|proved| proved.plan().clone()),
            Ok(plan)
        );
    }
}

#[test]
fn each_grain_runs_once() {
    refused(
        two_lists(&[0, 1, 2], &[1], &[(3, 0, 3)]),
        "grain 1 (iteration 1; processor 0, chunk 1, position 0) stands at processor 1, chunk 0, position 0 too",
    );
    refused(two_lists(&[0, 1], &[], &[]), "grain 2 runs nowhere");
    refused(
        two_lists(&[0, 1], &[3], &[]),
        "there is no grain 3, but it stands at position 2",
    );
}

#[test]
fn operands_come_before() {
    refused(
        two_lists(&[1, 0, 2], &[], &[]),
        "array 0, word 0: grain 1 (iteration 1; processor 0, chunk 0, position 0) reads it, and does not come after \
         grain 0 (iteration 0; processor 0, chunk 1, position 0), which writes it before in the sequential run",
    );
    refused(
        two_lists(&[0, 2], &[1], &[(1, 1, 1)]),
        "array 0, word 0: grain 1 (iteration 1; processor 1, chunk 0, position 0) reads it, and does not come after \
         grain 0 (iteration 0; processor 0, chunk 0, position 0), which writes it before in the sequential run",
    );
}

#[test]
fn words_are_not_overwritten_while_they_are_read() {
    refused(
        two_lists(&[0, 2], &[1], &[(2, 0, 1)]),
        "array 0, word 0: grain 2 (iteration 2; processor 0, chunk 1, position 0) writes it, and does not come after \
         grain 1 (iteration 1; processor 1, chunk 0, position 0), which reads it before in the sequential run",
    );
}

#[test]
fn writers_keep_their_order() {
    let plan = two_lists(&[0, 1], &[2], &[]);
    let error = prove(&three(), plan).expect_err("a broken plan");
    let ProofError::Unordered {
        dependence,
        array,
        word,
        first,
        second,
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((dependence, array, word), (Dependence::Output, 0, 0));
    assert_eq!((first.grain, second.grain), (0, 2));
}

#[test]
fn waits_end() {
    refused(
        two_lists(&[0, 2], &[1], &[(0, 1, 1), (2, 0, 1)]),
        "processor 0, chunk 0 waits forever for 1 chunks of processor 1",
    );
    for (wait, message) in [
        (
            (0, 1, 2),
            "processor 0, chunk 0 waits for 2 chunks of processor 1",
        ),
        (
            (1, 0, 1),
            "processor 0, chunk 1 waits for 1 chunks of processor 0",
        ),
        (
            (2, 2, 0),
            "processor 1, chunk 0 waits for 0 chunks of processor 2",
        ),
    ] {
        refused(two_lists(&[0, 2], &[1], &[wait]), message);
    }
}

#[test]
fn arrays_of_a_plan_fit_each_other() {
    let good = two_lists(&[0, 1, 2], &[], &[]);
    let changed = |change: fn(&mut Plan)| {
        let mut plan = good.clone();
        change(&mut plan);
        plan
    };
    for (plan, what) in [
        (
            changed(|plan| Arc::make_mut(&mut plan.order).processors = vec![0]),
            "no processor, or too many",
        ),
        (
            changed(|plan| Arc::make_mut(&mut plan.order).processors = vec![0; 300]),
            "no processor, or too many",
        ),
        (
            changed(|plan| plan.boundaries = [0, 2, 1, 3].into()),
            "grains that are not all iterations in order",
        ),
        (
            changed(|plan| plan.boundaries = [0, 1, 1, 3].into()),
            "grains that are not all iterations in order",
        ),
        (
            changed(|plan| plan.boundaries = [0, 1, 2].into()),
            "grains that are not all iterations in order",
        ),
        (
            changed(|plan| Arc::make_mut(&mut plan.order).processors = vec![0, 1, 2]),
            "processors that do not divide its chunks",
        ),
        (
            changed(|plan| plan.grains.offsets = vec![0, 2, 1, 3]),
            "chunks that do not divide its grains",
        ),
        (
            changed(|plan| Arc::make_mut(&mut plan.order).waits.offsets = vec![0, 0]),
            "chunks that do not divide its waits",
        ),
        (Plan::default(), "no processor, or too many"),
    ] {
        refused(plan, &format!("the plan has {what}"));
    }
}

#[test]
fn knowledge_is_passed_on() {
    // Processor 2 waits for 1 alone, which has waited for 0.
    let kernel = Kernel::new(Body::Any(vec![
        (vec![], vec![0]),
        (vec![], vec![2]),
        (vec![0, 2], vec![4]),
    ]));
    let wait = |processor| {
        let wait = Wait {
            processor,
            steps: 1,
        };
        (processor as usize + 1, wait)
    };
    let mut plan = Plan {
        boundaries: [0, 1, 2, 3].into(),
        order: Arc::new(Order {
            processors: vec![0, 1, 2, 3],
            waits: Rows::sorted(3, [0, 1].map(wait).into_iter()),
        }),
        grains: Rows::sorted(3, (0..3).zip(0..)),
    };
    assert!(prove(&kernel, plan.clone()).is_ok());
    Arc::make_mut(&mut plan.order).waits.items[0].steps = 0;
    assert!(prove(&kernel, plan).is_err());
}

/// A kernel whose control fails, or tells nonsense.
struct Broken(Result<(u16, usize, usize), Fault>);

impl Track for Broken {
    fn iterations(&self) -> u32 {
        4
    }

    fn lengths(&self) -> &[usize] {
        &[3, 5]
    }

    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        for iteration in iterations {
            accesses.begin();
            if iteration < 2 {
                continue;
            }
            let (array, start, end) = self.0.clone()?;
            accesses.read(array, start..end);
            accesses.write(array, start..end);
        }
        Ok(())
    }
}

#[test]
fn structure_that_is_wrong_is_an_error() {
    let outside = Fault::Outside {
        array: 2,
        word: 9,
        length: 9,
    };
    for (broken, message) in [
        (Ok((1, 4, 6)), "iteration 2: array 1 has 5 words, none at 5"),
        (Ok((1, 7, 9)), "iteration 2: array 1 has 5 words, none at 7"),
        (Ok((0, 2, 1)), "iteration 2: array 0: words from 2 to 1"),
        (
            Ok((0, 0, usize::MAX)),
            "iteration 2: array 0 has 3 words, none at 3",
        ),
        (Ok((2, 0, 1)), "iteration 2: there is no array 2"),
        (Err(outside), "iteration 2: array 2 has 9 words, none at 9"),
    ] {
        let kernel = Broken(broken);
        let error = Graph::new(&kernel, &single()).expect_err("a fault");
        assert_eq!(error.to_string(), message);
        for boundaries in [&[0, 1, 2, 3, 4][..], &[0, 1, 4], &[0, 4]] {
            let plan = Plan::sequential(boundaries.into());
            let error = prove(&kernel, plan).expect_err("a fault");
            assert_eq!(error.to_string(), message);
        }
    }
}

/// Two iterations, of which another number is told.
struct Miscounted(u32);

impl Track for Miscounted {
    fn iterations(&self) -> u32 {
        2
    }

    fn lengths(&self) -> &[usize] {
        &[2]
    }

    fn track(&self, _: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        for _ in 0..self.0 {
            accesses.begin();
        }
        Ok(())
    }
}

/// One iteration, of which something is told before it begins; so much of it behind that.
struct Early(usize);

impl Track for Early {
    fn iterations(&self) -> u32 {
        1
    }

    fn lengths(&self) -> &[usize] {
        &[2]
    }

    fn track(&self, _: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        accesses.write(0, 0..1);
        accesses.begin();
        for _ in 0..self.0 {
            accesses.read(0, 1..2);
        }
        Ok(())
    }
}

#[test]
fn nothing_is_told_before_an_iteration_begins() {
    for behind in [0, 5000] {
        let message = "iteration 0: an access before an iteration begins";
        let error = Graph::new(&Early(behind), &single()).expect_err("early");
        assert_eq!(error.to_string(), message);
        let plan = Plan::sequential([0, 1].into());
        let error = prove(&Early(behind), plan).expect_err("early");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn each_iteration_is_told_once() {
    let graph = Graph::new(&Miscounted(2), &single()).unwrap();
    let sequential = Plan::sequential(graph.boundaries().clone());
    assert!(prove(&Miscounted(2), sequential.clone()).is_ok());
    for told in [0, 1, 3, 9] {
        let message = format!("{told} iterations are told, of 2");
        let error = Graph::new(&Miscounted(told), &single()).expect_err("miscounted");
        assert_eq!(error.to_string(), message);
        let error = prove(&Miscounted(told), sequential.clone()).expect_err("miscounted");
        assert_eq!(error.to_string(), message);
    }
}
