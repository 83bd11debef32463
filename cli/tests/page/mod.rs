//! `docs/MEASURE_YOUR_MACHINE.md`, as tests run it.

// Each file of tests takes what it needs.
#![allow(dead_code)]

const PAGE: &str = include_str!("../../../docs/MEASURE_YOUR_MACHINE.md");

/// Returns the page's blocks of a language.
pub(crate) fn blocks(language: &str) -> impl Iterator<Item = &'static str> {
    blocks_of(PAGE, language)
}

/// Returns the blocks of a language from a heading to the next of its level.
pub(crate) fn blocks_below(heading: &str, language: &str) -> Vec<&'static str> {
    let (level, _) = heading.split_once(' ').expect("a heading has a level");
    let (_, below) = PAGE
        .split_once(&format!("\n{heading}\n"))
        .expect("the page has it");
    let section = below.split(&format!("\n{level} ")).next().unwrap_or(below);
    blocks_of(section, language).collect()
}

fn blocks_of(text: &'static str, language: &str) -> impl Iterator<Item = &'static str> {
    let opened = text.split("\n```").skip(1).step_by(2);
    let language = format!("{language}\n");
    opened.filter_map(move |block| block.strip_prefix(&language[..]))
}

/// Returns commands as a script, with `cargo superstep` being the program under test.
pub(crate) fn script(commands: &str) -> String {
    format!(
        "cargo() {{ shift; '{}' \"$@\"; }}\n{commands}",
        env!("CARGO_BIN_EXE_cargo-superstep")
    )
}
