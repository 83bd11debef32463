//! Files are replaced where their paths lead, keep their rights, and are whole or as they were.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use superstep_files::{replace, replace_with};

/// Makes an empty folder of a test's own.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn files_are_made_and_replaced() {
    let folder = folder("made");
    let path = folder.join("it");
    for text in ["old", "new", ""] {
        replace(&path, text).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // One that a writer has left is its own.
    fs::write(folder.join("it.0.new"), "left").unwrap();
    replace(&path, "newer").unwrap();
    assert_eq!(fs::read(folder.join("it.0.new")).unwrap(), b"left");
    assert_eq!(names(&folder), ["it", "it.0.new"]);
}

#[test]
fn a_file_that_is_not_written_whole_stays_as_it_was() {
    let folder = folder("half");
    let path = folder.join("it");
    let half = |file: &mut io::BufWriter<fs::File>| {
        file.write_all(&[0; 1 << 20])?;
        Err(io::Error::other("enough"))
    };
    assert_eq!(replace_with(&path, half).unwrap_err().to_string(), "enough");
    assert!(names(&folder).is_empty());
    replace(&path, "old").unwrap();
    assert!(replace_with(&path, half).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(&folder), ["it"]);
}

#[test]
fn folders_are_refused() {
    let folder = folder("folder");
    for path in [folder.clone(), folder.join("."), folder.join("..")] {
        let error = replace(&path, "new").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert_eq!(
            error.to_string(),
            "not a regular file, and only such are written"
        );
    }
    let nowhere = replace(folder.join("nowhere/it"), "new").unwrap_err();
    assert_eq!(nowhere.kind(), ErrorKind::NotFound);
    assert!(replace("", "new").is_err());
    assert!(names(&folder).is_empty());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn links_are_followed_and_stay() {
        let folder = folder("links");
        fs::create_dir(folder.join("far")).unwrap();
        symlink("far/it", folder.join("near")).unwrap();
        symlink(folder.join("near"), folder.join("first")).unwrap();
        // At first they lead to no file.
        for text in ["made", "replaced"] {
            replace(folder.join("first"), text).unwrap();
            for name in ["near", "first"] {
                assert!(
                    fs::symlink_metadata(folder.join(name))
                        .unwrap()
                        .is_symlink()
                );
            }
            let target = folder.join("far/it");
            assert!(fs::symlink_metadata(&target).unwrap().is_file());
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
        }
        assert_eq!(names(&folder), ["far", "first", "near"]);
        assert_eq!(names(&folder.join("far")), ["it"]);
    }

    #[test]
    fn links_in_a_circle_are_refused() {
        let folder = folder("circle");
        symlink("b", folder.join("a")).unwrap();
        symlink("a", folder.join("b")).unwrap();
        assert!(replace(folder.join("a"), "new").is_err());
        assert_eq!(names(&folder), ["a", "b"]);
    }

    #[test]
    fn modes_stay_and_nobody_else_may_read_meanwhile() {
        let path = folder("modes").join("it");
        replace(&path, "old").unwrap();
        for rights in [0o600, 0o644, 0o640, 0o777, 0o200] {
            fs::set_permissions(&path, fs::Permissions::from_mode(rights)).unwrap();
            replace_with(&path, |file| {
                let beside = path.with_file_name("it.0.new");
                assert_eq!(mode(&beside) & 0o077, 0, "{rights:o}");
                file.write_all(b"new")
            })
            .unwrap();
            assert_eq!(mode(&path), rights, "{rights:o}");
        }
    }

    /// Returns whether this is the superuser, who alone may give files away, and may write all.
    fn is_superuser(path: &Path) -> bool {
        fs::write(path, "mine").unwrap();
        chown(path, Some(12345), Some(54321)).is_ok()
    }

    #[test]
    fn owners_stay_where_the_system_allows_it() {
        let path = folder("owners").join("it");
        if is_superuser(&path) {
            replace(&path, "new").unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!((found.uid(), found.gid()), (12345, 54321));
        }
    }

    #[test]
    fn a_file_that_may_not_be_written_is_not_replaced() {
        let path = folder("read-only").join("it");
        if is_superuser(&path) {
            return;
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = replace(&path, "new").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }

    #[test]
    fn what_is_no_regular_file_is_refused_and_stays() {
        let folder = folder("special");
        let socket = folder.join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        symlink("socket", folder.join("link")).unwrap();
        // No device: should this fail, it would be gone.
        for path in [&socket, &folder.join("link")] {
            let error = replace(path, "new").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
        }
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
        assert_eq!(names(&folder), ["link", "socket"]);
    }

    /// To open a pipe would wait for a reader, and its name in the system leads nowhere.
    #[cfg(target_os = "linux")]
    #[test]
    fn pipes_are_refused() {
        let (_reader, writer) = io::pipe().unwrap();
        let descriptor = std::os::fd::AsRawFd::as_raw_fd(&writer);
        let error = replace(format!("/proc/self/fd/{descriptor}"), "new").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
}
