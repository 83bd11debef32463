//! Advice: what would make a plan faster, and by how much. Each answer was planned again.
//!
//! It tracks and plans, and runs nothing: gains are predicted.

use std::ops::Range;

use superstep_planner::{Accesses, Costs, Fault, Receiver, Recording, Track, Used, plan};
use superstep_report::{Answer, Location};

use super::PlanReport;

/// Function that tells the accesses of all iterations as control makes them, word for word.
pub(super) type Tell<'t> = dyn Fn(&mut Accesses<'_>) + Sync + 't;

/// Kernel as it would be if one of its arrays were each iteration's own.
struct Without<'t> {
    track: &'t dyn Track,
    /// Accesses to the others, which count as tracking would count them.
    recording: Recording,
}

impl<'t> Without<'t> {
    /// Returns the kernel without an array; none if its accesses take too much memory.
    fn new(track: &'t dyn Track, tell: &Tell<'_>, array: u16) -> Option<Self> {
        let mut recording = Recording::new(track.lengths().len());
        let mut accesses = Accesses::new(&mut recording);
        let mut left = Left {
            accesses: &mut accesses,
            array,
        };
        let mut all = Accesses::new(&mut left);
        tell(&mut all);
        all.end();
        accesses.end();
        recording.end();
        recording
            .is_whole(track.iterations())
            .then_some(Self { track, recording })
    }
}

impl Track for Without<'_> {
    fn iterations(&self) -> u32 {
        self.track.iterations()
    }

    fn lengths(&self) -> &[usize] {
        self.track.lengths()
    }

    fn used(&self) -> Option<&Used> {
        self.track.used()
    }

    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        accesses.replay(&self.recording, iterations);
        Ok(())
    }
}

/// Receiver of the accesses to all arrays but one.
struct Left<'a, 'r> {
    accesses: &'a mut Accesses<'r>,
    array: u16,
}

impl Receiver for Left<'_, '_> {
    fn begin(&mut self) {
        self.accesses.begin();
    }

    fn read(&mut self, array: u16, words: Range<usize>) {
        if array != self.array {
            self.accesses.read(array, words);
        }
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        if array != self.array {
            self.accesses.write(array, words);
        }
    }

    fn update(&mut self, array: u16, words: Range<usize>) {
        if array != self.array {
            self.accesses.update(array, words);
        }
    }
}

/// Plan that is explained.
pub(super) struct Subject<'p> {
    pub(super) kernel: &'p Location,
    pub(super) track: &'p dyn Track,
    pub(super) tell: &'p Tell<'p>,
    /// Names of the tracked arrays, by their numbers there.
    pub(super) arrays: &'p [(u16, &'static str)],
    pub(super) planned: &'p PlanReport,
    pub(super) costs: &'p Costs,
    pub(super) cores: usize,
    /// Set if the kernel has tapes.
    pub(super) can_be_loaded: bool,
}

