//! Random traces on random schedules: the program, run from its tables, gives the words of the
//! sequential run.
//!
//! A property is tried on proptest's 256 random cases, and on 1000 in `.ci/run`, which sets
//! `PROPTEST_CASES`.

mod support;

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;
use superstep_dag_builder::from_trace;
use superstep_machine::Machine;
use superstep_plan::{Plan, Strided, interpret};
use superstep_runtime::call::{Options, Outcome, Prepared};
use superstep_runtime::kernel::Kernel;
use superstep_runtime::options::TransportKind;
use superstep_runtime::stream::{Stream, copy};
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_scheduler::{Levels, Scheduler};
use superstep_search::Bcsh;
use superstep_tracer::{Address, Role, Trace};
use support::{Hashing, random};

/// A trace as a kernel of the runtime, whose words are hashes.
struct Hashed;

struct Memory {
    trace: Arc<Trace>,
    words: Vec<Vec<u64>>,
}

struct Arguments<'a> {
    trace: Arc<Trace>,
    words: &'a mut [Vec<u64>],
}

impl Kernel for Hashed {
    type Memory = Memory;
    type View<'v> = &'v mut Memory;
    type Packet = Stream<u64>;
    type Arguments<'a> = Arguments<'a>;
    type Lent = ();
    const NAME: &'static str = "hashed";

    fn argument_words(arguments: &Arguments<'_>, array: u16) -> usize {
        arguments.words[usize::from(array)].len()
    }

    fn memory(arguments: &Arguments<'_>, lengths: &[u32]) -> Memory {
        let words = lengths
            .iter()
            .map(|&words| vec![0; words as usize])
            .collect();
        Memory {
            trace: arguments.trace.clone(),
            words,
        }
    }

    fn view(memory: &mut Memory) -> &mut Memory {
        memory
    }

    fn scatter(arguments: &Arguments<'_>, memory: &mut Memory, strided: &Strided) {
        let array = usize::from(strided.array);
        copy(&arguments.words[array], &mut memory.words[array], strided);
    }

    fn gather(arguments: &mut Arguments<'_>, memory: &Memory, strided: &Strided) {
        let array = usize::from(strided.array);
        copy(&memory.words[array], &mut arguments.words[array], strided);
    }

    fn pack(memory: &Memory, packet: &mut Stream<u64>, strided: &Strided) {
        packet.pack(&memory.words[usize::from(strided.array)], strided);
    }

    fn unpack(packet: &mut Stream<u64>, memory: &mut Memory, strided: &Strided) {
        packet.unpack(&mut memory.words[usize::from(strided.array)], strided);
    }

    fn clear(packet: &mut Stream<u64>) {
        packet.clear();
    }
}

fn execute(plan: &Plan, superstep: usize, processor: usize, memory: &mut &mut Memory) -> bool {
    let trace = memory.trace.clone();
    let oracle = Hashing(&trace);
    interpret::execute(
        &oracle,
        plan,
        &oracle.components(),
        superstep,
        processor,
        &mut memory.words,
    )
}

/// Generates, checks, encodes, decodes and runs, in this thread and on a transport.
fn runs(trace: Trace, schedule: &Schedule, transport: TransportKind) -> Result<(), TestCaseError> {
    let program = support::program(&trace, schedule);
    let plan = Plan::decode(&program.plan().encode()).expect("what was encoded");
    prop_assert_eq!(&plan, program.plan());
    let oracle = Hashing(&trace);
    let (components, expected) = (oracle.components(), oracle.sequential());
    let mut arguments = oracle.arguments();
    interpret::run(&oracle, &plan, &components, &mut arguments);
    prop_assert_eq!(&arguments, &expected);
    // Every access of a program that shares the arguments is replayed, and its tables compute the
    // same.
    let sharing = support::sharing(&trace, schedule);
    let mut arguments = oracle.arguments();
    interpret::run(&oracle, sharing.plan(), &components, &mut arguments);
    prop_assert_eq!(&arguments, &expected);
    let options = Options::new()
        .processors(schedule.processors())
        .transport(transport);
    let prepared = Prepared::<Hashed>::from_plan(plan, execute, options).expect("a plan");
    for _ in 0..2 {
        let mut words = oracle.arguments();
        let arguments = Arguments {
            trace: Arc::new(trace.clone()),
            words: &mut words,
        };
        prop_assert!(matches!(prepared.run(arguments), Ok(Outcome::Ran)));
        prop_assert_eq!(&words, &expected);
    }
    Ok(())
}

/// Chooses threads for one case of four: with more processors than cores they take their time.
fn transport() -> impl Strategy<Value = TransportKind> {
    prop_oneof![3 => Just(TransportKind::InTurn), 1 => Just(TransportKind::Threads)]
}

proptest! {
    #[test]
    fn scattered_tasks(seed: u64, tasks in 0..80_usize, processors in 1..9_usize, spread in 1..9_usize, transport in transport()) {
        let trace = random::scattered(seed, tasks);
        let schedule = random::schedule(&trace, seed, processors, spread);
        runs(trace, &schedule, transport)?;
    }

    #[test]
    fn nests(seed: u64, nests in 1..6_usize, processors in 1..9_usize, spread in 0..9_usize, transport in transport()) {
        let trace = random::nested(seed, nests);
        let schedule = random::schedule(&trace, seed, processors, spread);
        runs(trace, &schedule, transport)?;
    }

    #[test]
    fn expanded_locals(seed: u64, nests in 1..6_usize, processors in 1..9_usize, spread in 0..9_usize, transport in transport()) {
        let trace = random::nested(seed, nests);
        let Some(expanded) = trace.expanded(1 << 20) else {
            return Ok(());
        };
        let (own, other) = (Hashing(&trace).sequential(), Hashing(&expanded).sequential());
        let arrays = &trace.kernel().arrays;
        for (array, (own, other)) in arrays.iter().zip(own.iter().zip(&other)) {
            prop_assert!(array.role == Role::Local || own == other);
        }
        // Arrays that are expanded have as many words as values, and others are left as they are.
        let written: HashSet<Address> = (0..trace.tasks() as u32).map(|task| expanded.written(task)).collect();
        for array in 0..arrays.len() {
            let [own, other] = [&trace, &expanded].map(|each| each.extents()[array]);
            let words = written.iter().filter(|word| usize::from(word.array) == array).count();
            prop_assert!(other == own || words == other as usize && other > own);
        }
        let schedule = random::schedule(&expanded, seed, processors, spread);
        runs(expanded, &schedule, transport)?;
    }

    #[test]
    fn columns(n in 2..14_usize, owners in proptest::collection::vec(0..5_u32, 24), transport in transport()) {
        let trace = support::lu(n);
        let schedule = support::by_owner(&trace, 5, |trace, task| owners[trace.written(task).index as usize % n]);
        runs(trace, &schedule, transport)?;
    }

    #[test]
    fn nests_by_levels_and_bcsh(seed: u64, nests in 1..6_usize, processors in 1..9_u32, bcsh: bool, transport in transport()) {
        let trace = random::nested(seed, nests);
        let graph = from_trace(&trace);
        let machine = Machine { tau: Some((seed % 40) as f64), ..Machine::new(processors) };
        let scheduler: &dyn Scheduler = if bcsh { &Bcsh::default() } else { &Levels };
        let schedule = scheduler.schedule(&graph, &machine).expect("few processors");
        let checked = CheckedSchedule::new(&graph, schedule).expect("valid");
        runs(trace, checked.schedule(), transport)?;
    }
}
