//! The tree file: JSON with names, the number of switches, and links.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Link, Tree, TreeError};
use superstep_machine::file::read_text;

/// A tree as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    /// Names; the position is the number.
    hosts: Vec<String>,
    /// Number of switches; they have the numbers after the hosts.
    switches: usize,
    /// One-way latencies in microseconds.
    links: Vec<Link>,
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let listed = Listed {
            hosts: self.names.clone(),
            switches: self.switches(),
            links: self.links().collect(),
        };
        listed.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Listed::deserialize(deserializer)?).map_err(de::Error::custom)
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
    pub fn read(path: impl AsRef<Path>) -> Result<Self, TreeFileError> {
        let path = path.as_ref();
        let io = |source| TreeFileError::Io {
            path: path.into(),
            source,
        };
        let text = read_text(path, MOST, "a tree file has at most 2^24 bytes").map_err(io)?;
        Self::from_text(&text, path)
    }

    /// Parses the text of a tree file, JSON if it begins with a brace and else Newick; `path` is
    /// what errors call it.
    ///
    /// # Errors
    /// When the text is in neither form or is no valid tree; the error names file, line and column.
    pub fn from_text(text: &str, path: &Path) -> Result<Self, TreeFileError> {
        let syntax = |line, column, message| TreeFileError::Syntax {
            path: path.into(),
            line,
            column,
            message,
        };
        if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| {
                let message = error.to_string();
                // The place stands in front, as for every file.
                let message = message
                    .rsplit_once(" at line ")
                    .map_or(&message[..], |(message, _)| message);
                // What is wrong with the whole has no place.
                syntax(
                    error.line().max(1),
                    error.column().max(1),
                    message.to_owned(),
                )
            })
        } else {
            let parsed = text.parse::<Self>();
            parsed.map_err(|error| syntax(error.line, error.column, error.message))
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
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), TreeFileError> {
        let path = path.as_ref();
        let text = if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            self.to_json()
        } else {
            self.newick() + "\n"
        };
        superstep_files::replace(path, text).map_err(|source| TreeFileError::Io {
            path: path.into(),
            source,
        })
    }
}

/// Reason for which a tree file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum TreeFileError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The text is no tree.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The defect.
        message: String,
    },
}
