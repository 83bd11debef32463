//! A package of a user, in a folder of its own.

// Each file of tests takes what it needs.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

const MANIFEST: &str = r#"[package]
name = "walk"
version = "0.1.0"
edition = "2024"

[dependencies]
superstep = { path = "FACADE" }

[build-dependencies]
superstep = { path = "FACADE", default-features = false, features = ["build"] }

[workspace]
"#;

/// A package that is called `walk`.
pub(crate) struct Package(pub(crate) PathBuf);

impl Package {
    /// Makes a package of files, in an empty folder of that name.
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        let facade = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("a workspace");
        let package = Self(folder);
        let manifest = MANIFEST.replace("FACADE", &facade.display().to_string());
        package.write("Cargo.toml", &manifest);
        for (file, text) in files {
            package.write(file, text);
        }
        let lock = package.0.join("Cargo.lock");
        fs::copy(facade.join("Cargo.lock"), lock).expect("a writable folder");
        package
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("it is in the package"))
            .expect("a writable folder");
        fs::write(path, text).expect("a writable folder");
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect("it was written")
    }

    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program)
            .current_dir(&self.0)
            .args(arguments)
            .env("CARGO", env!("CARGO"))
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_NET_OFFLINE", "true")
            .env_remove("SUPERSTEP_PROGRAMS")
            .env_remove("SUPERSTEP_SKIP")
            .output()
            .expect("it runs")
    }

    /// Runs `cargo superstep` with arguments as a page shows them.
    pub(crate) fn superstep(&self, arguments: &str) -> (String, i32) {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = self.command(env!("CARGO_BIN_EXE_cargo-superstep"), &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{said}");
        let code = output.status.code().expect("it ended by itself");
        (String::from_utf8_lossy(&output.stdout).into_owned(), code)
    }
}
