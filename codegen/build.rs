//! Names the version of superstep by a hash of its sources, where these are at hand.
//!
//! Files that a build keeps for later ones are for the very code that has made them. For a
//! published crate the version says it all, as all crates are of one.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::{env, fs, io};

/// Folders with all code between a trace and generated files, from this crate's.
const FOLDERS: [&str; 17] = [
    "../codegen/src",
    "../compiler/src",
    "../dag/src",
    "../dag-builder/src",
    "../lists/src",
    "../machine/src",
    "../order/src",
    "../plan/src",
    "../random/src",
    "../reduction/src",
    "../report/src",
    "../schedule/src",
    "../scheduler/src",
    "../search/src",
    "../src",
    "../tracer/src",
    "../tuning/src",
];

fn main() -> io::Result<()> {
    let here = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let mut hash = DefaultHasher::new();
    for folder in FOLDERS {
        let path = Path::new(&here).join(folder);
        if path.is_dir() {
            println!("cargo::rerun-if-changed={folder}");
            sources(&path, &mut hash)?;
        }
    }
    println!("cargo::rustc-env=SUPERSTEP_SOURCES={:016x}", hash.finish());
    Ok(())
}

/// Hashes names and contents of all files in a folder.
fn sources(folder: &Path, hash: &mut impl Hasher) -> io::Result<()> {
    let entries: Result<Vec<_>, _> = fs::read_dir(folder)?.collect();
    let mut entries = entries?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        entry.file_name().hash(hash);
        match path.is_dir() {
            true => sources(&path, hash)?,
            false => fs::read(&path)?.hash(hash),
        }
    }
    Ok(())
}
