//! ARCHITECTURE.md is true: each room knows what its table says, and no arrow goes back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use imports::Imports;

#[path = "rooms/chain.rs"]
mod chain;
#[path = "rooms/imports.rs"]
mod imports;

/// Crates that parse, print or lint Rust source: only these rooms may link them.
const SYNTAX: [&str; 3] = ["syn", "quote", "prettyplease"];

/// Returns what cargo says of the workspace.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// The folder of a package, as the table writes it: `src` for the facade.
fn room(manifest: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(manifest)
        .parent()
        .expect("a manifest has a folder");
    let folder = folder
        .strip_prefix(root)
        .expect("members are in the workspace");
    let first = folder.components().next();
    first.map_or("src".into(), |name| {
        name.as_os_str().to_string_lossy().into_owned()
    })
}

/// The rooms, each with its normal and its build dependencies on other rooms, and on crates from
/// elsewhere.
fn found() -> BTreeMap<String, [BTreeSet<String>; 2]> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rooms: BTreeMap<String, String> = packages
        .iter()
        .map(|package| {
            (
                text(&package["name"]),
                room(&text(&package["manifest_path"])),
            )
        })
        .collect();
    let mut found: BTreeMap<String, [BTreeSet<String>; 2]> = BTreeMap::new();
    for package in packages {
        let own = &rooms[&text(&package["name"])];
        let [ours, others] = found.entry(own.clone()).or_default();
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        for dependency in dependencies
            .iter()
            .filter(|each| text(&each["kind"]) != "dev")
        {
            let name = text(&dependency["name"]);
            match rooms.get(&name) {
                Some(room) if room == own => {}
                Some(room) => drop(ours.insert(room.clone())),
                None => drop(others.insert(name)),
            }
        }
    }
    found
}

/// The rooms of ARCHITECTURE.md in order, each with those that it knows.
fn told() -> Vec<(String, BTreeSet<String>)> {
    let page = include_str!("../ARCHITECTURE.md");
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| `") && line.contains("/` |"));
    let names = |cell: &str| -> BTreeSet<String> {
        let quoted = cell.split('`').skip(1).step_by(2);
        quoted
            .map(|name| name.trim_end_matches('/').to_owned())
            .collect()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let own = names(cells[1]).pop_first().expect("a row names its room");
        (own, names(cells[3]))
    })
    .collect()
}

#[test]
fn each_room_knows_what_the_table_says() {
    let found = found();
    let told: BTreeMap<_, _> = told().into_iter().collect();
    let rooms: Vec<_> = told.keys().collect();
    assert_eq!(
        rooms,
        found.keys().collect::<Vec<_>>(),
        "one row for each room"
    );
    for (room, known) in &told {
        assert_eq!(*known, found[room][0], "what `{room}` knows");
    }
}

#[test]
fn no_arrow_goes_back() {
    let mut above = BTreeSet::new();
    let rows = told();
    assert!(rows.len() > 10, "the table is there");
    for (room, known) in rows {
        let back: Vec<_> = known.difference(&above).collect();
        assert!(
            back.is_empty(),
            "`{room}` stands above {back:?}, which it knows"
        );
        above.insert(room);
    }
}

/// Calls that write, make or replace files.
const WRITERS: [&str; 7] = [
    "fs::write(",
    "fs::rename(",
    "fs::copy(",
    "fs::hard_link(",
    "File::create",
    ".create(true)",
    ".create_new(true)",
];

/// The Rust files in a folder's `src` folders, but for modules of tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_other = ["target", "tests", "fuzz_targets", "tests.rs"].contains(&&*name);
        if is_other || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.components().any(|part| part.as_os_str() == "src")
            && path.extension().is_some_and(|ending| ending == "rs")
        {
            found.push(path);
        }
    }
}

#[test]
fn one_room_writes_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    sources(root, &mut all);
    assert!(all.len() > 100, "the sources are there");
    let mut writers = BTreeSet::new();
    for path in all {
        let text = fs::read_to_string(&path).expect("text");
        // Tests may write as they like.
        let (program, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        if WRITERS.iter().any(|writer| program.contains(writer)) {
            let room = path
                .strip_prefix(root)
                .ok()
                .and_then(|path| path.iter().next());
            writers.insert(room.expect("a room").to_string_lossy().into_owned());
        }
    }
    assert!(writers.into_iter().eq(["files"]), "all others ask it to");
}

#[test]
fn syntax_is_known_to_the_macro_and_the_printer_alone() {
    for (room, [_, others]) in found() {
        let knows = SYNTAX.iter().any(|name| others.contains(*name));
        let may = ["macros", "codegen"].contains(&&room[..]);
        assert_eq!(knows, may, "`{room}`");
    }
}

