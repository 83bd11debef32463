//! The best schedules found so far.

use superstep_dag_builder::TaskGraph;
use superstep_machine::Machine;

use crate::{
    CheckedSchedule, Communication, Placement, Schedule, ScheduleError, Scheduler, Serial, cost,
};

/// The most schedules that are kept.
const MOST: usize = 12;

/// The best schedules found so far, the cheapest first.
pub(super) struct Pool<'a> {
    pub(super) graph: &'a TaskGraph,
    pub(super) machine: &'a Machine,
    serial: Schedule,
    schedules: Vec<(f64, Schedule)>,
}

impl<'a> Pool<'a> {
    /// The pool with the serial schedule.
    pub(super) fn new(graph: &'a TaskGraph, machine: &'a Machine) -> Result<Self, ScheduleError> {
        let serial = Serial.schedule(graph, machine)?;
        let mut pool = Self {
            graph,
            machine,
            serial: serial.clone(),
            schedules: Vec::new(),
        };
        pool.offer(serial);
        Ok(pool)
    }

    /// Takes `schedule` in, if it is among the best and no other costs the same.
    pub(super) fn offer(&mut self, schedule: Schedule) {
        let cost = self.cost(&schedule);
        let at = self.schedules.partition_point(|kept| kept.0 < cost);
        if self.schedules.get(at).is_none_or(|kept| kept.0 > cost) {
            self.schedules.insert(at, (cost, schedule));
            self.schedules.truncate(MOST);
        }
    }

    /// BSP cost with improved lazy messages.
    fn cost(&self, schedule: &Schedule) -> f64 {
        let checked = CheckedSchedule::new(self.graph, schedule.clone())
            .expect("what a scheduler gives is valid");
        let messages = Communication::new(&checked, Placement::ImprovedLazy);
        cost::bsp_cost(&checked, &messages, self.machine.gap, self.machine.latency)
    }

    /// The schedule at that place, from 0 for the cheapest.
    pub(super) fn get(&self, place: usize) -> Option<&Schedule> {
        self.schedules.get(place).map(|(_, schedule)| schedule)
    }

    pub(super) fn serial(&self) -> &Schedule {
        &self.serial
    }

    /// The cheapest.
    pub(super) fn into_best(mut self) -> Schedule {
        self.schedules.swap_remove(0).1
    }
}
