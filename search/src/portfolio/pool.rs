//! Pool of the best schedules found so far.

use std::{num::NonZero, thread};

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{Schedule, folded_size};

use super::entrants::Entrant;
use superstep_scheduler::{ScheduleError, Scheduler, Serial, in_parallel, priced};

/// Largest number of schedules that are kept.
const MOST: usize = 12;

/// Pool of the best schedules found so far, the cheapest first.
pub(super) struct Pool<'a> {
    pub(super) graph: &'a Dag,
    pub(super) machine: &'a Machine,
    pub(super) serial: Schedule,
    schedules: Vec<(f64, Schedule)>,
    /// Schedule that folds best, of others that cost as little as the cheapest. Searches do not
    /// start from it.
    equal: Option<Schedule>,
}

impl<'a> Pool<'a> {
    /// Returns the pool with the serial schedule.
    pub(super) fn new(graph: &'a Dag, machine: &'a Machine) -> Result<Self, ScheduleError> {
        let serial = Serial.schedule(graph, machine)?;
        let mut pool = Self {
            graph,
            machine,
            serial: serial.clone(),
            schedules: Vec::new(),
            equal: None,
        };
        let serial = priced(graph, machine, serial);
        pool.keep(serial);
        Ok(pool)
    }

    /// Takes in the schedule that each entrant finds for its machine, which may have fewer
    /// processors than the pool's.
    pub(super) fn offer_all(&mut self, entrants: &[Entrant]) -> Result<(), ScheduleError> {
        let wide = self.machine.processors;
        let found = self.side_by_side(entrants, |(scheduler, machine)| {
            match scheduler.schedule(self.graph, machine) {
                Ok(schedule) => Ok(Some(priced(
                    self.graph,
                    self.machine,
                    schedule.widened(wide),
                ))),
                // Too many copies to count, which is never the best, or no graph of its shape.
                Err(
                    ScheduleError::Instances { .. }
                    | ScheduleError::NoCompleteTree { .. }
                    | ScheduleError::NoForest { .. },
                ) => Ok(None),
                Err(error) => Err(error),
            }
        });
        for priced in found {
            if let Some(priced) = priced? {
                self.keep(priced);
            }
        }
        Ok(())
    }

    /// Takes in the schedules that `find` finds from these starts.
    pub(super) fn offer_found<T: Sync>(
        &mut self,
        starts: &[T],
        find: impl Fn(&T) -> Schedule + Sync,
    ) {
        for priced in self.side_by_side(starts, |start| {
            priced(self.graph, self.machine, find(start))
        }) {
            self.keep(priced);
        }
    }

    /// Keeps a schedule if it is among the best and no other costs as much. It also keeps one that
    /// is as cheap as the cheapest and folds better.
    fn keep(&mut self, (cost, schedule): (f64, Schedule)) {
        let at = self.schedules.partition_point(|kept| kept.0 < cost);
        if self.schedules.get(at).is_none_or(|kept| kept.0 > cost) {
            self.schedules.insert(at, (cost, schedule));
            self.schedules.truncate(MOST);
            if at == 0 {
                self.equal = None;
            }
        } else if at == 0 {
            let others = self.equal.iter().chain([&self.schedules[0].1]);
            let least = others.map(folded_size).min();
            if least.is_some_and(|least| folded_size(&schedule) < least) {
                self.equal = Some(schedule);
            }
        }
    }

    /// Applies `job` to each item, side by side. Returns the results in the order of the items.
    fn side_by_side<T: Sync, R: Send>(&self, items: &[T], job: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let is_worth_it = EDGES_SIDE_BY_SIDE.contains(&self.graph.edges());
        let threads = is_worth_it.then(thread::available_parallelism);
        let threads = threads.and_then(Result::ok);
        in_parallel(threads.unwrap_or(NonZero::<usize>::MIN), items, job)
    }

    /// Returns the cost of the cheapest.
    pub(super) fn least_cost(&self) -> f64 {
        self.schedules[0].0
    }

    /// Returns the schedule at that place, from 0 for the cheapest.
    pub(super) fn get(&self, place: usize) -> Option<&Schedule> {
        self.schedules.get(place).map(|(_, schedule)| schedule)
    }

    /// Returns the cheapest; of several the one that folds best.
    pub(super) fn into_best(mut self) -> Schedule {
        let cheapest = self.schedules.swap_remove(0).1;
        self.equal.unwrap_or(cheapest)
    }
}

/// Numbers of edges for which jobs run side by side: below, a thread costs more than it saves;
/// above, memory for several is dear.
const EDGES_SIDE_BY_SIDE: std::ops::RangeInclusive<usize> = 1_000..=10_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_schedules_that_cost_the_same_the_one_that_folds_best_is_taken() {
        let graph = Dag::from_edges(8, &[]).expect("it has no cycle");
        let machine = Machine::new(2);
        let scattered = Schedule::from_lists(2, [[vec![0, 1, 3, 6], vec![2, 4, 5, 7]]]);
        let rows = Schedule::from_lists(2, [[vec![0, 1, 2, 3], vec![4, 5, 6, 7]]]);
        for order in [[&scattered, &rows], [&rows, &scattered]] {
            let mut pool = Pool::new(&graph, &machine).expect("serial serves all");
            pool.offer_found(&order, |&schedule| schedule.clone());
            // Searches start where they did.
            assert_eq!(pool.get(0), Some(order[0]));
            assert_eq!(pool.into_best(), rows);
        }
    }
}
