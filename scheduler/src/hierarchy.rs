//! Scheduling for machines with levels, by any algorithm: messages inside a host or a site cost
//! less than those that leave it.
//!
//! An algorithm that knows nothing of levels is asked several times, and the cheapest schedule on
//! the machine as it is, is taken:
//!
//! * Level by level. First the graph is scheduled on a machine whose processors are the groups of
//!   the outermost level (sites). Then each site's part of each superstep is scheduled on the
//!   processors of that site, and so on inwards. What was one superstep becomes several, and all
//!   boundaries but the last stay inside the sites.
//! * One group alone: where messages between sites cost more than they gain, the rest of the
//!   machine is left idle.
//! * All processors at once, group by group in their order: neighbours in the schedule are
//!   neighbours in the machine. An algorithm that reads levels (`owners`, and the annealing of the
//!   portfolio) has its own way here.
//!
//! The experiment: LU 128, FFT 8192, a grid of 300 and ten sweeps of 256 x 256, by five algorithms,
//! on two sites of four hosts. Boundaries between the sites cost 1,000, 10,000 and 100,000 tasks,
//! and a tenth inside. Costs are higher
//!
//! * by 26 % without the one group (in 13 of 48 cases, up to nine times);
//! * by 1.4 % without the first way (10 cases, up to 23 %);
//! * by 0.8 % without the last one (3 cases, up to 22 %).
//!
//! Schedules for boundaries that all cost as much as inner ones gained 0.1 %. Swaps of processors
//! by their traffic gained nothing.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use crate::{ScheduleError, Scheduler, priced};

/// Schedules `graph` by that algorithm on a machine with levels.
///
/// Cost: that of the algorithm, three times for one level: on all processors, on one group, and on
/// the groups with their parts.
///
/// # Errors
/// As [`Scheduler::schedule`].
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::{Level, Machine};
/// use superstep_schedule::{CheckedSchedule, Costs};
/// use superstep_scheduler::{GrowLocal, Scheduler, hierarchy};
///
/// // Two sites of two processors.
/// let site = Level { groups: vec![0, 0, 1, 1], latency: 0.05, gap: 0.1 };
/// let machine = Machine { latency: 2000.0, levels: vec![site], ..Machine::new(4) };
/// let graph = generate::lu(32)?;
/// let cost = |schedule| CheckedSchedule::new(&graph, schedule).map(|s| Costs::of(&s, &machine).bsp_cost);
/// let flat = cost(GrowLocal::default().schedule(&graph, &machine)?)?;
/// let nested = cost(hierarchy::schedule(&GrowLocal::default(), &graph, &machine)?)?;
/// assert!(nested < 0.8 * flat, "{nested} and {flat}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn schedule(
    scheduler: &dyn Scheduler,
    graph: &Dag,
    machine: &Machine,
) -> Result<Schedule, ScheduleError> {
    if machine.levels.is_empty() {
        return scheduler.schedule(graph, machine);
    }
    let mut best: Option<(f64, Schedule)> = None;
    let mut offer = |schedule| {
        let (cost, schedule) = priced(graph, machine, schedule);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, schedule));
        }
    };
    let groups = machine.groups();
    let order = in_groups(machine);
    let whole = scheduler.schedule(graph, &machine.part(&order))?;
    offer(spread(&whole, &order, machine.processors));
    if let Some(largest) = groups.iter().max_by_key(|group| group.len())
        && groups.len() > 1
    {
        let alone = schedule(scheduler, graph, &machine.part(largest))?;
        offer(spread(&alone, largest, machine.processors));
        match nested(scheduler, graph, machine, &groups) {
            Ok(nested) => offer(nested),
            // Parts of a graph need not have its shape.
            Err(
                ScheduleError::NoCompleteTree { .. }
                | ScheduleError::NoForest { .. }
                | ScheduleError::Instances { .. },
            ) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(best.expect("some were offered").1)
}

/// Returns all processors, those of one group next to each other on every level.
fn in_groups(machine: &Machine) -> Vec<u32> {
    let mut order: Vec<u32> = (0..machine.processors).collect();
    order.sort_by_key(|&processor| {
        let groups = machine.levels.iter().rev();
        let groups = groups.map(|level| level.groups[processor as usize]);
        groups.collect::<Vec<u32>>()
    });
    order
}

/// Lays the lists of a schedule out on some of `wide` processors.
fn spread(schedule: &Schedule, processors: &[u32], wide: u32) -> Schedule {
    let mut wider = Schedule::new(wide);
    let mut at = vec![None; wide as usize];
    for (list, &processor) in processors.iter().enumerate() {
        at[processor as usize] = Some(list);
    }
    for superstep in 0..schedule.supersteps() {
        for list in &at {
            let tasks = list.map_or(&[][..], |list| schedule.tasks(superstep, list));
            wider.push(tasks.iter().copied());
        }
    }
    wider
}

/// Schedules the graph on the groups, and then each group's part of each superstep on its
/// processors.
fn nested(
    scheduler: &dyn Scheduler,
    graph: &Dag,
    machine: &Machine,
    groups: &[Vec<u32>],
) -> Result<Schedule, ScheduleError> {
    let outer = scheduler.schedule(graph, &of_groups(machine, groups))?;
    let mut schedule = Schedule::new(machine.processors);
    for superstep in 0..outer.supersteps() {
        let parts = outer.superstep(superstep).zip(groups);
        let inner =
            parts.map(|(tasks, processors)| within(scheduler, graph, machine, tasks, processors));
        let inner: Vec<Schedule> = inner.collect::<Result<_, _>>()?;
        let longest = inner.iter().map(Schedule::supersteps).max().unwrap_or(0);
        for step in 0..longest {
            let mut lists = vec![&[][..]; machine.processors as usize];
            for (inner, processors) in inner.iter().zip(groups) {
                if step < inner.supersteps() {
                    for (list, &processor) in processors.iter().enumerate() {
                        lists[processor as usize] = inner.tasks(step, list);
                    }
                }
            }
            for list in lists {
                schedule.push(list.iter().copied());
            }
        }
    }
    Ok(schedule)
}

/// Returns the machine whose processors are the groups. A group does as much at a time as it has
/// processors, so that a boundary costs as many times more beside a task. Its processors share its
/// words.
fn of_groups(machine: &Machine, groups: &[Vec<u32>]) -> Machine {
    let size = f64::from(machine.processors) / groups.len() as f64;
    Machine {
        gap: machine.gap,
        latency: size * machine.latency,
        tau: machine.tau.map(|tau| size * tau),
        ..Machine::new(groups.len() as u32)
    }
}

/// Schedules some tasks, listed in an order in which they can run, on some processors.
fn within(
    scheduler: &dyn Scheduler,
    graph: &Dag,
    machine: &Machine,
    tasks: &[u32],
    processors: &[u32],
) -> Result<Schedule, ScheduleError> {
    let mut tasks = tasks.to_vec();
    if graph.ids_are_topological() {
        tasks.sort_unstable();
    }
    let part = graph
        .part(&tasks)
        .expect("a part has no more tasks than the whole");
    let schedule = schedule(scheduler, &part, &machine.part(processors))?;
    Ok(schedule.renumbered(|task| tasks[task as usize]))
}
