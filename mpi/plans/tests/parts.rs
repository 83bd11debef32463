//! Tests of plans over ranks that are threads: parts of arrays, plan files, errors on every rank.

use superstep::plan::Schedule;
use superstep::ranks::{Communicator, Inputs, Over, RankError, local};
use superstep_mpi_plans::kernels::{failing, forward, lu};
use superstep_mpi_plans::{check, dominant, fine, grid, ic0};

/// Factors a matrix whose rows are on four ranks; returns the words that each of them held.
fn factor(n: usize, parts: u32) -> Vec<usize> {
    let mut expected: Vec<f64> = (0..n * n).map(|word| dominant(n, word)).collect();
    superstep_mpi_plans::kernels::lu(n, &mut expected);
    let expected = &expected;
    local::run(4, |ranks| {
        let planner = lu::plan(n).costs(fine());
        let plan = planner.schedule(Schedule::Owners(parts)).build_over(ranks);
        let plan = plan.expect("it is planned");
        let mut part = plan.part(ranks).expect("it has memory");
        for _ in 0..2 {
            part.fill_a(|word| dominant(n, word));
            part.run(ranks).expect("it runs");
            let mut own = 0;
            for (word, value) in part.results_a() {
                assert_eq!(value.to_bits(), expected[word].to_bits(), "word {word}");
                own += 1;
            }
            assert!(own * 10 < 3 * n * n, "{own} results");
        }
        plan.words()
    })
}

#[test]
fn a_rank_holds_its_rows_and_what_it_still_reads() {
    let n = 128;
    for words in factor(n, 32) {
        assert!(words * 10 <= 3 * n * n, "{words} of {}", n * n);
    }
}

#[test]
#[ignore = "takes a minute"]
fn a_rank_holds_its_rows_of_a_large_matrix() {
    let n = 1024;
    for words in factor(n, 256) {
        println!(
            "{words} words, {:.3} of the matrix",
            words as f64 / (n * n) as f64
        );
        assert!(words * 10 <= 3 * n * n, "{words} of {}", n * n);
    }
}

#[test]
fn runs_and_parts_have_the_bits_of_the_functions() {
    for size in [1, 2, 3, 4, 8] {
        for ran in local::run(size, |ranks| {
            check(ranks).map_err(|error| error.to_string())
        }) {
            assert_eq!(ran, Ok(()), "{size} ranks");
        }
    }
}

/// A circuit and a power grid: solves, and factorisations without fill.
#[test]
fn real_patterns_have_the_bits_of_the_functions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/matrices/data");
    for name in ["rajat01", "pegase9241"] {
        let matrix = superstep_matrix::read(format!("{folder}/{name}.mtx.gz")).unwrap();
        let lower = matrix.rows::<f64>().unwrap().lower(1.0);
        let (row, n) = (&lower.starts, lower.lines());
        let col: Vec<u32> = lower.indices.iter().map(|&at| at as u32).collect();
        let values: Vec<f64> = (0..col.len()).map(|e| 9.0 + (e % 11) as f64).collect();
        let mut solved = vec![1.0; n];
        superstep_mpi_plans::kernels::forward(n, row, &col, &values, &mut solved);
        let mut factored = values.clone();
        superstep_mpi_plans::ic0(n, row, &col, &mut factored);
        for size in [1, 2, 4] {
            let found = local::run(size, |ranks| {
                let (mut x, mut a) = (vec![1.0; n], values.clone());
                let planner = forward::plan(n, row, &col).costs(fine());
                let planner = planner.schedule(Schedule::Levels);
                let plan = planner.build_over(ranks).unwrap();
                let solving = plan.words();
                plan.run_over(Over::new(ranks), &values, &mut x).unwrap();
                let planner = ic0::plan(n, row, &col).costs(fine());
                let planner = planner.schedule(Schedule::Levels);
                let plan = planner.build_over(ranks).unwrap();
                plan.run_over(Over::new(ranks), &mut a).unwrap();
                (x, a, [solving, plan.words()])
            });
            for kernel in [0, 1] {
                let has_words = found.iter().filter(|(_, _, words)| words[kernel] > 0);
                assert_eq!(has_words.count() > 1, size > 1, "{name}, {size} ranks");
            }
            let same = |a: &[f64], b: &[f64]| {
                a.iter()
                    .map(|it| it.to_bits())
                    .eq(b.iter().map(|it| it.to_bits()))
            };
            assert!(same(&found[0].0, &solved), "{name}, solve, {size} ranks");
            assert!(same(&found[0].1, &factored), "{name}, IC(0), {size} ranks");
        }
    }
}

