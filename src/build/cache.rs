//! Cache of generated files: a kernel that is as it was in an earlier build is not scheduled again.
//!
//! An entry is addressed by all that its files are made of. That is the traces of the kernel's
//! instances, the programs that are asked for, the options, and superstep's own code. So a kernel
//! is compiled anew when its text changes, or what its control reads. Those beside it in a file are
//! not, though they stand at other lines then. Entries lie in the target folder, where builds of
//! all profiles and packages find them.

use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use superstep_codegen::SOURCES;
use twox_hash::xxhash3_128;

use super::made::Made;

/// Size limit of all entries, in bytes, above which those are removed that were used least
/// recently.
///
/// Entries of the 285 kernels of superstep's own examples and tests take 16 MB: so this is room for
/// sixteen versions of each.
const MOST_BYTES: u64 = 1 << 28;

/// Hash of all that an entry is made of.
pub(super) struct Key(xxhash3_128::Hasher);

impl Key {
    /// Begins a key of this version of superstep.
    pub(super) fn new() -> Self {
        let mut key = Self(xxhash3_128::Hasher::new());
        SOURCES.hash(&mut key);
        key
    }

    /// Returns the name of the entry.
    pub(super) fn name(&self, kernel: &str) -> String {
        format!("{kernel}-{:032x}", self.0.finish_128())
    }
}

impl Hasher for Key {
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn finish(&self) -> u64 {
        self.0.finish_128() as u64
    }
}

/// Entries of earlier builds.
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Opens the cache of the target folder that has this output folder of a build script.
    pub(super) fn of(out: &Path) -> Self {
        let is_target = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
        let target = out.ancestors().find(is_target).unwrap_or(out);
        Self {
            folder: target.join("superstep-cache"),
        }
    }

    /// Returns an entry of a kernel; none if there is none, or it is damaged.
    pub(super) fn get(&self, kernel: &str, key: &Key) -> Option<Made> {
        let path = self.folder.join(key.name(kernel));
        let bytes = fs::read(&path).ok()?;
        let (hash, entry) = bytes.split_first_chunk()?;
        if xxhash3_128::Hasher::oneshot(entry) != u128::from_le_bytes(*hash) {
            return None;
        }
        let made = postcard::from_bytes(entry).ok()?;
        // Should the time stay as it is, the entry is merely removed sooner.
        let touched = File::options().append(true).open(&path);
        let _ = touched.and_then(|file| file.set_modified(SystemTime::now()));
        Some(made)
    }

    /// Keeps an entry for later builds, which do without where it cannot be written.
    pub(super) fn put(&self, kernel: &str, key: &Key, made: &Made) {
        let Ok(entry) = postcard::to_stdvec(made) else {
            return;
        };
        let hash = xxhash3_128::Hasher::oneshot(&entry).to_le_bytes();
        let _ = self.write(&key.name(kernel), &[&hash[..], &entry].concat());
        let _ = self.keep_within(MOST_BYTES);
    }

    /// Writes a file as a whole, as other build scripts may read it.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        superstep_files::replace(self.folder.join(name), bytes)
    }

    /// Removes the entries that were used least recently, until the others have so many bytes.
    fn keep_within(&self, most: u64) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let (path, data) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
            entries.push((data.modified()?, data.len(), path));
        }
        entries.sort_by(|a, b| b.cmp(a));
        let mut bytes = 0;
        for (_, length, path) in entries {
            bytes += length;
            if bytes > most {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Makes an empty cache for the test of that name.
    fn cache(name: &str) -> Cache {
        let folder = std::env::temp_dir().join(format!("superstep-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Cache { folder }
    }

    fn key(of: &impl Hash) -> Key {
        let mut key = Key::new();
        of.hash(&mut key);
        key
    }

    fn made(bytes: usize) -> Made {
        Made {
            files: vec![(".rs".into(), vec![7; bytes])],
            ..Made::default()
        }
    }

    #[test]
    fn an_entry_is_found_by_its_key_alone() {
        let cache = cache("found");
        cache.put("lu", &key(&1), &made(3));
        assert_eq!(cache.get("lu", &key(&1)), Some(made(3)));
        assert_eq!(cache.get("lu", &key(&2)), None);
        assert_eq!(cache.get("qr", &key(&1)), None);
        fs::remove_dir_all(&cache.folder).expect("it is the test's");
    }

    #[test]
    fn an_entry_that_is_damaged_is_none() {
        let cache = cache("damaged");
        cache.put("lu", &key(&1), &made(30));
        let path = cache.folder.join(key(&1).name("lu"));
        let bytes = fs::read(&path).expect("it was written");
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).expect("a writable folder");
            assert_eq!(cache.get("lu", &key(&1)), None, "{length}");
            let mut other = bytes.clone();
            other[length] ^= 1;
            fs::write(&path, &other).expect("a writable folder");
            assert_eq!(cache.get("lu", &key(&1)), None, "{length}");
        }
        fs::remove_dir_all(&cache.folder).expect("it is the test's");
    }

    #[test]
    fn entries_that_were_used_least_recently_give_way() {
        let cache = cache("least");
        for number in 0..3_u64 {
            cache.put("lu", &key(&number), &made(1000));
            let file = File::options()
                .append(true)
                .open(cache.folder.join(key(&number).name("lu")));
            let time = SystemTime::now() - Duration::from_secs(100 - number);
            let file = file.expect("it was written");
            file.set_modified(time).expect("a file of the test's");
        }
        assert!(cache.get("lu", &key(&0_u64)).is_some());
        cache.keep_within(2500).expect("a folder of the test's");
        let kept = [0_u64, 1, 2].map(|number| cache.get("lu", &key(&number)).is_some());
        assert_eq!(kept, [true, false, true]);
        fs::remove_dir_all(&cache.folder).expect("it is the test's");
    }
}
