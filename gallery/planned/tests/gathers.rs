//! Scattered updates are gathered where the pattern allows it, with the bits of the function.

mod patterns;

use std::sync::atomic::{AtomicUsize, Ordering};

use patterns::{Pattern, lower, start};
use proptest::prelude::*;
use superstep::kernel;
use superstep_planned::kernels;

/// Solves with a lower triangle by rows, then with its transposed by the arrays of the rows.
#[kernel(plan)]
fn both(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[values] l: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        let last = row[i + 1] - 1;
        for e in row[i]..last {
            x[i] -= l[e] * x[col[e] as usize];
        }
        x[i] /= l[last];
    }
    for i in (0..n).rev() {
        let last = row[i + 1] - 1;
        let own = x[i] / l[last];
        x[i] = own;
        for e in row[i]..last {
            let target = col[e] as usize;
            x[target] -= l[e] * own;
        }
    }
}

/// Solves with the columns of a lower triangle, diagonal first, by numbers of 32 bits.
#[kernel(plan)]
fn narrow(
    n: u32,
    #[structure] column: &[u32],
    #[structure] row: &[u32],
    #[values] values: &[f64],
    x: &mut [f64],
) {
    let last: u32 = n - 1;
    for j in 0..n {
        let back: u32 = last - j;
        x[(last - back) as usize] /= values[column[j as usize] as usize];
        for e in column[j as usize] + 1..column[j as usize + 1] {
            let before: u32 = e - 1;
            x[row[before as usize + 1] as usize] -= values[e as usize] * x[(last - back) as usize];
        }
    }
}

/// Returns the bits of words.
fn bits(words: &[f64]) -> Vec<u64> {
    words.iter().map(|word| word.to_bits()).collect()
}

/// Compares runs of a plan for columns with the function, in place, loaded and from a file.
///
/// Returns whether their updates are gathered.
fn is_gathered(pattern: &Pattern, processors: usize) -> bool {
    let (n, values) = (pattern.size(), pattern.values());
    let column: Vec<u32> = pattern.row.iter().map(|&start| start as u32).collect();
    let solved = |values: &[f64]| {
        let mut x = start(n);
        kernels::columns(n, &column, &pattern.col, values, &mut x);
        bits(&x)
    };
    let planner = kernels::columns::plan(n, &column, &pattern.col).exactly(processors);
    let plan = planner.build().unwrap();
    let mut x = start(n);
    plan.run(&values, &mut x).unwrap();
    assert_eq!(bits(&x), solved(&values), "in place");

    let mut loaded = plan.load(&values).unwrap();
    let mut x = start(n);
    loaded.run(&mut x).unwrap();
    assert_eq!(bits(&x), solved(&values), "loaded");
    let others: Vec<f64> = values.iter().map(|value| 1.0 - value).collect();
    loaded.update(&others).unwrap();
    let mut x = start(n);
    loaded.run(&mut x).unwrap();
    assert_eq!(bits(&x), solved(&others), "loaded with other values");

    // Tests run side by side.
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let name = format!("gathers-{}-{number}.plan", std::process::id());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    plan.save(&path).unwrap();
    let opened = planner.open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut x = start(n);
    opened.run(&values, &mut x).unwrap();
    assert_eq!(bits(&x), solved(&values), "from a file");

    let says = |report: &dyn std::fmt::Display| report.to_string().contains("are gathered");
    let is_gathered = says(&plan.report());
    assert_eq!(says(&loaded.report()), is_gathered);
    is_gathered
}

proptest! {
    #[test]
    fn columns_of_a_lower_triangle_are_gathered(pattern in lower(), processors in 1..5_usize) {
        prop_assert!(is_gathered(&pattern.transposed(), processors));
    }

    #[test]
    fn columns_that_update_words_already_used_run_as_written(
        pattern in lower(),
        processors in 1..5_usize,
        (column, target) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let pattern = pattern.transposed();
        let n = pattern.size();
        let mut columns: Vec<Vec<u32>> =
            (0..n).map(|j| pattern.col[pattern.row[j]..pattern.row[j + 1]].to_vec()).collect();
        let column = column.index(n);
        // Its own word, or one before.
        columns[column].push(target.index(column + 1) as u32);
        prop_assert!(!is_gathered(&Pattern::of(columns), processors));
    }
}

#[test]
fn both_solves_of_a_step_are_one_plan() {
    let rows = (0..200_u32).map(|i| {
        let mut row: Vec<u32> = [i / 3, i / 2, i.saturating_sub(7)]
            .into_iter()
            .filter(|&j| j < i)
            .collect();
        row.push(i);
        row
    });
    let pattern = Pattern::of(rows.collect());
    let (n, values) = (pattern.size(), pattern.values());
    let mut expected = start(n);
    both(n, &pattern.row, &pattern.col, &values, &mut expected);
    for processors in [1, 2, 3, 8] {
        let plan = both::plan(n, &pattern.row, &pattern.col).exactly(processors);
        let plan = plan.build().unwrap();
        assert!(plan.report().to_string().contains("are gathered"));
        let mut x = start(n);
        plan.load(&values).unwrap().run(&mut x).unwrap();
        assert_eq!(bits(&x), bits(&expected));
    }
}

#[test]
fn loops_may_go_over_narrow_numbers() {
    let rows = (0..100_u32).map(|i| (i.saturating_sub(4)..=i).collect());
    let pattern = Pattern::of(rows.collect()).transposed();
    let (n, values) = (pattern.size(), pattern.values());
    let column: Vec<u32> = pattern.row.iter().map(|&start| start as u32).collect();
    let mut expected = start(n);
    narrow(n as u32, &column, &pattern.col, &values, &mut expected);
    let plan = narrow::plan(n as u32, &column, &pattern.col).exactly(2);
    let plan = plan.build().unwrap();
    assert!(plan.report().to_string().contains("are gathered"));
    let mut x = start(n);
    plan.run(&values, &mut x).unwrap();
    assert_eq!(bits(&x), bits(&expected));
}
