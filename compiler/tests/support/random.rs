//! Random traces whose versions collide, and random valid schedules of them. Everything follows
//! from a seed.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_schedule::Schedule;
use superstep_tracer::{Kernel, Recorder, Role, Trace};

use super::traced;

/// Makes a kernel of some statements, three of which read control values. Its arrays are `a`
/// (input), `b` and `c` (in and out), `t` (4 local words), and `s` (a local scalar).
pub fn kernel(random: &mut Pcg64Mcg) -> Kernel {
    let mut kernel = Kernel::new("random");
    let a = kernel.add_array("a", Role::Input, None);
    let b = kernel.add_array("b", Role::InOut, None);
    let c = kernel.add_array("c", Role::InOut, None);
    let t = kernel.add_array("t", Role::Local, Some(4));
    let s = kernel.add_array("s", Role::Local, Some(1));
    for number in 0..6 {
        let target = [b, c, t, s][random.random_range(0..4)];
        let operands: Vec<u16> = (0..random.random_range(0..4))
            .map(|_| [a, b, c, t, s][random.random_range(0..5)])
            .collect();
        let statement = kernel.add_statement("_", target, &operands);
        if number % 2 == 0 {
            kernel.statements[usize::from(statement)].control = vec!["usize".into()];
        }
    }
    kernel.add_statement("t[i] = 0", t, &[]);
    kernel.add_statement("s = 0", s, &[]);
    kernel
}

/// Writes the locals for the first time.
fn initialise(recorder: &mut Recorder) {
    for i in 0..4 {
        recorder.push(6, i, &[]);
    }
    recorder.push(7, 0, &[]);
}

/// Traces tasks at random places in arrays of few words.
pub fn scattered(seed: u64, tasks: usize) -> Trace {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let kernel = kernel(&mut random);
    let statements = kernel.statements.clone();
    let words = |array: u16, random: &mut Pcg64Mcg| match array {
        3 => random.random_range(0..4),
        4 => 0,
        _ => random.random_range(0..6),
    };
    traced(kernel, |recorder| {
        initialise(recorder);
        for _ in 0..tasks {
            let number = random.random_range(0..statements.len());
            let statement = &statements[number];
            for _ in &statement.control {
                recorder.control(random.random_range(0..1000) as i64 - 500);
            }
            let operands: Vec<usize> = statement
                .operands
                .iter()
                .map(|&o| words(o, &mut random))
                .collect();
            recorder.push(
                number as u16,
                words(statement.target, &mut random),
                &operands,
            );
        }
    })
}

/// Traces random loop nests with affine, sometimes triangular, bounds and affine indices.
pub fn nested(seed: u64, nests: usize) -> Trace {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let kernel = kernel(&mut random);
    traced(kernel.clone(), |recorder| {
        initialise(recorder);
        for _ in 0..nests {
            let nest = Nest::new(&mut random, 1 + seed as usize % 3);
            nest.run(&kernel, recorder, &mut Vec::new());
        }
    })
}

/// A loop over statements and inner loops.
struct Nest {
    count: usize,
    /// Iterations added to the count for each iteration of the loop around.
    slope: isize,
    reversed: bool,
    body: Vec<Item>,
}

enum Item {
    /// A statement, and the coefficients of each index and control value: constant, innermost
    /// variable, the one around.
    Statement(u16, Vec<[usize; 3]>),
    Nest(Nest),
}

impl Nest {
    fn new(random: &mut Pcg64Mcg, depth: usize) -> Self {
        let mut body: Vec<Item> = (0..1 + random.random_range(0..3))
            .map(|_| {
                let coefficients = |_| {
                    [
                        random.random_range(0..8),
                        [0, 1, 1, 1, 2, 5][random.random_range(0..6)],
                        [0, 0, 1, 7][random.random_range(0..4)],
                    ]
                };
                let coefficients = (0..6).map(coefficients).collect();
                Item::Statement(random.random_range(0..6) as u16, coefficients)
            })
            .collect();
        if depth > 1 {
            let at = random.random_range(0..body.len() + 1);
            body.insert(at, Item::Nest(Nest::new(random, depth - 1)));
        }
        let slope = [0, 0, 1, -1][random.random_range(0..4)];
        Self {
            count: 1 + random.random_range(0..9),
            slope,
            reversed: random.random_range(0..4) == 0,
            body,
        }
    }

    fn run(&self, kernel: &Kernel, recorder: &mut Recorder, around: &mut Vec<usize>) {
        let outer = around.last().copied().unwrap_or(0);
        let count = (self.count as isize + self.slope * outer as isize).clamp(0, 20) as usize;
        for x in 0..count {
            let x = if self.reversed { count - 1 - x } else { x };
            for item in &self.body {
                match item {
                    Item::Nest(nest) => {
                        around.push(x);
                        nest.run(kernel, recorder, around);
                        around.pop();
                    }
                    Item::Statement(number, coefficients) => {
                        let statement = kernel.statement(*number);
                        let at = |k: usize| {
                            coefficients[k][0] + coefficients[k][1] * x + coefficients[k][2] * outer
                        };
                        let index = |k: usize, array: u16| match array {
                            3 => at(k) % 4,
                            4 => 0,
                            _ => at(k),
                        };
                        for _ in &statement.control {
                            recorder.control(3 * x as i64 - at(4) as i64);
                        }
                        let operands: Vec<usize> = (1..)
                            .zip(&statement.operands)
                            .map(|(k, &o)| index(k, o))
                            .collect();
                        recorder.push(*number, index(0, statement.target), &operands);
                    }
                }
            }
        }
    }
}

/// Makes a valid schedule: every task on one or two random processors, in the first possible
/// superstep or somewhat later.
pub fn schedule(trace: &Trace, seed: u64, processors: usize, spread: usize) -> Schedule {
    const NEVER: usize = usize::MAX;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut computed: Vec<Vec<usize>> = Vec::new();
    let mut lists: Vec<Vec<Vec<u32>>> = Vec::new();
    let mut owner = 0;
    for (id, task) in trace.iter().enumerate() {
        let mut places = vec![NEVER; processors];
        // Neighbours often share a processor, so that there is something to fold.
        if random.random_range(0..8) < spread {
            owner = random.random_range(0..processors);
        }
        for copy in 0..1 + usize::from(random.random_range(0..6) == 0) {
            let processor = if copy == 0 {
                owner
            } else {
                random.random_range(0..processors)
            };
            let ready = |u: u32| {
                let places = &computed[u as usize];
                let elsewhere = places.iter().min().map_or(NEVER, |s| s + 1);
                places[processor].min(elsewhere)
            };
            let earliest = task.producers().map(ready).max().unwrap_or(0);
            let superstep = earliest + usize::from(random.random_range(0..10) == 0);
            if places[processor] != NEVER {
                continue;
            }
            places[processor] = superstep;
            if lists.len() <= superstep {
                lists.resize(superstep + 1, vec![Vec::new(); processors]);
            }
            lists[superstep][processor].push(id as u32);
        }
        computed.push(places);
    }
    Schedule::from_lists(processors as u32, lists)
}
