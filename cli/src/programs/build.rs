//! The programs that the last build of a crate generated, found through cargo.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

use clap::Args;
use serde::Deserialize;
use superstep::build::{InstanceTrace, Script, TracesError};
use superstep_report::page::Source;
use superstep_report::{Details, DetailsError, KernelReport, Report, source, text_hash};

use crate::failure::{InFile, unread};

/// Lines that a page shows before the first and after the last statement of a kernel: enough for
/// its attribute and closing braces. A choice of layout.
const AROUND: u32 = 3;

/// A build, as cargo is asked for it.
#[derive(Args)]
pub(crate) struct Build {
    /// Package to build
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Build in release mode
    #[arg(short, long)]
    release: bool,
    /// Features to build with, separated by commas or spaces; may be given several times
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Build with all features
    #[arg(long)]
    all_features: bool,
    /// Build without the default feature
    #[arg(long)]
    no_default_features: bool,
    /// Build for this target
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

/// Errors of finding programs.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BuildError {
    /// Cargo cannot be started, or what it says cannot be read.
    #[error("cargo cannot be run: {0}")]
    Cargo(#[from] io::Error),
    /// Cargo has printed why.
    #[error("the crate does not build")]
    Build,
    /// A file in the output folder of a build script.
    #[error(transparent)]
    File(#[from] InFile),
    /// A file in the output folder of a build script, written by another version.
    #[error("{} is no report of this version of superstep: {source}; is the command as old as the crate's dependency?", path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// A file in the output folder of a build script, written by another version.
    #[error("{}: {source}; is the command as old as the crate's dependency?", path.display())]
    Details {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: DetailsError,
    },
    /// No build script ran a builder.
    #[error("no build script of this crate generated programs with superstep")]
    Nothing,
}

/// A kernel's programs, and where their files are.
pub(crate) struct Kernel {
    pub(crate) report: KernelReport,
    /// The package's folder.
    package: PathBuf,
    /// The report's file, without its ending.
    files: PathBuf,
}

impl Build {
    /// Builds the crate, and reads the reports of all its kernels, in the order of their sources.
    pub(crate) fn kernels(&self) -> Result<Vec<Kernel>, BuildError> {
        let mut kernels = Vec::new();
        for (package, out) in self.output_folders()? {
            read_reports(&package, &out.join("superstep"), &mut kernels)?;
        }
        if kernels.is_empty() {
            return Err(BuildError::Nothing);
        }
        kernels.sort_by(|a, b| {
            let place = |kernel: &Kernel| (kernel.report.file.clone(), kernel.report.line);
            place(a).cmp(&place(b))
        });
        Ok(kernels)
    }

    fn cargo(&self) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--message-format=json-render-diagnostics"]);
        cargo.args(self.release.then_some("--release"));
        for features in &self.features {
            cargo.args(["--features", features]);
        }
        cargo.args(self.all_features.then_some("--all-features"));
        cargo.args(self.no_default_features.then_some("--no-default-features"));
        if let Some(target) = &self.target {
            cargo.args(["--target", target]);
        }
        if let Some(package) = &self.package {
            cargo.args(["--package", package]);
        }
        if let Some(path) = &self.manifest_path {
            cargo.arg("--manifest-path").arg(path);
        }
        cargo
    }

    /// Returns the folder of each package with a build script, and that script's output folder.
    fn output_folders(&self) -> Result<Vec<(PathBuf, PathBuf)>, BuildError> {
        let output = self.cargo().stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(BuildError::Build);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Message>(line).ok());
        let (mut packages, mut scripts) = (HashMap::new(), Vec::new());
        for message in messages {
            match (message.manifest_path, message.out_dir) {
                (Some(manifest), _) => {
                    let folder = manifest.parent().map(Path::to_path_buf);
                    packages.insert(message.package_id, folder.unwrap_or_default());
                }
                (_, Some(out)) if message.reason == "build-script-executed" => {
                    scripts.push((message.package_id, out));
                }
                _ => {}
            }
        }
        let folder = |(id, out)| (packages.get(&id).cloned().unwrap_or_default(), out);
        Ok(scripts.into_iter().map(folder).collect())
    }
}

/// One of the JSON objects, a line each, that cargo prints while it builds.
#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    package_id: String,
    manifest_path: Option<PathBuf>,
    out_dir: Option<PathBuf>,
}

