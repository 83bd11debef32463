//! Times of barriers, words and calls: two processors exchange messages of three lengths. Times of
//! taking cache lines back: one writes what the other reads.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use superstep_machine::Times;
use superstep_plan::{Code, Message, Plan, Precedence, Strided};
use superstep_runtime::call::{Options, Prepared};
use superstep_runtime::kernel::Kernel;
use superstep_runtime::keyed_program::Execute;
use superstep_runtime::stream::{Stream, copy};
use superstep_timing::median;

use super::fastest::fastest_within;

/// Words of a message: 2 to 32 KB. In shorter ones, what any message takes would count for too
/// much.
const LENGTHS: [u32; 3] = [256, 1024, 4096];

const SUPERSTEPS: u32 = 100;

const PROCESSORS: u32 = 2;

/// Rounds, each of which measures everything: their median counts. On virtual machines a word
/// between two processors takes one of two times, changing within seconds. The fastest time of all
/// would be that of the rare moments in which the processors are nearest.
const ROUNDS: usize = 31;

/// Time for each program of a round.
const PATIENCE: Duration = Duration::from_millis(5);

/// Times of two processors, in nanoseconds: the fields of [`Times`] that have these names.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    pub(super) barrier: f64,
    pub(super) gap: f64,
    pub(super) claim: f64,
    pub(super) call: f64,
}

/// Rounds of measuring from one look at the other programs to the next. Looks then take a few per
/// cent of the time, and there are several in each attempt.
const LOOK: usize = 8;

/// Measures, given what copying words takes; `between` is called between rounds.
pub(super) fn measured(loops: &Times, between: &mut dyn FnMut()) -> Exchange {
    let mut rounds = Vec::new();
    for number in 1..=ROUNDS {
        rounds.push(round(loops));
        if number % LOOK == 0 {
            between();
        }
    }
    let of_rounds = |figure: fn(&Exchange) -> f64| median(rounds.iter().map(figure));
    Exchange {
        barrier: of_rounds(|round| round.barrier),
        gap: of_rounds(|round| round.gap),
        claim: of_rounds(|round| round.claim),
        call: of_rounds(|round| round.call),
    }
}

/// Measures everything once. All but `call` are differences of two programs.
fn round(loops: &Times) -> Exchange {
    let fastest = |program| fastest_within(PATIENCE, program);
    let nothing = |_: &Plan, _, _, _: &mut &mut Vec<u64>| true;
    let call = fastest(program(1, 0, nothing));
    let supersteps = f64::from(SUPERSTEPS - 1);
    let superstep =
        |words| (fastest(program(SUPERSTEPS, words, nothing)) - call).max(0.0) / supersteps;
    let barrier = superstep(0);
    // The mean slope: all lengths count alike.
    let slopes = LENGTHS.map(|words| (superstep(words) - barrier) / f64::from(words));
    let slope = slopes.iter().sum::<f64>() / slopes.len() as f64;
    let claim = claim();
    // A word is loaded and stored by its sender and by its receiver; the sender claims its cache
    // line, and the receiver fetches it.
    let gap = (slope - 4.0 * loops.word - claim / 8.0).max(0.0);
    Exchange {
        barrier,
        gap,
        claim,
        call,
    }
}

/// Words that the first processor writes and the second one reads.
static WRITTEN: [AtomicU64; 2048] = [const { AtomicU64::new(0) }; 2048];
/// Nanoseconds of the fastest time that it took to write all of them.
static FASTEST: AtomicU64 = AtomicU64::new(0);

/// Returns what claiming a cache line takes (taking it back from another core's cache). That is
/// writing to one that the other processor has read, beyond writing to one's own. A line counts as
/// 8 words.
fn claim() -> f64 {
    let [own, claimed] = [write as Execute<Mirror>, write_and_read].map(|execute| {
        FASTEST.store(u64::MAX, Relaxed);
        fastest_within(PATIENCE, program(SUPERSTEPS, 0, execute));
        FASTEST.load(Relaxed) as f64
    });
    8.0 * (claimed - own).max(0.0) / WRITTEN.len() as f64
}

