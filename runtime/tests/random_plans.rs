//! Random programs give the same words on both transports as in the interpreter, which scatters,
//! exchanges and gathers by code of its own.

use proptest::prelude::*;
use superstep_plan::interpret::{self, Statements};
use superstep_plan::{Body, Code, Message, Plan, Strided, Term};
use superstep_runtime::call::{Outcome, Prepared};
use superstep_runtime::kernel::Kernel;
use superstep_runtime::options::{Options, TransportKind};
use superstep_runtime::stream::{Stream, copy};

const ARRAYS: u16 = 2;
const WORDS: u32 = 24;

/// Kernel of two arrays of words; statement `s` writes a hash of a word of each to array `s`.
struct Hashes;

impl Statements for Hashes {
    type Memory = Vec<Vec<u64>>;

    fn execute(&self, statement: u16, memory: &mut Self::Memory, components: &[i64]) {
        let [target, first, second] = [0, 1, 2].map(|c| components[c] as usize);
        let mixed =
            memory[0][first].rotate_left(7) ^ memory[1][second].wrapping_mul(0x9e37_79b9_7f4a_7c15);
        memory[statement as usize][target] = mixed.wrapping_add(u64::from(statement) + 1);
    }
}

impl Kernel for Hashes {
    type Memory = Vec<Vec<u64>>;
    type View<'v> = &'v mut Vec<Vec<u64>>;
    type Packet = Stream<u64>;
    type Arguments<'a> = &'a mut [Vec<u64>];
    type Lent = ();
    const NAME: &'static str = "hashes";

    fn argument_words(arguments: &Self::Arguments<'_>, array: u16) -> usize {
        arguments[array as usize].len()
    }
    fn memory(_: &Self::Arguments<'_>, lengths: &[u32]) -> Self::Memory {
        lengths
            .iter()
            .map(|&words| vec![0; words as usize])
            .collect()
    }
    fn view(memory: &mut Vec<Vec<u64>>) -> &mut Vec<Vec<u64>> {
        memory
    }

    fn scatter(arguments: &Self::Arguments<'_>, memory: &mut Self::Memory, strided: &Strided) {
        copy(
            &arguments[strided.array as usize],
            &mut memory[strided.array as usize],
            strided,
        );
    }
    fn gather(arguments: &mut Self::Arguments<'_>, memory: &Self::Memory, strided: &Strided) {
        copy(
            &memory[strided.array as usize],
            &mut arguments[strided.array as usize],
            strided,
        );
    }
    fn pack(memory: &Self::Memory, packet: &mut Stream<u64>, strided: &Strided) {
        packet.pack(&memory[strided.array as usize], strided);
    }
    fn unpack(packet: &mut Stream<u64>, memory: &mut Self::Memory, strided: &Strided) {
        packet.unpack(&mut memory[strided.array as usize], strided);
    }
    fn clear(packet: &mut Stream<u64>) {
        packet.clear();
    }
}

// The type that `Execute` asks for.
#[allow(clippy::ptr_arg)]
fn execute(
    plan: &Plan,
    superstep: usize,
    processor: usize,
    memory: &mut &mut Vec<Vec<u64>>,
) -> bool {
    interpret::execute(
        &Hashes,
        plan,
        &[3; ARRAYS as usize],
        superstep,
        processor,
        memory,
    )
}

/// Returns a start and a step of which `count` stay within an array.
fn walk(count: u32) -> impl Strategy<Value = (u32, i32)> {
    let reach = (WORDS - 1) / count.max(1);
    (0..=reach, any::<bool>()).prop_flat_map(move |(step, down)| {
        let distance = step * count.saturating_sub(1);
        (0..WORDS - distance).prop_map(move |low| match down {
            true => (low + distance, -(step as i32)),
            false => (low, step as i32),
        })
    })
}

