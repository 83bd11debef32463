//! The kernels solve and factor, and plans of theirs give the same bits.

use std::io;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use superstep::RunError;
use superstep::plan::Costs;
use superstep_matrix::Compressed;
use superstep_sparse::kernels::{self, RowError};
use superstep_sparse::{
    Effort, Kernel, Peer, Problem, TooLarge, Unsuitable, Updates, contest, filled, grids,
    minimum_degree,
};

/// Square patterns: some entries, repeated lines, a dense line, a chain.
fn patterns() -> impl Strategy<Value = Compressed<f64>> {
    let lines = prop::collection::vec((any::<u64>(), 0..4_u8), 1..40);
    lines.prop_map(|lines| {
        let n = lines.len();
        let line = |(row, (seed, kind)): (usize, (u64, u8))| {
            let is_there = |column: usize| match kind {
                0 => false,
                1 => column.abs_diff(row) == 1,
                2 if row % 8 == 3 => true,
                _ => seed.rotate_left(column as u32).is_multiple_of(4),
            };
            let places: Vec<_> = (0..n).filter(|&column| is_there(column)).collect();
            places.into_iter().map(|column| (column, 1.0))
        };
        Compressed::from_lines(n, lines.into_iter().enumerate().map(line))
    })
}

fn problem(kernel: Kernel, matrix: &Compressed<f64>) -> Problem {
    Problem::new(kernel, matrix, usize::MAX).unwrap()
}

fn dense(rows: &Compressed<f64>, values: &[f64]) -> Vec<Vec<f64>> {
    let n = rows.lines();
    let mut words = vec![vec![0.0; n]; n];
    for (row, words) in words.iter_mut().enumerate() {
        for e in rows.starts[row]..rows.starts[row + 1] {
            words[rows.indices[e]] = values[e];
        }
    }
    words
}

fn transposed(words: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = words.len();
    (0..n)
        .map(|j| (0..n).map(|i| words[i][j]).collect())
        .collect()
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = a.len();
    let word = |i: usize, j: usize| (0..n).map(|k| a[i][k] * b[k][j]).sum();
    (0..n)
        .map(|i| (0..n).map(|j| word(i, j)).collect())
        .collect()
}

/// Splits factors that share an array: the unit diagonal is that of `L`.
fn factors(words: &[Vec<f64>]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let n = words.len();
    let part = |word: &dyn Fn(usize, usize) -> f64| {
        (0..n)
            .map(|i| (0..n).map(|j| word(i, j)).collect())
            .collect()
    };
    let lower = |i: usize, j: usize| {
        if i == j {
            1.0
        } else if j < i {
            words[i][j]
        } else {
            0.0
        }
    };
    let upper = |i: usize, j: usize| if j >= i { words[i][j] } else { 0.0 };
    (part(&lower), part(&upper))
}

/// Returns the columns of `L`, and its rows with the positions of their entries there.
fn symmetric(factors: &Compressed<()>) -> (Compressed<()>, Compressed<usize>) {
    let columns = factors.lower(()).transposed();
    let mut position = 0..;
    let positions = columns.clone().valued(|_, _| position.next().unwrap());
    (columns, positions.transposed())
}

fn written(it: &Problem) -> Vec<f64> {
    let mut x = it.start().to_vec();
    it.written(&mut x);
    x
}

