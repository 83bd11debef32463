//! The report of a planner: a kernel's structure, and the choice among plans.

use std::{fmt, mem};

use crate::{Measured, UNLIKELY, Windows, Within, contest::WORTHWHILE};

/// Algorithm that made a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// All grains in order, on one processor.
    Sequential,
    /// [`farm`](crate::farm()): parts that processors share as they become free.
    Farm,
    /// [`doacross`](crate::doacross()) with these windows.
    Doacross(Windows),
    /// [`levels`](crate::levels()).
    Levels,
    /// [`grow_local`](crate::grow_local()).
    GrowLocal,
    /// [`pipeline`](crate::pipeline()).
    Pipeline,
    /// [`owners`](crate::owners()) with so many parts for each processor.
    Owners(u32),
}

impl Algorithm {
    /// Returns whether it orders grains as another one does, with other numbers at most.
    pub(crate) fn is_like(self, other: Self) -> bool {
        let within = |algorithm| match algorithm {
            Self::Doacross(windows) => Some(windows.within),
            _ => None,
        };
        mem::discriminant(&self) == mem::discriminant(&other) && within(self) == within(other)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sequential => write!(f, "sequential"),
            Self::Doacross(windows) => match windows.within {
                Within::Run => write!(f, "doacross {}", windows.grains),
                Within::Levels => write!(f, "doacross {} by level", windows.grains),
            },
            Self::Farm => write!(f, "farm"),
            Self::Levels => write!(f, "levels"),
            Self::GrowLocal => write!(f, "grow-local"),
            Self::Pipeline => write!(f, "pipeline"),
            Self::Owners(parts) => write!(f, "owners {parts}"),
        }
    }
}

/// A plan that was predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Algorithm that made it.
    pub algorithm: Algorithm,
    /// Its predicted time over the time in order.
    pub ratio: f64,
    /// Predicted time of loaded runs over the time in order: no grain [jumps](crate::Costs::jump),
    /// as structure and values stand in the order of the plan.
    pub loaded: f64,
    /// Its chunks.
    pub chunks: usize,
    /// Its waits.
    pub waits: usize,
}

/// A kernel's structure as a planner sees it, and the candidates among which it chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Level of the loops whose iterations these are: 0 for the outermost.
    pub level: u32,
    /// Iterations of the kernel.
    pub iterations: u32,
    /// Grains that they were joined to.
    pub grains: u32,
    /// Edges of the graph of grains, without those left out.
    pub edges: usize,
    /// Grains on the longest path.
    pub levels: u32,
    /// All work over the work of the critical path.
    pub parallelism: f64,
    /// Processors that were asked for.
    pub processors: u32,
    /// Predicted time in order, in nanoseconds.
    pub nanoseconds: f64,
    /// All candidates; the first is sequential.
    pub candidates: Vec<Candidate>,
    /// Position of the chosen one.
    pub chosen: usize,
    /// Arrays that make one chain of iterations though each writes them before it reads them: they
    /// could be each processor's own. Known where a plan is made, and in no file.
    pub scratch: Vec<&'static str>,
    /// The kernel's own arrays that could be declared inside their loop, for the same reason.
    pub outside: Vec<&'static str>,
    /// Other levels of the kernel's loops that were planned, and did not gain as much. Known where
    /// a plan is made, and in no file.
    pub others: Vec<OtherLevel>,
    /// Calls that were expected, and those after which a schedule can have paid for itself at the
    /// earliest. It is there if they are more, so that nothing was scheduled. Known where a plan is
    /// made, and in no file.
    pub unpaid: Option<[u64; 2]>,
    /// Measured prices by which all was predicted, if there are. Known where a plan is made, and in
    /// no file.
    pub measured: Option<Measured>,
}

/// A level of loops that was planned too.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherLevel {
    /// The level: 0 for the outermost loops.
    pub level: u32,
    /// Iterations at that level.
    pub iterations: u32,
    /// All work over the work of the critical path.
    pub parallelism: f64,
    /// Best plan for several processors, if there is one, and its predicted time in nanoseconds.
    pub best: Option<(Algorithm, f64)>,
}

impl From<&Report> for OtherLevel {
    fn from(report: &Report) -> Self {
        let best = report.best_parallel();
        Self {
            level: report.level,
            iterations: report.iterations,
            parallelism: report.parallelism,
            best: best.map(|best| (best.algorithm, best.ratio * report.nanoseconds)),
        }
    }
}

impl Report {
    /// Returns the candidate that was chosen.
    pub fn chosen(&self) -> &Candidate {
        &self.candidates[self.chosen]
    }

