//! Files of all fields and symmetries, there and back.

use num_complex::Complex64;
use proptest::prelude::*;
use superstep_matrix::{Compressed, Matrix, Symmetry, Unfit, Values, market};

fn text(head: &str, lines: &str) -> String {
    format!("%%MatrixMarket matrix coordinate {head}\n{lines}")
}

fn read(head: &str, lines: &str) -> Matrix {
    market::read(text(head, lines).as_bytes()).unwrap()
}

fn refusal(head: &str, lines: &str) -> String {
    market::read(text(head, lines).as_bytes())
        .unwrap_err()
        .to_string()
}

/// Returns all words of a matrix in rows.
fn dense<V: Copy + Default>(rows: &Compressed<V>) -> Vec<Vec<V>> {
    let line = |line| {
        let mut words = vec![V::default(); rows.across];
        rows.line(line).for_each(|(at, value)| words[at] = value);
        words
    };
    (0..rows.lines()).map(line).collect()
}

#[test]
fn general_matrices_are_what_is_listed() {
    let matrix = read(
        "real general",
        "% rows, columns, entries\n\n2 3 3\n1 1 1.5\n2 3 -2e-3 % small\n\n2 1 7\n",
    );
    assert_eq!(matrix.places, [[0, 0], [1, 2], [1, 0]]);
    let rows = matrix.rows::<f64>().unwrap();
    assert_eq!(dense(&rows), [[1.5, 0.0, 0.0], [7.0, 0.0, -2e-3]]);
    let columns = matrix.columns::<f64>().unwrap();
    assert_eq!(columns.starts, [0, 2, 2, 3]);
    assert_eq!(columns.indices, [0, 1, 1]);
    assert_eq!(columns.values, [1.5, 7.0, -2e-3]);
}

#[test]
fn symmetric_matrices_are_mirrored() {
    let rows = read("integer symmetric", "2 2 2\n1 1 4\n2 1 -3\n").rows::<f64>();
    assert_eq!(dense(&rows.unwrap()), [[4.0, -3.0], [-3.0, 0.0]]);
    let rows = read("real skew-symmetric", "2 2 1\n2 1 -3\n").rows::<f64>();
    assert_eq!(dense(&rows.unwrap()), [[0.0, 3.0], [-3.0, 0.0]]);
    let matrix = read("complex Hermitian", "2 2 2\n1 1 4 0\n2 1 1 -3\n");
    let c = Complex64::new;
    assert_eq!(
        dense(&matrix.rows::<Complex64>().unwrap()),
        [[c(4.0, 0.0), c(1.0, 3.0)], [c(1.0, -3.0), c(0.0, 0.0)]]
    );
    assert_eq!(matrix.rows::<f64>(), Err(Unfit));
}

#[test]
fn repeated_entries_are_summed_but_in_patterns() {
    let lines = "2 2 3\n2 1 1\n1 1 1\n2 1 2\n";
    assert_eq!(
        read("real general", lines).rows::<f64>().unwrap().values,
        [1.0, 3.0]
    );
    assert_eq!(
        read("real symmetric", lines).rows::<f64>().unwrap().values,
        [1.0, 3.0, 3.0]
    );
    let pattern = read("pattern general", "2 2 3\n2 1\n1 1\n2 1\n");
    assert_eq!(pattern.rows::<f64>().unwrap().values, [1.0, 1.0]);
    assert_eq!(pattern.len(), 3);
}

