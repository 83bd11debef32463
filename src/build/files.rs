//! Files that a build script generates.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::BuildError;

/// Folder of generated files.
pub(super) struct Files {
    pub folder: PathBuf,
    written: BTreeSet<PathBuf>,
}

impl Files {
    pub(super) fn new(folder: PathBuf) -> Result<Self, BuildError> {
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Self {
            folder,
            written: BTreeSet::new(),
        })
    }

    /// Writes a file, unless it is there with these contents.
    pub(super) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), BuildError> {
        let path = self.folder.join(name);
        // To wait for the disk takes milliseconds, and most builds write what is there.
        if !fs::read(&path).is_ok_and(|old| old == bytes) {
            superstep_files::replace(&path, bytes).map_err(at(&path))?;
        }
        self.written.insert(path);
        Ok(())
    }

    /// Removes what earlier builds wrote and this one did not, so that a removed instance is gone.
    pub(super) fn remove_stale(self) -> Result<(), BuildError> {
        for entry in fs::read_dir(&self.folder).map_err(at(&self.folder))? {
            let path = entry.map_err(at(&self.folder))?.path();
            if path.is_file() && !self.written.contains(&path) {
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
        Ok(())
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> BuildError + use<> {
    let path = path.to_path_buf();
    move |source| BuildError::Write { path, source }
}
