//! Files of samples, spoiled ones too: an error that names the place or samples, never a panic, and
//! memory in proportion to the file.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use std::path::Path;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_farm::{Grid, Samples, SamplesError, Sampling};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const VALID: &str = "\u{feff}i, j, seconds\r\n# the first ones\r\n0, 3, 0.25\r\n\r\n2, 1, 1e-3\r\n2, 3, 0\r\n0, 1, 5\r\n";

fn parse(text: &str) -> Result<Samples, SamplesError> {
    Samples::from_csv(text, &[4, 5], Path::new("s.csv"))
}

fn hold(file: &[u8]) {
    let text = String::from_utf8_lossy(file);
    let (samples, bytes) = peak(|| parse(&text));
    assert!(
        bytes <= 64 * text.len() + 4096,
        "{bytes} bytes for {}",
        text.len()
    );
    match samples {
        Ok(samples) => {
            assert_eq!(samples.items().len(), samples.costs().len());
            assert!(samples.items().iter().all(|&item| item < 20));
            assert!(
                samples
                    .costs()
                    .iter()
                    .all(|cost| cost.is_finite() && *cost >= 0.0)
            );
            let grid = Grid::from_items(&[4, 5], samples.items(), samples.costs());
            if let Ok(grid) = grid {
                assert!(grid.everywhere(&[4, 5]).is_ok());
            }
            if let Ok(sampling) = Sampling::from_items(&[4, 5], samples.items().to_vec(), 1) {
                drop(sampling.predict(samples.costs()));
            }
        }
        Err(error) => assert!(error.to_string().starts_with("s.csv:"), "{error}"),
    }
}

#[test]
fn the_file_is_one() {
    let samples = parse(VALID).unwrap();
    assert_eq!(samples.items(), [3, 11, 13, 1]);
    assert_eq!(samples.costs(), [0.25, 0.001, 0.0, 5.0]);
    let grid = Grid::from_items(&[4, 5], samples.items(), samples.costs()).unwrap();
    assert_eq!(grid.at(&[0.0, 3.0]), Ok(0.25));
    assert_eq!(grid.at(&[1.0, 2.0]), Ok((5.0 + 0.25 + 0.001 + 0.0) / 4.0));
    hold(VALID.as_bytes());
}

#[test]
fn what_is_wrong_has_its_place() {
    for (text, expected) in [
        ("", "s.csv: there are no samples"),
        ("i,j,seconds\n\n# 1,1,1\n", "s.csv: there are no samples"),
        (
            "i,seconds\n",
            "s.csv:1: column 2: 2 columns, in place of 3: an index for each axis, and the seconds",
        ),
        (
            "0,1,0.5\n",
            "s.csv:1: column 1: `0` names no column: the first row has names",
        ),
        (
            "i,j,seconds\n\n0,1\n",
            "s.csv:3: column 2: 2 columns, in place of 3: an index for each axis, and the seconds",
        ),
        (
            "i,j,seconds\n0,1,2,3\n",
            "s.csv:2: column 3: 4 columns, in place of 3: an index for each axis, and the seconds",
        ),
        (
            "i,j,seconds\n0,5,1\n",
            "s.csv:2: column 2: `5` is no index: a whole number below 5",
        ),
        (
            "i,j,seconds\n-1,2,1\n",
            "s.csv:2: column 1: `-1` is no index: a whole number below 4",
        ),
        (
            "i,j,seconds\n0,2,\n",
            "s.csv:2: column 3: `` is no time: seconds, 0 or more",
        ),
        (
            "i,j,seconds\n0,2,nan\n",
            "s.csv:2: column 3: `nan` is no time: seconds, 0 or more",
        ),
        (
            "i,j,seconds\n0,2,inf\n",
            "s.csv:2: column 3: `inf` is no time: seconds, 0 or more",
        ),
        (
            "i,j,seconds\n0,2,-3\n",
            "s.csv:2: column 3: `-3` is no time: seconds, 0 or more",
        ),
        (
            "i,j,seconds\n0,2,1\n1,1,1\n0,2,1\n",
            "s.csv:4: the item of line 2 again",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expected);
    }
    let shape = Samples::from_csv(VALID, &[0], Path::new("s.csv")).unwrap_err();
    assert_eq!(
        shape.to_string(),
        "items is 0, which must be from 1 to 268435456"
    );
}

#[test]
fn items_that_are_no_grid_are_refused() {
    let message = |items: &[usize], costs: &[f64]| {
        Grid::from_items(&[4, 5], items, costs)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message(&[0, 1, 5], &[1.0; 3]),
        "the samples are no grid: 3 items, at as many indices along each axis as [2, 2]"
    );
    assert_eq!(
        message(&[0, 1, 5, 5], &[1.0; 4]),
        "the samples are no grid: 3 items, at as many indices along each axis as [2, 2]"
    );
    assert_eq!(
        message(&[20], &[1.0]),
        "items[0] is 20, which must be below the number of items of the shape"
    );
    assert_eq!(
        message(&[2], &[f64::NAN]),
        "costs[0] is NaN, which must be finite and not negative"
    );
    assert_eq!(
        message(&[], &[]),
        "the samples are no grid: 0 items, at as many indices along each axis as [0, 0]"
    );
}

proptest! {
    #[test]
    fn spoiled_files(file in spoiled(VALID.into())) {
        hold(&file);
    }
}
