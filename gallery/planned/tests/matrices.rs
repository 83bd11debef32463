//! Matrices of the crate `sprs` lend their slices to plans: rows or columns, indices of any width.

use proptest::prelude::*;
use sprs::{CsMatI, SpIndex, TriMatI};
use superstep::plan::{Costs, Schedule, Windows, Within};
use superstep_planned::kernels;

const WINDOWS: Schedule = Schedule::Doacross(Windows {
    grains: 4,
    chunks: 4,
    within: Within::Run,
});

/// Costs by which each row is a grain.
fn small() -> Costs {
    Costs {
        least: 1.0,
        ..Costs::default()
    }
}

/// Entries of a lower triangular matrix with its diagonal.
fn lower(lines: &[u32]) -> Vec<(usize, usize, f64)> {
    let mut entries = Vec::new();
    for (row, bits) in lines.iter().enumerate() {
        let below = (0..row).filter(|column| bits >> (column % 32) & 1 == 1);
        entries.extend(below.map(|column| (row, column, 0.25 + (row + column) as f64 / 256.0)));
        entries.push((row, row, 2.0 + row as f64 / 16.0));
    }
    entries
}

fn triplets<I: SpIndex>(n: usize, entries: &[(usize, usize, f64)]) -> TriMatI<f64, I> {
    let mut triplets = TriMatI::new((n, n));
    for &(row, column, value) in entries {
        triplets.add_triplet(row, column, value);
    }
    triplets
}

fn start(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + (i % 7) as f64).collect()
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

proptest! {
    #[test]
    fn rows_and_columns_are_planned_as_they_are(lines in prop::collection::vec(any::<u32>(), 1..40), processors in 1..5_usize) {
        let (n, entries) = (lines.len(), lower(&lines));

        let rows: CsMatI<f64, u32, usize> = triplets::<u32>(n, &entries).to_csr();
        let row = rows.proper_indptr();
        let mut expected = start(n);
        kernels::forward(n, &row, rows.indices(), rows.data(), &mut expected);
        let plan = kernels::forward::plan(n, &row, rows.indices()).exactly(processors);
        let plan = plan.schedule(WINDOWS).costs(small()).build().unwrap();
        let mut x = start(n);
        plan.run(rows.data(), &mut x).unwrap();
        prop_assert_eq!(bits(&x), bits(&expected));

        let columns: CsMatI<f64, u32> = triplets::<u32>(n, &entries).to_csc();
        let column = columns.proper_indptr();
        let plan = kernels::columns::plan(n, &column, columns.indices()).exactly(processors);
        let plan = plan.schedule(WINDOWS).costs(small()).build().unwrap();
        let mut x = start(n);
        plan.run(columns.data(), &mut x).unwrap();
        let mut by_columns = start(n);
        kernels::columns(n, &column, columns.indices(), columns.data(), &mut by_columns);
        prop_assert_eq!(bits(&x), bits(&by_columns));
        // Both take the same products from each unknown in the same order.
        prop_assert_eq!(bits(&x), bits(&expected));
    }
}

/// Control stays within a view, whose rows begin in the middle of the matrix they are of.
#[test]
fn views_of_some_rows_are_planned() {
    let (n, first) = (40, 10);
    let entries = lower(&vec![u32::MAX; n]);
    let whole: CsMatI<f64, u32, usize> = triplets::<u32>(n, &entries).to_csr();
    let view = whole.slice_outer(first..n);
    let (count, col) = (n - first, view.indices());

    let row = view.proper_indptr();
    let plan = kernels::forward::plan(count, &row, col).exactly(2);
    let plan = plan.schedule(WINDOWS).costs(small()).build().unwrap();
    let (mut x, mut expected) = (start(n), start(n));
    plan.run(view.data(), &mut x).unwrap();
    kernels::forward(count, &row, col, view.data(), &mut expected);
    assert_eq!(bits(&x), bits(&expected));

    let indptr = view.indptr();
    let raw = kernels::forward::plan(count, indptr.raw_storage(), col).exactly(2);
    let refused = raw.build().map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("index out of bounds"), "{refused}");
}
