//! The report of a plan: what the planner says, and with the feature `report` all that there is to
//! say, as JSON and as a page.

use std::fmt;
use std::ops::Deref;

use super::PlanReport;

/// Report of a plan. It is read and printed as the planner's own
/// [report](PlanReport).
///
/// With the feature `report` it is also the one report of all programs, with what each processor
/// runs, and when; if the calling thread's last call was a recorded run of the plan, with its
/// times. Making that tracks the kernel anew: it takes about as long as planning did.
pub struct Report<'p> {
    pub(super) plan: &'p PlanReport,
    #[cfg(feature = "report")]
    pub(super) is_explained: bool,
    #[cfg(feature = "report")]
    pub(super) whole: Box<dyn Fn(bool) -> Result<whole::Whole, super::PlanningError> + 'p>,
}

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
        self.plan.fmt(f)
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.plan, f)
    }
}

#[cfg(feature = "report")]
pub use whole::ReportError;

#[cfg(feature = "report")]
pub(super) mod whole {
    use std::path::{Path, PathBuf};
    use std::{env, fs, io};

    use superstep_order::{Timeline, Times};
    use superstep_plan::synchronisation::Synchronisation;
    use superstep_plan::{Body, Code, Component, Plan, Precedence, Stride, Term};
    use superstep_planner::{Account, Crossing};
    use superstep_report::page::{Page, Source};
    use superstep_report::{
        Answer, Breakdown, Details, Kind, Made, Place, SCHEMA, Statement, Traffic,
    };

    use super::Report;
    use crate::planned::program::Program;
    use crate::planned::{PlanReport, PlanningError};
    use crate::timeline::recording;

    /// Lines of source that a page shows, from the kernel on.
    const LINES: usize = 80;

