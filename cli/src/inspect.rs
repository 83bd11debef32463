//! `cargo superstep inspect`: what the last build of a crate generated.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use clap::Args;
use serde::Deserialize;
use superstep::build::{KernelReport, Report};

use crate::{
    failure::{CommandError, Failure},
    report,
};

/// Build a crate, list the programs that its build script generated, and print one of them
///
/// Finds them through cargo. If the filters leave one program, it is printed in full: supersteps, load of each processor, copies,
/// messages, inputs scattered and results gathered, the share of each tier of the generated code, and the statements whose values cross between
/// processors.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Only programs of this kernel
    kernel: Option<String>,
    /// Only programs for this number of processors
    #[arg(short = 'P', long)]
    processors: Option<usize>,
    /// Only programs whose control arguments contain this text, such as "n = 128"
    #[arg(long, value_name = "TEXT")]
    control: Option<String>,
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
    /// Print the programs as JSON
    #[arg(long)]
    json: bool,
}

/// Why there is nothing to inspect.
#[derive(Debug, thiserror::Error)]
enum InspectError {
    /// Cargo cannot be started, or what it says cannot be read.
    #[error("cargo cannot be run: {0}")]
    Cargo(#[from] io::Error),
    /// Cargo has printed why.
    #[error("the crate does not build")]
    Build,
    /// A file in the output folder of a build script.
    #[error("{} cannot be read: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file in the output folder of a build script, written by another version.
    #[error("{} is no report of this version of superstep: {source}; is the command as old as the crate's dependency?", path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// No build script ran a builder.
    #[error("no build script of this crate generated programs with superstep")]
    Nothing,
    /// The filters left nothing.
    #[error("no program fits; without filters, `cargo superstep inspect` lists them all")]
    NoMatch,
}

impl CommandError for InspectError {}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut kernels = Vec::new();
    for folder in output_folders(arguments)? {
        kernels.extend(reports(&folder.join("superstep"))?);
    }
    if kernels.is_empty() {
        return Err(InspectError::Nothing.into());
    }
    kernels.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    for kernel in &mut kernels {
        let fits = arguments
            .kernel
            .as_ref()
            .is_none_or(|name| *name == kernel.kernel);
        kernel
            .programs
            .retain(|report| fits && arguments.wants(report));
    }
    kernels.retain(|kernel| !kernel.programs.is_empty());
    if kernels.is_empty() {
        return Err(InspectError::NoMatch.into());
    }
    report::write(&if arguments.json {
        report::json(&kernels)
    } else if let [kernel] = &kernels[..] {
        kernel.text()
    } else {
        kernels.iter().map(KernelReport::list).collect()
    })
}

impl Arguments {
    fn wants(&self, report: &Report) -> bool {
        self.processors.is_none_or(|p| p == report.processors)
            && self
                .control
                .as_ref()
                .is_none_or(|text| report.control.contains(text))
    }

    fn cargo(&self) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--message-format=json-render-diagnostics"]);
        if self.release {
            cargo.arg("--release");
        }
        for features in &self.features {
            cargo.args(["--features", features]);
        }
        if self.all_features {
            cargo.arg("--all-features");
        }
        if self.no_default_features {
            cargo.arg("--no-default-features");
        }
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
}

/// What cargo says while it builds, one JSON object a line; all but the one for build scripts is passed over.
#[derive(Deserialize)]
struct Message {
    reason: String,
    out_dir: Option<PathBuf>,
}

/// The output folders of the build scripts that belong to the crate.
fn output_folders(arguments: &Arguments) -> Result<Vec<PathBuf>, InspectError> {
    let output = arguments.cargo().stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(InspectError::Build);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Message>(line).ok());
    Ok(messages
        .filter(|message| message.reason == "build-script-executed")
        .filter_map(|message| message.out_dir)
        .collect())
}

/// The reports in a folder; none if there is no such folder.
fn reports(folder: &Path) -> Result<Vec<KernelReport>, InspectError> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| {
            let text = fs::read_to_string(&path).map_err(|source| InspectError::File {
                path: path.clone(),
                source,
            })?;
            serde_json::from_str(&text).map_err(|source| InspectError::Report { path, source })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn cargo_builds_with_the_features_and_for_the_target_that_are_named() {
        let line =
            "inspect -p app --features a,b -F c --no-default-features --target wasm32-wasip1";
        let line = Line::parse_from(line.split(' '));
        let cargo = line.arguments.cargo();
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