/// Reads the reports in a folder; none if there is no such folder.
fn read_reports(
    package: &Path,
    folder: &Path,
    kernels: &mut Vec<Kernel>,
) -> Result<(), BuildError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(unread(folder))?,
    };
    for entry in entries {
        let path = entry.map_err(unread(folder))?.path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(unread(&path))?;
        let report = serde_json::from_str(&text).map_err(|source| BuildError::Report {
            path: path.clone(),
            source,
        })?;
        let package = package.to_path_buf();
        kernels.push(Kernel {
            report,
            package,
            files: path.with_extension(""),
        });
    }
    Ok(())
}

impl Kernel {
    /// Returns the programs that are wanted, by their numbers in the report.
    pub(crate) fn programs(
        &self,
        wants: impl Fn(&Report) -> bool,
    ) -> impl Iterator<Item = (&Self, usize)> {
        let programs = self.report.programs.iter().enumerate();
        programs
            .filter(move |(_, report)| wants(report))
            .map(move |(program, _)| (self, program))
    }

    /// Reads the details of one of its programs, by its number in the report.
    pub(crate) fn details(&self, program: usize) -> Result<Details, BuildError> {
        let path = self.files.with_extension(format!("{program}.details"));
        let bytes = fs::read(&path).map_err(unread(&path))?;
        Details::decode(&bytes).map_err(|source| BuildError::Details { path, source })
    }

    /// Has the build script trace the kernel with some control arguments, into a folder.
    pub(crate) fn trace(&self, folder: &Path, control: &str) -> Result<InstanceTrace, TracesError> {
        let id = self.files.file_name().unwrap_or_default().to_string_lossy();
        let out = self.files.parent().unwrap_or(Path::new(""));
        Script::trace(out, folder, &id, control)
    }

    /// Finds a source file.
    pub(crate) fn source(&self, file: &str) -> Option<PathBuf> {
        source(&self.package, file)
    }

    /// Reads the kernel's lines in each of its source files that is still there.
    pub(crate) fn sources(&self, report: &Report) -> Vec<Source> {
        let read = |(file, hash): &(String, String)| {
            let path = source(&self.package, file)?;
            let text = fs::read_to_string(path).ok()?;
            Some(self.lines_of(report, file, &text, text_hash(text.as_bytes()) != *hash))
        };
        self.report.sources.iter().filter_map(read).collect()
    }

    /// Cuts the lines around a kernel's statements out of a file; all lines, if the file has none
    /// of them.
    fn lines_of(&self, report: &Report, file: &str, text: &str, changed: bool) -> Source {
        let own = &self.report.file;
        let is_here = |of: &Option<String>| of.as_ref().unwrap_or(own) == file;
        let statements = report.statements.iter().filter(|each| is_here(&each.file));
        let lines = statements.map(|each| each.line);
        let kernel = (file == own).then_some(self.report.line);
        let all = lines.chain(kernel);
        let first = all.clone().min().unwrap_or(1).saturating_sub(AROUND).max(1);
        let last = all.max().unwrap_or(u32::MAX).saturating_add(AROUND);
        let lines = text.lines().skip(first as usize - 1);
        let lines: Vec<&str> = lines.take((last - first + 1) as usize).collect();
        Source {
            file: file.to_owned(),
            first,
            text: lines.join("\n"),
            changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        build: Build,
    }

    #[test]
    fn a_folder_without_reports_has_no_kernels_and_one_that_cannot_be_read_fails() {
        let kernels = |folder: &str| {
            let mut kernels = Vec::new();
            read_reports(Path::new(""), Path::new(folder), &mut kernels).map(|()| kernels.len())
        };
        assert!(matches!(kernels("src"), Ok(0)));
        assert!(matches!(kernels("nowhere"), Ok(0)));
        let file = kernels("Cargo.toml");
        assert!(
            matches!(&file, Err(BuildError::File(error)) if error.to_string().starts_with("Cargo.toml cannot"))
        );
    }

    #[test]
    fn cargo_builds_with_the_features_and_for_the_target_that_are_named() {
        let line = "report -p app --features a,b -F c --no-default-features --target wasm32-wasip1";
        let line = Line::parse_from(line.split(' '));
        let cargo = line.build.cargo();
        let arguments: Vec<_> = cargo
            .get_args()
            .map(|each| each.to_string_lossy())
            .collect();
        assert_eq!(
            arguments[2..].join(" "),
            "--features a,b --features c --no-default-features --target wasm32-wasip1 --package app"
        );
    }
}
