//! Spoiled plan files: an error or a plan, which is proved or refused. Never a panic, and memory in
//! proportion to the bytes.

#[path = "../../fuzz/spoil.rs"]
mod spoil;
mod support;

use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use spoil::{Counting, peak, spoiled};
use superstep_planner::exchange::{self, Exchange};
use superstep_planner::file::{Digest, Identity, decode, encode, read};
use superstep_planner::proof::memory;
use superstep_planner::{
    Accesses, Costs, Fault, Graph, Order, Plan, Rows, Track, Wait, Windows, Within, choose,
    doacross, owners, prove,
};
use support::{Kernel, Pattern, interleaved, sequential};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn identity() -> Identity {
    let mut identity = Identity::new("lower", "");
    identity.scalar("n", &25);
    identity
}

fn kernel() -> Kernel {
    let random = &mut Pcg64Mcg::seed_from_u64(3);
    Kernel::family(0, Pattern::family(5, 25, random), random)
}

fn file() -> Vec<u8> {
    let kernel = kernel();
    let costs = Costs {
        least: 1.0,
        ..Costs::default()
    };
    let graph = Graph::new(&kernel, &costs).expect("a good kernel");
    let windows = Windows {
        grains: 3,
        chunks: 2,
        within: Within::Run,
    };
    let (_, report) = choose(&graph, 2, &costs).expect("processors");
    encode(&doacross(&graph, 2, windows), &report, &identity())
}

/// Magic and version.
const BEGINNING: usize = 12;
/// Behind the length: the identity.
const BODY: usize = 20;

