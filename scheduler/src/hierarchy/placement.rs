//! Which processor does what: those that send each other much come into one group.

use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Schedule};

/// Swaps the lists of processors as long as their messages cost less, each taken alone: a word what
/// its level does, and a message the latency of its level.
///
/// Processors are looked at in pairs, as in the local search for the quadratic assignment problem.
///
/// Cost: a pass over the transfers, and the cube of the number of processors for each round of
/// swaps.
pub(super) fn place(
    schedule: &CheckedSchedule<'_>,
    sent: &Communication,
    machine: &Machine,
) -> Schedule {
    let traffic = Traffic::new(schedule, sent, machine);
    // The processor of the machine on which each processor of the schedule is.
    let mut places: Vec<u32> = (0..machine.processors).collect();
    let mut is_better = true;
    while is_better {
        is_better = false;
        for a in 0..places.len() {
            for b in a + 1..places.len() {
                // Rounding must not swap a pair forth and back.
                if traffic.gain(&places, a, b) > 1e-9 * traffic.total {
                    places.swap(a, b);
                    is_better = true;
                }
            }
        }
    }
    placed(schedule.schedule(), &places)
}

/// Moves the lists of each processor to its place.
fn placed(schedule: &Schedule, places: &[u32]) -> Schedule {
    let mut at = vec![0; places.len()];
    for (processor, &place) in places.iter().enumerate() {
        at[place as usize] = processor;
    }
    let mut moved = Schedule::new(places.len() as u32);
    for superstep in 0..schedule.supersteps() {
        for &processor in &at {
            moved.push(schedule.tasks(superstep, processor).iter().copied());
        }
    }
    moved
}

/// Costs of what each pair of processors sends each other, by how far they are apart.
struct Traffic<'a> {
    machine: &'a Machine,
    /// Words that a pair sends each other, either way, and messages: row by row.
    words: Vec<f64>,
    messages: Vec<f64>,
    /// All of it at full cost.
    total: f64,
}

impl<'a> Traffic<'a> {
    fn new(schedule: &CheckedSchedule<'_>, sent: &Communication, machine: &'a Machine) -> Self {
        let width = machine.processors as usize;
        let (mut words, mut messages) = (vec![0.0; width * width], vec![0.0; width * width]);
        for message in sent.messages() {
            let (from, to) = (message[0].from as usize, message[0].to as usize);
            let count = message
                .iter()
                .map(|t| u64::from(schedule.graph().words(t.task)));
            let count = count.sum::<u64>() as f64;
            for pair in [from * width + to, to * width + from] {
                words[pair] += count;
                messages[pair] += 1.0;
            }
        }
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        let total = machine.gap * sum(&words) + machine.latency * sum(&messages);
        Self {
            machine,
            words,
            messages,
            total,
        }
    }

    /// Returns the cost of what two processors send each other from these places.
    fn cost(&self, pair: usize, a: u32, b: u32) -> f64 {
        let level = self.machine.level(a, b);
        self.machine.gap_of(level) * self.words[pair]
            + self.machine.latency_of(level) * self.messages[pair]
    }

    /// Returns the cost that is saved if two processors swap their places.
    fn gain(&self, places: &[u32], a: usize, b: usize) -> f64 {
        let others = (0..places.len()).filter(|&other| other != a && other != b);
        let of_other = |other: usize| {
            let (to_a, to_b) = (a * places.len() + other, b * places.len() + other);
            let cost = |pair, place: usize| self.cost(pair, places[place], places[other]);
            cost(to_a, a) + cost(to_b, b) - cost(to_a, b) - cost(to_b, a)
        };
        others.map(of_other).sum()
    }
}
