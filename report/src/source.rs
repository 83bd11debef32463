//! Source files of kernels, as compilers name them.

use std::path::{Path, PathBuf};

/// Finds a source file of a package, given the package's folder. Compilers name files from the
/// folder of the workspace on, which the package's folder is in.
pub fn source(package: &Path, file: &str) -> Option<PathBuf> {
    let paths = package.ancestors().map(|folder| folder.join(file));
    paths.into_iter().find(|path| path.is_file())
}

/// Returns a hash of a text in hexadecimal digits, by which a page notices that a source file has
/// changed since the build.
///
/// ```
/// assert_ne!(superstep_report::text_hash(b"x += 1"), superstep_report::text_hash(b"x += 2"));
/// ```
pub fn text_hash(text: &[u8]) -> String {
    format!("{:016x}", superstep_plan::digest(&[], text))
}