/// `cargo package` takes the default members, and fails for one that needs a crate which is not
/// published.
#[test]
fn default_members_are_what_is_published_and_need_nothing_else() {
    let metadata = metadata();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    let (published, others): (Vec<&Value>, Vec<&Value>) =
        packages.iter().partition(|each| each["publish"].is_null());
    let ids: BTreeSet<_> = published.iter().map(|each| text(&each["id"])).collect();
    let members = list(&metadata["workspace_default_members"]);
    assert_eq!(ids, members.iter().map(text).collect());
    let others: BTreeSet<_> = others.iter().map(|each| text(&each["name"])).collect();
    for package in published {
        let dependencies = list(&package["dependencies"]);
        for each in dependencies.iter().filter(|each| each["kind"] != "dev") {
            let is_named = each["req"] != "*" && !others.contains(&text(&each["name"]));
            assert!(is_named, "{} of {}", each["name"], package["name"]);
        }
    }
}

/// An error in what makes waits must not pass a proof.
#[test]
fn proofs_share_no_code_with_what_makes_waits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut proofs: Vec<PathBuf> = ["planner/src/proof.rs", "compiler/src/replay.rs"]
        .map(|file| root.join(file))
        .into();
    for folder in ["planner/src/proof", "compiler/src/replay"] {
        sources(&root.join(folder), &mut proofs);
    }
    assert!(proofs.len() > 4, "{proofs:?}");
    for proof in proofs {
        let text = fs::read_to_string(&proof).expect("a file that can be read");
        assert!(!text.contains("Clocks"), "{}", proof.display());
    }
}

/// The names in backquotes of a text.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The road's calls, the names that users have for passes, and both pages that list them.
#[test]
fn passes_are_called_in_one_place_in_the_order_that_is_told() {
    let page = include_str!("../ARCHITECTURE.md");
    let (_, told) = page
        .split_once("The passes, in their order:")
        .expect("the page lists the passes");
    let (told, _) = told.split_once(". Each is").expect("and no more");
    let told = quoted(told);

    let docs = include_str!("../compiler/src/lib.rs");
    let rows = docs.lines().filter_map(|line| line.strip_prefix("//! | "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let listed: Vec<&str> = cells.skip(1).flat_map(|cell| cell.split(", ")).collect();
    assert_eq!(listed, told, "the table of the compiler's page");

    let names = include_str!("../compiler/src/passes.rs");
    let named = names
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Self::")?.split_once(" => "));
    let named: Vec<(&str, &str)> = named
        .map(|(pass, name)| (pass, name.trim_matches(['"', ','])))
        .collect();
    assert!(named.len() > 5, "the names are there");
    let optional: Vec<&str> = named.iter().map(|&(_, name)| name).collect();
    let is_optional = |name: &&&str| optional.contains(*name);
    let in_order: Vec<&str> = told.iter().filter(is_optional).copied().collect();
    assert_eq!(optional, in_order, "passes that can be left out");

    let road = include_str!("../compiler/src/road.rs");
    let (road, _) = road.split_once("#[cfg(test)]").unwrap_or((road, ""));
    let asked = |(pass, _): &(&str, &str)| road.find(&format!("has(Pass::{pass})"));
    let asked: Vec<Option<usize>> = named.iter().map(asked).collect();
    assert!(
        asked.iter().all(Option::is_some) && asked.is_sorted(),
        "calls in the road: {asked:?} of {named:?}"
    );
    let mut all = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("compiler/src"),
        &mut all,
    );
    for file in all {
        let text = fs::read_to_string(&file).expect("text");
        let (program, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        let may = ["road.rs", "passes.rs"]
            .iter()
            .any(|name| file.ends_with(name));
        assert!(
            may || !program.contains(".has(Pass::"),
            "{}",
            file.display()
        );
    }
}

/// Beginnings of blocks, functions, implementations and attributes that are unsafe.
const UNSAFE: [&str; 5] = [
    "unsafe {",
    "unsafe fn",
    "unsafe impl",
    "unsafe extern",
    "unsafe(",
];

/// The Rust files below a folder, but for what is built and for kernels that are refused.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_other = ["target", "refusals"].contains(&&*name) || name.starts_with('.');
        if path.is_dir() && !is_other {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn unsafe_code_is_where_the_page_says() {
    let page = include_str!("../ARCHITECTURE.md");
    let (_, told) = page
        .split_once("\n## Unsafe code\n")
        .expect("the page tells");
    let (told, _) = told.split_once("\n## ").expect("and ends");
    let told: BTreeSet<&str> = quoted(told).into_iter().collect();

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    rust_files(root, &mut all);
    let is_unsafe = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("text");
        let mut lines = text.lines().map(str::trim_start);
        let is_this = path.ends_with("tests/rooms.rs");
        !is_this
            && lines.any(|line| {
                !line.starts_with("//") && UNSAFE.iter().any(|begin| line.contains(begin))
            })
    };
    let found = all.iter().filter(|path| is_unsafe(path));
    let found = found.map(|path| path.strip_prefix(root).expect("it is below"));
    let found: BTreeSet<&str> = found.filter_map(Path::to_str).collect();
    assert_eq!(found, told);
}

/// Text that the macro writes names what the facade has for it, and no other room.
#[test]
fn macros_name_what_the_page_says() {
    let page = include_str!("../ARCHITECTURE.md");
    let (_, told) = page
        .split_once("Behind the facade's name it names")
        .expect("the page tells");
    let (told, _) = told.split_once("This is tested").expect("and ends");
    let told = quoted(told);
    let mut all = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("macros/src"),
        &mut all,
    );
    let mut named = BTreeSet::new();
    for path in all {
        let text = fs::read_to_string(&path).expect("text");
        for name in text.split("#facade::").skip(1) {
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let mut names = name[..end.unwrap_or(name.len())].split("::");
            let first = names.next().unwrap_or_default();
            named.insert(match first {
                "build" => format!("build::{}", names.next().unwrap_or_default()),
                _ => first.to_owned(),
            });
        }
    }
    assert!(named.len() > 2, "the macro names the facade");
    for name in named {
        assert!(told.contains(&&*name), "{name}");
    }
}

/// Root files of crates whose files name nothing in a circle.
const TREES: [&str; 4] = [
    "macros/src/lib.rs",
    "compiler/src/lib.rs",
    "codegen/src/lib.rs",
    "cli/src/main.rs",
];

#[test]
fn files_import_each_other_in_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in TREES {
        let file = root.join(file);
        let folder = file.parent().expect("a file has a folder");
        let circle = Imports::of(&file).circle();
        let arrows = circle.iter().flatten().map(|(file, name)| {
            let file = file.strip_prefix(folder).unwrap_or(file);
            format!("{} takes `{name}` of the next", file.display())
        });
        let arrows: Vec<String> = arrows.collect();
        assert!(
            arrows.is_empty(),
            "files of {} import each other in a circle, the last one of the first:\n{}",
            folder.display(),
            arrows.join("\n")
        );
    }
}

