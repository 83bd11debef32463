//! Plans that own their structure stand in one object with the matrix, and copy nothing of it.
#![forbid(unsafe_code)]

mod patterns;

use std::sync::Arc;
use std::thread;

use patterns::{WINDOWS, bits, lower, small, start};
use proptest::prelude::*;
use superstep::plan::PlanningError;
use superstep_planned::kernels::forward;

/// A triangular matrix with the plans of its solves.
struct Solver {
    row: Arc<[usize]>,
    col: Arc<Vec<u32>>,
    values: Vec<f64>,
    plan: forward::Planned<'static>,
    loaded: forward::Loaded<'static>,
}

impl Solver {
    fn new(row: Vec<usize>, col: Vec<u32>, values: Vec<f64>) -> Result<Self, PlanningError> {
        let (row, col) = (Arc::<[usize]>::from(row), Arc::new(col));
        let (schedule, costs) = small(WINDOWS);
        let plan = forward::plan_owned(row.len() - 1, Arc::clone(&row), Arc::clone(&col))
            .exactly(3)
            .schedule(schedule)
            .costs(costs)
            .build()?;
        let loaded = plan.load(&values)?;
        Ok(Self {
            row,
            col,
            values,
            plan,
            loaded,
        })
    }

    fn solve(&self, x: &mut [f64], is_loaded: bool) {
        let run = match is_loaded {
            true => self.loaded.run(x),
            false => self.plan.run(&self.values, x),
        };
        run.unwrap();
    }
}

proptest! {
    #[test]
    fn an_object_of_matrix_and_plans_solves_in_any_thread(pattern in lower()) {
        let (n, values) = (pattern.size(), pattern.values());
        let mut expected = start(n);
        forward(n, &pattern.row, &pattern.col, &values, &mut expected);
        let solver = Solver::new(pattern.row, pattern.col, values).unwrap();
        let solver = Arc::new(solver);
        let solves = [false, true].map(|is_loaded| {
            let solver = Arc::clone(&solver);
            thread::spawn(move || {
                let mut x = start(n);
                solver.solve(&mut x, is_loaded);
                x
            })
        });
        for found in solves.map(|solve| solve.join().unwrap()) {
            prop_assert_eq!(bits(&found), bits(&expected));
        }
    }
}

#[test]
fn structure_is_held_and_not_copied() {
    let solver = Solver::new(vec![0, 1, 3], vec![0, 0, 1], vec![1.0, 2.0, 4.0]).unwrap();
    let Solver {
        row,
        col,
        plan,
        loaded,
        ..
    } = solver;
    let counts = || [Arc::strong_count(&row), Arc::strong_count(&col)];
    assert_eq!(counts(), [2, 2]);
    drop(plan);
    assert_eq!(counts(), [2, 2]);
    drop(loaded);
    assert_eq!(counts(), [1, 1]);
}

#[test]
fn vectors_and_boxes_are_owned_and_others_lent() {
    let solves = |plan: forward::Planned<'_>| {
        let mut x = [1.0, 10.0];
        plan.run(&[1.0, 2.0, 4.0], &mut x).unwrap();
        assert_eq!(x, [1.0, 2.0]);
    };
    solves(
        forward::plan_owned(2, vec![0, 1, 3], vec![0, 0, 1])
            .build()
            .unwrap(),
    );
    let (row, col): (Box<[usize]>, &'static [u32]) = ([0, 1, 3].into(), &[0, 0, 1]);
    solves(forward::plan_owned(2, row, col).build().unwrap());
}

#[test]
fn plans_that_own_can_be_saved_and_opened() {
    let name = format!("superstep-owned-{}.plan", std::process::id());
    let path = std::env::temp_dir().join(name);
    let (row, col) = (Arc::<[usize]>::from([0, 1, 3]), vec![0, 0, 1]);
    let planner = forward::plan_owned(2, Arc::clone(&row), col).processors(2);
    planner.build().unwrap().save(&path).unwrap();
    let opened = planner.open(&path);
    std::fs::remove_file(&path).unwrap();
    drop(planner);
    let mut x = [1.0, 10.0];
    opened.unwrap().run(&[1.0, 2.0, 4.0], &mut x).unwrap();
    assert_eq!(x, [1.0, 2.0]);
}

#[test]
fn plans_are_sent_and_shared() {
    fn assert<T: Send + Sync + 'static>() {}
    assert::<forward::Planner<'static>>();
    assert::<forward::Planned<'static>>();
    assert::<forward::Loaded<'static>>();
}
