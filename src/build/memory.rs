//! Number of tasks that there is memory for.

use std::fs;
use std::path::Path;

use superstep_tracer::{DEFAULT_LIMIT, MOST_TASKS};

/// Bytes that a build takes for each task, its trace included, where programs over shared memory
/// are compiled one at a time.
///
/// Counted by an allocator at the peak, for 1 and 2 processors and 2 to 6 million tasks:
///
/// | kernel | bytes per task |
/// |---|---|
/// | product of matrices | 72 |
/// | LU of 256 rows | 77 |
/// | table of longest common subsequences | 86 |
/// | Jacobi sweeps, which overwrite what others read | 108 |
/// | Fourier transform, whose butterflies share temporaries | 149 |
pub const BYTES_PER_TASK: u64 = 152;

/// Limit of the tasks that a trace may have. It is as many as a [`Builder`](super::Builder) says,
/// else as many as free memory has room for, at [`BYTES_PER_TASK`].
///
/// Free memory is what Linux tells: `MemAvailable` of `/proc/meminfo`, and no more than the control
/// groups of the process leave of their limits. Those are of versions 1 and 2; pages of files,
/// which are given up on demand, count as free. Elsewhere it is not known, and the limit is 10^9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskLimit {
    /// Number of tasks.
    pub tasks: u64,
    /// Bytes of memory that are free, where that is known.
    pub available: Option<u64>,
    /// Set if the build script gave the number.
    pub is_given: bool,
}

impl TaskLimit {
    /// Returns the limit that was given, else what free memory has room for.
    pub(super) fn new(given: Option<u64>) -> Self {
        Self::of(given, available())
    }

    fn of(given: Option<u64>, available: Option<u64>) -> Self {
        let room = available.map_or(DEFAULT_LIMIT, |bytes| bytes / BYTES_PER_TASK);
        Self {
            tasks: given.unwrap_or(room).min(MOST_TASKS),
            available,
            is_given: given.is_some(),
        }
    }
}

/// Returns the bytes that are free, where that is known.
fn available() -> Option<u64> {
    let system = available_of(&fs::read_to_string("/proc/meminfo").ok()?);
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let left = groups
        .lines()
        .filter_map(|line| left_by(line, Path::new("/sys/fs/cgroup")));
    system.into_iter().chain(left).min()
}

/// Reads `MemAvailable` off the text of `/proc/meminfo`.
fn available_of(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

/// Names of the files in which a control group tells its limit and its use.
struct Names {
    limit: &'static str,
    used: &'static str,
    /// Names in `memory.stat` of pages of files, of the group and those in it.
    pages: [&'static str; 2],
}

const FIRST: Names = Names {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    pages: ["total_active_file", "total_inactive_file"],
};

const SECOND: Names = Names {
    limit: "memory.max",
    used: "memory.current",
    pages: ["active_file", "inactive_file"],
};

/// Returns the bytes that a group and those around it leave, the least of all. `line` is one of
/// `/proc/self/cgroup`, as `0::/user.slice` or `4:memory:/docker/1a2b`.
fn left_by(line: &str, mount: &Path) -> Option<u64> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
    let (root, names) = match controllers {
        "" => (mount.to_owned(), SECOND),
        // Mounted together with others, it is found by its own name, too.
        _ if controllers.split(',').any(|each| each == "memory") => (mount.join("memory"), FIRST),
        _ => return None,
    };
    // In a container the group may be named as it is called outside; the root is what the container
    // sees of it.
    let groups = Path::new(group.trim_start_matches('/')).ancestors();
    groups
        .filter_map(|group| left_in(&root.join(group), &names))
        .min()
}

/// Returns the bytes that are left of the limit of the group with that folder.
fn left_in(folder: &Path, names: &Names) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    // A group without a limit says `max`, or a number that no machine has.
    let limit: u64 = read(names.limit)?.trim().parse().ok()?;
    let used: u64 = read(names.used)?.trim().parse().ok()?;
    let statistics = read("memory.stat").unwrap_or_default();
    let pages = statistics.lines().filter_map(|line| {
        let (name, bytes) = line.split_once(' ')?;
        names
            .pages
            .contains(&name)
            .then(|| bytes.trim().parse::<u64>().ok())?
    });
    Some(limit.saturating_sub(used.saturating_sub(pages.sum())))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn free_memory_is_divided_among_tasks_unless_a_limit_is_given() {
        let tasks = |given, available| TaskLimit::of(given, available).tasks;
        assert_eq!(tasks(None, Some(1000 * BYTES_PER_TASK + 1)), 1000);
        assert_eq!(tasks(None, Some(u64::MAX)), MOST_TASKS);
        assert_eq!(tasks(None, None), DEFAULT_LIMIT);
        assert_eq!(tasks(Some(77), Some(0)), 77);
        assert_eq!(tasks(Some(u64::MAX), None), MOST_TASKS);
    }

    #[test]
    fn meminfo_is_read_as_linux_writes_it() {
        let meminfo = "MemTotal:       24598080 kB\nMemFree:        1000 kB\nMemAvailable:   24118272 kB\nBuffers: 5 kB\n";
        assert_eq!(available_of(meminfo), Some(24_118_272 * 1024));
        for other in [
            "",
            "MemTotal: 5 kB\n",
            "MemAvailable: 5\n",
            "MemAvailable: -5 kB\n",
        ] {
            assert_eq!(available_of(other), None, "{other}");
        }
    }

    /// Folder of files under a name of its own, removed at the end.
    struct Files(PathBuf);

    impl Files {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let folder =
                std::env::temp_dir().join(format!("superstep-{name}-{}", std::process::id()));
            for (path, contents) in files {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().expect("it is in the folder")).unwrap();
                fs::write(path, contents).unwrap();
            }
            Self(folder)
        }
    }

    impl Drop for Files {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    #[test]
    fn the_narrowest_group_of_version_2_counts_and_pages_of_files_are_free() {
        let files = Files::new(
            "second",
            &[
                ("a/memory.max", "1000\n"),
                ("a/memory.current", "700\n"),
                (
                    "a/memory.stat",
                    "anon 100\ninactive_file 300\nactive_file 200\n",
                ),
                ("a/b/memory.max", "max\n"),
                ("a/b/memory.current", "600\n"),
                ("a/c/memory.max", "500\n"),
                ("a/c/memory.current", "600\n"),
            ],
        );
        assert_eq!(left_by("0::/a/b", &files.0), Some(800));
        assert_eq!(left_by("0::/a/c", &files.0), Some(0));
        assert_eq!(left_by("0::/", &files.0), None);
        assert_eq!(left_by("nonsense", &files.0), None);
    }

    #[test]
    fn groups_of_version_1_are_found_by_their_controller() {
        let files = Files::new(
            "first",
            &[
                ("memory/memory.limit_in_bytes", "4000\n"),
                ("memory/memory.usage_in_bytes", "1000\n"),
                (
                    "memory/memory.stat",
                    "inactive_file 7\ntotal_inactive_file 500\n",
                ),
            ],
        );
        // A container sees its own group as the root.
        assert_eq!(left_by("9:memory:/docker/1a2b", &files.0), Some(3500));
        assert_eq!(left_by("9:cpu,memory:/", &files.0), Some(3500));
        assert_eq!(left_by("3:cpuset:/", &files.0), None);
    }
}