impl Subject<'_> {
    /// Returns what would make the plan faster, the best first. If nothing would, there is one
    /// answer without a gain, which says why. Each that is tried takes as long as planning: at most
    /// five times as long in all.
    pub(super) fn answers(&self) -> Vec<Answer> {
        let mut answers = self.apart();
        answers.extend(self.schedule());
        answers.extend(self.loaded());
        answers.extend(self.processors());
        let mut answers = Answer::best(answers, Answer::LEAST_GAIN);
        if answers.is_empty() {
            answers.push(self.nothing());
        }
        answers
    }

    /// Returns an answer with the gain of a plan that takes so many nanoseconds.
    fn answer(&self, title: String, why: &str, help: String, nanoseconds: f64) -> Answer {
        let now = self.planned.predicted();
        Answer {
            title,
            body: format!(
                "{why} Predicted: {:.3} ms in place of {:.3} ms.",
                1e-6 * nanoseconds,
                1e-6 * now
            ),
            help,
            gain: 1.0 - nanoseconds / now.max(1.0),
            file: Some(self.kernel.file.clone()),
            line: Some(self.kernel.line),
            statement: Some(0),
            ..Answer::default()
        }
    }

    /// Plans for so many processors.
    fn planned(&self, track: &dyn Track, processors: u32) -> Option<PlanReport> {
        Some(plan(track, processors, self.costs, u64::MAX).ok()?.1)
    }

    /// Returns the arrays that make one chain of iterations, though each iteration writes them
    /// before it reads them.
    fn apart(&self) -> Vec<Answer> {
        let scratch = self.planned.scratch.iter().map(|name| (*name, true));
        let outside = self.planned.outside.iter().map(|name| (*name, false));
        let answer = |(name, is_argument): (&'static str, bool)| {
            let number = self.arrays.iter().position(|(_, array)| *array == name)?;
            let without = Without::new(self.track, self.tell, number as u16)?;
            let report = self.planned(&without, self.planned.processors)?;
            let (title, help) = match is_argument {
                true => (
                    format!("mark `{name}` with `#[scratch]`"),
                    format!("`#[scratch] {name}: &mut [..]`, if nobody reads it after the run"),
                ),
                false => (
                    format!("declare `{name}` inside the loop"),
                    "each iteration then has its own".to_owned(),
                ),
            };
            let why = "Each iteration writes it before it reads it, and still they wait for each other through it.";
            Some(self.answer(title, why, help, report.predicted()))
        };
        scratch.chain(outside).filter_map(answer).collect()
    }

    /// Returns the schedule that is predicted to be fastest, if that is another.
    fn schedule(&self) -> Option<Answer> {
        let report = self.planned(self.track, self.planned.processors)?;
        let chosen = report.chosen().algorithm;
        let (title, why, help) = match self.planned.unpaid {
            Some([expected, least]) => (
                format!("plan for more calls: {chosen}"),
                format!(
                    "{expected} calls are expected, and a schedule pays after {least} at the earliest."
                ),
                "leave `.expected_calls(..)` out where there are more",
            ),
            None => (
                format!("let the planner choose the schedule: {chosen}"),
                format!("The plan is {}.", self.planned.chosen().algorithm),
                "leave `.schedule(..)` out",
            ),
        };
        Some(self.answer(title, &why, help.to_owned(), report.predicted()))
    }

    /// Returns that a loaded plan is faster, if it is predicted to be.
    fn loaded(&self) -> Option<Answer> {
        self.can_be_loaded.then(|| {
            let why = "Structure and values then stand in the order in which each processor reads them.";
            let help = "`let mut loaded = plan.load(..)?; loaded.run(..)?`, where values stay for some runs";
            let nanoseconds = self.planned.predicted_loaded();
            self.answer("load the plan".into(), why, help.into(), nanoseconds)
        })
    }

    /// Returns other numbers of processors.
    fn processors(&self) -> Vec<Answer> {
        let now = self.planned.processors;
        let more = (2 * now).min(u32::try_from(self.cores).unwrap_or(u32::MAX));
        let others = [1, now / 2, more]
            .into_iter()
            .filter(|&count| count > 0 && count != now && self.planned.unpaid.is_none());
        let answer = |count: u32| {
            let nanoseconds = match count {
                1 => self.planned.nanoseconds,
                _ => self.planned(self.track, count)?.predicted(),
            };
            let ending = if count == 1 { "" } else { "s" };
            let title = format!("use {count} processor{ending}");
            let why = match count > now {
                true => "There are more cores.",
                false => "Waits cost more than the others gain.",
            };
            Some(self.answer(title, why, format!("`.processors({count})`"), nanoseconds))
        };
        let mut answers: Vec<Answer> = others.filter_map(answer).collect();
        answers.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        answers.truncate(1);
        answers
    }

    /// Says why nothing gains.
    fn nothing(&self) -> Answer {
        let report = self.planned;
        let body = report.why_sequential().unwrap_or_else(|| {
            format!(
                "It takes {:.2} of the time in order by prediction, on {} processors, and the longest path lets it take {:.2}.",
                report.chosen().ratio,
                report.processors,
                1.0 / report.parallelism.max(1.0)
            )
        });
        Answer {
            title: "nothing to gain".into(),
            body,
            gain: 0.0,
            ..self.answer(String::new(), "", String::new(), 0.0)
        }
    }
}