#[test]
fn refusals_name_line_and_column() {
    let cases = [
        (
            "real general",
            "",
            "line 2, column 1: expected `rows columns entries`, found the end of the file",
        ),
        (
            "real general",
            "2 2\n",
            "line 2, column 4: expected the number of entries of `rows columns entries`, found the end of the line",
        ),
        (
            "real general",
            "2 -2 1\n",
            "line 2, column 3: expected the number of columns, below 2^32 - 1, of `rows columns entries`, found `-2`",
        ),
        (
            "real general",
            "2 99999999999999999999999 1\n",
            "line 2, column 3: expected the number of columns, below 2^32 - 1, of `rows columns entries`, found `99999999999999999999999`",
        ),
        (
            "real symmetric",
            "2 3 0\n",
            "line 2, column 5: expected a square matrix, as it is Symmetric, found `0`",
        ),
        (
            "real general",
            "2 2 1\n0 1 5\n",
            "line 3, column 1: expected a row from 1 to 2, found `0`",
        ),
        (
            "real general",
            "2 2 1\n1   3 5\n",
            "line 3, column 5: expected a column from 1 to 2, found `3`",
        ),
        (
            "real general",
            "2 0 1\n1 1 5\n",
            "line 3, column 3: expected no entry: the matrix has no column, found `1`",
        ),
        (
            "real general",
            "2 2 1\n1 1\n",
            "line 3, column 4: expected the value, a number, found the end of the line",
        ),
        (
            "real general",
            "2 2 1\n1 1 5 6\n",
            "line 3, column 7: expected the end of the line, found `6`",
        ),
        (
            "integer general",
            "2 2 1\n1 1 5.5\n",
            "line 3, column 5: expected the value, an integer from -2^63 to 2^63 - 1, found `5.5`",
        ),
        (
            "complex general",
            "2 2 1\n1 1 5\n",
            "line 3, column 6: expected the imaginary part, a number, found the end of the line",
        ),
        (
            "pattern general",
            "2 2 2\n1 1\n",
            "line 4, column 1: expected entry 2 of 2, found the end of the file",
        ),
        (
            "pattern general",
            "2 2 1\n1 1\n2 2\n",
            "line 4, column 1: expected the end of the file after 1 entries, found `2`",
        ),
        (
            "pattern symmetric",
            "2 2 1\n1 2\n",
            "line 3, column 3: expected an entry of the lower triangle, as the matrix is Symmetric, found `2`",
        ),
        (
            "real skew-symmetric",
            "2 2 1\n2 2 1\n",
            "line 3, column 3: expected an entry below the diagonal of a skew matrix, found `2`",
        ),
        (
            "complex hermitian",
            "2 2 1\n2 2 1 1\n",
            "line 3, column 7: expected 0: the diagonal of a Hermitian matrix is real, found `1`",
        ),
        (
            "real hermitian",
            "",
            "line 1, column 39: expected `general` or `symmetric` (`skew-symmetric` needs values, `hermitian` complex ones), found `hermitian`",
        ),
        (
            "quaternion general",
            "",
            "line 1, column 34: expected a field: `real`, `integer`, `complex` or `pattern`, found `quaternion`",
        ),
        (
            "real lopsided",
            "",
            "line 1, column 39: expected a symmetry: `general`, `symmetric`, `skew-symmetric` or `hermitian`, found `lopsided`",
        ),
        (
            "pattern general",
            "4000000000 2 0\n",
            "line 2, column 1: expected at most 65600 rows and columns in so short a file, found 4000000000",
        ),
    ];
    for (head, lines, message) in cases {
        assert_eq!(refusal(head, lines), message);
    }
    let array = market::read(&b"%%MatrixMarket matrix array real general\n1 1\n1\n"[..]);
    assert_eq!(
        array.unwrap_err().to_string(),
        "line 1, column 23: expected the format `coordinate` (an `array` lists no pattern), found `array`"
    );
    let other = market::read(&b"digraph {}"[..]).unwrap_err().to_string();
    assert_eq!(
        other,
        "line 1, column 1: expected `%%MatrixMarket`, found `digraph`"
    );
}

#[test]
fn missing_files_are_named() {
    let error = superstep_matrix::read("no/such.mtx")
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("no/such.mtx: line 1: "), "{error}");
}

fn matrices() -> impl Strategy<Value = Matrix> {
    let symmetries = prop::sample::select(vec![
        Symmetry::General,
        Symmetry::Symmetric,
        Symmetry::Skew,
        Symmetry::Hermitian,
    ]);
    let real = prop_oneof![
        any::<f64>().prop_filter("equal to itself", |value| !value.is_nan()),
        Just(-0.0),
        -9.0..9.0_f64
    ];
    let entries = prop::collection::vec(
        (any::<[u32; 2]>(), [real.clone(), real], any::<i64>()),
        0..40,
    );
    (1..12_u32, 1..12_u32, symmetries, 0..4_u8, entries).prop_map(
        |(height, width, symmetry, field, entries)| {
            let general = symmetry == Symmetry::General;
            let width = if general { width } else { height };
            let place = |[row, column]: [u32; 2]| {
                let (row, column) = (row % height, column % width);
                if general {
                    [row, column]
                } else {
                    [row.max(column), row.min(column)]
                }
            };
            let listed = entries
                .iter()
                .map(|&(at, re, whole)| (place(at), re, whole));
            let listed =
                listed.filter(|([row, column], ..)| symmetry != Symmetry::Skew || row != column);
            let listed: Vec<_> = listed.collect();
            let complex = |&([row, column], [re, im], _): &([u32; 2], [f64; 2], i64)| {
                let is_real = symmetry == Symmetry::Hermitian && row == column;
                Complex64::new(re, if is_real { 0.0 } else { im })
            };
            let values = match (field, symmetry) {
                (_, Symmetry::Hermitian) | (0, _) => {
                    Values::Complex(listed.iter().map(complex).collect())
                }
                (1, Symmetry::General | Symmetry::Symmetric) => Values::Pattern,
                (2, _) => Values::Integer(listed.iter().map(|&(.., whole)| whole).collect()),
                _ => Values::Real(listed.iter().map(|&(_, [re, _], _)| re).collect()),
            };
            let places = listed.iter().map(|&(place, ..)| place).collect();
            Matrix {
                height,
                width,
                symmetry,
                places,
                values,
            }
        },
    )
}

