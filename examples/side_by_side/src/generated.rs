//! Output of an example's build script, short enough to be read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Programs for more processors than this are shown by their figures alone, and so are the loops
/// that only they use.
const FEW: usize = 2;

/// Lines shown of what each processor does in each superstep.
const SUPERSTEPS: usize = 48;

/// Lines shown of a loop.
const LOOP: usize = 8;

/// The generated module in `out_dir`, the `OUT_DIR` of the crate, for a snapshot. It has the
/// figures of all programs, and the beginnings of the functions of those for one and two
/// processors. Of everything else there is a digest, also of tables; the hash in the names of files
/// is left out.
///
/// # Errors
/// If the files cannot be read, or there is no generated module.
pub fn generated(out_dir: impl AsRef<Path>) -> io::Result<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(out_dir.as_ref().join("superstep"))? {
        files.push(entry?.path());
    }
    files.sort();
    let ends_with = |file: &Path, ending| file.extension().is_some_and(|found| found == ending);
    let module = files.iter().find(|file| ends_with(file, "rs"));
    let module = module.ok_or(io::ErrorKind::NotFound)?;
    let stem = module.file_stem().unwrap_or_default().to_string_lossy();
    let kernel = stem.split('-').next().unwrap_or_default();
    let mut text = abridged(&fs::read_to_string(module)?.replace(&*stem, kernel));
    let is_table = |file: &&PathBuf| {
        ["plan", "control"]
            .iter()
            .any(|ending| ends_with(file, ending))
    };
    for table in files.iter().filter(is_table) {
        let name = table.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(table)?;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "// {}: {} bytes, {:016x}",
            name.replace(&*stem, kernel),
            bytes.len(),
            digest(&bytes)
        );
    }
    Ok(text)
}

/// The items of `text` that are worth reading, and a digest of the others.
fn abridged(text: &str) -> String {
    let items = items(text);
    let few = of_few(text);
    let is_of_few =
        |item: &&Vec<&str>| name(item).is_some_and(|name| few.contains(&name.to_owned()));
    let shown: Vec<&str> = items.iter().filter(is_of_few).flatten().copied().collect();
    let calls = |name: &str| shown.iter().any(|line| line.contains(&format!("{name}(")));
    let (mut short, mut rest) = (String::new(), Vec::new());
    for item in &items {
        match name(item) {
            None => begin(item, item.len(), &mut short),
            Some(_) if is_of_few(&item) => begin(item, SUPERSTEPS, &mut short),
            Some(name) if calls(name) => begin(item, LOOP, &mut short),
            Some(_) => rest.extend(item),
        }
    }
    if !rest.is_empty() {
        let _ = writeln!(
            short,
            "// ... and functions of other programs: {}",
            left_out(&rest)
        );
    }
    short
}

/// The items, each as its lines. What is no function ends with an empty line or a bracket, as
/// functions do.
fn items(text: &str) -> Vec<Vec<&str>> {
    let mut items = vec![Vec::new()];
    for line in text.lines() {
        let item = items.last_mut().expect("there is always one");
        item.push(line);
        if line.is_empty() || line.starts_with(['}', ']']) {
            items.push(Vec::new());
        }
    }
    items
}

/// The names of the functions that say what each processor does, for programs of few processors, by
/// the header's lines.
fn of_few(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut program = "";
    for line in text.lines().take_while(|line| line.starts_with("//")) {
        if let Some(found) = line.strip_prefix("// Program ") {
            program = found.split(':').next().unwrap_or_default();
        }
        let processors = line.strip_prefix("//   P = ");
        let processors = processors.and_then(|found| found.split(':').next()?.parse().ok());
        if processors.is_some_and(|processors: usize| processors <= FEW) {
            names.push(format!("execute_{program}"));
        }
    }
    names
}

/// The name of a function.
fn name<'t>(item: &[&'t str]) -> Option<&'t str> {
    let first = item.iter().find_map(|line| line.strip_prefix("fn "))?;
    first.split('(').next()
}

/// Adds the first lines of an item, and what the others amount to.
fn begin(item: &[&str], lines: usize, text: &mut String) {
    let (first, rest) = item.split_at(lines.min(item.len()));
    for line in first {
        text.push_str(line);
        text.push('\n');
    }
    if !rest.is_empty() {
        let _ = writeln!(text, "// ... and {}", left_out(rest));
    }
}

fn left_out(lines: &[&str]) -> String {
    let digest = digest(lines.join("\n").as_bytes());
    format!("{} lines, {digest:016x}", lines.len())
}

/// FNV-1a of 64 bits.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of two programs, with a loop of its own each.
    fn module(statement: &str) -> String {
        let function = |name: &str, lines: usize, last: &str| {
            format!(
                "fn {name}(\n) {{\n{}    {last};\n}}\n",
                "    x;\n".repeat(lines)
            )
        };
        format!(
            "// Program 0: n = 3\n//   P = 1: 5 tasks\n//\n// Program 1: n = 3\n//   P = 8: 5 tasks\n\nstatic A: [u8; 1] = [\n    1,\n];\n{}{}{}{}",
            function("execute_0", 3, "run_0()"),
            function("execute_1", 3, "run_1()"),
            function("run_0", 100, "y"),
            function("run_1", 100, statement),
        )
    }

    #[test]
    fn the_beginnings_of_programs_for_few_processors_are_shown() {
        let short = abridged(&module("y"));
        assert!(short.starts_with("// Program 0: n = 3\n"));
        assert!(short.contains(
            "    1,\n];\nfn execute_0(\n) {\n    x;\n    x;\n    x;\n    run_0();\n}\nfn run_0("
        ));
        assert!(short.contains("// ... and 96 lines, "), "{short}");
        assert!(!short.contains("fn execute_1") && !short.contains("fn run_1"));
        assert!(
            short.contains("functions of other programs: 111 lines, "),
            "{short}"
        );
    }

    #[test]
    fn every_line_counts() {
        assert_eq!(abridged(&module("y")), abridged(&module("y")));
        assert_ne!(abridged(&module("y")), abridged(&module("z")));
    }
}
