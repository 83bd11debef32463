//! Graphs as graphs of their tiles.

use superstep_dag::{Contraction, Dag, tiles};
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::{
    entrants::{self, Entrant, MEDIUM, SMALL},
    pool::Pool,
    refinement::{Refinement, fitting},
};
use crate::merged::MergedPipeline;
use superstep_scheduler::{Order, Pipeline, ScheduleError, Scheduler, Serial};

/// Number of edges above which there is no time to search tiles.
const MANY_EDGES: usize = 2_500_000;

/// Number of tasks in a tile, on average, below which nothing is gained.
const FEWEST_TASKS: usize = 6;

/// Pieces: of owners enough for the triangles that processors begin and end with.
const PIECE: Shape = Shape::Piece { owners: 60 };
const SMALL_PIECE: Shape = Shape::Piece { owners: 100 };

/// Shape, and its steps of annealing for each task and edge of the graph of tasks.
type Search = (Shape, u64);

/// Tiles that are searched from nothing, and others with which the schedules found are searched on
/// in turn. The latter are smaller ones, and some that cut across those before, which lets
/// neighbours go together that were apart.
const TILES: [&[Search]; 2] = [&[(tile(2, 4), 1000), (tile(4, 4), 800)], FINER_TILES];
/// Tiles for few processors.
const TILES_OF_FEW: [&[Search]; 2] = [&[(tile(2, 4), 1200), (tile(4, 4), 1200)], FINER_TILES];
const FINER_TILES: &[Search] = &[
    (tile(2, 4), 200),
    (tile(2, 2), 200),
    (tile(1, 4), 200),
    (tile(4, 1), 200),
    (tile(2, 4), 200),
    (tile(1, 4), 200),
];
/// Tiles for large graphs.
const LARGE_TILES: [&[Search]; 2] = [
    &[(tile(2, 4), 600), (tile(4, 4), 600)],
    &[
        (tile(2, 4), 200),
        (tile(2, 2), 150),
        (tile(1, 4), 150),
        (tile(4, 1), 150),
        (tile(1, 4), 150),
    ],
];
/// Tiles for large graphs and few processors, in seconds.
const FEW_TILES: [&[Search]; 2] = [&[(tile(4, 8), 60)], &[]];
/// Tiles for large graphs and very few processors, which larger tiles keep busy.
const VERY_FEW_TILES: [&[Search]; 2] = [
    &[(tile(4, 8), 300), (tile(8, 8), 300)],
    &[(tile(4, 8), 100), (tile(4, 4), 100)],
];
/// Number of processors up to which a portfolio's schedules are worth melting: few moves are good
/// where many processors wait for one. And large graphs are searched in seconds.
const FEW: u32 = 8;
const VERY_FEW: u32 = 4;
/// Searches where tiles gain nothing.
const FINER_PIECES: &[Search] = &[(PIECE, 250), (SMALL_PIECE, 200), (tile(4, 1), 100)];

/// Factor on the latency for one of the schedules of coarse tiles that are annealed: it is the best
/// for a latency so many times as high, where the best has so many supersteps.
const HIGHER: f64 = 2.0;
const MANY_SUPERSTEPS: usize = 8;

/// Blocks for each processor that the search for a merged pipeline begins with.
const ROUNDS: [f64; 3] = [1.0, 1.5, 2.0];

/// Shape of the groups that are one task each.
#[derive(Clone, Copy)]
enum Shape {
    /// [Tiles](tiles()).
    Tile {
        /// Work of a path, in tasks of mean work.
        path: u32,
        side: usize,
    },
    /// Pieces: the work of an owner, of so many owners of a pipeline, between two exchanges.
    Piece { owners: u32 },
}

/// Scheduler of tiles or pieces as one task each, by all that a portfolio has, and by annealing
/// from the best of that. Or it starts from a schedule of the graph, which parts them where it does
/// not keep them together.
struct Tiled {
    shape: Shape,
    /// Steps of annealing for each task and edge of the graph of tasks.
    steps: u64,
    start: Start,
}

/// Start of a search of tiles.
#[derive(Clone)]
enum Start {
    /// Start from the best that a portfolio has.
    Portfolio,
    /// Start from the best that a portfolio has, molten.
    Molten,
    /// Start from a schedule of the graph of tasks.
    Schedule(Schedule),
}

/// Part of the least cost known that tiles have to reach for nothing else to be searched.
const CLEARLY: f64 = 0.97;

/// Number of schedules that are searched on with each shape.
const STARTS: usize = 2;

