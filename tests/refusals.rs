//! Everything outside the kernel language is refused with a message of its own, which says what to
//! write instead.
//!
//! `REFUSALS=overwrite cargo test --test refusals` rewrites the expected messages. They are those
//! of the toolchain that the repository pins: other compilers decorate the same messages otherwise.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The lines with which the compiler ends, whatever it refuses.
const CLOSING: [&str; 3] = [
    "error: aborting due to ",
    "For more information about ",
    "Some errors have detailed explanations:",
];

/// The folder of the libraries that cargo has built, and of this test.
fn built() -> PathBuf {
    let test = env::current_exe().expect("a test is a file");
    test.parent().expect("it is in a folder").to_owned()
}

/// The newest facade in `built`: as this test links one, the newest is of today's sources, for
/// whichever features.
fn facade(built: &Path) -> PathBuf {
    let is_facade = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libsuperstep-") && name.ends_with(".rlib")
    };
    let files = built.read_dir().expect("a readable folder");
    files
        .map(|file| file.expect("a readable folder").path())
        .filter(is_facade)
        .max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok())
        .expect("this test links it")
}

/// Refusals of the compiler: its messages for `case`, or nothing if it compiles.
fn refusal(case: &Path, built: &Path, facade: &Path) -> String {
    let output = Command::new(Path::new(env!("CARGO")).with_file_name("rustc"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "--edition=2024",
            "--emit=metadata",
            "--diagnostic-width=140",
        ])
        .arg(format!("--out-dir={}", env!("CARGO_TARGET_TMPDIR")))
        .arg(format!("-Ldependency={}", built.display()))
        .arg(format!("--extern=superstep={}", facade.display()))
        .arg(case)
        .output()
        .expect("the compiler stands beside cargo");
    if output.status.success() {
        return String::new();
    }
    let messages = String::from_utf8(output.stderr).expect("messages are text");
    let lines = messages
        .lines()
        .filter(|line| !CLOSING.iter().any(|closing| line.starts_with(closing)));
    let text: Vec<&str> = lines.collect();
    text.join("\n").trim_end().to_owned() + "\n"
}

#[test]
fn each_refusal_says_what_to_write_instead() {
    let built = built();
    let facade = facade(&built);
    let overwrites = env::var_os("REFUSALS").is_some_and(|value| value == "overwrite");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = root
        .join("tests/refusals")
        .read_dir()
        .expect("there are cases");
    let mut cases: Vec<PathBuf> = cases
        .map(|case| case.expect("a readable folder").path())
        .filter(|case| case.extension().is_some_and(|ending| ending == "rs"))
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in &cases {
        // The compiler names the file as it is given.
        let case = case.strip_prefix(root).expect("cases are in the package");
        let found = refusal(case, &built, &facade);
        let file = root.join(case).with_extension("stderr");
        if overwrites && !found.is_empty() {
            fs::write(&file, &found).expect("a writable folder");
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if found.is_empty() {
            wrong.push(format!("{} compiles", case.display()));
        } else if found != expected {
            wrong.push(format!(
                "{}, expected:\n{expected}\nfound:\n{found}",
                case.display()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}
