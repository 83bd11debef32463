//! Small runs of plans on shared arrays, in all schedules: for Miri, which CI runs on them.

use superstep::plan::{Costs, Schedule, Windows, Within};
use superstep_planned::{kernels, loops};

/// Rows of a lower triangle with up to two entries before the diagonal, which is last.
fn pattern(n: usize) -> (Vec<usize>, Vec<u32>) {
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..n as u32 {
        let before = [i / 2, i.saturating_sub(3)];
        col.extend(before.into_iter().filter(|&j| j < i));
        col.push(i);
        row.push(col.len());
    }
    (row, col)
}

fn schedules() -> impl Iterator<Item = Schedule> {
    let windows = [Within::Run, Within::Levels].map(|within| {
        Schedule::Doacross(Windows {
            grains: 3,
            chunks: 2,
            within,
        })
    });
    windows.into_iter().chain([Schedule::GrowLocal])
}

/// Single iterations as grains.
fn small() -> Costs {
    Costs {
        least: 1.0,
        ..Costs::default()
    }
}

#[test]
fn words_that_several_processors_use() {
    let n = 14;
    let (row, col) = pattern(n);
    let values: Vec<f64> = (0..col.len()).map(|at| 1.0 + at as f64 / 8.0).collect();
    let start = || (0..n).map(|i| i as f64).collect::<Vec<_>>();
    let mut expected = start();
    kernels::forward(n, &row, &col, &values, &mut expected);
    for schedule in schedules() {
        for processors in [1, 2, 3] {
            let planner = kernels::forward::plan(n, &row, &col).exactly(processors);
            let plan = planner.schedule(schedule).costs(small()).build().unwrap();
            let loaded = plan.load(&values).unwrap();
            for _ in 0..2 {
                let (mut x, mut y) = (start(), start());
                plan.run(&values, &mut x).unwrap();
                assert_eq!(x, expected);
                loaded.run(&mut y).unwrap();
                assert_eq!(y, expected);
            }
        }
    }
}

#[test]
fn scratch_and_guards() {
    let n = 9;
    let (row, col) = pattern(n);
    let mut values: Vec<f64> = (0..col.len()).map(|at| 1.0 + at as f64 / 8.0).collect();
    for is_failing in [false, true] {
        if is_failing {
            // Row 1 is 1 - (0.5 + 0.5) x[0], where x[0] = 1.
            values[..3].copy_from_slice(&[1.0, 0.5, 0.5]);
        }
        let (mut dense, mut mark, mut expected) = (vec![0.0; n], vec![false; n], vec![0.0; n]);
        let given = kernels::gathered(n, &row, &col, &values, &mut dense, &mut mark, &mut expected);
        assert_eq!(given.is_err(), is_failing);
        for schedule in schedules() {
            let planner = kernels::gathered::plan(n, &row, &col).exactly(2);
            let plan = planner.schedule(schedule).costs(small()).build().unwrap();
            let mut x = vec![0.0; n];
            let found = plan.run(&values, &mut dense, &mut mark, &mut x);
            assert_eq!(found.unwrap(), given);
            assert!(is_failing || x == expected);
        }
    }
}

/// Elements of structure that tracking does not read are tested when they are.
#[test]
fn structure_that_is_too_short() {
    let (n, x) = (8, vec![1.0; 8]);
    let (scale, at) = (vec![3; n], vec![1; n]);
    let run = |scale: &[u32], at: &[u8]| {
        let plan = loops::untracked::plan(n, scale, at).exactly(2).build();
        let mut x = x.clone();
        plan.unwrap().run(&mut x).map(|()| x)
    };
    assert_eq!(run(&scale, &at).unwrap(), [5.0; 8]);
    for (scale, at, what) in [
        (&scale[1..], &at[..], "the len is 7 but the index is 7"),
        (&scale, &at[1..], "the len is 7 but the index is 7"),
        (&scale, &[9; 8], "the len is 4 but the index is 9"),
    ] {
        let error = run(scale, at).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

/// So are those that choose a place or a number, in place and loaded.
#[test]
fn structure_that_is_too_short_to_choose_by() {
    let (n, flag) = (8, [1, 0, 1, 0, 1, 0, 1, 0]);
    let run = |flag: &[u8], is_loaded| {
        let plan = loops::chosen::plan(n, flag).exactly(2).build().unwrap();
        let mut x = vec![1.0; n];
        let ran = match is_loaded {
            false => plan.run(&mut x).map_err(|error| error.to_string()),
            true => match plan.load() {
                Ok(loaded) => loaded.run(&mut x).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            },
        };
        ran.map(|()| x)
    };
    for is_loaded in [false, true] {
        let whole = run(&flag, is_loaded).unwrap();
        assert_eq!(whole, [4.0, 4.5].repeat(4));
        let error = run(&flag[1..], is_loaded).unwrap_err();
        assert!(error.contains("the len is 7 but the index is 7"), "{error}");
    }
}
