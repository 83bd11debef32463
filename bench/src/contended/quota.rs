//! A share of processor time for some processes, which can be changed while they run: a control
//! group of Linux, which root may make.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Period in which a quota is granted, in microseconds: the default of Linux, as containers have
/// it.
const PERIOD: u32 = 100_000;

/// Folders of the controller of processor time, of version 1 and of version 2.
const FOLDERS: [&str; 2] = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"];

/// A group of processes, without members at first. It goes when it is dropped.
pub(super) struct Quota {
    folder: PathBuf,
}

impl Quota {
    /// Makes a group.
    ///
    /// # Errors
    /// If this process may not, or the system has no such groups.
    pub(super) fn new() -> io::Result<Self> {
        let [first, second] = FOLDERS.map(Path::new);
        let parent = if first.is_dir() { first } else { second };
        let folder = parent.join(format!("superstep-bench-{}", std::process::id()));
        fs::create_dir(&folder)?;
        let quota = Self { folder };
        quota.grant(1)?;
        Ok(quota)
    }

    /// Takes a process in.
    pub(super) fn take(&self, process: u32) -> io::Result<()> {
        self.set("cgroup.procs", process.to_string())
    }

    /// Grants so many halves of a core to all members together.
    pub(super) fn grant(&self, halves: u32) -> io::Result<()> {
        let quota = halves * PERIOD / 2;
        let first = "cpu.cfs_quota_us";
        match self.folder.join(first).exists() {
            true => {
                self.set("cpu.cfs_period_us", PERIOD.to_string())?;
                self.set(first, quota.to_string())
            }
            false => self.set("cpu.max", format!("{quota} {PERIOD}")),
        }
    }

    /// Writes to a file that the system has made.
    fn set(&self, file: &str, text: String) -> io::Result<()> {
        let mut file = OpenOptions::new()
            .write(true)
            .open(self.folder.join(file))?;
        file.write_all(text.as_bytes())
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // A group that is left over has no members, and no effect.
        let _ = fs::remove_dir(&self.folder);
    }
}
