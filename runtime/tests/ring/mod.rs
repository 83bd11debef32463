//! Kernel written by hand, as macro and codegen would: processors on a ring read their left
//! neighbours' words.
//!
//! In each superstep every other processor updates its words `x[q]` and `y[q]`. It does so from
//! those of the `reach` processors to its left, as it last saw them. After every `every`-th
//! superstep each sends its words to the `reach` processors to its right. Addresses are mirrored: a
//! processor holds its neighbours' words where they stand in the arguments.

// A module of several test files, each of which uses a part of it.
#![allow(dead_code, unreachable_pub)]

use superstep_plan::{Message, Plan, Strided};
use superstep_runtime::call::{self, Outcome, Prepared};
use superstep_runtime::control::{ControlSink, ControlWriter};
use superstep_runtime::error::RunError;
use superstep_runtime::kernel::Kernel;
use superstep_runtime::keyed_program::KeyedProgram;
use superstep_runtime::options::{Options, TransportKind};
use superstep_runtime::stream::{Stream, copy};

pub const TRANSPORTS: [TransportKind; 2] = [TransportKind::Threads, TransportKind::InTurn];

/// Neither superstep nor processor: where no panic is wanted.
pub const NEVER: u32 = u32::MAX;

/// The arguments of the kernel
/// `ring(x: &mut [u64], y: &mut [f64], reach: u32, traps: [[u32; 2]; 2])`: it panics at each trap,
/// a superstep and processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    pub x: Vec<u64>,
    pub y: Vec<f64>,
    pub settings: [u32; 5],
}

impl Data {
    pub fn new(shape: Shape, seed: u64) -> Self {
        let x = (0..shape.processors as u64)
            .map(|q| q.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed)
            .collect();
        let y = (0..shape.processors)
            .map(|q| 1.0 + f64::from(q) / 7.0 + seed as f64)
            .collect();
        Self {
            x,
            y,
            settings: [shape.reach, NEVER, NEVER, NEVER, NEVER],
        }
    }

    /// Sets a panic in a superstep of a processor, and perhaps another one.
    pub fn trapped(mut self, traps: &[(u32, u32)]) -> Self {
        for (pair, &(superstep, processor)) in self.settings[1..].chunks_mut(2).zip(traps) {
            pair.copy_from_slice(&[superstep, processor]);
        }
        self
    }

    pub fn bits(&self) -> (Vec<u64>, Vec<u64>) {
        (self.x.clone(), self.y.iter().map(|y| y.to_bits()).collect())
    }
}

/// Shape of a run: what the kernel is built for.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub processors: u32,
    pub supersteps: u32,
    pub reach: u32,
    pub every: u32,
}

impl Shape {
    fn reach(self) -> u32 {
        self.reach.min(self.processors - 1)
    }

    fn exchanges_after(self, superstep: u32) -> bool {
        superstep.is_multiple_of(self.every) && superstep + 1 < self.supersteps
    }

    pub fn plan(self) -> Plan {
        let word = |array: u16, q: u32| Strided {
            array,
            count: 1,
            from: q,
            from_step: 1,
            to: q,
            to_step: 1,
        };
        let mut messages = Vec::new();
        for superstep in (0..self.supersteps).filter(|&s| self.exchanges_after(s)) {
            for from in 0..self.processors {
                for distance in 1..=self.reach() {
                    let to = (from + distance) % self.processors;
                    messages.push(Message {
                        superstep,
                        from,
                        to,
                        strided: vec![word(0, from), word(1, from)],
                    });
                }
            }
        }
        messages.sort_by_key(|m| (m.superstep, m.from, m.to));
        let all = |array, count| Strided {
            count,
            ..word(array, 0)
        };
        let inputs = vec![all(0, self.processors), all(1, self.processors), all(2, 5)];
        Plan {
            processors: self.processors,
            supersteps: self.supersteps,
            extents: vec![self.processors, self.processors, 5],
            lengths: [self.processors, self.processors, 5].repeat(self.processors as usize),
            scatter: vec![inputs; self.processors as usize],
            gather: (0..self.processors)
                .map(|q| vec![word(0, q), word(1, q)])
                .collect(),
            messages,
            code: vec![Default::default(); (self.processors * self.supersteps) as usize],
            ..Plan::default()
        }
    }

