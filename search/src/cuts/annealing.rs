//! Simulated annealing of the owners of all groups at once.
//!
//! The search deals the groups of a layer when it knows which of its values later layers need, but
//! not which values it will need of earlier ones, and by rules. Here the groups of all layers move,
//! by the cost of all supersteps. Any owners make a valid schedule, as no group needs another of
//! its layer.

use superstep_machine::Machine;

use super::{board::Board, levelled::Levelled, search::Layer};
use superstep_random::SplitMix64;

/// Rise of the cost that is accepted with probability 1/e at first and at last: parts of the
/// average cost of a layer.
const HOT: f64 = 2e-3;
const COLD: f64 = 5e-5;

/// Share of a processor's mean load and mean words that counts as cost: a slope where the largest
/// alone give none.
const SLOPE: f64 = 0.2;

/// Steps of a try besides those of the board.
const STEPS_PER_TRY: u64 = 20;

/// Number of times that a group of the processor at hand is looked for.
const LOOKS: u32 = 4;

/// Finds better owners for the groups of all layers, in that many steps or so.
pub(super) fn anneal(graph: &Levelled<'_>, machine: &Machine, layers: &mut [Layer], steps: u64) {
    if steps == 0 || layers.is_empty() || machine.processors < 2 {
        return;
    }
    let mut board = Board::new(graph, machine, layers);
    let mut random = SplitMix64::new(0);
    let mut best = (board.cost(machine), board.owners.clone());
    let mut energy = best.0 + slope(&board, machine);
    let unit = best.0 / layers.len() as f64;
    let (start, mut tries) = (board.steps, 0);
    loop {
        let spent = board.steps - start + STEPS_PER_TRY * tries;
        if spent >= steps {
            break;
        }
        tries += 1;
        let temperature = unit * HOT * (COLD / HOT).powf(spent as f64 / steps as f64);
        let Some(exchange) = choose(&board, &mut random) else {
            continue;
        };
        exchange.make(&mut board);
        let cost = board.cost(machine);
        let after = cost + slope(&board, machine);
        let rise = after - energy;
        if rise > 0.0 && random.unit() >= (-rise / temperature).exp() {
            exchange.take_back(&mut board);
            continue;
        }
        energy = after;
        if cost < best.0 {
            best.0 = cost;
            best.1.clone_from(&board.owners);
        }
    }
    let mut owners = best.1.as_slice();
    for layer in layers {
        let (own, rest) = owners.split_at(layer.owners.len());
        layer.owners.copy_from_slice(own);
        owners = rest;
    }
}

fn slope(board: &Board, machine: &Machine) -> f64 {
    SLOPE * board.total(machine) / f64::from(machine.processors)
}

/// Exchange: a group that goes to another processor, and maybe one from there that takes its place.
struct Exchange {
    group: u32,
    from: u8,
    to: u8,
    back: Option<u32>,
}

impl Exchange {
    fn make(&self, board: &mut Board) {
        board.put(self.group, self.to);
        if let Some(back) = self.back {
            board.put(back, self.from);
        }
    }

    fn take_back(&self, board: &mut Board) {
        if let Some(back) = self.back {
            board.put(back, self.to);
        }
        board.put(self.group, self.from);
    }
}

/// Returns a random exchange, most often of a group of the processor that makes a layer dear; none
/// if it would change nothing.
fn choose(board: &Board, random: &mut SplitMix64) -> Option<Exchange> {
    let layer = random.below(board.layers());
    let groups = board.groups(layer);
    let any = |random: &mut SplitMix64| groups.start + random.below(groups.len()) as u32;
    let mut group = any(random);
    let dear = match random.below(4) {
        0 => None,
        1 => Some(board.busiest(layer)),
        _ => Some(board.most_traffic(layer)),
    };
    for _ in 0..LOOKS {
        if dear.is_none_or(|dear| board.owners[group as usize] == dear) {
            break;
        }
        group = any(random);
    }
    let other = any(random);
    let swap = random.below(2) == 0;
    let to = if swap || random.below(2) == 0 {
        board.owners[other as usize]
    } else {
        random.below(board.processors()) as u8
    };
    let from = board.owners[group as usize];
    (to != from).then_some(Exchange {
        group,
        from,
        to,
        back: swap.then_some(other),
    })
}
