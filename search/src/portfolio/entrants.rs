//! Entrants: the schedulers that solve a graph, each with its machine.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_scheduler::tree::{CompleteTrees, Reduction};
use superstep_scheduler::{
    BspGreedy, Effort, GrowLocal, Order, Pipeline, ScheduleError, Scheduler,
};

use super::{
    coarsening::Shape,
    multilevel::{Multilevel, Solution},
    pool::Pool,
};
use crate::{
    Bcsh, Cuts,
    sets::MOST_PROCESSORS,
    tunables::{
        ANNEALING, BOUNDARIES, FEW, LATENCIES, MEDIUM, MORE_ANNEALING, MOST_ANNEALING,
        MUCH_ANNEALING, ROWS_ANEW, SEARCHED, SEVERAL_CUTS, SMALL, SOME_ANNEALING,
    },
};

/// Scheduler, and the machine that it is given.
pub(super) type Entrant = (Box<dyn Scheduler + Sync>, Machine);

/// Returns the pool of the entrants of all efforts, on a graph of groups of tasks.
pub(super) fn all<'a>(graph: &'a Dag, machine: &'a Machine) -> Result<Pool<'a>, ScheduleError> {
    let mut pool = Pool::new(graph, machine)?;
    let entrants = |effort| of_annealed(graph, machine, effort, MOST_ANNEALING);
    let entrants: Vec<Entrant> = Effort::ALL.into_iter().flat_map(entrants).collect();
    pool.offer_all(&entrants)?;
    Ok(pool)
}

/// Returns the entrants that this effort runs and the one before does not.
pub(super) fn of(pool: &Pool<'_>, effort: Effort) -> Vec<Entrant> {
    of_annealed(pool.graph, pool.machine, effort, MUCH_ANNEALING)
}

/// Returns the entrants of an effort, with so much annealing of owners on small graphs.
fn of_annealed(graph: &Dag, machine: &Machine, effort: Effort, annealing: u32) -> Vec<Entrant> {
    let edges = graph.edges();
    let mut entrants = Entrants {
        machine,
        list: Vec::new(),
    };
    let has_rows = graph.ids_are_topological();
    match effort {
        Effort::Fast => {
            entrants.add(GrowLocal::default(), machine);
            entrants.add_trees();
            if edges <= SEARCHED {
                entrants.add_bcsh(1.0, machine.processors);
                entrants.add_cuts(0, 0);
            }
        }
        _ if edges <= SEARCHED => entrants.add_searches(graph, effort, annealing),
        Effort::Balanced => {
            if has_rows {
                entrants.add_rows(effort);
            }
            entrants.add_bcsh(1.0, machine.processors);
        }
        Effort::Thorough if has_rows && edges <= ROWS_ANEW => entrants.add_rows(effort),
        Effort::Thorough => {}
    }
    let mut efforts = BOUNDARIES.iter();
    if efforts
        .find(|&&(_, most)| edges <= most)
        .is_some_and(|&(first, _)| first == effort)
    {
        entrants.add_boundaries();
    }
    entrants.list
}

/// List of entrants for a machine: the longest first, so that the others run beside them.
struct Entrants<'a> {
    machine: &'a Machine,
    list: Vec<Entrant>,
}

impl Entrants<'_> {
    fn add(&mut self, scheduler: impl Scheduler + Sync + 'static, machine: &Machine) {
        self.list.push((Box::new(scheduler), machine.clone()));
    }

    /// Adds the schedulers that search tasks.
    fn add_searches(&mut self, graph: &Dag, effort: Effort, annealing: u32) {
        let (machine, processors) = (self.machine, self.machine.processors);
        let size = graph.tasks() + graph.edges();
        let is_thorough = effort == Effort::Thorough;
        let (efforts, annealing): (&[u32], u32) = match effort {
            Effort::Fast | Effort::Balanced => (&[Cuts::BALANCED.effort], 0),
            Effort::Thorough if size <= SMALL => (&SEVERAL_CUTS, annealing),
            Effort::Thorough if size <= MEDIUM => (&SEVERAL_CUTS, MORE_ANNEALING),
            Effort::Thorough if processors > FEW => (&SEVERAL_CUTS[2..], MORE_ANNEALING),
            Effort::Thorough => (&SEVERAL_CUTS[4..], SOME_ANNEALING),
        };
        for &effort in efforts {
            self.add_cuts(effort, annealing);
        }
        if is_thorough && size <= MEDIUM && (3..=MOST_PROCESSORS).contains(&processors) {
            let machine = Machine {
                processors: processors / 2,
                ..machine.flat()
            };
            let effort = Cuts::THOROUGH.effort;
            self.add(Cuts { effort, annealing }, &machine);
        }
        let least = if size <= MEDIUM { ANNEALING } else { 0 };
        // Without annealing the least effort does the same.
        if annealing.max(least) > 0 {
            self.add_cuts(0, annealing.max(least));
        }
        // Ids that are not an order of the run say nothing about it.
        let by_ids = !is_thorough && graph.ids_are_topological();
        let pipeline = Pipeline {
            order: if by_ids {
                Order::Ids
            } else {
                Order::DepthFirst
            },
            tapered: size <= MEDIUM,
            ..Pipeline::default()
        };
        self.add(pipeline, machine);
    }

    /// Adds rows in place of tasks, where there are too many of those to search.
    fn add_rows(&mut self, effort: Effort) {
        let rows = Multilevel {
            shape: Shape::Row,
            solution: Solution::Portfolio(effort),
            steps: 0,
        };
        self.add(rows, self.machine);
    }

    /// Adds chosen cuts; with effort 0 those of BCSH, for boundaries that cost a latency.
    fn add_cuts(&mut self, effort: u32, annealing: u32) {
        if self.machine.processors <= MOST_PROCESSORS {
            let machine = self.with_tau(1.0);
            self.add(Cuts { effort, annealing }, &machine);
        }
    }

    /// Adds BCSH for other boundary costs and fewer processors, and other greedy schedules. Without
    /// these FFT 1,024 costs 5 % more at the least effort, and a random matrix 1 %.
    fn add_boundaries(&mut self) {
        let order = Order::DepthFirst;
        self.add(GrowLocal { order }, self.machine);
        self.add(BspGreedy { order: Order::Ids }, self.machine);
        let mut processors = self.machine.processors;
        while processors > 1 {
            for boundary in LATENCIES {
                self.add_bcsh(boundary, processors);
            }
            processors /= 2;
            if processors > 1 {
                self.add_bcsh(1.0, processors);
            }
        }
    }

    /// Adds BCSH for boundaries that cost so many latencies.
    fn add_bcsh(&mut self, boundary: f64, processors: u32) {
        if processors <= MOST_PROCESSORS {
            let machine = Machine {
                processors,
                ..self.with_tau(boundary).flat()
            };
            self.add(Bcsh::default(), &machine);
        }
    }

    /// Adds ALG3*, which serves complete binary trees alone, and a scheduler for other reductions.
    fn add_trees(&mut self) {
        let machine = self.with_tau(1.0);
        self.add(CompleteTrees, &machine);
        self.add(Reduction, &machine);
    }

    /// Returns the machine on which a boundary costs so many latencies.
    fn with_tau(&self, latencies: f64) -> Machine {
        Machine {
            tau: Some(latencies * self.machine.latency),
            ..self.machine.clone()
        }
    }
}