    /// Returns the predicted time of the chosen plan, in nanoseconds.
    pub fn predicted(&self) -> f64 {
        self.chosen().ratio * self.nanoseconds
    }

    /// Returns the predicted time of loaded runs of the chosen plan, in nanoseconds.
    pub fn predicted_loaded(&self) -> f64 {
        self.chosen().loaded * self.nanoseconds
    }

    /// Returns the candidate for several processors that is predicted to be fastest.
    fn best_parallel(&self) -> Option<&Candidate> {
        let parallel = self.candidates[1..].iter();
        parallel.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }

    /// Returns whether the plan is sequential because grains wait for each other.
    pub fn is_chain(&self) -> bool {
        let is_sequential = self.chosen().algorithm == Algorithm::Sequential;
        let could_gain = self.grains > 1 && self.processors > 1;
        is_sequential && could_gain && self.parallelism * WORTHWHILE.get() <= 1.0
    }

    /// Returns why nothing is gained by several processors, if the plan is sequential.
    pub fn why_sequential(&self) -> Option<String> {
        if self.chosen().algorithm != Algorithm::Sequential {
            return None;
        }
        let best = self.best_parallel();
        Some(if let Some([expected, least]) = self.unpaid {
            format!("expected calls: {expected}; a schedule pays after {least} at the earliest")
        } else if self.grains <= 1 {
            format!("too little work: {:.0} ns", self.nanoseconds)
        } else if self.processors == 1 {
            "one processor".into()
        } else if self.is_chain() {
            let inside = match self.others.iter().any(|other| other.level > self.level) {
                true => ", and the loops inside gain nothing",
                false => "",
            };
            format!(
                "one long chain: parallelism {:.1}{inside}",
                self.parallelism
            )
        } else if let Some(best) = best {
            format!(
                "waits cost more than {} processors gain: the best is {} at {:.2}",
                self.processors, best.algorithm, best.ratio
            )
        } else {
            format!("nothing was scheduled: {:.0} ns in order", self.nanoseconds)
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = match self.level {
            0 => String::new(),
            level => format!(" of loops in {level} others"),
        };
        writeln!(
            f,
            "{} iterations{inside} in {} grains, {} levels, parallelism {:.1}",
            self.iterations, self.grains, self.levels, self.parallelism
        )?;
        writeln!(
            f,
            "on {} processors, predicted over sequential, in place and loaded:",
            self.processors
        )?;
        for (position, candidate) in self.candidates.iter().enumerate() {
            // What is predicted to be slower is tried, and is no promise.
            let mark = match position == self.chosen {
                true if candidate.ratio > 1.0 => '?',
                true => '*',
                false => ' ',
            };
            let name = candidate.algorithm.to_string();
            writeln!(
                f,
                "{mark} {name:<24} {:>5.2} {:>5.2}  {:>8} chunks {:>8} waits",
                candidate.ratio, candidate.loaded, candidate.chunks, candidate.waits
            )?;
        }
        if let Some(measured) = &self.measured {
            writeln!(f, "{measured}")?;
        }
        for other in &self.others {
            let depth = match other.level {
                0 => "outermost loops".to_owned(),
                level => format!("loops in {level} others"),
            };
            let best = match other.best {
                None if self.unpaid.is_some() => "not scheduled".to_owned(),
                None => "nothing to gain".to_owned(),
                Some((algorithm, time)) => format!("{algorithm} {:.2}", time / self.nanoseconds),
            };
            let (iterations, parallelism) = (other.iterations, other.parallelism);
            writeln!(
                f,
                "{depth}: {iterations} iterations, parallelism {parallelism:.1}, {best}"
            )?;
        }
        if let Some(reason) = self.why_sequential() {
            writeln!(f, "sequential: {reason}")?;
        } else if self.chosen().ratio > UNLIKELY {
            writeln!(
                f,
                "predicted to be slower than in order unless it is loaded: calls try it"
            )?;
        } else if self.chosen().ratio > 1.0 {
            writeln!(
                f,
                "predicted to be slower than in order, by less than predictions may be wrong: \
                 calls try it"
            )?;
        }
        for array in &self.scratch {
            writeln!(
                f,
                "`{array}` is written before it is read in each iteration: \
                 if nobody reads it after the run, mark it `#[scratch]`"
            )?;
        }
        for array in &self.outside {
            writeln!(
                f,
                "`{array}` is written before it is read in each iteration: declare it there"
            )?;
        }
        Ok(())
    }
}
