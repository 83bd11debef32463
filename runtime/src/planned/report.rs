//! Report of a plan, with what the planner says. With the feature `report` it has all that there is
//! to say, as JSON and as a page.

use std::fmt;
use std::ops::Deref;

use super::PlanReport;

/// Report of a plan. It is read and printed as the planner's own [report](PlanReport).
///
/// With the feature `report` it is also the one report of all programs, with what each processor
/// runs, and when. If the calling thread's last call was a recorded run of the plan, it has that
/// run's times. Making it tracks the kernel anew, which takes about as long as planning did.
pub struct Report<'p> {
    pub(super) plan: &'p PlanReport,
    /// Set if updates are gathered.
    pub(super) is_gathered: bool,
    #[cfg(feature = "report")]
    pub(super) is_explained: bool,
    #[cfg(feature = "report")]
    pub(super) whole: Box<whole::Make<'p>>,
}

/// Sentence about a plan of a kernel whose scatters are gathers.
const GATHERED: &str =
    "scattered updates are gathered: those of a word run together, in their order";

impl Deref for Report<'_> {
    type Target = PlanReport;

    fn deref(&self) -> &PlanReport {
        self.plan
    }
}

impl PartialEq for Report<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.plan == other.plan
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt(f)?;
        match self.is_gathered {
            true => write!(f, "\n{GATHERED}"),
            false => Ok(()),
        }
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.plan, f)
    }
}

#[cfg(feature = "report")]
pub use whole::{ReportError, Whole};

#[cfg(feature = "report")]
pub(super) mod whole {
    use std::path::{Path, PathBuf};
    use std::{env, fs, io};

    use superstep_order::{Order, Recording, Timeline};
    use superstep_planner::{self as planner, Account, Crossing};
    use superstep_report::page::{Page, Source};
    use superstep_report::{
        Answer, Breakdown, Dependences, Details, Kind, Location, Made, PlanFigures, SCHEMA,
        Statement, Supersteps, Times, Traffic,
    };

    use super::{GATHERED, Report};
    use crate::planned::program::is_run_of;
    use crate::planned::{PlanReport, PlanningError};
    use crate::timeline::recording;

    /// Number of lines of source that a page shows, from the kernel on.
    const LINES: usize = 80;

    /// Function that makes all that a page has, explained or not, with a recorded run of the plan,
    /// if there is one.
    pub(in crate::planned) type Make<'p> =
        dyn Fn(bool, Option<&Recording>) -> Result<Whole, PlanningError> + 'p;

    /// Contents of a page of a plan.
    pub struct Whole {
        /// Report of the plan.
        pub report: superstep_report::Report,
        /// Details of who runs what, and when; none where that would be out of proportion to the
        /// plan.
        pub details: Option<Details>,
        /// Lines of the kernel, if its file is found from the current folder.
        pub sources: Vec<Source>,
        /// Sentences above everything else.
        pub notices: Vec<String>,
    }

    /// Errors of reports.
    #[derive(Debug, thiserror::Error)]
    #[non_exhaustive]
    pub enum ReportError {
        /// Tracking the kernel fails.
        #[error(transparent)]
        Plan(#[from] PlanningError),
        /// The page cannot be written.
        #[error("{} cannot be written: {source}", path.display())]
        Write {
            /// Path of the file.
            path: PathBuf,
            /// Reason.
            source: io::Error,
        },
    }

    impl Report<'_> {
        /// Has the report say what would make the plan faster, and by how much. Each answer is
        /// planned again, which takes at most five times as long as planning did.
        #[must_use]
        pub fn explained(self) -> Self {
            Self {
                is_explained: true,
                ..self
            }
        }

        /// Makes the one report of all programs, in full.
        ///
        /// # Errors
        /// If tracking the kernel fails.
        pub fn in_full(&self) -> Result<superstep_report::Report, ReportError> {
            Ok(self.whole(recording().as_ref())?.report)
        }

        /// Makes all that a page has, with a recorded run, if it is of the plan.
        ///
        /// # Errors
        /// If tracking the kernel fails.
        pub fn whole(&self, run: Option<&Recording>) -> Result<Whole, ReportError> {
            let mut whole = (self.whole)(self.is_explained, run)?;
            whole
                .notices
                .extend(self.is_gathered.then(|| GATHERED.to_owned()));
            Ok(whole)
        }

        /// Writes the report as a page of one file, which any browser shows.
        ///
        /// # Errors
        /// If tracking the kernel fails, or the file cannot be written.
        pub fn write_html(&self, path: impl AsRef<Path>) -> Result<(), ReportError> {
            let Whole {
                report,
                details,
                sources,
                notices,
            } = self.whole(recording().as_ref())?;
            let path = path.as_ref();
            let failed = |source| ReportError::Write {
                path: path.to_path_buf(),
                source,
            };
            let page = Page {
                report: &report,
                details: details.as_ref(),
                sources: &sources,
                notices: &notices,
            };
            let html = page.html().map_err(failed)?;
            superstep_files::replace(path, html.as_bytes()).map_err(failed)
        }
    }

    /// Reads the kernel's lines, if its file is found from the current folder.
    fn source(kernel: &Location) -> Option<Source> {
        let path = superstep_report::source(&env::current_dir().ok()?, &kernel.file)?;
        let text = fs::read_to_string(path).ok()?;
        let first = kernel.line.saturating_sub(1).max(1);
        let lines = text.lines().skip(first as usize - 1).take(LINES);
        let mut shown: Vec<&str> = Vec::new();
        for line in lines {
            shown.push(line);
            if line == "}" {
                break;
            }
        }
        Some(Source {
            file: kernel.file.clone(),
            first,
            text: shown.join("\n"),
            changed: false,
        })
    }

