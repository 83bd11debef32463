//! `cargo superstep paper`: tables and figures of the papers, repeated.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use superstep_papers::{Effort, Findings, Item, Kind, SOURCES, Source, Verdict};

use crate::failure::{Failure, unwritten};
use crate::output;
use crate::progress::Progress;

/// Repeat tables and figures of the papers that superstep is built on, beside what they state
///
/// Without arguments the sources and their items are listed. Each repeated item has rows with the
/// published figure or statement, what is found, their ratio and a verdict. That is: equal, within
/// a part of it, in the range of what the source leaves open, or different for all of that.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo superstep paper                          lists the five sources and their items
  cargo superstep paper thesis                   repeats all items of one
  cargo superstep paper thesis 4.4 --out curves  one figure, with its curves as SVG and CSV
  cargo superstep paper all --json               everything, for programs")]
pub(crate) struct Arguments {
    /// Short name of a source, or `all`
    source: Option<String>,
    /// Items, such as `figure 4.4`, or `4.4` where one alone has the number [default: all]
    #[arg(requires = "source")]
    items: Vec<String>,
    /// Repeat with the published sizes and numbers of repetitions, which takes minutes
    #[arg(long)]
    full: bool,
    /// Write curves into this folder, as SVG and CSV
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Errors of repeating items.
#[derive(Debug, thiserror::Error)]
enum PaperError {
    /// The source is none of the five.
    #[error("no source is called `{0}`: there are {names}, and `all`", names = names())]
    Source(String),
    /// The source has no such item.
    #[error(
        "{source_name} has no `{number}`, or a table and a figure of that number: `cargo superstep paper` lists its items"
    )]
    Item {
        /// Name of the source.
        source_name: &'static str,
        /// The number that was asked for.
        number: String,
    },
    /// An item could not be repeated.
    #[error("{number}: {reason}")]
    Failed {
        /// The item.
        number: &'static str,
        /// Why.
        reason: Box<dyn Error>,
    },
}

/// Returns the failure of a command line that names no source or item.
fn misnamed(error: PaperError) -> Failure {
    Failure::from(error).with_exit_code(2)
}

/// An item with what is found, for JSON.
#[derive(Serialize)]
struct Repeated {
    source: &'static str,
    item: &'static str,
    title: &'static str,
    /// Way in which it is repeated, or why it is not.
    state: &'static str,
    #[serde(flatten)]
    findings: Option<Findings>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Some(name) = &arguments.source else {
        return list(arguments);
    };
    let sources: Vec<&Source> = match &name[..] {
        "all" => SOURCES.iter().collect(),
        name => {
            let found = Source::named(name);
            vec![found.ok_or_else(|| misnamed(PaperError::Source(name.into())))?]
        }
    };
    let asked = arguments.asked(&sources).map_err(misnamed)?;
    let progress = Progress::new();
    let mut all = Vec::new();
    for (source, item) in asked {
        progress.stage(item.number);
        all.push(arguments.repeat(source, item)?);
    }
    progress.finish();
    output::print(&all, arguments.json, || text(&all))
}

/// Lists all sources and items.
fn list(arguments: &Arguments) -> Result<(), Failure> {
    let all = SOURCES.iter().flat_map(|source| {
        let items = source.items.iter();
        items.map(|item| Repeated::new(source, item, None))
    });
    if arguments.json {
        return output::write(&output::json(&all.collect::<Vec<_>>()));
    }
    let mut text = String::new();
    for source in &SOURCES {
        text += &format!("{}: {}\n", source.name, source.title);
        for Item {
            number,
            title,
            kind,
        } in source.items
        {
            text += &format!("  {number:<12} {title}: {}\n", kind.text());
        }
    }
    output::write(&text)
}

impl Arguments {
    /// Returns the items that are asked for.
    fn asked<'s>(&self, sources: &[&'s Source]) -> Result<Vec<(&'s Source, &'s Item)>, PaperError> {
        let mut asked = Vec::new();
        for source in sources {
            if self.items.is_empty() {
                asked.extend(source.items.iter().map(|item| (*source, item)));
            }
            for number in &self.items {
                let item = source.item(number).ok_or_else(|| PaperError::Item {
                    source_name: source.name,
                    number: number.clone(),
                });
                asked.push((*source, item?));
            }
        }
        Ok(asked)
    }

    /// Repeats an item, if it can be, and writes its curves.
    fn repeat(&self, source: &'static Source, item: &'static Item) -> Result<Repeated, Failure> {
        let Kind::Repeated(experiment) = item.kind else {
            return Ok(Repeated::new(source, item, None));
        };
        let effort = if self.full {
            Effort::Full
        } else {
            Effort::Quick
        };
        let findings = experiment(effort).map_err(|reason| PaperError::Failed {
            number: item.number,
            reason,
        })?;
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).map_err(unwritten(folder))?;
            for drawing in &findings.drawings {
                let file =
                    |ending| folder.join(format!("{}-{}.{ending}", source.name, drawing.name));
                output::replace(&file("csv"), drawing.csv())?;
                let svg = file("svg");
                output::replace(&svg, drawing.svg().map_err(unwritten(&svg))?)?;
            }
        }
        Ok(Repeated::new(source, item, Some(findings)))
    }
}

impl Repeated {
    fn new(source: &'static Source, item: &'static Item, findings: Option<Findings>) -> Self {
        Self {
            source: source.name,
            item: item.number,
            title: item.title,
            state: item.kind.text(),
            findings,
        }
    }
}

/// Writes items with their rows, and how many rows have which verdict.
fn text(all: &[Repeated]) -> String {
    let mut text = String::new();
    let mut counts = [0_usize; 5];
    for each in all {
        let Repeated {
            source,
            item,
            title,
            state,
            findings,
        } = each;
        text += &format!("{source}, {item}: {title}");
        let Some(findings) = findings else {
            text += &format!(": {state}\n");
            continue;
        };
        text.push('\n');
        text += &findings.text();
        for row in &findings.rows {
            counts[match row.verdict {
                Verdict::Equal => 0,
                Verdict::Within(_) => 1,
                Verdict::InRange(_) => 2,
                Verdict::Differs(_) => 3,
                Verdict::Off => 4,
            }] += 1;
        }
    }
    let [equal, within, range, differ, off] = counts;
    text + &format!(
        "{equal} rows equal, {within} within their bounds, {range} in the range of what the source leaves open, {differ} differ for all of it, {off} off\n"
    )
}

fn names() -> String {
    let names: Vec<&str> = SOURCES.iter().map(|source| source.name).collect();
    names.join(", ")
}