    pub fn prepared(self, options: Options) -> Prepared<Ring> {
        Prepared::<Ring>::from_plan(self.plan(), execute, options).expect("the plan is well formed")
    }

    /// Computes the result without processors: what each has last seen of its neighbours, as a
    /// table.
    pub fn sequential(self, data: &mut Data) {
        self.sequential_but(data, None);
    }

    /// Computes the result for `Data::new(self, 4)` if the receiver of `message` does not get its
    /// `word` (0: `x`, 1: `y`).
    pub fn sequential_without(self, message: usize, word: usize) -> Data {
        let message = &self.plan().messages[message];
        let mut data = Data::new(self, 4);
        self.sequential_but(
            &mut data,
            Some((
                message.superstep,
                message.from as usize,
                message.to as usize,
                word,
            )),
        );
        data
    }

    fn sequential_but(self, data: &mut Data, lost: Option<(u32, usize, usize, usize)>) {
        let processors = self.processors as usize;
        let mut seen = vec![(data.x.clone(), data.y.clone()); processors];
        for superstep in 0..self.supersteps {
            for (q, (x, y)) in seen.iter_mut().enumerate() {
                if works(superstep as usize, q) {
                    update(superstep as usize, q, self.reach() as usize, x, y);
                }
            }
            if self.exchanges_after(superstep) {
                let own: Vec<(u64, f64)> = seen
                    .iter()
                    .enumerate()
                    .map(|(q, (x, y))| (x[q], y[q]))
                    .collect();
                for (to, (x, y)) in seen.iter_mut().enumerate() {
                    for distance in 1..=self.reach() as usize {
                        let from = (to + processors - distance) % processors;
                        if lost != Some((superstep, from, to, 0)) {
                            x[from] = own[from].0;
                        }
                        if lost != Some((superstep, from, to, 1)) {
                            y[from] = own[from].1;
                        }
                    }
                }
            }
        }
        for (q, (x, y)) in seen.iter().enumerate() {
            (data.x[q], data.y[q]) = (x[q], y[q]);
        }
    }
}

pub struct Ring;

pub struct Memory {
    x: Vec<u64>,
    y: Vec<f64>,
    settings: Vec<u32>,
}

#[derive(Default)]
pub struct Packet {
    u64: Stream<u64>,
    f64: Stream<f64>,
}

impl Kernel for Ring {
    type Memory = Memory;
    type View<'v> = &'v mut Memory;
    type Packet = Packet;
    type Arguments<'a> = (&'a mut [u64], &'a mut [f64], &'a [u32]);
    type Lent = ();
    const NAME: &'static str = "ring";

    fn argument_words(arguments: &Self::Arguments<'_>, array: u16) -> usize {
        [arguments.0.len(), arguments.1.len(), arguments.2.len()][array as usize]
    }

    fn memory(_: &Self::Arguments<'_>, lengths: &[u32]) -> Memory {
        // What the words hold is never read, so let it be what is least expected.
        Memory {
            x: vec![u64::MAX / 3; lengths[0] as usize],
            y: vec![f64::NAN; lengths[1] as usize],
            settings: vec![0; lengths[2] as usize],
        }
    }

    fn view(memory: &mut Memory) -> &mut Memory {
        memory
    }

    fn scatter(arguments: &Self::Arguments<'_>, memory: &mut Memory, strided: &Strided) {
        match strided.array {
            0 => copy(arguments.0, &mut memory.x, strided),
            1 => copy(arguments.1, &mut memory.y, strided),
            _ => copy(arguments.2, &mut memory.settings, strided),
        }
    }

    fn gather(arguments: &mut Self::Arguments<'_>, memory: &Memory, strided: &Strided) {
        match strided.array {
            0 => copy(&memory.x, arguments.0, strided),
            1 => copy(&memory.y, arguments.1, strided),
            _ => unreachable!("settings are no result"),
        }
    }

    fn pack(memory: &Memory, packet: &mut Packet, strided: &Strided) {
        match strided.array {
            0 => packet.u64.pack(&memory.x, strided),
            1 => packet.f64.pack(&memory.y, strided),
            _ => unreachable!("settings are not sent"),
        }
    }

    fn unpack(packet: &mut Packet, memory: &mut Memory, strided: &Strided) {
        match strided.array {
            0 => packet.u64.unpack(&mut memory.x, strided),
            1 => packet.f64.unpack(&mut memory.y, strided),
            _ => unreachable!("settings are not sent"),
        }
    }

    fn clear(packet: &mut Packet) {
        packet.u64.clear();
        packet.f64.clear();
    }
}