/// Sums the listed entries and their mirrors, word by word.
fn words(matrix: &Matrix) -> Vec<Vec<Complex64>> {
    let mut words = vec![vec![Complex64::default(); matrix.width as usize]; matrix.height as usize];
    let mut seen = std::collections::BTreeSet::new();
    for (at, &[row, column]) in matrix.places.iter().enumerate() {
        let (row, column) = (row as usize, column as usize);
        let value = match &matrix.values {
            Values::Pattern => Complex64::from(1.0),
            Values::Real(values) => values[at].into(),
            Values::Integer(values) => (values[at] as f64).into(),
            Values::Complex(values) => values[at],
        };
        let is_first = seen.insert((row, column));
        if matrix.values == Values::Pattern && !is_first {
            continue;
        }
        words[row][column] += value;
        if row != column {
            match matrix.symmetry {
                Symmetry::General => {}
                Symmetry::Symmetric => words[column][row] += value,
                Symmetry::Skew => words[column][row] -= value,
                Symmetry::Hermitian => words[column][row] += value.conj(),
            }
        }
    }
    words
}

proptest! {
    #[test]
    fn what_is_written_is_read_bit_for_bit(matrix in matrices()) {
        let mut file = Vec::new();
        market::write(&matrix, &mut file).unwrap();
        let again = market::read(&file[..]).unwrap();
        prop_assert_eq!(format!("{:?}", again), format!("{:?}", matrix));
    }

    #[test]
    fn rows_and_columns_have_all_words(matrix in matrices()) {
        let rows = matrix.rows::<Complex64>().unwrap();
        let expected = words(&matrix);
        prop_assert_eq!(dense(&rows), expected.clone());
        let columns = matrix.columns::<Complex64>().unwrap();
        prop_assert_eq!(&columns.transposed(), &rows);
        for lines in [&rows, &columns] {
            for line in 0..lines.lines() {
                prop_assert!(lines.line(line).is_sorted_by_key(|(at, _)| at));
            }
            prop_assert_eq!(lines.indices.len(), lines.starts[lines.lines()]);
        }
    }

    #[test]
    fn triangles_diagonals_and_permutations(matrix in matrices(), seed in any::<u64>()) {
        let n = matrix.height.min(matrix.width) as usize;
        let square = Matrix {
            height: n as u32,
            width: n as u32,
            places: matrix.places.iter().map(|at| at.map(|at| at % n as u32)).collect(),
            symmetry: Symmetry::General,
            ..matrix
        };
        let rows = square.rows::<Complex64>().unwrap();
        let one = Complex64::from(1.0);
        let whole = rows.with_diagonal(one);
        let diagonal = whole.diagonal().unwrap();
        let lower = rows.lower(one);
        let lacks = |i: usize| rows.line(i).all(|(at, _)| at != i);
        let (all, old, below) = (dense(&whole), dense(&rows), dense(&lower));
        for i in 0..n {
            prop_assert_eq!(whole.indices[diagonal[i]], i);
            prop_assert_eq!(lower.indices[lower.starts[i + 1] - 1], i);
            for j in 0..n {
                let expected = if i == j && lacks(i) { one } else { old[i][j] };
                prop_assert_eq!(all[i][j], expected);
                prop_assert_eq!(below[i][j], if j <= i { expected } else { 0.0.into() });
            }
        }
        let both = dense(&lower.mirrored());
        for i in 0..n {
            for j in 0..n {
                prop_assert_eq!(both[i][j], below[i.max(j)][i.min(j)]);
            }
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&i| (seed.rotate_left(i as u32 * 7) % 13, i));
        let permuted = dense(&rows.permuted(&order));
        for i in 0..n {
            for j in 0..n {
                prop_assert_eq!(permuted[i][j], old[order[i]][order[j]]);
            }
        }
    }
}