/// File and function that lead from a trace to a program, and get control back after each call.
const DRIVER: (&str, &str) = ("compiler/src/road.rs", "compile");

#[test]
fn a_chain_comes_back_into_a_room_at_most_once() {
    let (file, function) = DRIVER;
    let mut chain = chain::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file), function);
    // Which passes run is asked all along, and leads nowhere.
    chain.retain(|room| room != "passes");
    chain.dedup();
    assert!(chain.len() > 10, "the driver calls others: {chain:?}");
    let mut visits: BTreeMap<&str, usize> = BTreeMap::new();
    for room in &chain {
        *visits.entry(room).or_default() += 1;
    }
    let often: Vec<_> = visits.iter().filter(|(_, visits)| **visits > 2).collect();
    assert!(
        often.is_empty(),
        "the chain comes back more than once into {often:?}:\n{}",
        chain.join(" -> ")
    );
}

/// Definitions of types that may be named `Plan`, by file: tables of a program, and grains of
/// processors.
const PLANS: [&str; 2] = ["plan/src/lib.rs", "planner/src/plan.rs"];

/// Returns whether a line of source begins the definition of a type of that name.
fn defines(line: &str, name: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("pub").map_or(line, |rest| {
        let visibility = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        visibility.map_or(rest, |(_, rest)| rest).trim_start()
    });
    let Some((kind, rest)) = line.split_once(' ') else {
        return false;
    };
    let rest = rest.strip_prefix(name);
    ["struct", "enum", "union", "type", "trait"].contains(&kind)
        && rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[test]
fn plan_is_the_name_of_two_types() {
    assert!(defines("pub(super) type Plan<'c> = u32;", "Plan"));
    assert!(!defines("struct Planned;", "Plan"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    rust_files(root, &mut all);
    let mut found = BTreeMap::new();
    for path in &all {
        let text = fs::read_to_string(path).expect("text");
        let count = text.lines().filter(|line| defines(line, "Plan")).count();
        if count > 0 {
            let path = path.strip_prefix(root).expect("it is below");
            found.insert(path.to_string_lossy().into_owned(), count);
        }
    }
    let told = PLANS.map(|file| (file.to_owned(), 1));
    assert_eq!(found, told.into(), "other plans have names of their own");
}
