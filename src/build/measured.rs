//! Measured costs of statements, by which predictions of their work are corrected.

use std::fs;
use std::path::{Path, PathBuf};

use superstep_report::StatementCost;

use super::{BuildError, Instance};

/// Reads files of measured costs, as `cargo superstep report --costs` writes them. Tells the
/// statements of instances the part of their work that they take, and says which entries are of no
/// statement.
pub(super) fn apply(
    files: &[PathBuf],
    instances: &mut [Instance],
) -> Result<Vec<String>, BuildError> {
    let mut unknown = Vec::new();
    for file in files {
        for cost in read(file)? {
            let correction = cost.correction().ok_or_else(|| BuildError::Measured {
                path: file.clone(),
                message: format!(
                    "`{}` has times that are no positive numbers",
                    cost.statement
                ),
            })?;
            let mut is_known = false;
            let own = instances
                .iter_mut()
                .filter(|each| each.kernel.name == cost.kernel);
            for statement in own.flat_map(|instance| &mut instance.kernel.statements) {
                if statement.text == cost.statement {
                    statement.operations.correction = Some(correction);
                    is_known = true;
                }
            }
            if !is_known {
                unknown.push(format!(
                    "{}: kernel `{}` has no statement `{}`: measure it again",
                    file.display(),
                    cost.kernel,
                    cost.statement
                ));
            }
        }
    }
    Ok(unknown)
}

fn read(file: &Path) -> Result<Vec<StatementCost>, BuildError> {
    let failed = |message: String| BuildError::Measured {
        path: file.to_path_buf(),
        message,
    };
    let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use superstep_runtime::control::ControlWriter;
    use superstep_tracer::{Kernel, Role};

    use super::*;

    fn instance() -> Instance {
        let mut kernel = Kernel::new("set");
        let x = kernel.add_array("x", Role::InOut, None);
        kernel.add_statement("x[i] = f(i)", x, &[]);
        Instance::new(
            kernel,
            ControlWriter::new(),
            String::new(),
            Vec::new(),
            |_| {},
        )
    }

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
        superstep_files::replace(&path, text.as_bytes()).expect("a writable folder");
        path
    }

    #[test]
    fn statements_have_the_costs_that_were_measured_and_others_are_told() {
        let text = r#"[
            { "kernel": "set", "statement": "x[i] = f(i)", "measured": 150, "predicted": 20.5 },
            { "kernel": "set", "statement": "x[i] = g(i)", "measured": 7, "predicted": 1 }
        ]"#;
        let path = file("costs.json", text);
        let mut instances = [instance()];
        let unknown =
            apply(std::slice::from_ref(&path), &mut instances).expect("it is a file of costs");
        let own = &instances[0].kernel.statements[0].operations;
        assert_eq!(own.correction, Some(7317));
        assert!(
            unknown.len() == 1 && unknown[0].contains("`x[i] = g(i)`"),
            "{unknown:?}"
        );
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn a_file_of_something_else_is_an_error_that_names_it() {
        let nothing = r#"[{ "kernel": "set", "statement": "x", "measured": 0, "predicted": 1 }]"#;
        for text in ["{}", nothing] {
            let path = file("other.json", text);
            let error = apply(std::slice::from_ref(&path), &mut [])
                .unwrap_err()
                .to_string();
            assert!(error.contains("other.json"), "{error}");
            let _ = std::fs::remove_file(path);
        }
    }
}
