//! Files that grow: whole lines are added at their end.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::refused;

/// File to which whole lines are added, each by one write: a crash cuts off the last one at most.
///
/// ```
/// use superstep_files::AppendLog;
///
/// let path = std::env::temp_dir().join(format!("superstep-log-{}", std::process::id()));
/// let (mut log, before) = AppendLog::open(&path)?;
/// assert!(before.is_empty());
/// log.add("one")?;
/// log.add("two")?;
/// let (mut log, before) = AppendLog::open(&path)?;
/// assert_eq!(before, b"one\ntwo\n");
/// log.cut(4)?;
/// log.add("2")?;
/// assert_eq!(std::fs::read(&path)?, b"one\n2\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AppendLog {
    file: File,
}

impl AppendLog {
    /// Opens a file, or makes it, and returns its bytes, too.
    ///
    /// # Errors
    /// The system's error, or [`InvalidInput`](io::ErrorKind::InvalidInput) where the path leads to
    /// what is no regular file.
    pub fn open(path: impl AsRef<Path>) -> io::Result<(Self, Vec<u8>)> {
        let path = path.as_ref();
        // To open a pipe would wait for its other end.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(refused("not a regular file, and only such are written"));
        }
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok((Self { file }, bytes))
    }

    /// Keeps so many bytes from the beginning, behind which lines are added.
    ///
    /// # Errors
    /// The system's error.
    pub fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.file.set_len(bytes)?;
        self.file.seek(SeekFrom::Start(bytes)).map(|_| ())
    }

    /// Adds a line.
    ///
    /// # Errors
    /// The system's error.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}
