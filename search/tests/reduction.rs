//! Reductions of any shape: valid, without copies, and as fast as their blocks allow.

use proptest::prelude::*;
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, bounds, cost::makespan};
use superstep_scheduler::tree::{Alg3Star, Reduction, complete_tree};
use superstep_scheduler::{ScheduleError, Scheduler};
use superstep_search::Bcsh;

fn machine(processors: u32, tau: f64) -> Machine {
    Machine {
        tau: Some(tau),
        ..Machine::new(processors)
    }
}

/// Returns the checked makespan.
fn time(graph: &Dag, scheduler: &impl Scheduler, processors: u32, tau: f64) -> f64 {
    let schedule = scheduler
        .schedule(graph, &machine(processors, tau))
        .unwrap();
    let schedule = CheckedSchedule::new(graph, schedule).unwrap();
    makespan(graph, schedule.schedule(), tau)
}

/// Returns blocks of these weights, combined as a `#[reduce]` loop does it: `partials[left] +=
/// partials[left + width]`.
fn blocks(weights: &[u32]) -> Dag {
    let mut weights = weights.to_vec();
    let mut edges = Vec::new();
    let mut partials: Vec<u32> = (0..weights.len() as u32).collect();
    let mut width = 1;
    while width < partials.len() {
        for left in (0..partials.len() - width).step_by(2 * width) {
            let task = weights.len() as u32;
            weights.push(1);
            edges.extend([(partials[left], task), (partials[left + width], task)]);
            partials[left] = task;
        }
        width *= 2;
    }
    let graph = Dag::from_edges(weights.len(), &edges).unwrap();
    graph.with_weights(weights).unwrap()
}

/// Returns a forest: the parent of each task is the one so many ids later, if there is one.
fn forest(steps: &[u32], weights: &[u32]) -> Dag {
    let count = steps.len() as u32;
    let parents = (0..count)
        .zip(steps)
        .map(|(task, step)| (task, task + step));
    let edges: Vec<_> = parents.filter(|&(_, parent)| parent < count).collect();
    let graph = Dag::from_edges(steps.len(), &edges).unwrap();
    graph.with_weights(weights.to_vec()).unwrap()
}

proptest! {
    #[test]
    fn schedules_of_forests_are_valid_and_copy_nothing(
        tasks in prop::collection::vec((1..40u32, 0..30u32), 1..200),
        processors in 1..20u32,
        tau in 0..60u32,
    ) {
        let (steps, weights): (Vec<_>, Vec<_>) = tasks.into_iter().unzip();
        let graph = forest(&steps, &weights);
        let tau = f64::from(tau);
        let schedule = Reduction.schedule(&graph, &machine(processors, tau)).unwrap();
        let schedule = CheckedSchedule::new(&graph, schedule).unwrap();
        prop_assert_eq!(schedule.schedule().task_instances(), graph.tasks());
        let time = makespan(&graph, schedule.schedule(), tau);
        prop_assert!(time <= graph.total_work() as f64);
        prop_assert!(time >= bounds::lower_bound(&graph, processors) as f64);
    }
}

#[test]
fn blocks_are_shared_out_evenly_and_combined_after_one_delay() {
    let tau = 1000.0;
    for (count, last) in [(64, 4096), (64, 7), (61, 4096), (37, 1000)] {
        let mut weights = vec![4096; count];
        weights[count - 1] = last;
        let graph = blocks(&weights);
        for processors in [2, 3, 4, 7, 8, 16] {
            let found = time(&graph, &Reduction, processors, tau);
            // One processor has that many whole blocks at least, and combines them.
            let most = count.div_ceil(processors as usize);
            let block_work = if most == 1 { 4096 } else { 4097 * most - 1 };
            let above = 2 * processors * 6;
            assert!(
                found <= block_work as f64 + tau + f64::from(above),
                "{count} blocks on {processors}: {found}"
            );
        }
    }
}

/// 2^18 products and their sum on two processors, 4096 to a block, as the contraction leaves them:
/// 32 groups of two blocks.
#[test]
fn a_dot_product_takes_half_its_work_a_delay_and_one_more_task() {
    let graph = blocks(&[8193; 32]);
    let half = (16 * 8193 + 15) as f64;
    assert_eq!(time(&graph, &Reduction, 2, 1000.0), half + 1001.0);
    assert!(time(&graph, &Bcsh::default(), 2, 1000.0) >= half + 1001.0);
}

#[test]
fn complete_trees_take_hardly_longer_than_by_alg3_star_and_less_on_odd_numbers_of_processors() {
    let mut faster = 0;
    for height in 6..=13 {
        for tau in [0, 2, 10, 100] {
            for processors in [1, 2, 3, 4, 6, 8, 16, 31, 32, 64] {
                if (1 << height) < 64 * processors {
                    continue;
                }
                let star = Alg3Star::new(height, tau, processors).makespan(height) as f64;
                let graph = complete_tree(height);
                let found = time(&graph, &Reduction, processors as u32, tau as f64);
                assert!(
                    found <= 1.2 * star,
                    "height {height}, tau {tau}, {processors} processors: {found}, ALG3* {star}"
                );
                faster += u32::from(found < star);
            }
        }
    }
    assert!(faster > 20, "{faster}");
}

#[test]
fn graphs_in_which_a_value_is_read_twice_are_refused() {
    let fork = Dag::from_edges(3, &[(0, 1), (0, 2)]).unwrap();
    let error = Reduction.schedule(&fork, &machine(2, 1.0)).unwrap_err();
    assert_eq!(
        error,
        ScheduleError::NoForest {
            algorithm: "reduction"
        }
    );
}

#[test]
fn graphs_without_tasks_or_without_work_are_served() {
    for tau in [0.0, 1.0] {
        let nothing = Dag::from_edges(0, &[]).unwrap();
        assert_eq!(time(&nothing, &Reduction, 3, tau), 0.0);
        assert_eq!(time(&forest(&[1; 9], &[0; 9]), &Reduction, 3, tau), 0.0);
    }
}