/// Checks a product on the places of a pattern.
fn assert_equal_on(pattern: &Compressed<f64>, found: &[Vec<f64>], expected: &[Vec<f64>]) {
    for row in 0..pattern.lines() {
        for (column, _) in pattern.line(row) {
            let (found, expected) = (found[row][column], expected[row][column]);
            assert!(
                (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
                "{row}, {column}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn plans_give_the_bits_of_the_functions(pattern in patterns(), processors in 1..6_usize) {
        for kernel in Kernel::ALL {
            let it = problem(kernel, &pattern);
            let expected: Vec<u64> = written(&it).iter().map(|x| x.to_bits()).collect();
            let plan = it.plan(processors).unwrap();
            for _ in 0..2 {
                let mut x = it.start().to_vec();
                plan.run(&mut x).unwrap();
                let bits: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
                prop_assert_eq!(&bits, &expected, "{}", kernel.name());
            }
        }
    }

    #[test]
    fn solves_solve(pattern in patterns()) {
        for kernel in [Kernel::Sptrsv, Kernel::Backward] {
            let it = problem(kernel, &pattern);
            let lower = dense(it.matrix(), &it.matrix().values);
            let matrix = if kernel == Kernel::Sptrsv { lower } else { transposed(&lower) };
            let x = written(&it);
            // Both have the right-hand side that the other starts from.
            let b = problem(Kernel::Backward, &pattern).start().to_vec();
            for (row, b) in matrix.iter().zip(b) {
                let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
                prop_assert!((product - b).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn incomplete_factors_agree_on_the_pattern(pattern in patterns()) {
        let it = problem(Kernel::Ilu0, &pattern);
        let matrix = it.matrix();
        let (lower, upper) = factors(&dense(matrix, &written(&it)));
        assert_equal_on(matrix, &product(&lower, &upper), &dense(matrix, &matrix.values));

        let it = problem(Kernel::Ic0, &pattern);
        let matrix = it.matrix();
        let lower = dense(matrix, &written(&it));
        assert_equal_on(matrix, &product(&lower, &transposed(&lower)), &dense(matrix, &matrix.values));
    }

    #[test]
    fn factors_give_the_matrix(pattern in patterns()) {
        let it = problem(Kernel::Lu, &pattern);
        let columns = it.matrix();
        let (lower, upper) = factors(&transposed(&dense(columns, &written(&it))));
        let all = product(&lower, &upper);
        let expected = transposed(&dense(columns, &columns.values));
        for (found, expected) in all.iter().flatten().zip(expected.iter().flatten()) {
            prop_assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0));
        }
    }

    #[test]
    fn symmetric_factors_give_the_matrix(pattern in patterns()) {
        let (columns, rows) = symmetric(&filled(&pattern, usize::MAX).unwrap());
        let updates = Updates::ldl(&columns, &rows, usize::MAX).unwrap();
        let start = columns.clone().valued(|j, i| if i == j { 50.0 } else { -1.0 / (i + j) as f64 });
        let mut a = start.values.clone();
        let (first, place) = updates.places();
        let mut place = place.into_iter().map(|place| place as usize).enumerate();
        for (part, &j) in updates.of.iter().enumerate() {
            let (entries, j) = (updates.part[part]..updates.part[part + 1], j as usize);
            prop_assert_eq!(place.clone().next().map_or(first[part], |next| next.0), first[part]);
            for e in entries.clone().filter(|&e| rows.indices[e] < j) {
                let (at, k) = (rows.values[e], rows.indices[e]);
                let factor = a[at] * a[columns.starts[k]];
                for f in at..columns.starts[k + 1] {
                    a[place.next().unwrap().1] -= a[f] * factor;
                }
            }
            if entries.end == rows.starts[j + 1] {
                for e in columns.starts[j] + 1..columns.starts[j + 1] {
                    a[e] /= a[columns.starts[j]];
                }
            }
        }
        prop_assert_eq!(place.next(), None);
        let n = columns.lines();
        let found = transposed(&dense(&start, &a));
        let lower: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| if i == j { 1.0 } else { found[i][j] }).collect())
            .collect();
        let scaled: Vec<Vec<f64>> = lower
            .iter()
            .map(|row| row.iter().enumerate().map(|(j, l)| l * found[j][j]).collect())
            .collect();
        let all = product(&scaled, &transposed(&lower));
        for (found, expected) in all.iter().zip(transposed(&dense(&start, &start.values))).enumerate()
            .flat_map(|(i, (found, expected))| found[..=i].iter().copied().zip(expected)) {
            prop_assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0));
        }
    }

    #[test]
    fn sweeps_come_closer(pattern in patterns()) {
        let it = problem(Kernel::Symgs, &pattern);
        let matrix = dense(it.matrix(), &it.matrix().values);
        let b = problem(Kernel::Backward, &pattern).start().to_vec();
        let mut x = it.start().to_vec();
        let residual = |x: &[f64]| -> f64 {
            let row = |(row, b): (&Vec<f64>, &f64)| b - row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            matrix.iter().zip(&b).map(row).map(f64::abs).fold(0.0, f64::max)
        };
        for _ in 0..60 {
            it.written(&mut x);
        }
        prop_assert!(residual(&x) < 1e-9);
    }

    #[test]
    fn fill_is_that_of_elimination(pattern in patterns()) {
        let n = pattern.lines();
        let order = minimum_degree(&pattern);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert!(sorted.into_iter().eq(0..n));
        let ordered = pattern.permuted(&order);
        let both = [&ordered, &ordered.transposed()];
        let is_entry = |i: usize, j: usize| both.iter().any(|m| m.line(i).any(|(at, _)| at == j));
        let row = |i: usize| (0..n).map(|j| i == j || is_entry(i, j)).collect();
        let mut is_there: Vec<Vec<bool>> = (0..n).map(row).collect();
        for k in 0..n {
            for i in k + 1..n {
                for j in k + 1..n {
                    is_there[i][j] |= is_there[i][k] && is_there[k][j];
                }
            }
        }
        let found = filled(&ordered, usize::MAX).unwrap();
        for (i, is_there) in is_there.iter().enumerate() {
            let row: Vec<usize> = found.line(i).map(|(at, ())| at).collect();
            let expected: Vec<usize> = (0..n).filter(|&j| is_there[j]).collect();
            prop_assert_eq!(row, expected);
        }
        let entries = found.indices.len();
        prop_assert!(filled(&ordered, entries).is_ok());
        prop_assert!(filled(&ordered, entries - 1).is_err() || entries == n);
    }
}

#[test]
fn contests_of_small_grids_compare_all_bits() {
    let effort = Effort {
        seconds: 0.0,
        rounds: 1,
    };
    for matrix in [
        grids::five_point(30),
        grids::seven_point(7),
        grids::twenty_seven_point(6),
        grids::band(600, 8, 1),
        grids::random(300, 8, 1),
    ] {
        for kernel in Kernel::ALL {
            let it = problem(kernel, &matrix);
            let standing = contest(&it, 2, effort, &mut []).unwrap();
            assert!(standing.identical, "{}", kernel.name());
            assert_eq!(standing.rows, matrix.lines());
            assert!(standing.parallelism >= 1.0);
        }
    }
}

/// Calls in a turn of a function of no time.
const TURN: usize = 32;

/// Counts rounds of a contest of a matrix, and ends it by an error behind `most`. Each run of the
/// peer that counts lasts `pause`.
fn rounds(matrix: &Compressed<f64>, seconds: f64, pause: Duration, most: usize) -> usize {
    let it = problem(Kernel::Sptrsv, matrix);
    let mut calls = 0;
    let mut peer = [Peer {
        name: "a peer that counts",
        same_order: false,
        run: Box::new(|_| {
            calls += 1;
            thread::sleep(pause);
            match calls < TURN * most {
                true => Ok(()),
                false => Err(RunError::Threads {
                    kernel: "it",
                    processors: 0,
                    source: io::ErrorKind::Other.into(),
                }),
            }
        }),
    }];
    let effort = Effort { seconds, rounds: 1 };
    // Either way the rounds are told.
    let _ = contest(&it, 2, effort, &mut peer);
    drop(peer);
    calls / TURN
}

#[test]
fn contests_of_tiny_matrices_end() {
    let empty = Compressed::from_lines(0, Vec::<Vec<(usize, f64)>>::new());
    for matrix in [empty, grids::band(3, 1, 1)] {
        // A function of no time at all never adds up to seconds.
        let most = 20_000;
        assert!(rounds(&matrix, f64::INFINITY, Duration::ZERO, most) < most);
        // The other forms take time, too.
        let most = 1000;
        assert!(rounds(&matrix, 0.02, Duration::from_millis(1), most) < most);
    }
}

#[test]
fn stencils_have_their_neighbours() {
    let counts = |matrix: Compressed<f64>| (matrix.lines(), matrix.indices.len());
    assert_eq!(counts(grids::five_point(10)), (100, 5 * 100 - 40));
    assert_eq!(counts(grids::seven_point(5)), (125, 7 * 125 - 6 * 25));
    assert_eq!(counts(grids::twenty_seven_point(5)), (125, 13 * 13 * 13));
    let random = grids::random(1000, 8, 3).lower(1.0);
    assert!((7000..=8000).contains(&random.indices.len()));
    let band = grids::band(1000, 8, 3).lower(1.0);
    assert!((4500..5500).contains(&band.indices.len()));
}

#[test]
fn oblong_matrices_are_refused() {
    let matrix = Compressed::from_lines(3, [vec![(0, 1.0)], vec![(2, 1.0)]]);
    let refused = Problem::new(Kernel::Sptrsv, &matrix, 1)
        .map(drop)
        .unwrap_err();
    assert_eq!(
        refused,
        Unsuitable::Oblong {
            rows: 2,
            columns: 3
        }
    );
    assert_eq!(
        refused.to_string(),
        "a square matrix is needed, this one has 2 rows and 3 columns"
    );
}

/// A last line that all lines update.
#[test]
fn lines_of_many_updates_have_parts() {
    let n = 100;
    let full = Compressed::from_lines(n, vec![(0..n).map(|at| (at, ())).collect::<Vec<_>>(); n]);
    let (columns, rows) = symmetric(&full);
    let lu = Updates::lu(&full, usize::MAX).unwrap();
    let ldl = Updates::ldl(&columns, &rows, usize::MAX).unwrap();
    for (updates, entries) in [(&lu, &full.starts), (&ldl, &rows.starts)] {
        let (first, place) = updates.places();
        let parts = updates.of.len();
        assert_eq!(
            (updates.part.len(), updates.first.len()),
            (parts + 1, parts)
        );
        assert!(parts > 2 * n && parts < 5 * n, "{parts}");
        for (part, &of) in updates.of.iter().enumerate() {
            let (begin, end) = (updates.part[part], updates.part[part + 1]);
            assert!(
                begin < end && entries[of as usize] <= begin && end <= entries[of as usize + 1]
            );
            let next = first.get(part + 1).unwrap_or(&place.len()).to_owned();
            // A part ends with the entry that fills it.
            assert!(next - first[part] < 1024 + n);
        }
    }
    let most = lu.places().1.len();
    assert!(Updates::lu(&full, most).is_ok());
    let refused = Updates::lu(&full, most - 1).unwrap_err();
    assert_eq!(
        refused,
        TooLarge {
            most: most - 1,
            of: "updates"
        }
    );
}

/// Ends of a kernel and of its plans, which must be alike.
macro_rules! ends {
    ($kernel:ident($($control:expr),*), |$x:ident| ($($data:expr),*), $start:expr) => {{
        let start: Vec<f64> = $start;
        let mut $x = start.clone();
        let written = kernels::$kernel($($control,)* $($data),*);
        for processors in [1, 2, 3] {
            let planner = kernels::$kernel::plan($($control),*);
            let plan = planner.exactly(processors).costs(costs()).build().unwrap();
            let mut $x = start.clone();
            assert_eq!(plan.run($($data),*).unwrap(), written);
        }
        written
    }};
}

/// Single rows as grains.
fn costs() -> Costs {
    Costs {
        least: 1.0,
        wait: 1.0,
        ..Costs::default()
    }
}

/// Rows of a grid in the form that a kernel takes, and what it writes before a run.
fn rows(kernel: Kernel) -> (Compressed<f64>, Vec<f64>) {
    let it = problem(kernel, &grids::five_point(4));
    (it.matrix().clone(), it.start().to_vec())
}

#[test]
fn matrices_without_a_factor_say_which_row() {
    let (lower, mut a) = rows(Kernel::Ic0);
    // The diagonals of rows 9 and 6, the last of their rows.
    for row in [9, 6] {
        a[lower.starts[row + 1] - 1] = -1.0;
    }
    let end = ends!(ic0(16, &lower.starts, &lower.indices), |x| (&mut x), a);
    assert!(matches!(end, Err(RowError::Pivot { row: 6, pivot }) if pivot < -1.0));

    let (matrix, mut a) = rows(Kernel::Ilu0);
    let diagonal = matrix.diagonal().unwrap();
    // The first row has nothing to its left.
    a[diagonal[0]] = 0.0;
    let (row, col) = (&matrix.starts, &matrix.indices);
    let end = ends!(ilu0(16, row, col, &diagonal), |x| (&mut x), a);
    assert_eq!(end, Err(RowError::Pivot { row: 0, pivot: 0.0 }));

    let full = Compressed::from_lines(3, vec![[(0, ()), (1, ()), (2, ())]; 3]);
    let updates = Updates::lu(&full, 1000).unwrap();
    let (first, place) = updates.places();
    let (parts, part, of) = (updates.of.len(), &updates.part, &updates.of);
    // The second column is twice the first one.
    let a = vec![1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 0.0, 0.0];
    let [column, row, diagonal] = [&full.starts, &full.indices, &full.diagonal().unwrap()];
    let lu = ends!(
        lu(parts, column, row, diagonal, part, of, &first, &place),
        |x| (&mut x),
        a
    );
    assert_eq!(lu, Err(RowError::Pivot { row: 1, pivot: 0.0 }));
}

#[test]
fn solves_say_which_diagonal_is_zero() {
    let zero = |row| Err(RowError::Pivot { row, pivot: 0.0 });
    let (lower, b) = rows(Kernel::Backward);
    let mut values = lower.values.clone();
    for row in [9, 6] {
        values[lower.starts[row + 1] - 1] = 0.0;
    }
    let (row, col) = (&lower.starts, &lower.indices);
    let end = ends!(
        forward(16, row, col),
        |x| (&values, &b, &mut x),
        vec![0.0; 16]
    );
    assert_eq!(end, zero(6));
    let end = ends!(backward(16, row, col), |x| (&values, &mut x), b.clone());
    assert_eq!(end, zero(9));

    let (matrix, x) = rows(Kernel::Symgs);
    let (row, col, diagonal) = (&matrix.starts, &matrix.indices, &matrix.diagonal().unwrap());
    let mut values = matrix.values.clone();
    values[diagonal[6]] = 0.0;
    let end = ends!(symgs(16, row, col, diagonal), |x| (&values, &b, &mut x), x);
    assert_eq!(end, zero(6));
    values[diagonal[6]] = f64::NAN;
    let end = kernels::symgs(16, row, col, diagonal, &values, &b, &mut b.clone());
    assert!(matches!(end, Err(RowError::Pivot { row: 6, .. })));
}

#[test]
fn a_diagonal_elsewhere_is_told() {
    let elsewhere = |row| Err(RowError::Diagonal { row });
    let (lower, b) = rows(Kernel::Backward);
    let (row, mut col) = (lower.starts, lower.indices);
    // The diagonal first.
    col[row[6]..row[7]].rotate_right(1);
    let end = ends!(
        forward(16, &row, &col),
        |x| (&lower.values, &b, &mut x),
        vec![0.0; 16]
    );
    assert_eq!(end, elsewhere(6));
    let end = ends!(
        backward(16, &row, &col),
        |x| (&lower.values, &mut x),
        b.clone()
    );
    assert_eq!(end, elsewhere(6));
    let one = [0, 1, 3];
    let end = ends!(ic0(2, &one, &[0, 1, 0]), |x| (&mut x), vec![4.0, 4.0, 1.0]);
    assert_eq!(end, elsewhere(1));

    let (matrix, a) = rows(Kernel::Ilu0);
    let (row, col) = (&matrix.starts, &matrix.indices);
    let mut diagonal = matrix.diagonal().unwrap();
    diagonal[6] += 1;
    let end = ends!(ilu0(16, row, col, &diagonal), |x| (&mut x), a.clone());
    assert_eq!(end, elsewhere(6));
    let end = ends!(
        symgs(16, row, col, &diagonal),
        |x| (&a, &b, &mut x),
        b.clone()
    );
    assert_eq!(end, elsewhere(6));
}
