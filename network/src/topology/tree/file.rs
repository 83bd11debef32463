//! The tree file: JSON with names, the number of switches, and links.

use std::path::Path;

use serde::{Deserialize, Serialize};
use superstep_files::FileError;
use superstep_machine::file::read_text;

use super::{Link, Tree, TreeError};

/// A tree as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    /// Names; the position is the number.
    hosts: Vec<String>,
    /// Number of switches; they have the numbers after the hosts.
    switches: usize,
    /// One-way latencies in microseconds.
    links: Vec<Link>,
}

impl From<Tree> for Listed {
    fn from(tree: Tree) -> Self {
        Self {
            switches: tree.switches(),
            links: tree.links().collect(),
            hosts: tree.names,
        }
    }
}

impl TryFrom<Listed> for Tree {
    type Error = TreeError;

    fn try_from(listed: Listed) -> Result<Self, TreeError> {
        let vertices = listed.hosts.len().saturating_add(listed.switches);
        // A tree has one link fewer than hosts and switches: no memory is asked for beyond that.
        if !listed.hosts.is_empty() && listed.links.len() + 1 != vertices {
            return Err(TreeError::Links {
                vertices,
                links: listed.links.len(),
            });
        }
        Self::new(listed.hosts, listed.switches, &listed.links)
    }
}

/// Bytes that a tree file may have: room for some 100 000 hosts.
const MOST: usize = 1 << 24;

impl Tree {
    /// Reads a tree file: JSON if it begins with a brace, else Newick.
    ///
    /// # Errors
    /// When the file cannot be read, has more than 16 MiB, or as [`from_text`](Self::from_text).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let text = read_text(path, MOST, "a tree file has at most 2^24 bytes");
        Self::from_text(&text.map_err(FileError::io(path))?, path)
    }

    /// Parses the text of a tree file, JSON if it begins with a brace and else Newick; `path` is
    /// what errors call it.
    ///
    /// # Errors
    /// When the text is in neither form or is no valid tree; the error names file, line and column.
    pub fn from_text(text: &str, path: &Path) -> Result<Self, FileError> {
        if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| {
                let message = error.to_string();
                // The place stands in front, as for every file.
                let message = message
                    .rsplit_once(" at line ")
                    .map_or(&*message, |(it, _)| it);
                // What is wrong with the whole has no place.
                let place = [error.line(), error.column()].map(|at| at.max(1));
                FileError::at(path, place, message)
            })
        } else {
            let parsed = text.parse::<Self>();
            parsed.map_err(|error| FileError::at(path, [error.line, error.column], error.message))
        }
    }

    /// Returns the text of the JSON file that describes `self`.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self)
            .unwrap_or_default()
            .replace("\"switches\"", "\n \"switches\"")
            .replace("{\"between\"", "\n  {\"between\"");
        text.push('\n');
        text
    }

    /// Writes a tree file: JSON if its name ends in `.json`, else Newick, in which hosts have no
    /// numbers.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        let text = match is_json {
            true => self.to_json(),
            false => self.newick() + "\n",
        };
        superstep_files::replace(path, text).map_err(FileError::io(path))
    }
}