/// Returns whether a processor works in a superstep: every other one does.
fn works(superstep: usize, processor: usize) -> bool {
    (superstep + processor).is_multiple_of(2)
}

fn update(superstep: usize, q: usize, reach: usize, x: &mut [u64], y: &mut [f64]) {
    let processors = x.len();
    let (mut sum, mut mean) = (
        x[q].wrapping_mul(31).wrapping_add(superstep as u64),
        y[q] * 0.5,
    );
    for distance in 1..=reach {
        let left = (q + processors - distance) % processors;
        sum = sum.wrapping_mul(7).wrapping_add(x[left]);
        mean += y[left] / (distance + 2) as f64;
    }
    (x[q], y[q]) = (sum, mean);
}

pub fn execute(plan: &Plan, superstep: usize, processor: usize, memory: &mut &mut Memory) -> bool {
    let Memory { x, y, settings } = memory;
    for trap in settings[1..].chunks(2) {
        if trap == [superstep as u32, processor as u32] {
            panic!("trap in superstep {superstep} of processor {processor}");
        }
    }
    let reach = settings[0].min(plan.processors - 1) as usize;
    if works(superstep, processor) {
        update(
            superstep,
            processor,
            reach,
            &mut x[..plan.processors as usize],
            &mut y[..plan.processors as usize],
        );
    }
    works(superstep, processor)
}

/// Runs on `data`; returns whether the program ran.
pub fn run(prepared: &Prepared<Ring>, data: &mut Data) -> Result<bool, RunError> {
    let outcome = prepared.run((&mut data.x, &mut data.y, &data.settings))?;
    Ok(matches!(outcome, Outcome::Ran))
}

/// Returns the key of [`programs`].
fn control(sink: &mut impl ControlSink) {
    sink.scalar(7);
}

/// Makes a program as a generated file has it: with everything in statics.
pub fn generated(key: &'static [u8], plan: Vec<u8>) -> KeyedProgram<Ring> {
    let digest = superstep_plan::digest(key, &plan);
    KeyedProgram::<Ring>::new(key, plan.leak(), digest, execute)
}

/// Makes programs of the shape for each of these numbers of processors, as a generated file has
/// them.
pub fn programs(shape: Shape, processors: &[u32]) -> Vec<KeyedProgram<Ring>> {
    let mut writer = ControlWriter::new();
    control(&mut writer);
    let key: &'static [u8] = writer.into_bytes().leak();
    let program = |&processors: &u32| {
        let shape = Shape {
            processors,
            ..shape
        };
        generated(key, shape.plan().encode())
    };
    processors.iter().map(program).collect()
}

/// Prepares the one of the [`programs`] that the options choose.
pub fn prepare(programs: &[KeyedProgram<Ring>], options: &Options) -> Prepared<Ring> {
    call::prepare_or_plan(programs, |sink| control(sink), false, options).expect("it was built")
}

/// Runs that one of the [`programs`] on `data` which the options choose; returns whether it ran.
/// The function in its place touches nothing, and takes long.
pub fn choose(
    programs: &[KeyedProgram<Ring>],
    options: &Options,
    data: &mut Data,
) -> Result<bool, RunError> {
    let arguments = (&mut data.x[..], &mut data.y[..], &data.settings[..]);
    match call::run(programs, |sink| control(sink), options, arguments)? {
        Outcome::Ran => Ok(true),
        Outcome::Original(_, turn) => turn.run(long).map(|()| false),
    }
}

/// Takes so long that programs in its place are tried soon.
pub fn long() {
    std::thread::sleep(std::time::Duration::from_millis(2));
}
