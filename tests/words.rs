//! Comments keep what docs/STYLE.md asks for, as far as a program can tell.

use std::fs;
use std::path::Path;

/// Openings of doc comments that cannot be read alone.
const OPENINGS: [&str; 5] = ["What ", "Whether ", "The same ", "Those ", "Of "];

/// Columns of a line of comment.
const COLUMNS: usize = 100;

/// Folders whose comments are at most that wide. Kernels of examples and of the gallery are not
/// there yet: snapshots know them by their lines.
const NARROW: [&str; 51] = [
    "bench",
    "cli",
    "codegen",
    "collection",
    "compiler",
    "csv",
    "dag",
    "dag-builder",
    "examples/hybrid",
    "examples/ilu_cg",
    "examples/ldl_qp",
    "examples/mandelbrot",
    "examples/matmul",
    "examples/matrices",
    "examples/monte_carlo",
    "examples/side_by_side",
    "examples/sparse_lu",
    "examples/symgs",
    "explain",
    "farm",
    "files",
    "fuzz",
    "gallery/explained",
    "gallery/language/tests",
    "gallery/planned/examples",
    "gallery/planned/tests",
    "gallery/tests",
    "graphs",
    "lists",
    "machine",
    "macros",
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
    "sparse",
    "src",
    "tests",
    "timing",
    "tracer",
    "tuning",
];

/// Words of a sentence.
const WORDS: usize = 25;

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

/// A paragraph of a comment, or an item of a list: its first line, its last, and its text.
#[derive(Default)]
struct Paragraph {
    file: String,
    first: usize,
    last: usize,
    text: String,
}

impl Paragraph {
    /// Adds a line of comment. Returns the paragraph before, if that line begins another one.
    fn add(&mut self, comment: &Comment<'_>) -> Option<Self> {
        let own = comment.text.trim();
        let is_item = own.starts_with("* ")
            || own
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .starts_with(". ");
        let stands_alone = own.is_empty() || own.starts_with(['|', '#']);
        let goes_on = self.file == comment.file && self.last + 1 == comment.line;
        let before = (!goes_on || is_item || stands_alone).then(|| {
            let next = Self {
                file: comment.file.to_owned(),
                first: comment.line,
                ..Self::default()
            };
            std::mem::replace(self, next)
        });
        if stands_alone {
            // The next line begins a paragraph of its own.
            self.last = 0;
        } else {
            self.last = comment.line;
            self.text.extend([own, " "]);
        }
        before
    }

    /// Returns the sentences: they end where a mark stands before a capital or a bracket.
    fn sentences(&self) -> Vec<Vec<&str>> {
        let mut sentences = vec![Vec::new()];
        let mut words = self.text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if word.contains(char::is_alphanumeric) {
                sentences.last_mut().expect("one is open").push(word);
            }
            let begins =
                |next: &&str| next.starts_with(|c: char| c.is_uppercase() || "`[*\"(".contains(c));
            if word.ends_with(['.', '!', '?', ':', ';']) && words.peek().is_some_and(begins) {
                sentences.push(Vec::new());
            }
        }
        sentences
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

#[test]
fn sentences_have_few_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut judge = |paragraph: Paragraph| {
        for sentence in paragraph.sentences() {
            if sentence.len() > WORDS {
                found.push(format!(
                    "{}:{}: {} words: {}",
                    paragraph.file,
                    paragraph.first,
                    sentence.len(),
                    sentence.join(" ")
                ));
            }
        }
    };
    let mut paragraph = Paragraph::default();
    comments(root, &mut |comment| {
        if let Some(before) = paragraph.add(&comment) {
            judge(before);
        }
    });
    judge(paragraph);
    assert!(found.is_empty(), "{found:#?}");
}
