//! Tables from outside are control: plans of kernels that read some have the bits of the functions.

mod patterns;

use patterns::{assert_ran, bits, costs, schedules};
use proptest::prelude::*;
use superstep_planned::tables;

/// Words without a pattern.
fn word(at: usize) -> u64 {
    (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

proptest! {
    #[test]
    fn velocities_of_a_lattice(width in 1..9_usize, height in 1..9_usize, processors in 1..7_usize, level in 0..2_usize, schedule in schedules(), costs in costs()) {
        let f: Vec<[f64; 9]> = (0..width * height).map(|p| std::array::from_fn(|d| word(9 * p + d) as f64)).collect();
        let (mut expected, mut found, mut loaded) = (f.clone(), f.clone(), f.clone());
        tables::lattice(width, height, 0.7, &f, &mut expected);
        let plan = tables::lattice::plan(width, height).exactly(processors).level(level).schedule(schedule).costs(costs).build().unwrap();
        plan.run(0.7, &f, &mut found).unwrap();
        assert_ran(schedule, processors);
        plan.load().unwrap().run(0.7, &f, &mut loaded).unwrap();
        prop_assert_eq!(bits(found.as_flattened()), bits(expected.as_flattened()));
        prop_assert_eq!(bits(loaded.as_flattened()), bits(expected.as_flattened()));
    }

    #[test]
    fn orders_of_the_words_of_a_block(blocks in 1..30_usize, rounds in 0..9_usize, processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let words: Vec<[u64; 8]> = (0..blocks).map(|b| std::array::from_fn(|k| word(8 * b + k))).collect();
        let start: Vec<[u64; 4]> = (0..blocks).map(|b| std::array::from_fn(|k| word(b ^ k))).collect();
        let (mut expected, mut found, mut loaded) = (start.clone(), start.clone(), start);
        tables::mixed(blocks, rounds, &words, &mut expected);
        let plan = tables::mixed::plan(blocks, rounds).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        plan.run(&words, &mut found).unwrap();
        assert_ran(schedule, processors);
        plan.load().unwrap().run(&words, &mut loaded).unwrap();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(&loaded, &expected);
    }

    #[test]
    fn tables_by_structure(kind in prop::collection::vec(0..3_u8, 6..80), processors in 1..7_usize, schedule in schedules(), costs in costs()) {
        let n = kind.len();
        let by: Vec<f64> = (0..n).map(|i| 1.0 / (i + 2) as f64).collect();
        let start: Vec<f64> = (0..n).map(|i| word(i) as f64).collect();
        let (mut expected, mut found, mut loaded) = (start.clone(), start.clone(), start);
        tables::kinds(n, &kind, &by, &mut expected);
        let plan = tables::kinds::plan(n, &kind).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        plan.run(&by, &mut found).unwrap();
        assert_ran(schedule, processors);
        let taped = plan.load(&by).unwrap();
        taped.run(&mut loaded).unwrap();
        prop_assert_eq!(bits(&found), bits(&expected));
        prop_assert_eq!(bits(&loaded), bits(&expected));
    }
}

#[test]
fn an_index_beyond_a_table_is_an_error_of_planning() {
    let error = tables::kinds::plan(7, &[0, 0, 0, 0, 0, 0, 3]).processors(2);
    let error = error.build().unwrap_err().to_string();
    assert!(error.contains("the len is 3 but the index is 3"), "{error}");
}
