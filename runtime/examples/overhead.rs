//! Costs of supersteps and calls on this machine:
//! `cargo run --release -p superstep-runtime --example overhead`.
//!
//! Prints times for some numbers of processors:
//!
//! * the time that each superstep adds after which every processor gets a word from its neighbour,
//!   or 256 words;
//! * the time of a warm call of one superstep, right after another call, and after a pause in which
//!   the workers fall asleep.
//!
//! The machine should be idle.

use std::time::{Duration, Instant};

use superstep_plan::{Code, Message, Plan, Strided};
use superstep_runtime::call::Prepared;
use superstep_runtime::kernel::Kernel;
use superstep_runtime::options::Options;
use superstep_runtime::stream::{Stream, copy};

/// Some words of each processor, handed on around a ring.
struct Handover;

struct Words(Vec<u64>);

impl Kernel for Handover {
    type Memory = Words;
    type View<'v> = &'v mut Words;
    type Packet = Stream<u64>;
    type Arguments<'a> = &'a mut [u64];
    type Lent = ();
    const NAME: &'static str = "handover";

    fn argument_words(arguments: &Self::Arguments<'_>, _array: u16) -> usize {
        arguments.len()
    }
    fn memory(_: &Self::Arguments<'_>, lengths: &[u32]) -> Words {
        // 128 bytes more, so that no two processors' words share a cache line.
        Words(vec![0; lengths[0] as usize + 16])
    }
    fn view(memory: &mut Words) -> &mut Words {
        memory
    }

    fn scatter(arguments: &Self::Arguments<'_>, memory: &mut Words, strided: &Strided) {
        copy(arguments, &mut memory.0, strided);
    }
    fn gather(arguments: &mut Self::Arguments<'_>, memory: &Words, strided: &Strided) {
        copy(&memory.0, arguments, strided);
    }
    fn pack(memory: &Words, packet: &mut Stream<u64>, strided: &Strided) {
        packet.pack(&memory.0, strided);
    }
    fn unpack(packet: &mut Stream<u64>, memory: &mut Words, strided: &Strided) {
        packet.unpack(&mut memory.0, strided);
    }
    fn clear(packet: &mut Stream<u64>) {
        packet.clear();
    }
}

/// Makes a plan in which each processor hands on so many `words`.
fn plan(processors: u32, supersteps: u32, words: u32) -> Plan {
    let part = |of: u32| Strided {
        array: 0,
        count: words,
        from: of * words,
        from_step: 1,
        to: of * words,
        to_step: 1,
    };
    let handed = |superstep, from| Message {
        superstep,
        from,
        to: (from + 1) % processors,
        strided: vec![Strided {
            to: (from + 1) % processors * words,
            ..part(from)
        }],
    };
    let boundaries = if processors == 1 { 0 } else { supersteps - 1 };
    Plan {
        shared: Vec::new(),
        precedences: Vec::new(),
        processors,
        predicted: 0,
        supersteps,
        extents: vec![processors * words],
        lengths: vec![processors * words; processors as usize],
        scatter: (0..processors).map(|q| vec![part(q)]).collect(),
        gather: (0..processors).map(|q| vec![part(q)]).collect(),
        messages: (0..boundaries)
            .flat_map(|s| (0..processors).map(move |q| handed(s, q)))
            .collect(),
        bodies: Vec::new(),
        code: vec![Code::default(); (processors * supersteps) as usize],
    }
}

/// Returns the best and the median time of a call in microseconds, when there is a `pause` before
/// each.
fn time(plan: Plan, repetitions: usize, pause: Duration) -> [f64; 2] {
    let execute = |_: &Plan, _, _, _: &mut &mut Words| true;
    let mut words = vec![0; plan.extents[0] as usize];
    let prepared = Prepared::<Handover>::from_plan(plan, execute, Options::new());
    let prepared = prepared.expect("the plan is well formed");
    let mut call = || {
        if !pause.is_zero() {
            std::thread::sleep(pause);
        }
        let start = Instant::now();
        prepared.run(&mut words).expect("no processor panics");
        start.elapsed().as_secs_f64() * 1e6
    };
    let mut times: Vec<f64> = (0..repetitions).map(|_| call()).collect();
    times.sort_by(f64::total_cmp);
    [times[0], times[repetitions / 2]]
}

fn main() {
    const SUPERSTEPS: u32 = 1000;
    const AT_ONCE: Duration = Duration::ZERO;
    const IDLE: Duration = Duration::from_millis(2);
    println!("microseconds, best and median");
    println!(
        "{:>10} {:>16} {:>16} {:>16} {:>16}",
        "processors", "1 word", "256 words", "call", "call after 2 ms"
    );
    for processors in [1, 2, 3, 4, 8, 16, 64] {
        let superstep = |words| {
            let call = time(plan(processors, 1, words), 1000, AT_ONCE);
            let run = time(plan(processors, SUPERSTEPS, words), 100, AT_ONCE);
            [0, 1].map(|i| (run[i] - call[i]) / f64::from(SUPERSTEPS - 1))
        };
        let call = time(plan(processors, 1, 1), 10_000, AT_ONCE);
        let idle = time(plan(processors, 1, 1), 100, IDLE);
        print!("{processors:>10}");
        for [best, median] in [superstep(1), superstep(256), call, idle] {
            print!(" {best:>8.2} {median:>7.2}");
        }
        println!();
    }
}
