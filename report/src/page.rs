//! The page: a report as one HTML file that a browser opens by itself, its viewer included.
//!
//! The file asks for nothing: scripts, styles and data are in it. Data stand in elements of their
//! own: the report and the page's own parts as JSON, the [details](crate::Details) compressed. So a
//! file of LU 256 on 8 processors, 5.6 million tasks, has a few hundred kilobytes. Whoever runs no
//! scripts reads the text.

mod compared;

use std::fmt::Write as _;
use std::io::{self, Write as _};

use flate2::{Compression, GzBuilder};
use serde::Serialize;

use crate::{Answer, Count, Details, Report};

pub use compared::ComparedPage;

/// The viewer, as `viewer/` builds it.
const SCRIPT: &str = include_str!("../page/viewer.js");
/// See [`SCRIPT`].
const STYLE: &str = include_str!("../page/viewer.css");

/// A page that is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The figures.
    pub report: &'a Report,
    /// Details of who runs what, and when; without it the page has tables alone.
    pub details: Option<&'a Details>,
    /// Parts of source files that are shown.
    pub sources: &'a [Source],
    /// Sentences above everything else.
    pub notices: &'a [String],
}

/// A part of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The file, as the compiler names it.
    pub file: String,
    /// Number of the first line, from 1.
    pub first: u32,
    /// The lines.
    pub text: String,
    /// Set if the file is not as it was when the program was built.
    pub changed: bool,
}

/// Parts of a page beside the report.
#[derive(Serialize)]
struct Beside<'a> {
    rows: Vec<(&'static str, String)>,
    sources: &'a [Source],
    notices: &'a [String],
    answers: &'a [Answer],
}

impl Page<'_> {
    /// Writes the page.
    ///
    /// ```
    /// use superstep_report::Report;
    /// use superstep_report::page::Page;
    ///
    /// let report = Report { control: "</script> & n = 8".into(), ..Report::default() };
    /// let page = Page { report: &report, details: None, sources: &[], notices: &[] };
    /// let html = page.html()?;
    /// assert!(html.starts_with("<!doctype html>") && !html.contains("</script> &"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// If numbers of the report are not finite.
    pub fn html(&self) -> io::Result<String> {
        Ok(document(
            &self.title(),
            &self.report.text(),
            &self.elements("")?,
        ))
    }

    /// Writes the data elements, whose names end in `ending`.
    fn elements(&self, ending: &str) -> io::Result<String> {
        let beside = Beside {
            rows: self.report.rows(),
            sources: self.sources,
            notices: self.notices,
            answers: &self.report.answers,
        };
        let mut elements = String::new();
        for (id, json) in [("report", json(self.report)?), ("page", json(&beside)?)] {
            elements += &json_element(&format!("{id}{ending}"), &json);
        }
        if let Some(details) = self.details {
            let mut sections = vec![("plan", details.plan.encode())];
            if !details.timelines.is_empty() {
                sections.push(("times", details.times()));
            }
            if self.report.has_words() || !details.traffic.is_empty() {
                sections.push(("traffic", details.traffic()));
            }
            if let Some(dependences) = &details.dependences {
                sections.push(("dependences", dependences.encode()));
            }
            for (id, bytes) in sections {
                let bytes = base64(&compressed(&bytes)?);
                // Writing to a string does not fail.
                let _ = writeln!(
                    elements,
                    "<script type=\"text/plain\" id=\"{id}{ending}\">{bytes}</script>"
                );
            }
        }
        Ok(elements)
    }

    /// Returns the title, `lu (n = 256) on 8 processors`.
    pub fn title(&self) -> String {
        let processors = Count(self.report.processors as u64, "processor");
        format!("{} on {processors}", self.report.instance())
    }
}

/// Writes a page of data elements; its text is for whoever runs no scripts.
fn document(title: &str, text: &str, elements: &str) -> String {
    let [title, text] = [title, text].map(escaped);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <main id=\"app\"><h1>{title}</h1><pre>{text}</pre></main>\n{elements}\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn json_element(id: &str, json: &str) -> String {
    format!("<script type=\"application/json\" id=\"{id}\">{json}</script>\n")
}

/// Writes JSON that may stand in a script element: nothing in it ends the element, or begins a
/// comment.
fn json(of: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_string(of)?;
    Ok(json.replace('<', "\\u003c"))
}

/// Writes text for the body of a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Compresses bytes by gzip; equal bytes become equal ones, whenever that is.
fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::default());
    writer.write_all(bytes)?;
    writer.finish()
}

/// Writes bytes in 64 letters (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    use base64::prelude::{BASE64_STANDARD, Engine};
    BASE64_STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use crate::{
        Statement,
        page::{Page, Source},
    };

    use super::*;

    #[test]
    fn nothing_in_the_data_ends_an_element() {
        let attack = "</script><script>alert(1)</script><!--".to_owned();
        let report = Report {
            control: attack.clone(),
            statements: vec![Statement {
                text: attack.clone(),
                ..Statement::default()
            }],
            ..Report::default()
        };
        let sources = [Source {
            file: attack.clone(),
            text: attack.clone(),
            ..Source::default()
        }];
        let notices = [attack];
        let page = Page {
            report: &report,
            details: None,
            sources: &sources,
            notices: &notices,
        };
        let html = page.html().expect("all numbers are finite");
        let own = SCRIPT.matches("</script").count();
        assert_eq!(own, 0, "the viewer does not end its element");
        // The report, what the page has beside it, and the viewer.
        assert_eq!(html.matches("</script>").count(), 3);
        assert!(!html.contains("<!--"));
    }

    #[test]
    fn equal_reports_are_equal_pages() {
        let details = Details::default();
        let report = Report::default();
        let page = Page {
            report: &report,
            details: Some(&details),
            sources: &[],
            notices: &[],
        };
        assert_eq!(page.html().unwrap(), page.html().unwrap());
    }

    #[test]
    fn a_page_asks_for_nothing() {
        for part in [SCRIPT, STYLE] {
            for request in [
                "http://",
                "https://",
                "@import",
                "url(",
                "fetch(",
                "XMLHttpRequest",
            ] {
                // Names of namespaces are no requests.
                let part = part.replace("http://www.w3.org/2000/svg", "");
                assert!(!part.contains(request), "{request}");
            }
        }
    }
}