/// Offers the schedules that searches of tiles find, with most effort. Returns whether they are so
/// good, and the graph so large, that tasks are not worth a search.
pub(super) fn collect(pool: &mut Pool<'_>) -> Result<bool, ScheduleError> {
    let (graph, machine) = (pool.graph, pool.machine);
    if graph.edges() > MANY_EDGES || !any_group_counts(graph) {
        return Ok(false);
    }
    let known = pool.least_cost();
    let size = graph.tasks() + graph.edges();
    let is_medium = size <= MEDIUM;
    let is_few = machine.processors <= FEW;
    let mut enough = CLEARLY * known;
    let [coarse, mut finer] = if is_medium && is_few {
        TILES_OF_FEW
    } else if is_medium {
        TILES
    } else if machine.processors <= VERY_FEW {
        VERY_FEW_TILES
    } else if is_few {
        FEW_TILES
    } else {
        LARGE_TILES
    };
    let search = |start| {
        coarse
            .iter()
            .map(move |&(shape, steps)| (shape, steps, start))
    };
    let start = if is_medium && is_few && size > SMALL {
        Start::Molten
    } else {
        Start::Portfolio
    };
    offer(pool, search(&start))?;
    if pool.least_cost() >= known {
        finer = &[];
        if is_medium {
            offer_pipelines(pool)?;
            let is_merged = pool.least_cost() < known;
            if is_merged || is_deep(pool) {
                if !is_merged {
                    offer(pool, [(PIECE, 500, &Start::Portfolio)])?;
                }
                // Where pieces gain, cuts between levels do not, and there is no time for them.
                (finer, enough) = (FINER_PIECES, known);
            }
        }
    }
    // Annealing of tasks is enough for smaller graphs.
    for &(shape, steps) in finer.iter().filter(|_| size > SMALL) {
        let before = pool.least_cost();
        let starts = (0..STARTS).map_while(|place| pool.get(place).cloned());
        let starts: Vec<Start> = starts.map(Start::Schedule).collect();
        offer(pool, starts.iter().map(|start| (shape, steps, start)))?;
        if pool.least_cost() == before {
            break;
        }
    }
    Ok(size > SMALL && pool.least_cost() < enough)
}

const fn tile(path: u32, side: usize) -> Shape {
    Shape::Tile { path, side }
}

/// Returns whether the best of a pool has as many supersteps as a pipeline takes to reach its last
/// processor and to end. Where it has fewer, pieces of pipelines gain nothing; where it has as
/// many, fine ones may where coarse ones do not.
fn is_deep(pool: &Pool<'_>) -> bool {
    let best = fitting(pool).next();
    best.is_some_and(|best| best.supersteps() >= 2 * pool.machine.processors as usize)
}

/// Offers pipelines whose supersteps are merged.
fn offer_pipelines(pool: &mut Pool<'_>) -> Result<(), ScheduleError> {
    let machine = pool.machine;
    let order = if pool.graph.ids_are_topological() {
        Order::Ids
    } else {
        Order::DepthFirst
    };
    let pipelines = ROUNDS.map(|rounds| -> Entrant {
        let pipeline = MergedPipeline { order, rounds };
        (Box::new(pipeline), machine.clone())
    });
    pool.offer_all(&pipelines)
}

/// Offers the schedules that are found with these shapes, in so many steps each, from these starts.
fn offer<'a>(
    pool: &mut Pool<'_>,
    shapes: impl IntoIterator<Item = (Shape, u64, &'a Start)>,
) -> Result<(), ScheduleError> {
    let machine = pool.machine;
    let tiled = shapes.into_iter().map(|(shape, steps, start)| -> Entrant {
        let tiled = Tiled {
            shape,
            steps,
            start: start.clone(),
        };
        (Box::new(tiled), machine.clone())
    });
    pool.offer_all(&tiled.collect::<Vec<_>>())
}

/// Returns whether work and words of any group of tasks are below 2^32.
fn any_group_counts(graph: &Dag) -> bool {
    let words: u64 = (0..graph.tasks() as u32)
        .map(|task| u64::from(graph.words(task)))
        .sum();
    words.max(graph.total_work()) <= u64::from(u32::MAX)
}

impl Scheduler for Tiled {
    fn name(&self) -> &'static str {
        "tiled"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        if graph.ids_are_topological() {
            return self.in_order(graph, machine, &self.start);
        }
        let walk = Order::DepthFirst.ranks(graph);
        let mut numbers = vec![0; graph.tasks()];
        for rank in 0..graph.tasks() as u32 {
            numbers[walk.task(rank) as usize] = rank;
        }
        let graph = graph.renumbered(&numbers).expect("each task has a rank");
        let start = match self.start.clone() {
            Start::Schedule(start) => {
                Start::Schedule(start.renumbered(|task| numbers[task as usize]))
            }
            start => start,
        };
        let schedule = self.in_order(&graph, machine, &start)?;
        Ok(schedule.renumbered(|task| walk.task(task)))
    }
}

impl Tiled {
    /// Returns the schedule of a graph whose ids are an order of a run.
    fn in_order(
        &self,
        graph: &Dag,
        machine: &Machine,
        start: &Start,
    ) -> Result<Schedule, ScheduleError> {
        let steps = self.steps * (graph.tasks() + graph.edges()) as u64;
        let groups = self.shape.of(graph, machine)?;
        if let Start::Schedule(start) = start {
            let (groups, start) = start.contract(graph, groups.groups());
            let mut pool = Pool::new(groups.graph(), machine)?;
            pool.offer_found(&[|| start.clone()]);
            let is_tile = matches!(self.shape, Shape::Tile { .. });
            Refinement::of_finer(steps, is_tile).run(&mut pool);
            return Ok(pool.into_best().expand(&groups));
        }
        if FEWEST_TASKS * groups.graph().tasks() > graph.tasks() {
            return Serial.schedule(graph, machine);
        }
        let mut pool = entrants::all(groups.graph(), machine)?;
        let size = graph.tasks() + graph.edges();
        let is_in_seconds = size <= SMALL || size > MEDIUM && machine.processors <= FEW;
        let other = if is_in_seconds {
            None
        } else {
            with_fewer_supersteps(&pool)?
        };
        let is_molten = matches!(start, Start::Molten);
        Refinement::of_tiles(steps, is_molten).run_with(&mut pool, other);
        Ok(pool.into_best().expand(&groups))
    }
}

