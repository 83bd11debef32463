//! Writing files: each as a whole, where its path leads.
//!
//! All files that superstep writes go through [`replace`] or [`replace_with`]; those that grow
//! while work goes on are append-only logs ([`AppendLog`]).
//!
//! * **As a whole**: whoever reads the file, also after a crash, finds the old bytes or the new
//!   ones. They are written beside it, and renamed.
//! * **Where the path leads**: links are followed, and stay. Other hard links of a file keep the
//!   old bytes.
//! * **Modes stay**: a file that is there keeps its permissions and, where the system allows it,
//!   its owner and group.
//! * **Regular files alone**: what is a folder, a device or a pipe is refused.
//!
//! A [`FileError`] is what is wrong with a file: that of the system, or a defect with its place.
//!
//! By hand: `tempfile` would give files to their owner alone, and asks the system for random
//! numbers.

mod append_log;
mod error;

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub use append_log::AppendLog;
pub use error::{FileError, read_text};

/// Names that are tried for a new file: others are of writers that are at work, or were ended.
const NAMES: u32 = 1000;
/// Links that are followed, at most: as many as Linux follows.
const LINKS: u32 = 40;

/// Replaces a file by other bytes, or makes it.
///
/// # Errors
/// The system's error, or [`ErrorKind::InvalidInput`] where the path leads to what is no regular
/// file. The file is as it was before.
///
/// ```
/// let path = std::env::temp_dir().join(format!("superstep-{}", std::process::id()));
/// superstep_files::replace(&path, "new")?;
/// assert_eq!(std::fs::read(&path)?, b"new");
/// assert!(superstep_files::replace(std::env::temp_dir(), "new").is_err());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes.as_ref()))
}

/// Replaces a file by what a function writes, or makes it.
///
/// # Errors
/// The function's, or as [`replace`]. The file is as it was before.
pub fn replace_with<E: From<io::Error>>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let old = writable(path.as_ref())?;
    let path = target(path.as_ref())?;
    let (new, file) = beside(&path, old.as_ref())?;
    let mut file = BufWriter::new(file);
    let written = write(&mut file).and_then(|()| Ok(finish(file, old.as_ref())?));
    let replaced = written.and_then(|()| Ok(fs::rename(&new, &path)?));
    if replaced.is_err() {
        // The error that is told is the first one.
        let _ = fs::remove_file(&new);
    }
    replaced
}

/// Returns what a path leads to, none if there is nothing, and refuses what must not be replaced.
fn writable(path: &Path) -> io::Result<Option<Metadata>> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !found.is_file() {
        return Err(refused("not a regular file, and only such are written"));
    }
    // A new file needs rights to the folder alone; nothing is cut off here.
    File::options().write(true).open(path)?;
    Ok(Some(found))
}

/// Returns where a path leads: links at its end are followed, whether there is a file or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => {
                let next = fs::read_link(&path)?;
                path.pop();
                path.push(next);
            }
            _ => return Ok(path),
        }
    }
    Err(refused("too many links"))
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, reason)
}

/// Makes a new file in the folder of another one, which nobody may read who may not read that.
fn beside(path: &Path, old: Option<&Metadata>) -> io::Result<(PathBuf, File)> {
    let name = path
        .file_name()
        .ok_or_else(|| refused("not the name of a file"))?;
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if old.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = old;
    let mut number = 0;
    loop {
        let mut name = name.to_owned();
        name.push(format!(".{number}.new"));
        let new = path.with_file_name(name);
        match options.open(&new) {
            Ok(file) => return Ok((new, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < NAMES => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Writes the rest, gives the file the rights of an old one, and waits until the disk has it.
fn finish(file: BufWriter<File>, old: Option<&Metadata>) -> io::Result<()> {
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(old) = old {
        keep_rights(&file, old)?;
    }
    file.sync_all()
}

/// Gives a file the owner, group and mode of another one.
#[cfg(unix)]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let new = file.metadata()?;
    let mut mode = old.mode() & 0o777;
    let own = (new.uid(), new.gid());
    if own != (old.uid(), old.gid())
        && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
        && new.gid() != old.gid()
        && fchown(file, None, Some(old.gid())).is_err()
    {
        // What the group might do, another one must not.
        mode &= 0o707;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Gives a file the permissions of another one.
#[cfg(not(unix))]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}
