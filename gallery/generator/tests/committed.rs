//! The committed kernels are those that the generator writes, and they are enough.

use std::path::Path;

use superstep_gallery_generator::{families, files};

#[test]
fn the_committed_files_are_the_generated_ones() {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (path, text) in files() {
        let committed = std::fs::read_to_string(gallery.join(&path)).unwrap_or_default();
        assert!(
            committed == text,
            "{path} is out of date: cargo run -p superstep-gallery-generator"
        );
    }
}

#[test]
fn there_are_enough_kernels() {
    let families = families::all();
    let kernels: Vec<_> = families.iter().flat_map(|family| &family.kernels).collect();
    assert!(kernels.len() >= 100, "{}", kernels.len());
    let structured = kernels
        .iter()
        .filter(|kernel| kernel.source().contains("#[structure]"))
        .count();
    assert!(structured >= 10, "{structured}");
    let mut names: Vec<_> = kernels.iter().map(|kernel| &kernel.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), kernels.len(), "two kernels of one name");
}

/// Text in the source of a kernel that uses each part of the kernel language.
const LANGUAGE: &[(&str, &str)] = &[
    ("a size", "n: usize"),
    ("a size of another type", ": i32,"),
    ("structure, usize", "#[structure] row: &[usize]"),
    ("structure, u32", "&[u32]"),
    ("structure that is signed", "#[structure] parent: &[i32]"),
    ("an input slice", "b: &["),
    ("an in-out slice", "a: &mut ["),
    ("a fixed array, read", "line: &["),
    ("a nested fixed array", "c: &mut [["),
    ("a scalar by value", "weight: "),
    ("a scalar by reference", "s: &mut "),
    ("the length of a slice", ".len()"),
    ("f64", "[f64]"),
    ("f32", "[f32]"),
    ("i8", "[i8]"),
    ("i16", "[i16]"),
    ("i32", "[i32]"),
    ("i64", "[i64]"),
    ("u8", "[u8]"),
    ("u16", "[u16]"),
    ("u32", "[u32]"),
    ("u64", "[u64]"),
    ("usize as data", "&mut [usize]"),
    ("bool", "[bool]"),
    ("Complex", "[Complex<f64>]"),
    ("a user's type", "[Pair]"),
    ("a loop over a range", " in 0..n {"),
    ("an inclusive range", "..=n"),
    ("a reversed range", ".rev()"),
    ("a stride", ".step_by("),
    ("a reversed stride", ".rev().step_by("),
    ("a nameless loop variable", "for _ in"),
    ("while", "while "),
    ("loop", "loop {"),
    ("if", "if "),
    ("else", "} else {"),
    ("else if", "} else if "),
    ("break", "break;"),
    ("break to a label", "break '"),
    ("continue", "continue;"),
    ("continue to a label", "continue '"),
    ("a local control variable", "let mut k"),
    ("a local array of control", "[false; "),
    ("a local scalar of data", "let mut t"),
    ("a local array of data", "let mut w: ["),
    ("a nested local array of data", "let mut block: [["),
    ("a shadowed local", "let t: "),
    ("+=", " += "),
    ("-=", " -= "),
    ("*=", " *= "),
    ("/=", " /= "),
    ("%=", " %= "),
    ("^=", " ^= "),
    ("|=", " |= "),
    ("&=", " &= "),
    ("<<=", " <<= "),
    (">>=", " >>= "),
    ("a control operand", " as f64 * 0.01"),
    ("a read that control guards", "(if i > 0 { a[i - 1] }"),
    ("if on data", "{ true =>"),
    ("match on data", "match "),
    ("sin", ".sin()"),
    ("powi", ".powi("),
    ("mul_add", ".mul_add("),
    ("wrapping", ".wrapping_"),
    ("overflowing", ".overflowing_"),
    ("saturating", ".saturating_"),
    ("a pure function of the user", "twice("),
];

#[test]
fn every_part_of_the_language_occurs_twice() {
    let families = families::all();
    let sources: Vec<String> = families
        .iter()
        .flat_map(|family| &family.kernels)
        .map(|kernel| kernel.source())
        .collect();
    for (part, text) in LANGUAGE {
        let count = sources
            .iter()
            .filter(|source| source.contains(text))
            .count();
        assert!(count >= 2, "{part}: {count} kernels");
    }
}
