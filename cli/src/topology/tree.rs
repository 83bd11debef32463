//! Trees, as commands read them.

use std::path::Path;

use superstep_network::{Cluster, topology::Tree};

use crate::failure::Failure;

/// Reads a tree file; of a machine file, whose name ends in `.toml`, the tree of its hosts.
pub(super) fn read(path: &Path) -> Result<Tree, Failure> {
    Ok(read_with_processors(path)?.0)
}

/// Reads a tree as [`read`] does, and the processors of each host: 1, unless it is a machine file.
pub(super) fn read_with_processors(path: &Path) -> Result<(Tree, u32), Failure> {
    match path.extension() {
        Some(extension) if extension == "toml" => {
            let cluster = Cluster::read(path)?;
            Ok((cluster.tree().clone(), cluster.processors()))
        }
        _ => Ok((Tree::read(path)?, 1)),
    }
}