impl Shape {
    /// Returns the groups of this shape.
    fn of(self, graph: &Dag, machine: &Machine) -> Result<Contraction, ScheduleError> {
        match self {
            Self::Tile { path, side } => {
                let mean = graph.total_work() / graph.tasks().max(1) as u64;
                let path = path.saturating_mul(mean.max(1) as u32);
                Ok(tiles(graph, path, side))
            }
            Self::Piece { owners } => pieces(graph, machine, owners),
        }
    }
}

/// Returns the best schedule for a higher latency, and the machine that has it. There is none where
/// the best of the pool has few supersteps, or for two processors, which are even from the
/// beginning.
///
/// No move of one task leaves a superstep empty, and once moves have made loads even, fewer
/// supersteps pay than before.
fn with_fewer_supersteps(pool: &Pool<'_>) -> Result<Option<(Schedule, Machine)>, ScheduleError> {
    let supersteps = fitting(pool).next().map_or(0, |best| best.supersteps());
    if supersteps < MANY_SUPERSTEPS || pool.machine.processors < 3 {
        return Ok(None);
    }
    let machine = Machine {
        latency: HIGHER * pool.machine.latency,
        ..pool.machine.clone()
    };
    let found = entrants::all(pool.graph, &machine)?;
    let best = fitting(&found).next();
    Ok(best.map(|best| (best, machine.clone())))
}

/// Makes each list of a pipeline of many owners a group. No task is in two, and none reads from
/// later supersteps.
fn pieces(graph: &Dag, machine: &Machine, owners: u32) -> Result<Contraction, ScheduleError> {
    let pieces = Machine {
        processors: owners,
        // So that each owner does its part in about as many pieces as there are owners.
        latency: graph.total_work() as f64 / f64::from(owners).powi(2),
        ..machine.flat()
    };
    let lists = Pipeline::default().schedule(graph, &pieces)?;
    let mut groups = vec![0; graph.tasks()];
    let mut count = 0;
    for superstep in 0..lists.supersteps() {
        for list in lists.superstep(superstep).filter(|list| !list.is_empty()) {
            for &task in list {
                groups[task as usize] = count;
            }
            count += 1;
        }
    }
    Ok(Contraction::of_groups(graph, &groups, count as usize))
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;

    use super::*;
    use crate::Portfolio;
    use superstep_schedule::{CheckedSchedule, Costs};
    use superstep_scheduler::Effort;

    #[test]
    fn tiles_of_lu_cost_less_than_tasks_whatever_these_are_called() {
        let graph = generate::lu(32).expect("it is small");
        let backwards: Vec<u32> = (0..graph.tasks() as u32).rev().collect();
        let machine = Machine {
            latency: 100.0,
            ..Machine::new(4)
        };
        let cost = |graph: &Dag, scheduler: &dyn Scheduler| {
            let schedule = scheduler.schedule(graph, &machine).expect("it serves all");
            let schedule = CheckedSchedule::new(graph, schedule).expect("it is valid");
            Costs::of(&schedule, &machine).bsp_cost
        };
        let shape = Shape::Tile { path: 2, side: 4 };
        let (steps, start) = (50, Start::Portfolio);
        let tiled = Tiled {
            shape,
            steps,
            start,
        };
        let effort = Effort::Balanced;
        let tasks = cost(&graph, &Portfolio { effort });
        let renumbered = graph.renumbered(&backwards).expect("it has as many tasks");
        for graph in [&graph, &renumbered] {
            let tiles = cost(graph, &tiled);
            assert!(tiles < tasks, "{tiles}, {tasks}");
        }
    }

    #[test]
    fn pieces_of_a_grid_cost_less_than_its_pipeline_where_latency_is_high() {
        let graph = generate::grid_substitution_by_row(100).expect("it is small");
        let machine = Machine {
            latency: 1000.0,
            ..Machine::new(8)
        };
        let (shape, steps, start) = (Shape::Piece { owners: 20 }, 50, Start::Portfolio);
        let [pieces, pipeline] = [
            Tiled {
                shape,
                steps,
                start,
            }
            .schedule(&graph, &machine),
            Pipeline::default().schedule(&graph, &machine),
        ]
        .map(|schedule| {
            let schedule = CheckedSchedule::new(&graph, schedule.expect("they serve all"));
            Costs::of(&schedule.expect("it is valid"), &machine).bsp_cost
        });
        assert!(pieces < pipeline, "{pieces}, {pipeline}");
    }
}