/// Makes a file that has this between its head and its checksum, which are right.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = file()[..BEGINNING].to_vec();
    bytes.extend((body.len() as u64 + 36).to_le_bytes());
    bytes.extend(body);
    let checksum = Digest::of(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Decodes bytes. A plan is proved or refused; one that is proved gives the bits of the sequential
/// run.
fn hold(bytes: &[u8]) {
    let (decoded, most) = peak(|| decode(bytes, &identity()));
    let bound = 8 * bytes.len() + (1 << 10);
    assert!(most <= bound, "{most} bytes for {}", bytes.len());
    let (saved, most) = peak(|| read(bytes));
    let bound = 24 * bytes.len() + (1 << 13);
    assert!(most <= bound, "{most} bytes for {}, unproved", bytes.len());
    if let Ok(saved) = saved {
        assert_eq!(prove_waits(&saved.plan), Ok(()));
    }
    match decoded {
        Ok((plan, report)) => {
            assert!(!report.to_string().is_empty());
            let again = encode(&plan, &report, &identity());
            // A ratio may be no number, which differs from itself.
            assert_eq!(decode(&again, &identity()).map(|it| it.0), Ok(plan.clone()));
            hold_plan(plan);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn owners_of_any_number_of_parts_take_memory_by_the_grains() {
    let kernel = kernel();
    let graph = Graph::new(&kernel, &Costs::default()).expect("a good kernel");
    for parts in [1, 1 << 20, u32::MAX] {
        let (plan, most) = peak(|| owners(&graph, 2, parts));
        assert!(most < 1 << 16, "{most} bytes for {parts} parts");
        hold_plan(plan);
    }
}

/// Proves that a plan is one of some kernel: of that with as many iterations, which use nothing.
fn prove_waits(plan: &Plan) -> Result<(), superstep_planner::ProofError> {
    struct Nothing(u32);

    impl Track for Nothing {
        fn iterations(&self) -> u32 {
            self.0
        }
        fn lengths(&self) -> &[usize] {
            &[]
        }
        fn track(&self, all: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
            all.for_each(|_| accesses.begin());
            Ok(())
        }
    }

    // Whoever claims billions of iterations is not tracked.
    match plan.boundaries.last() {
        Some(&count) if count < 1 << 16 => prove(&Nothing(count), plan.clone()).map(drop),
        _ => Ok(()),
    }
}

fn hold_plan(plan: Plan) {
    let kernel = kernel();
    let random = &mut Pcg64Mcg::seed_from_u64(1);
    match prove(&kernel, plan) {
        Ok(proved) => {
            let plan = proved.plan().clone();
            assert!(interleaved(&kernel, &plan, random) == sequential(&kernel));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Numbers near those of a plan, and some at the ends.
fn number() -> impl Strategy<Value = u32> {
    let extremes = [u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) - 1];
    prop_oneof![6 => 0..4_u32, 6 => 0..30_u32, 1 => prop::sample::select(extremes.to_vec())]
}

/// Numbers that mostly ascend, and mostly end where they should.
fn offsets() -> impl Strategy<Value = Vec<u32>> {
    let numbers = prop::collection::vec(number(), 0..8);
    (numbers, any::<[bool; 3]>(), 0..30_u32).prop_map(|(mut numbers, is, end)| {
        if is[0] {
            numbers.insert(0, 0);
        }
        if is[1] {
            numbers.push(end);
        }
        if is[2] {
            numbers.sort_unstable();
        }
        numbers
    })
}

prop_compose! {
    /// Arrays of any numbers.
    fn any_plan()(
        boundaries in offsets(),
        processors in offsets(),
        chunks in offsets(),
        grains in prop::collection::vec(number(), 0..8),
        first_waits in offsets(),
        waits in prop::collection::vec((number(), number()), 0..8),
    ) -> Plan {
        let wait = |(processor, steps)| Wait { processor, steps };
        let waits = Rows {
            offsets: first_waits,
            items: waits.into_iter().map(wait).collect(),
        };
        Plan {
            boundaries: boundaries.into(),
            order: Arc::new(Order { processors, waits }),
            grains: Rows {
                offsets: chunks,
                items: grains,
            },
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn spoiled_files(bytes in spoiled(file())) {
        hold(&bytes);
    }

    #[test]
    fn spoiled_files_with_a_checksum_that_is_right(
        body in spoiled({ let file = file(); file[BODY..file.len() - 16].to_vec() }),
    ) {
        hold(&sealed(&body));
    }

    #[test]
    fn noise(noise in prop::collection::vec(any::<u8>(), 0..200), kept in 0..60_usize) {
        hold(&noise);
        hold(&sealed(&noise));
        hold(&sealed(&[&file()[BODY..BODY + kept], &noise].concat()));
    }

    #[test]
    fn plans_of_any_numbers_are_proved_or_refused(plan in any_plan()) {
        hold_plan(plan);
    }

    #[test]
    fn plans_of_which_one_array_is_any_are_proved_or_refused(any in any_plan(), which in 0..6) {
        let (mut plan, _) = decode(&file(), &identity()).expect("valid");
        match which {
            0 => plan.boundaries = any.boundaries,
            1 => Arc::make_mut(&mut plan.order).processors = any.order.processors.clone(),
            2 => plan.grains.offsets = any.grains.offsets,
            3 => plan.grains.items = any.grains.items,
            4 => Arc::make_mut(&mut plan.order).waits.offsets = any.order.waits.offsets.clone(),
            _ => Arc::make_mut(&mut plan.order).waits.items = any.order.waits.items.clone(),
        }
        hold_plan(plan);
    }
}

/// Part of the second of three processors.
fn part() -> Vec<u8> {
    let kernel = kernel();
    let costs = Costs {
        least: 1.0,
        ..Costs::default()
    };
    let graph = Graph::new(&kernel, &costs).expect("a good kernel");
    let proved = prove(&kernel, owners(&graph, 3, 2)).expect("proved");
    let exchange = Exchange::new(&kernel, &proved, 3).expect("a good kernel");
    exchange.part(1).expect("a good kernel").encode()
}

/// Decodes bytes as a part, all of whose words have slots.
fn hold_part(bytes: &[u8]) {
    let (decoded, most) = peak(|| exchange::decode(bytes, 3));
    let bound = 48 * bytes.len() + (1 << 12);
    assert!(most <= bound, "{most} bytes for {}", bytes.len());
    match decoded {
        Ok(part) => {
            assert_eq!(exchange::decode(&part.encode(), 3).as_ref(), Ok(&part));
            let messages = [&part.sends, &part.receives].map(|it| &it.runs.items);
            let runs = [&part.inputs, &part.results].into_iter().chain(messages);
            for run in runs.flatten() {
                let pages = &part.pages[usize::from(run.array)];
                let mut slots = run.words().map(|word| pages.slot(word));
                assert!(slots.all(|slot| slot.is_some_and(|slot| slot < pages.slots as usize)));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let (decoded, most) = peak(|| exchange::decode_runs(bytes));
    assert!(most <= bound, "{most} bytes for {}", bytes.len());
    drop(decoded);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn spoiled_parts(bytes in spoiled(part())) {
        hold_part(&bytes);
    }

    #[test]
    fn noise_as_a_part(noise in prop::collection::vec(any::<u8>(), 0..200), kept in 0..60_usize) {
        hold_part(&noise);
        hold_part(&[&part()[..kept], &noise].concat());
    }
}

/// Plans that claim most in the fewest bytes, a megabyte each.
#[test]
fn dense_files_take_memory_in_proportion() {
    const BYTES: usize = 1 << 20;
    // The number of the bytes that follow, as LEB128.
    let count = [0x80, 0x80, 0x40];
    let file = file();
    for kept in 0..file.len() - BODY - 16 {
        // All beginnings up to the arrays, and some in them.
        if kept > 80 && kept % 16 != 0 {
            continue;
        }
        let rest = vec![(kept % 3) as u8; BYTES];
        let bytes = sealed(&[&file[BODY..BODY + kept], &count, &rest].concat());
        let (_, most) = peak(|| decode(&bytes, &identity()));
        let bound = 8 * bytes.len() + (1 << 10);
        assert!(most <= bound, "{most} bytes for {}", bytes.len());
        let (_, most) = peak(|| read(&bytes));
        let bound = 24 * bytes.len() + (1 << 13);
        assert!(most <= bound, "{most} bytes for {}, unproved", bytes.len());
    }
}

/// Chunks without grains, of which the last processor has all, and the first so many of its chunks
/// wait for nothing much. Each takes two bytes in a file, and those that wait two more.
fn dense(chunks: usize, waiting: usize) -> Plan {
    let mut processors = vec![0; 256];
    processors.push(chunks as u32);
    let mut offsets = vec![0; chunks];
    offsets.push(1);
    let first_waits = (0..=chunks).map(|chunk| chunk.min(waiting) as u32);
    Plan {
        boundaries: [0, kernel().iterations()].into(),
        order: Arc::new(Order {
            processors,
            waits: Rows {
                offsets: first_waits.collect(),
                items: vec![Wait::default(); waiting],
            },
        }),
        grains: Rows {
            offsets,
            items: vec![0],
        },
    }
}

#[test]
fn the_proof_takes_memory_for_chunks_that_wait() {
    let kernel = kernel();
    let chunks = 1 << 16;
    for waiting in [0, 1, 1 << 12] {
        let plan = dense(chunks, waiting);
        let rows = memory(&plan);
        assert!(rows <= (waiting + 256) * 256 * 4, "{rows}");
        let (proved, most) = peak(|| prove(&kernel, plan));
        assert!(proved.is_ok());
        let bound = rows + 16 * chunks + (1 << 16);
        assert!(most <= bound, "{most} bytes for {waiting} that wait");
    }
}
