//! Comments keep what docs/STYLE.md asks for, as far as a program can tell.

use std::fs;
use std::path::Path;

/// Openings of doc comments that cannot be read alone.
const OPENINGS: [&str; 5] = ["What ", "Whether ", "The same ", "Those ", "Of "];

/// Columns of a line of comment.
const COLUMNS: usize = 100;

/// Folders whose comments are at most that wide. Those of kernels that snapshots know by their lines,
/// and of help texts, are not there yet.
const NARROW: [&str; 29] = [
    "codegen",
    "compiler",
    "csv",
    "dag",
    "dag-builder",
    "explain",
    "farm",
    "files",
    "graphs",
    "lists",
    "machine",
    "matrix",
    "mpi",
    "network",
    "order",
    "papers",
    "plan",
    "planner",
    "random",
    "reduction",
    "report",
    "runtime",
    "schedule",
    "scheduler",
    "search",
    "src",
    "timing",
    "tracer",
    "gallery/explained",
];

/// A line of comment, without its slashes.
struct Comment<'s> {
    file: &'s str,
    line: usize,
    text: &'s str,
    /// Set if it is the first of a doc comment.
    opens: bool,
    columns: usize,
}

/// Calls `look` with each line of comment that stands outside of code blocks.
fn comments(folder: &Path, look: &mut dyn FnMut(Comment<'_>)) {
    let entries = fs::read_dir(folder).into_iter().flatten();
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                comments(&path, look);
            }
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            of_file(&path.to_string_lossy(), &text, look);
        }
    }
}

fn of_file(file: &str, text: &str, look: &mut dyn FnMut(Comment<'_>)) {
    let (mut is_code, mut is_doc) = (false, false);
    for (number, line) in text.lines().enumerate() {
        let own = line.trim();
        let doc = own.strip_prefix("///").or_else(|| own.strip_prefix("//!"));
        let Some(text) = doc.or_else(|| own.strip_prefix("//")) else {
            (is_code, is_doc) = (false, false);
            continue;
        };
        let text = text.strip_prefix(' ').unwrap_or(text);
        if text.starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            look(Comment {
                file,
                line: number + 1,
                text,
                opens: doc.is_some() && !is_doc,
                columns: line.chars().count(),
            });
        }
        is_doc = doc.is_some();
    }
}

#[test]
fn doc_comments_can_be_read_alone() {
    let mut found = Vec::new();
    comments(Path::new(env!("CARGO_MANIFEST_DIR")), &mut |comment| {
        let is_bad = OPENINGS
            .iter()
            .any(|opening| comment.text.starts_with(opening));
        if comment.opens && is_bad {
            found.push(format!(
                "{}:{}: {}",
                comment.file, comment.line, comment.text
            ));
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn comments_fit_their_columns() {
    let mut found = Vec::new();
    for folder in NARROW {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        assert!(folder.is_dir(), "{}", folder.display());
        comments(&folder, &mut |comment| {
            // Rows of tables and addresses cannot be wrapped.
            let is_whole = comment.text.starts_with('|') || comment.text.contains("://");
            if comment.columns > COLUMNS && !is_whole {
                found.push(format!(
                    "{}:{}: {}",
                    comment.file, comment.line, comment.columns
                ));
            }
        });
    }
    assert!(found.is_empty(), "{found:#?}");
}
