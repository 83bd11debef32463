//! Entrants: the cheap schedulers, each with its machine.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_scheduler::tree::{CompleteTrees, Reduction};
use superstep_scheduler::{
    BspGreedy, Effort, GrowLocal, Order, Pipeline, ScheduleError, Scheduler,
};

use super::{coarse::Coarse, pool::Pool};
use crate::{Bcsh, Cuts};

/// Returns the number of edges up to which a scheduler runs for several machines.
fn few_edges(effort: Effort) -> usize {
    match effort {
        Effort::Fast => 30_000,
        Effort::Balanced => 150_000,
        Effort::Thorough => 3_000_000,
    }
}

/// Number of edges above which every effort does the same as the least.
const MANY_EDGES: usize = 10_000_000;

/// Number of tasks and edges up to which cuts are searched with many efforts, BCSH runs for many
/// boundary costs, and tiles are annealed for long.
pub(super) const MEDIUM: usize = 1_000_000;

/// Number of tasks and edges up to which there is time for tiles and for all searches among tasks.
pub(super) const SMALL: usize = 100_000;

/// Efforts of cuts. More effort is not always better: it is cut off at other places, and costs
/// differ by some per cent either way.
const SEVERAL_EFFORTS: [u32; 5] = [2000, 1000, 600, Cuts::THOROUGH.effort, 300];

/// Steps of annealing of owners, for each task and edge: with the cuts of BCSH, where there is less
/// time than for several efforts of cuts, on large graphs for few processors, on other large and on
/// medium ones, on small ones, and on those whose tasks are groups of others.
const ANNEALING: u32 = 20;
const SOME_ANNEALING: u32 = 50;
const MORE_ANNEALING: u32 = 300;
const MUCH_ANNEALING: u32 = 400;
const MOST_ANNEALING: u32 = 1000;

/// Scheduler, and the machine that it is given.
pub(super) type Entrant = (Box<dyn Scheduler + Sync>, Machine);

/// Returns the pool of the entrants of all efforts, on a graph of groups of tasks.
pub(super) fn all<'a>(graph: &'a Dag, machine: &'a Machine) -> Result<Pool<'a>, ScheduleError> {
    let mut pool = Pool::new(graph, machine)?;
    let entrants = |effort| of_annealed(&pool, effort, MOST_ANNEALING);
    let entrants: Vec<Entrant> = Effort::ALL.into_iter().flat_map(entrants).collect();
    pool.offer_all(&entrants)?;
    Ok(pool)
}

/// Returns the entrants that this effort runs and the one before does not.
pub(super) fn of(pool: &Pool<'_>, effort: Effort) -> Vec<Entrant> {
    of_annealed(pool, effort, MUCH_ANNEALING)
}

/// Returns the entrants of an effort, with so much annealing on small graphs.
fn of_annealed(pool: &Pool<'_>, effort: Effort, annealing: u32) -> Vec<Entrant> {
    let edges = pool.graph.edges();
    let mut entrants = Vec::new();
    if effort > Effort::Fast && edges <= MANY_EDGES / 4 {
        searches(pool, effort, annealing, &mut entrants);
    }
    if edges > MANY_EDGES / 4 && pool.graph.ids_are_topological() {
        coarse(edges, effort, &mut entrants, pool.machine);
    }
    if effort == Effort::Fast {
        add(&mut entrants, GrowLocal::default(), pool.machine);
        add_trees(&mut entrants, pool.machine);
    }
    let bcsh = if edges <= MANY_EDGES / 4 {
        Effort::Fast
    } else {
        Effort::Balanced
    };
    if effort == bcsh {
        add_bcsh(&mut entrants, pool.machine, 1.0, pool.machine.processors);
    }
    if effort == Effort::Fast && bcsh == effort && pool.machine.processors <= Cuts::MOST_PROCESSORS
    {
        add_dealt(&mut entrants, pool.machine, 0);
    }
    let was_few = match effort {
        Effort::Fast => false,
        Effort::Balanced => edges <= few_edges(Effort::Fast),
        Effort::Thorough => edges <= few_edges(Effort::Balanced),
    };
    if edges <= few_edges(effort) && !was_few {
        add_orders(&mut entrants, pool.machine);
        if edges <= MEDIUM {
            add_boundaries(&mut entrants, pool.machine);
        }
    }
    entrants
}

