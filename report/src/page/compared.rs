//! The page of two programs or runs, one under the other.

use std::io;

use super::{Page, document, json, json_element};
use crate::Comparison;

/// A page of two programs or runs that is to be written.
///
/// It has the data elements that the page of each has, and the comparison. Those of the second have
/// a 2 at the end of their names.
#[derive(Clone, Copy, Debug)]
pub struct ComparedPage<'a> {
    /// The first and the second.
    pub pages: [Page<'a>; 2],
    /// Differences.
    pub comparison: &'a Comparison,
}

impl ComparedPage<'_> {
    /// Writes the page.
    ///
    /// # Errors
    /// If numbers are not finite.
    pub fn html(&self) -> io::Result<String> {
        let [first, second] = &self.pages;
        let mut elements = first.elements("")? + &second.elements("2")?;
        elements += &json_element("comparison", &json(self.comparison)?);
        let text = self.comparison.text();
        Ok(document(&self.title(), &text, &elements))
    }

    /// Returns the title, `lu (n = 256): P = 4 and P = 8`.
    pub fn title(&self) -> String {
        let instance = self.pages[0].report.instance();
        let pair = self.comparison.pair.as_ref();
        let names = pair.map_or(["", ""], |pair| [&pair.names[0][..], &pair.names[1]]);
        format!("{instance}: {} and {}", names[0], names[1])
    }
}

#[cfg(test)]
mod tests {
    use superstep_order::Timeline;

    use super::*;
    use crate::{Details, Pair, Report};

    #[test]
    fn both_have_their_elements_and_nothing_ends_one() {
        let attack = "</script><!--".to_owned();
        let report = Report::default();
        let details = Details {
            timelines: vec![Timeline::default()],
            ..Details::default()
        };
        let page = Page {
            report: &report,
            details: Some(&details),
            sources: &[],
            notices: &[],
        };
        let comparison = Comparison {
            pair: Some(Pair {
                names: [attack.clone(), attack],
                ..Pair::default()
            }),
            ..Comparison::default()
        };
        let compared = ComparedPage {
            pages: [page; 2],
            comparison: &comparison,
        };
        let html = compared.html().expect("all numbers are finite");
        for id in ["report", "page", "plan", "times", "traffic"] {
            for ending in ["", "2"] {
                let element = format!(" id=\"{id}{ending}\">");
                assert_eq!(html.matches(&element).count(), 1, "{element}");
            }
        }
        // Those ten, the comparison, and the viewer.
        assert_eq!(html.matches("</script").count(), 12);
        assert!(!html.contains("<!--"));
    }
}