    /// Material of a report.
    pub(in crate::planned) struct Subject<'p> {
        pub(in crate::planned) kernel: Location,
        pub(in crate::planned) control: String,
        pub(in crate::planned) plan: &'p planner::Plan,
        pub(in crate::planned) planned: &'p PlanReport,
        /// Account of when its chunks run, and which words cross. It is empty where the kernel is
        /// not at hand.
        pub(in crate::planned) account: Account,
        pub(in crate::planned) answers: Vec<Answer>,
    }

    impl Subject<'_> {
        /// Makes the report, with a recorded run, if one is given and it is of the plan.
        pub(in crate::planned) fn whole(self, run: Option<&Recording>) -> Whole {
            let order = &*self.plan.order;
            // A chunk may wait for a later one of a peer, and a superstep for earlier ones alone.
            let supersteps = Supersteps::new(order);
            let traffic = traffic(&self.account, order, &supersteps);
            let mut report = self.figures(&supersteps, &traffic);
            report.answers = self.answers;
            let measured = self.planned.measured.iter();
            let mut notices: Vec<String> = measured.map(ToString::to_string).collect();
            let predicted = Some(self.account.timeline).filter(|line| line.processors() > 0);
            let run = run.filter(|run| is_run_of(self.plan, &self.kernel.name, run));
            let breakdown = |timeline: &Timeline, beside| Breakdown::of(timeline, order, beside);
            if predicted.is_some() || run.is_some() {
                report.times = Some(Times {
                    predicted: predicted
                        .as_ref()
                        .map(|line| breakdown(line, 0))
                        .unwrap_or_default(),
                    measured: run.map(|run| {
                        breakdown(&run.timeline, run.call.saturating_sub(run.timeline.end()))
                    }),
                });
            }
            notices.extend(run.and_then(Recording::alone));
            let timelines = predicted.iter().chain(run.map(|run| &run.timeline));
            let of_chunk = |chunk| self.plan.joined_iterations_of(chunk);
            let grains = self.account.grains.windows(2).map(|of| of[1] - of[0]);
            let predecessors = &self.account.predecessors;
            let before = |grain: u32| predecessors.row(grain as usize);
            let details = supersteps.fit(numbers(self.plan)).then(|| Details {
                plan: supersteps.table(of_chunk),
                timelines: timelines
                    .clone()
                    .map(|line| supersteps.spread(line))
                    .collect(),
                traffic,
                dependences: Dependences::new(grains, before).filter(|_| !predecessors.is_empty()),
            });
            match &details {
                Some(details) => report.fill(details),
                None => {
                    report.loads = supersteps.loads(of_chunk, timelines.clone().next());
                    notices.push(
                        "the chart is left out: most processors have no chunk in most supersteps"
                            .into(),
                    );
                }
            }
            report.name_files();
            let program = env::args().next().unwrap_or_default();
            let program = Path::new(&program).file_name().unwrap_or_default();
            report.made = Some(Made::now(&program.to_string_lossy(), ""));
            Whole {
                sources: report
                    .kernel
                    .as_ref()
                    .and_then(source)
                    .into_iter()
                    .collect(),
                report,
                details,
                notices,
            }
        }

        /// Returns the report with all figures but times, shares and supersteps.
        fn figures(
            &self,
            supersteps: &Supersteps<'_>,
            traffic: &[Traffic],
        ) -> superstep_report::Report {
            let Self {
                kernel,
                plan,
                planned,
                ..
            } = self;
            let (chosen, order) = (planned.chosen(), &plan.order);
            superstep_report::Report {
                schema: SCHEMA,
                kind: Kind::Plan,
                kernel: Some(kernel.clone()),
                control: self.control.clone(),
                algorithm: chosen.algorithm.to_string(),
                machine: format!("{} processors", planned.processors),
                tasks: planned.iterations as usize,
                edges: planned.edges,
                critical_path: planned.levels.into(),
                processors: order.processors(),
                supersteps: supersteps.count() as usize,
                processors_used: order.processors(),
                function: planned.nanoseconds.round() as u64,
                plan: Some(PlanFigures {
                    level: planned.level,
                    grains: plan.boundaries.len().saturating_sub(1) as u64,
                    chunks: order.steps() as u64,
                    waits: order.waits.items.len() as u64,
                    parallelism: planned.parallelism,
                    predicted_ns: planned.predicted().round() as u64,
                    loaded_ns: planned.predicted_loaded().round() as u64,
                }),
                statements: vec![Statement {
                    line: kernel.line,
                    text: format!("iteration of {}", kernel.name),
                    counts: Some("iteration".into()),
                    tasks: planned.iterations.into(),
                    work_ns: self
                        .account
                        .timeline
                        .sums()
                        .iter()
                        .map(|sum| sum.work)
                        .sum(),
                    words_sent: traffic.iter().map(|each| each.words).sum(),
                    code: "loop".into(),
                    ..Statement::default()
                }],
                ..superstep_report::Report::default()
            }
        }
    }

    /// Returns the words that cross, by supersteps.
    fn traffic(account: &Account, order: &Order, supersteps: &Supersteps<'_>) -> Vec<Traffic> {
        let traffic = account
            .crossings
            .iter()
            .map(|&Crossing { chunk, to, words }| Traffic {
                superstep: supersteps.of(chunk),
                from: order.processor_of(chunk),
                to,
                words,
            });
        let mut traffic: Vec<Traffic> = traffic.collect();
        traffic.sort_unstable();
        traffic
    }

    /// Returns how many numbers a plan has.
    fn numbers(plan: &planner::Plan) -> usize {
        let waits = &plan.order.waits.items;
        plan.boundaries.len() + plan.grains.items.len() + plan.grains.len() + 2 * waits.len()
    }
}