/// Adds the schedulers that search: the longest first, so that the others run beside them.
fn searches(pool: &Pool<'_>, effort: Effort, annealing: u32, entrants: &mut Vec<Entrant>) {
    let (machine, processors) = (pool.machine, pool.machine.processors);
    let size = pool.graph.tasks() + pool.graph.edges();
    let order = match effort {
        // Ids that are not an order of the run say nothing about it.
        Effort::Fast | Effort::Balanced if pool.graph.ids_are_topological() => Order::Ids,
        _ => Order::DepthFirst,
    };
    let (efforts, annealing): (&[u32], u32) = match effort {
        Effort::Fast | Effort::Balanced => (&[Cuts::BALANCED.effort], 0),
        Effort::Thorough if size <= SMALL => (&SEVERAL_EFFORTS, annealing),
        Effort::Thorough if size <= MEDIUM => (&SEVERAL_EFFORTS, MORE_ANNEALING),
        Effort::Thorough if processors > 8 => (&SEVERAL_EFFORTS[2..], MORE_ANNEALING),
        Effort::Thorough => (&SEVERAL_EFFORTS[4..], SOME_ANNEALING),
    };
    if processors <= Cuts::MOST_PROCESSORS {
        for &effort in efforts {
            add(entrants, Cuts { effort, annealing }, machine);
        }
        if effort == Effort::Thorough && size <= MEDIUM && processors > 2 {
            let machine = Machine {
                processors: processors / 2,
                ..machine.flat()
            };
            let effort = Cuts::THOROUGH.effort;
            add(entrants, Cuts { effort, annealing }, &machine);
        }
        let least = if size <= MEDIUM { ANNEALING } else { 0 };
        let annealing = annealing.max(least);
        // Without annealing the least effort does the same.
        if annealing > 0 {
            add_dealt(entrants, machine, annealing);
        }
    }
    let pipeline = Pipeline {
        order,
        tapered: size <= MEDIUM,
        ..Pipeline::default()
    };
    add(entrants, pipeline, machine);
}

/// Adds rows in place of tasks, where there are too many of those to search.
fn coarse(edges: usize, effort: Effort, entrants: &mut Vec<Entrant>, machine: &Machine) {
    let is_in_time = match effort {
        Effort::Fast => false,
        Effort::Balanced => true,
        Effort::Thorough => edges <= MANY_EDGES,
    };
    if is_in_time {
        add(entrants, Coarse { effort }, machine);
    }
}

/// Adds greedy schedulers in other orders.
fn add_orders(entrants: &mut Vec<Entrant>, machine: &Machine) {
    for order in [Order::DepthFirst, Order::Levels] {
        add(entrants, GrowLocal { order }, machine);
    }
    for order in [Order::Ids, Order::Levels] {
        add(entrants, BspGreedy { order }, machine);
    }
}

/// Adds BCSH for other boundary costs and fewer processors.
fn add_boundaries(entrants: &mut Vec<Entrant>, machine: &Machine) {
    let mut processors = machine.processors;
    while processors > 1 {
        for boundary in [0.0, 0.3, 2.0, 4.0] {
            add_bcsh(entrants, machine, boundary, processors);
        }
        processors /= 2;
        if processors > 1 {
            add_bcsh(entrants, machine, 1.0, processors);
        }
    }
}

fn add(entrants: &mut Vec<Entrant>, scheduler: impl Scheduler + Sync + 'static, machine: &Machine) {
    entrants.push((Box::new(scheduler), machine.clone()));
}

/// Adds BCSH for boundaries that cost `boundary` latencies.
fn add_bcsh(entrants: &mut Vec<Entrant>, machine: &Machine, boundary: f64, processors: u32) {
    if processors <= Bcsh::MOST_PROCESSORS {
        let machine = Machine {
            processors,
            tau: Some(boundary * machine.latency),
            ..machine.flat()
        };
        add(entrants, Bcsh::default(), &machine);
    }
}

/// Adds the layers of BCSH, for boundaries that cost a latency, dealt anew.
fn add_dealt(entrants: &mut Vec<Entrant>, machine: &Machine, annealing: u32) {
    let machine = Machine {
        tau: Some(machine.latency),
        ..machine.clone()
    };
    let effort = 0;
    add(entrants, Cuts { effort, annealing }, &machine);
}

/// Adds ALG3*, which serves complete binary trees alone, and a scheduler for other reductions.
fn add_trees(entrants: &mut Vec<Entrant>, machine: &Machine) {
    let machine = Machine {
        tau: Some(machine.latency),
        ..machine.clone()
    };
    add(entrants, CompleteTrees, &machine);
    add(entrants, Reduction, &machine);
}