    /// A report and its details.
    pub(crate) struct Whole {
        report: superstep_report::Report,
        details: Details,
        notices: Vec<String>,
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
            /// The file.
            path: PathBuf,
            /// Why.
            source: io::Error,
        },
    }

    impl Report<'_> {
        /// Has the report say what would make the plan faster, and by how much: each answer is
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
            Ok((self.whole)(self.is_explained)?.report)
        }

        /// Writes the report as a page of one file, which any browser shows.
        ///
        /// # Errors
        /// If tracking the kernel fails, or the file cannot be written.
        pub fn write_html(&self, path: impl AsRef<Path>) -> Result<(), ReportError> {
            let Whole {
                report,
                details,
                notices,
            } = (self.whole)(self.is_explained)?;
            let path = path.as_ref();
            let failed = |source| ReportError::Write {
                path: path.to_path_buf(),
                source,
            };
            let sources: Vec<Source> = report
                .kernel
                .as_ref()
                .and_then(source)
                .into_iter()
                .collect();
            let page = Page {
                report: &report,
                details: Some(&details),
                sources: &sources,
                notices: &notices,
            };
            let html = page.html().map_err(failed)?;
            superstep_files::replace(path, html.as_bytes()).map_err(failed)
        }
    }

    /// Reads the kernel's lines, if its file is found from the current folder.
    fn source(kernel: &Place) -> Option<Source> {
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

    /// Makes the report of a plan from the planner's, its account, and a recorded run, if the last
    /// call was one.
    pub(in crate::planned) fn whole(
        kernel: Place,
        program: &Program,
        planned: &PlanReport,
        account: &Account,
        answers: Vec<Answer>,
    ) -> Whole {
        let order = program.ordered.order();
        // A chunk may wait for a later one of a peer, and a superstep for earlier ones alone.
        let chunks = order.levels().unwrap_or_default();
        let supersteps = chunks.iter().max().map_or(0, |&last| last + 1);
        let traffic = account
            .crossings
            .iter()
            .map(|&Crossing { chunk, to, words }| Traffic {
                superstep: chunks[chunk as usize],
                from: order.processor_of(chunk),
                to,
                words,
            });
        let mut traffic: Vec<Traffic> = traffic.collect();
        traffic.sort_unstable();
        let timelines = match account.timeline.processors() {
            0 => Timeline::new(
                order.processors.clone(),
                vec![Times::default(); order.steps()],
            ),
            _ => account.timeline.clone(),
        };
        let mut details = Details {
            plan: table(program, &chunks, supersteps),
            timelines: vec![spread(&timelines, &chunks, supersteps)],
            traffic,
        };
        let chosen = planned.chosen();
        let mut report = superstep_report::Report {
            schema: SCHEMA,
            kind: Kind::Plan,
            kernel: Some(kernel.clone()),
            algorithm: chosen.algorithm.to_string(),
            machine: format!("{} processors", planned.processors),
            tasks: planned.iterations as usize,
            edges: planned.edges,
            critical_path: planned.levels.into(),
            processors: order.processors(),
            supersteps: supersteps as usize,
            processors_used: order.processors(),
            function: planned.nanoseconds.round() as u64,
            statements: vec![Statement {
                line: kernel.line,
                text: format!("iteration of {}", kernel.name),
                counts: Some("iteration".into()),
                tasks: planned.iterations.into(),
                work_ns: account.timeline.sums().iter().map(|sum| sum.work).sum(),
                words_sent: details.traffic.iter().map(|each| each.words).sum(),
                code: "loop".into(),
                ..Statement::default()
            }],
            answers,
            ..superstep_report::Report::default()
        };
        let measured = planned.measured.iter();
        let mut notices: Vec<String> = measured.map(ToString::to_string).collect();
        if let Ok(table) = Synchronisation::new(&details.plan) {
            let table = table.ordered().order();
            let predicted = Breakdown::of(&details.timelines[0], table, 0);
            report.times = Some(superstep_report::Times {
                predicted,
                measured: None,
            });
            if let Some(run) = recording()
                && run.identity == program.identity(&kernel.name)
            {
                let measured = spread(&run.timeline, &chunks, supersteps);
                let beside = run.call.saturating_sub(run.timeline.end());
                let breakdown = Breakdown::of(&measured, table, beside);
                report.times.get_or_insert_default().measured = Some(breakdown);
                details.timelines.push(measured);
                notices.extend(run.alone());
            }
        }
        report.fill(&details);
        report.name_files();
        let program = env::args().next().unwrap_or_default();
        let program = Path::new(&program).file_name().unwrap_or_default();
        report.made = Some(Made::now(&program.to_string_lossy(), ""));
        Whole {
            report,
            details,
            notices,
        }
    }

    /// Returns a timeline of supersteps, given that of each chunk; those that a processor lacks
    /// take no time.
    fn spread(timeline: &Timeline, chunks: &[u32], supersteps: u32) -> Timeline {
        let processors = timeline.processors() as u32;
        let mut times = vec![Times::default(); (supersteps * processors) as usize];
        let mut chunk = 0;
        for processor in 0..processors {
            for &step in timeline.steps_of(processor as usize) {
                times[(processor * supersteps + chunks[chunk]) as usize] = step;
                chunk += 1;
            }
        }
        Timeline::new(
            (0..=processors)
                .map(|processor| processor * supersteps)
                .collect(),
            times,
        )
    }

    /// Writes the plan in the tables of a program, given the superstep of each chunk: they run
    /// iterations by their numbers.
    fn table(program: &Program, chunks: &[u32], supersteps: u32) -> Plan {
        let order = program.ordered.order();
        let processors = order.processors() as u32;
        let component = Component {
            base: 0,
            stride: Stride::Always(1),
        };
        let mut precedences = Vec::new();
        let mut code = vec![Code::default(); (supersteps * processors) as usize];
        for processor in 0..processors {
            for chunk in order.steps_of(processor) {
                let superstep = chunks[chunk as usize];
                for awaited in order.awaited_by(chunk) {
                    let (peer, ended) = (order.processor_of(awaited), chunks[awaited as usize]);
                    precedences.push(Precedence {
                        superstep,
                        processor,
                        peer,
                        ended,
                    });
                }
                let range = program.lists.range(chunk..chunk + 1);
                let code = &mut code[(superstep * processors + processor) as usize];
                for interval in program.lists.intervals(range) {
                    code.terms.push(Term::Run { body: 0 });
                    code.values
                        .extend([interval.count, interval.first].map(i64::from));
                }
            }
        }
        precedences.sort_unstable();
        Plan {
            processors,
            supersteps,
            precedences,
            scatter: vec![Vec::new(); processors as usize],
            gather: vec![Vec::new(); processors as usize],
            bodies: vec![Body::new(vec![0], vec![component], vec![0])],
            code,
            ..Plan::default()
        }
    }
}
