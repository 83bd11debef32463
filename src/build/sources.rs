//! Source files of kernels: cargo watches them, and reports know them by hashes of their texts.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs, iter};

use superstep_tracer::Kernel;

/// Has cargo run the build script again when a source file changes.
pub(super) fn watch(file: &str) {
    if let Some(path) = found(file) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// Finds a source file, which the compiler names from the workspace's folder on.
fn found(file: &str) -> Option<PathBuf> {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    superstep_report::source(&package.unwrap_or_default(), file)
}

/// Returns the source files of a kernel, each with a hash of its text.
pub(super) fn sources(kernel: &Kernel) -> Vec<(String, String)> {
    let others = kernel
        .statements
        .iter()
        .filter_map(|each| each.file.as_ref());
    let files: BTreeSet<&String> = iter::once(&kernel.file).chain(others).collect();
    let hashed = |file: &String| {
        let text = fs::read(found(file)?).ok()?;
        Some((file.clone(), superstep_report::text_hash(&text)))
    };
    files.into_iter().filter_map(hashed).collect()
}