fn strided() -> impl Strategy<Value = Strided> {
    (0..ARRAYS, 0..6u32).prop_flat_map(|(array, count)| {
        (walk(count), walk(count)).prop_map(move |((from, from_step), (to, to_step))| Strided {
            array,
            count,
            from,
            from_step,
            to,
            to_step,
        })
    })
}

/// Returns a few runs, one after another, some of them loose.
fn code() -> impl Strategy<Value = Code> {
    let run = (0..ARRAYS, 1..5u32, any::<bool>()).prop_flat_map(|(body, count, is_loose)| {
        prop::collection::vec(walk(count), 3).prop_map(move |walks| {
            let starts = walks.iter().map(|&(start, _)| i64::from(start));
            let steps = walks.iter().map(|&(_, step)| i64::from(step));
            let values = std::iter::once(i64::from(count)).chain(starts).chain(steps);
            (body, values.collect::<Vec<_>>(), is_loose)
        })
    });
    prop::collection::vec(run, 0..4).prop_map(|runs| {
        let mut code = Code::default();
        for (body, values, is_loose) in runs {
            if is_loose && values[0] == 1 {
                code.terms.push(Term::Loose { body, runs: 1 });
                code.loose
                    .extend(values[1..].iter().map(|&value| value as i32));
            } else {
                code.terms.push(Term::Run { body });
                code.values.extend(values);
            }
        }
        code
    })
}

fn plan() -> impl Strategy<Value = Plan> {
    (1..6u32, 1..7u32).prop_flat_map(|(processors, supersteps)| {
        let crossing = (0..supersteps, 0..processors, 0..processors);
        let messages =
            prop::collection::btree_map(crossing, prop::collection::vec(strided(), 0..4), 0..20);
        let owners = prop::collection::vec(0..processors, (u32::from(ARRAYS) * WORDS) as usize);
        let code = prop::collection::vec(code(), (supersteps * processors) as usize);
        (messages, owners, code).prop_map(move |(messages, owners, code)| {
            let words = |array: u16, at: u32, count| Strided {
                array,
                count,
                from: at,
                from_step: 1,
                to: at,
                to_step: 1,
            };
            let mut gather = vec![Vec::new(); processors as usize];
            for (word, owner) in (0..).zip(owners) {
                gather[owner as usize].push(words((word / WORDS) as u16, word % WORDS, 1));
            }
            let kept = |&((superstep, from, to), _): &((u32, u32, u32), Vec<Strided>)| {
                from != to && superstep + 1 < supersteps
            };
            let message = |((superstep, from, to), strided)| Message {
                superstep,
                from,
                to,
                strided,
            };
            Plan {
                shared: Vec::new(),
                precedences: Vec::new(),
                processors,
                predicted: 0,
                supersteps,
                extents: vec![WORDS; ARRAYS as usize],
                lengths: vec![WORDS; ARRAYS as usize * processors as usize],
                scatter: vec![
                    (0..ARRAYS).map(|array| words(array, 0, WORDS)).collect();
                    processors as usize
                ],
                gather,
                messages: messages.into_iter().filter(kept).map(message).collect(),
                bodies: (0..ARRAYS).map(|s| Body::own(vec![s], 3)).collect(),
                code,
            }
        })
    })
}

proptest! {
    #[test]
    fn transports_agree_with_the_interpreter(plan in plan()) {
        let input: Vec<Vec<u64>> = (0..u64::from(ARRAYS)).map(|a| (0..u64::from(WORDS)).map(|w| (a + 1) * 1000 + w).collect()).collect();
        let mut expected = input.clone();
        interpret::run(&Hashes, &plan, &[3; ARRAYS as usize], &mut expected);
        for transport in [TransportKind::Threads, TransportKind::InTurn] {
            let options = Options::new().transport(transport);
            let prepared = Prepared::<Hashes>::from_plan(plan.clone(), execute, options).expect("a good plan");
            for _ in 0..2 {
                let mut words = input.clone();
                prop_assert!(matches!(prepared.run(&mut words), Ok(Outcome::Ran)));
                prop_assert_eq!(&words, &expected);
            }
        }
    }
}