/// Lets the first processor write in every second superstep, and keeps the fastest time.
fn write(_: &Plan, superstep: usize, processor: usize, _: &mut &mut Vec<u64>) -> bool {
    if processor == 0 && superstep.is_multiple_of(2) {
        let begin = Instant::now();
        for word in &WRITTEN {
            word.store(superstep as u64, Relaxed);
        }
        // In the first superstep of a call, perhaps nobody has read the words yet.
        if superstep > 0 {
            FASTEST.fetch_min(begin.elapsed().as_nanos() as u64, Relaxed);
        }
    }
    true
}

/// Lets the first processor write, and the second one read in between.
fn write_and_read(
    plan: &Plan,
    superstep: usize,
    processor: usize,
    memory: &mut &mut Vec<u64>,
) -> bool {
    if processor == 1 && !superstep.is_multiple_of(2) {
        black_box(WRITTEN.iter().map(|word| word.load(Relaxed)).sum::<u64>());
    }
    write(plan, superstep, processor, memory)
}

/// Returns a call of a program whose processors send each other `words` after each superstep, or
/// only wait for each other.
fn program(supersteps: u32, words: u32, execute: Execute<Mirror>) -> impl FnMut() {
    let prepared = Prepared::<Mirror>::from_plan(plan(supersteps, words), execute, Options::new());
    let prepared = prepared.expect("the plan is well formed");
    let mut word = [7];
    move || {
        prepared.run(&mut word).expect("no processor panics");
    }
}

fn plan(supersteps: u32, words: u32) -> Plan {
    let message = |superstep, from| Message {
        superstep,
        from,
        to: 1 - from,
        strided: vec![Strided {
            array: 0,
            count: words,
            from: 0,
            from_step: 1,
            to: 0,
            to_step: 1,
        }],
    };
    let boundaries = 0..supersteps - 1;
    let messages = boundaries
        .clone()
        .flat_map(|s| [message(s, 0), message(s, 1)]);
    Plan {
        processors: PROCESSORS,
        supersteps,
        extents: vec![0],
        lengths: vec![words.max(1); PROCESSORS as usize],
        scatter: vec![Vec::new(); PROCESSORS as usize],
        gather: vec![Vec::new(); PROCESSORS as usize],
        messages: if words > 0 {
            messages.collect()
        } else {
            Vec::new()
        },
        precedences: (1..supersteps)
            .flat_map(|s| Precedence::barrier(s, PROCESSORS))
            .collect(),
        code: vec![Code::default(); (PROCESSORS * supersteps) as usize],
        ..Plan::default()
    }
}

/// A kernel of one local array that computes nothing.
struct Mirror;

impl Kernel for Mirror {
    type Memory = Vec<u64>;
    type View<'v> = &'v mut Vec<u64>;
    type Packet = Stream<u64>;
    type Arguments<'a> = &'a mut [u64];
    type Lent = ();
    const NAME: &'static str = "mirror";

    fn argument_words(arguments: &&mut [u64], _array: u16) -> usize {
        arguments.len()
    }
    fn memory(_: &&mut [u64], lengths: &[u32]) -> Vec<u64> {
        vec![0; lengths[0] as usize]
    }
    fn view(memory: &mut Vec<u64>) -> &mut Vec<u64> {
        memory
    }
    fn scatter(arguments: &&mut [u64], memory: &mut Vec<u64>, strided: &Strided) {
        copy(arguments, memory, strided);
    }
    fn gather(arguments: &mut &mut [u64], memory: &Vec<u64>, strided: &Strided) {
        copy(memory, arguments, strided);
    }
    fn pack(memory: &Vec<u64>, packet: &mut Stream<u64>, strided: &Strided) {
        packet.pack(memory, strided);
    }
    fn unpack(packet: &mut Stream<u64>, memory: &mut Vec<u64>, strided: &Strided) {
        packet.unpack(memory, strided);
    }
    fn clear(packet: &mut Stream<u64>) {
        packet.clear();
    }
}