/// Costs that are set stay.
#[test]
fn where_messages_are_dear_the_first_rank_runs_alone() {
    let (row, col, _) = grid(200);
    let n = row.len() - 1;
    let cheap = superstep::plan::Costs {
        wait: 200.0,
        ..superstep::plan::Costs::default()
    };
    let used = |costs: Option<superstep::plan::Costs>| {
        let words = local::run(2, |ranks| {
            let planner = forward::plan(n, &row, &col);
            let planner = costs.map_or(planner.clone(), |costs| planner.costs(costs));
            let wait = |_: &mut Vec<u8>| std::thread::sleep(std::time::Duration::from_millis(1));
            let plan = planner.build_over(&mut Meddles(ranks, wait));
            plan.expect("it is planned").words()
        });
        words.iter().filter(|&&words| words > 0).count()
    };
    assert_eq!(used(None), 1);
    assert_eq!(used(Some(cheap)), 2);
}

#[test]
fn a_file_gives_each_rank_its_part() {
    let (row, col, values) = grid(12);
    let n = row.len() - 1;
    let path = std::env::temp_dir().join(format!("superstep-{}.plan", std::process::id()));
    let planner = forward::plan(n, &row, &col).schedule(Schedule::Levels);
    planner.exactly(3).build().unwrap().save(&path).unwrap();
    let mut expected = vec![1.0; n];
    superstep_mpi_plans::kernels::forward(n, &row, &col, &values, &mut expected);
    let found = local::run(3, |ranks| {
        let plan = planner.open_over(ranks, &path).unwrap();
        let mut x = vec![1.0; n];
        let over = Over::new(ranks).inputs(Inputs::Each);
        plan.run_over(over, &values, &mut x).unwrap();
        x
    });
    assert_eq!(found[0], expected);
    let refused = local::run(2, |ranks| planner.open_over(ranks, &path).map(drop));
    std::fs::remove_file(&path).unwrap();
    for error in refused {
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("a plan for 3 processors, not for 2"),
            "{error}"
        );
    }
}

/// Communicator that does something to each message before it is sent.
struct Meddles<'r, M>(&'r mut dyn Communicator, M);

impl<M: FnMut(&mut Vec<u8>)> Communicator for Meddles<'_, M> {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn send(&mut self, to: usize, mut bytes: Vec<u8>) -> Result<(), RankError> {
        (self.1)(&mut bytes);
        self.0.send(to, bytes)
    }

    fn receive(&mut self, from: usize) -> Result<Vec<u8>, RankError> {
        self.0.receive(from)
    }

    fn flush(&mut self) -> Result<(), RankError> {
        self.0.flush()
    }

    fn abort(&mut self, error: &RankError) {
        self.0.abort(error);
    }
}

