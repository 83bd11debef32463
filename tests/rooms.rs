//! ARCHITECTURE.md is true: each room knows what its table says, and no arrow goes back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Crates that parse, print or lint Rust source: only these rooms may link them.
const SYNTAX: [&str; 3] = ["syn", "quote", "prettyplease"];

/// What cargo says of the workspace.
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

/// The rooms, each with its normal and its build dependencies on other rooms, and on crates from elsewhere.
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

#[test]
fn syntax_is_known_to_the_macro_and_the_printer_alone() {
    for (room, [_, others]) in found() {
        let knows = SYNTAX.iter().any(|name| others.contains(*name));
        let may = ["macros", "codegen"].contains(&&room[..]);
        assert_eq!(knows, may, "`{room}`");
    }
}

/// `cargo package` takes the default members, and fails for one that needs a crate which is not published.
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
