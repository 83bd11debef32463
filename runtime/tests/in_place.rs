//! A program of one processor works on the arguments where they are, and copies only if it needs
//! slots that they do not have. Several processors share what their plan says, and wait for each
//! other though no message crosses.

use std::sync::atomic::{AtomicUsize, Ordering};

use superstep_plan::{Plan, Precedence, Strided};
use superstep_runtime::call::{Outcome, Prepared};
use superstep_runtime::kernel::Kernel;
use superstep_runtime::options::{Options, TransportKind};
use superstep_runtime::stream::{Stream, copy};
use superstep_runtime::words::{Lent, Permit, Words};

/// `local[0] = x[0]; x[0] = x[1]; x[1] = local[0]`, which counts the words that are copied.
struct Exchange;

static COPIED: AtomicUsize = AtomicUsize::new(0);

struct Memory {
    x: Vec<u64>,
    local: Vec<u64>,
}

struct View<'v> {
    x: Words<'v, u64>,
    local: Words<'v, u64>,
}

impl Kernel for Exchange {
    type Memory = Memory;
    type View<'v> = View<'v>;
    type Packet = Stream<u64>;
    type Arguments<'a> = &'a mut [u64];
    type Lent = Lent<u64>;
    const NAME: &'static str = "exchange";

    fn argument_words(arguments: &Self::Arguments<'_>, _array: u16) -> usize {
        arguments.len()
    }
    fn memory(_: &Self::Arguments<'_>, lengths: &[u32]) -> Memory {
        Memory {
            x: vec![0; lengths[0] as usize],
            local: vec![0; lengths[1] as usize],
        }
    }
    fn view(memory: &mut Memory) -> View<'_> {
        View {
            x: Words::from(&mut memory.x[..]),
            local: Words::from(&mut memory.local[..]),
        }
    }
    fn lend(arguments: &mut Self::Arguments<'_>) -> Option<Self::Lent> {
        Some(Lent::new(arguments))
    }
    fn shared_view<'v>(
        lent: &Self::Lent,
        memory: &'v mut Memory,
        _: &[bool],
        permit: Permit<'v>,
    ) -> View<'v> {
        View {
            x: lent.words(permit),
            local: Words::from(&mut memory.local[..]),
        }
    }
    fn scatter(arguments: &Self::Arguments<'_>, memory: &mut Memory, strided: &Strided) {
        COPIED.fetch_add(strided.count as usize, Ordering::Relaxed);
        copy(arguments, &mut memory.x, strided);
    }
    fn gather(arguments: &mut Self::Arguments<'_>, memory: &Memory, strided: &Strided) {
        COPIED.fetch_add(strided.count as usize, Ordering::Relaxed);
        copy(&memory.x, arguments, strided);
    }
    fn pack(_: &Memory, _: &mut Stream<u64>, _: &Strided) {}
    fn unpack(_: &mut Stream<u64>, _: &mut Memory, _: &Strided) {}
    fn clear(_: &mut Stream<u64>) {}
}

/// Exchanges two words, of which the first is where the plan scatters it.
fn execute(plan: &Plan, _superstep: usize, _processor: usize, view: &mut View<'_>) -> bool {
    let at = plan.scatter[0][0].to as usize;
    view.local[0] = view.x[at];
    view.x[0] = view.x[1];
    view.x[1] = view.local[0];
    true
}

/// Words copied in a run whose first input lives at slot `at` of an array of `words`.
fn copied(at: u32, words: u32, transport: TransportKind) -> usize {
    let word = |from, to| Strided {
        array: 0,
        count: 1,
        from,
        from_step: 0,
        to,
        to_step: 0,
    };
    let plan = Plan {
        processors: 1,
        supersteps: 1,
        extents: vec![2, 0],
        lengths: vec![words, 1],
        scatter: vec![vec![word(0, at), word(1, 1)]],
        gather: vec![vec![word(0, 0), word(1, 1)]],
        ..Plan::default()
    };
    let options = Options::new().transport(transport);
    let prepared = Prepared::<Exchange>::from_plan(plan, execute, options).expect("a good plan");
    let before = COPIED.load(Ordering::Relaxed);
    for _ in 0..2 {
        let mut x = [3, 5, 7];
        assert!(matches!(prepared.run(&mut x), Ok(Outcome::Ran)));
        assert_eq!(x, [5, 3, 7]);
    }
    COPIED.load(Ordering::Relaxed) - before
}

#[test]
fn nothing_is_copied_where_every_word_stays_at_its_index() {
    assert_eq!(copied(0, 2, TransportKind::Threads), 0);
    // A slot beyond the argument: private memory, two words in and two out in each of two runs.
    assert_eq!(copied(2, 3, TransportKind::Threads), 8);
    // The oracle shows a processor nothing but its own memory.
    assert_eq!(copied(0, 2, TransportKind::InTurn), 8);
}

/// Writes in the first superstep a word of each processor, in the second the sum of both.
fn exchange_by_sharing(_: &Plan, superstep: usize, processor: usize, view: &mut View<'_>) -> bool {
    let at = 2 * superstep + processor;
    view.x[at] = match superstep {
        0 => 10 * view.x[at] + 1,
        _ => view.x[0] + view.x[1],
    };
    true
}

#[test]
fn processors_share_an_argument() {
    let plan = Plan {
        processors: 2,
        supersteps: 2,
        extents: vec![4, 0],
        shared: vec![true, false],
        precedences: Precedence::barrier(1, 2).collect(),
        lengths: vec![0; 4],
        scatter: vec![vec![]; 2],
        gather: vec![vec![]; 2],
        ..Plan::default()
    };
    for transport in [TransportKind::Threads, TransportKind::InTurn] {
        let options = Options::new().transport(transport);
        let prepared = Prepared::<Exchange>::from_plan(plan.clone(), exchange_by_sharing, options)
            .expect("a good plan");
        for round in 0..200 {
            let mut x = [round, 2, 0, 0];
            assert!(matches!(prepared.run(&mut x), Ok(Outcome::Ran)));
            let (a, b) = (10 * round + 1, 21);
            assert_eq!(x, [a, b, a + b, a + b], "{transport:?}");
        }
    }
}