/// These tests would notice: a word of a message that is another one changes bits.
#[test]
fn a_spoiled_word_of_a_message_is_found() {
    let n = 24;
    let mut expected: Vec<f64> = (0..n * n).map(|word| dominant(n, word)).collect();
    superstep_mpi_plans::kernels::lu(n, &mut expected);
    for message in 0..6 {
        let same = local::run(2, |ranks| {
            let planner = lu::plan(n).costs(fine());
            let plan = planner
                .schedule(Schedule::Owners(4))
                .build_over(ranks)
                .unwrap();
            let mut part = plan.part(ranks).unwrap();
            part.fill_a(|word| dominant(n, word));
            let mut rest = message;
            let spoil = |bytes: &mut Vec<u8>| {
                if rest == 0
                    && let Some(last) = bytes.last_chunk_mut::<8>()
                {
                    *last = 0.5f64.to_le_bytes();
                }
                rest = usize::wrapping_sub(rest, 1);
            };
            part.run(&mut Meddles(ranks, spoil)).unwrap();
            part.results_a()
                .all(|(word, value)| value.to_bits() == expected[word].to_bits())
        });
        assert!(same.contains(&false), "message {message}");
    }
}

#[test]
fn what_does_not_fit_is_an_error_on_every_rank() {
    let (row, col, values) = grid(6);
    let n = row.len() - 1;
    let refused =
        |size: usize, run: &(dyn Fn(&mut dyn Communicator) -> Result<(), RankError> + Sync)| {
            let ran = local::run(size, |ranks| run(ranks).unwrap_err().to_string());
            assert!(ran.iter().all(|said| *said == ran[0]), "{ran:?}");
            ran[0].clone()
        };
    let other = refused(3, &|ranks| {
        let mut row = row.clone();
        row[1] -= usize::from(ranks.rank() == 2);
        forward::plan(n, &row, &col).build_over(ranks).map(drop)
    });
    assert_eq!(
        other,
        "nothing has run, as of rank 2: forward: the kernel or its control arguments are others than on rank 0"
    );
    let processors = refused(3, &|ranks| {
        forward::plan(n, &row, &col)
            .processors(2)
            .build_over(ranks)
            .map(drop)
    });
    assert_eq!(
        processors,
        "nothing has run, as of rank 0: forward: a plan for 2 processors is not for 3 ranks"
    );
    let outside = refused(2, &|ranks| {
        forward::plan(n + 1, &row, &col).build_over(ranks).map(drop)
    });
    assert!(
        outside.starts_with("nothing has run, as of rank 0: forward: control fails"),
        "{outside}"
    );
    let short = refused(2, &|ranks| {
        let plan = forward::plan(n, &row, &col).build_over(ranks)?;
        plan.run_over(Over::new(ranks), &values, &mut vec![1.0; n - 1])
    });
    assert_eq!(
        short,
        "nothing has run, as of rank 0: forward: an argument is shorter than the program needs"
    );
    let another = refused(2, &|ranks| {
        let planner = forward::plan(n, &row, &col).costs(fine());
        let plans = [Schedule::Levels, Schedule::Owners(2)];
        let plans = plans.map(|schedule| planner.schedule(schedule).build_over(ranks).unwrap());
        let plan = &plans[ranks.rank()];
        plan.run_over(Over::new(ranks), &values, &mut vec![1.0; n])
    });
    assert_eq!(
        another,
        "nothing has run, as of rank 1: forward: the plan is another one than that of rank 0"
    );
}

#[test]
fn a_grain_that_panics_ends_all_ranks() {
    let n = 40;
    let before: Vec<usize> = (0..n).map(|i: usize| i.saturating_sub(1)).collect();
    let bad: Vec<bool> = (0..n).map(|i| i == 30).collect();
    let ended = local::run(3, |ranks| {
        let planner = failing::plan(n, &before).costs(fine());
        let plan = planner
            .schedule(Schedule::Owners(1))
            .build_over(ranks)
            .unwrap();
        let over = Over::new(ranks).inputs(Inputs::Each);
        let ran = plan.run_over(over, &bad, &mut vec![1; n]);
        ran.map_err(|error| error.to_string())
    });
    let says =
        |ended: &Result<(), String>| ended.as_ref().is_err_and(|it| it.contains("row 30 is bad"));
    assert!(ended.iter().any(says), "{ended:?}");
    assert!(says(&ended[0]), "rank 0 waits for results: {ended:?}");
}
