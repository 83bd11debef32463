//! Loops over ranges of every form and words of nested arrays have the bits of the function.

mod patterns;

use patterns::{assert_ran, costs, schedules};
use proptest::prelude::*;
use superstep_planned::loops::{self, SIDE};

proptest! {
    #[test]
    fn ranges_of_every_form(from in prop::collection::vec(any::<u32>(), 1..60), steps in 0..3_u8, processors in 1..9_usize, level in 0..2_usize, schedule in schedules(), costs in costs()) {
        let n = from.len();
        let from: Vec<u32> = from.into_iter().map(|from| from % n as u32).collect();
        let start = || (0..n as u64).map(|i| i * 0x9e37 + 7).collect::<Vec<_>>();
        let mut expected = start();
        loops::ranges(n, steps, &from, &mut expected);
        let plan = loops::ranges::plan(n, steps, &from).exactly(processors).level(level).schedule(schedule).costs(costs).build().unwrap();
        let (mut found, mut loaded) = (start(), start());
        plan.run(&mut found).unwrap();
        assert_ran(schedule, processors);
        plan.load().unwrap().run(&mut loaded).unwrap();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(&loaded, &expected);
    }

    #[test]
    fn words_of_nested_arrays(from in prop::collection::vec(any::<u16>(), 1..40), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = from.len();
        let from: Vec<u16> = from.into_iter().map(|from| from % n as u16).collect();
        let word = |at: usize| (at % 13) as f32 / 7.0;
        let tile = |b: usize| [0, 1, 2, 3].map(|i| [0, 1, 2, 3].map(|j| word(16 * b + 4 * i + 5 * j)));
        let table: [[f32; SIDE]; SIDE] = tile(3);
        let start = || ((0..n).map(tile).collect::<Vec<_>>(), [1.5; 2 * SIDE]);
        let bits = |(x, sums): &(Vec<[[f32; SIDE]; SIDE]>, [f32; 2 * SIDE])| {
            let words = x.as_flattened().as_flattened().iter().chain(sums);
            words.map(|word| word.to_bits()).collect::<Vec<_>>()
        };
        let mut expected = start();
        loops::tiles(n, &from, &table, &mut expected.0, &mut expected.1);
        let plan = loops::tiles::plan(n, &from).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut found, mut loaded) = (start(), start());
        plan.run(&table, &mut found.0, &mut found.1).unwrap();
        assert_ran(schedule, processors);
        plan.load().unwrap().run(&table, &mut loaded.0, &mut loaded.1).unwrap();
        prop_assert_eq!(bits(&found), bits(&expected));
        prop_assert_eq!(bits(&loaded), bits(&expected));
    }

    #[test]
    fn words_that_a_loop_folds_into(rows in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..6), 1..50), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let n = rows.len();
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len() as u32;
            Some(*end)
        });
        let first: Vec<u32> = std::iter::once(0).chain(ends).collect();
        let from: Vec<u32> = rows.iter().flatten().map(|from| from % n as u32).collect();
        let a: Vec<u64> = (0..from.len() as u64).map(|e| 2 * e + 3).collect();
        // As short as rows with entries let it be: others do not look at a word of it.
        let used = (0..n).filter(|&i| !rows[i].is_empty()).max().into_iter();
        let used = used.chain(from.iter().map(|&at| at as usize)).max();
        let start = || {
            let words = |count: usize| (0..count as u64).map(|i| i * 0x9e37 + 7).collect::<Vec<_>>();
            (words(n), words(used.map_or(0, |used| used / 4 + 1)))
        };
        let mut expected = start();
        loops::folds(&first, &from, &a, &mut expected.0, &mut expected.1);
        let plan = loops::folds::plan(&first, &from).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let (mut found, mut loaded) = (start(), start());
        plan.run(&a, &mut found.0, &mut found.1).unwrap();
        assert_ran(schedule, processors);
        plan.load(&a).unwrap().run(&mut loaded.0, &mut loaded.1).unwrap();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(&loaded, &expected);
    }

    #[test]
    fn loops_whose_control_is_recorded(rows in prop::collection::vec(prop::collection::btree_set(0..60_u32, 0..12), 1..50), processors in 1..9_usize, schedule in schedules(), costs in costs()) {
        let mut first = vec![0];
        for row in &rows {
            first.push(first[first.len() - 1] + row.len() as u32);
        }
        let key: Vec<u32> = rows.iter().flatten().copied().collect();
        let words = |n: usize| (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect::<Vec<_>>();
        let (a, start) = (words(key.len()), (words(key.len()), words(rows.len())));
        let mut expected = start.clone();
        loops::merged(&first, &key, &a, &mut expected.0, &mut expected.1);
        let plan = loops::merged::plan(&first, &key).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut found = start.clone();
        plan.run(&a, &mut found.0, &mut found.1).unwrap();
        prop_assert_eq!(&found, &expected);
        let mut loaded = plan.load(&words(key.len() + 1)[1..]).unwrap();
        for _ in 0..2 {
            loaded.update(&a).unwrap();
            let mut found = start.clone();
            loaded.run(&mut found.0, &mut found.1).unwrap();
            prop_assert_eq!(&found, &expected);
        }
    }

    #[test]
    fn loops_in_which_structure_and_values_stay(rows in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..4), 1..30), m in 0..5_usize, processors in 1..5_usize, schedule in schedules(), costs in costs()) {
        let n = rows.len();
        let mut first = vec![0];
        for row in &rows {
            first.push(first[first.len() - 1] + row.len() as u32);
        }
        let from: Vec<u32> = rows.iter().flatten().map(|from| from % n as u32).collect();
        // Each column has a place in `far`, which has none without columns.
        let far: Vec<u32> = if m == 0 { vec![] } else { from.iter().copied().chain([1, 0, 2, 0]).map(|far| far.min(n as u32 - 1)).collect() };
        let words = |n: usize| (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect::<Vec<_>>();
        let (a, b) = (words(from.len() + 3 * n + 3), words(if m == 0 { 0 } else { from.len() + n }));
        let blocks: Vec<[u64; 3]> = words(n).into_iter().map(|word| [word, !word, word >> 7]).collect();
        let start = (words(n * m), blocks);
        let mut expected = start.clone();
        loops::columns(m, &first, &from, &far, &a, &b, &mut expected.0, &mut expected.1);
        let plan = loops::columns::plan(m, &first, &from, &far).exactly(processors).schedule(schedule).costs(costs).build().unwrap();
        let mut found = start.clone();
        plan.run(&a, &b, &mut found.0, &mut found.1).unwrap();
        prop_assert_eq!(&found, &expected);
        let others = [words(a.len() + 1), words(b.len() + 1)];
        let mut loaded = plan.load(&others[0][1..], &others[1][1..]).unwrap();
        for _ in 0..2 {
            loaded.update(&a, &b).unwrap();
            let mut found = start.clone();
            loaded.run(&mut found.0, &mut found.1).unwrap();
            prop_assert_eq!(&found, &expected);
        }
    }
}

/// A tape has words of 32 bits.
#[test]
fn structure_of_which_loops_read_less_can_be_loaded() {
    let (m, s) = (3, [1 << 63, 0x0123_4567_89ab_cdef, 7]);
    let y: Vec<u64> = (1..17).map(|word| word * 0x9e37_79b9).collect();
    let mut expected = vec![5; s.len() * m];
    loops::packed(m, &s, &mut expected, &y);
    let plan = loops::packed::plan(m, &s).exactly(2).build().unwrap();
    let loaded = plan.load().unwrap();
    let mut found = vec![5; s.len() * m];
    loaded.run(&mut found, &y).unwrap();
    assert_eq!(found, expected);
}
