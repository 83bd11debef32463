//! Description of a core: its caches, as the system has them, and its vectors.
//!
//! Nothing tells how far a core looks ahead and brings lines in, nor how many registers a loop has
//! for integers: those are the defaults.

use std::{fs, path::Path};

use superstep_machine::Core;

/// Folder in which Linux describes the caches of the first core.
const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

/// Share of the second level cache on which a program can count: the rest goes to what else a core
/// needs.
const OWN: f64 = 0.75;

/// Describes the first core, with defaults for what cannot be found out.
pub(super) fn found() -> Core {
    Core {
        registers: registers(),
        vector_bytes: vector_bytes(),
        ..caches(Path::new(CACHES))
    }
}

/// Reads the caches in a folder of the system; those that it does not describe have their defaults.
fn caches(folder: &Path) -> Core {
    let mut core = Core::default();
    let folders = fs::read_dir(folder).into_iter().flatten().flatten();
    for cache in folders {
        let read = |name: &str| fs::read_to_string(cache.path().join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse().ok().filter(|&number| number > 0);
        let is_of_data = read("type").is_some_and(|kind| kind.trim() != "Instruction");
        match number("level").filter(|_| is_of_data) {
            Some(1) => {
                core.line_bytes = number("coherency_line_size").unwrap_or(core.line_bytes);
                // Some systems tell one without the other.
                if let (Some(sets), Some(ways)) =
                    (number("number_of_sets"), number("ways_of_associativity"))
                {
                    (core.sets, core.ways) = (sets, ways);
                }
            }
            Some(2) => {
                let size = read("size");
                let kilobytes = size.and_then(|size| size.trim().strip_suffix('K')?.parse().ok());
                let bytes = kilobytes.map(|kilobytes: f64| OWN * 1024.0 * kilobytes);
                core.cache = bytes.unwrap_or(core.cache);
            }
            _ => {}
        }
    }
    core
}

/// Vectors that the core has at hand at once.
fn registers() -> f64 {
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx512vl") {
        return 16.0;
    }
    32.0
}

/// Bytes of the vectors with which loops end.
fn vector_bytes() -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return 32;
    }
    16
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Reads a folder of files as Linux has them.
    fn system(name: &str, caches: &[&[(&str, &str)]]) -> Core {
        let folder = std::env::temp_dir().join(format!("superstep-{name}-{}", std::process::id()));
        for (number, files) in caches.iter().enumerate() {
            let cache = folder.join(format!("index{number}"));
            fs::create_dir_all(&cache).unwrap();
            for (file, text) in *files {
                fs::write(cache.join(file), format!("{text}\n")).unwrap();
            }
        }
        let core = super::caches(&folder);
        let _ = fs::remove_dir_all(&folder);
        core
    }

    #[test]
    fn caches_are_what_the_system_says() {
        let data = [
            ("level", "1"),
            ("type", "Data"),
            ("coherency_line_size", "128"),
            ("number_of_sets", "32"),
            ("ways_of_associativity", "12"),
        ];
        let instructions = [
            ("level", "1"),
            ("type", "Instruction"),
            ("coherency_line_size", "32"),
            ("number_of_sets", "1"),
            ("ways_of_associativity", "1"),
        ];
        let second = [("level", "2"), ("type", "Unified"), ("size", "2048K")];
        let third = [("level", "3"), ("type", "Unified"), ("size", "65536K")];
        let core = system("caches", &[&data, &instructions, &second, &third]);
        let expected = Core {
            line_bytes: 128,
            sets: 32,
            ways: 12,
            cache: 1_572_864.0,
            ..Core::default()
        };
        assert_eq!(core, expected);
    }

    #[test]
    fn what_the_system_does_not_say_is_the_default() {
        assert_eq!(caches(Path::new("no/such/folder")), Core::default());
        let first = [
            ("level", "1"),
            ("type", "Data"),
            ("coherency_line_size", "0"),
            ("number_of_sets", "32"),
        ];
        let second = [("level", "2"), ("type", "Unified"), ("size", "large")];
        assert_eq!(system("nothing", &[&first, &second]), Core::default());
    }
}
