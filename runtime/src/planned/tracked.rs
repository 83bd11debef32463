//! Tracking of a kernel: its iterations at a level of its loops, as the planner sees them, and the
//! choice of the level.

use std::ops::Range;
use std::sync::Arc;

use superstep_planner::{
    Accesses, Algorithm, Fault, Graph, OtherLevel, PlanError, Proved, Recording, Track, TrackError,
    UNLIKELY, Used, Windows, choose_as,
};

use super::extents::{Array, Extents, Needed, Outside};
use super::program::Program;
use super::scratch::{Apart, Scratch};
use super::space::TooMany;
use super::{Grains, PlanReport, PlanningError, Schedule, Settings, Site, Space};
use crate::cores;
use crate::error::catch;

/// Factor within which a plan is good enough, of the best that its processors can do. Then
/// iterations are not cut into those of inner loops.
///
/// With this factor 55 of 126 plans of the collection's kernels for two processors are parallel, 40
/// of them by inner loops. With 1.1, and with all levels of all kernels, they are as many and take
/// as long. But planning takes 1.1 and 1.5 times as long. With 2, 17 fewer are parallel.
const ENOUGH: f64 = 1.3;

/// Part of the time in order, at or below which a plan is good. Then iterations are not cut into
/// such as take less than a wait.
///
/// It was tried with ILU(0) and IC(0) of 16 real and 9 generated matrices on two threads. They take
/// 0.77 and 0.79 of the function with it, 0.77 and 0.77 without. Planning takes 10.8 and 9.6 calls
/// in place of 13.4 and 11.0, and up to six times less.
const GAIN: f64 = 0.8;

/// Loops of a kernel with its control arguments.
///
/// Calls through `dyn` stand between a kernel and all that plans it, so that each kernel compiles
/// little of that.
pub(super) struct Loops<'c> {
    pub(super) kernel: &'static str,
    levels: &'static [usize],
    shared: &'static [(u16, &'static str)],
    /// Number of the last shared arrays that are the kernel's own.
    common: usize,
    scratch: &'static [(u16, &'static str)],
    /// Arrays that are tracked.
    pub(super) arrays: &'c [Array],
    /// Words of an array, by its number among all, where that is known.
    known_words: &'c (dyn Fn(u16) -> Option<usize> + Sync),
    walk: &'c (dyn Fn(&mut Space) + Sync),
    pub(super) track: &'c (dyn Fn(&Site<'_>, &mut Accesses<'_>, &mut Extents) + Sync),
}

impl Loops<'_> {
    /// Calls a function with the loops of a kernel.
    pub(super) fn of<K: Grains, R>(
        control: K::Control<'_>,
        then: impl FnOnce(&Loops<'_>) -> R,
    ) -> R {
        let arrays = Array::all::<K>();
        then(&Loops {
            kernel: K::NAME,
            levels: K::LEVELS,
            shared: K::SHARED,
            common: K::COMMON.len(),
            scratch: K::SCRATCH,
            arrays: &arrays,
            known_words: &|array| K::known_words(control, array),
            walk: &|space| K::walk(control, space),
            track: &|site, accesses, extents| K::track(control, site, accesses, extents),
        })
    }

    /// Plans the iterations of a kernel: those of its outermost loops, or of loops in them where
    /// that is predicted to be faster. Returns the plans that are worth timing: the one that is
    /// predicted to be fastest in place, and of the others the fastest loaded.
    ///
    /// Iterations are cut as long as the plan is not [`ENOUGH`] and they take more than a wait.
    pub(super) fn plan(&self, settings: &Settings) -> Result<Vec<Program>, PlanningError> {
        let of = |space| self.of_space(space, |tracked| tracked.plans(settings));
        if let Some(level) = settings.level {
            return of(self.space(level)?);
        }
        let (first, others) = self.levels.split_first().unwrap_or((&0, &[]));
        let mut plans = of(self.space(*first)?)?;
        let mut last = plans.first().map(|plan| plan.report.clone());
        let mut unpaid = last.as_ref().and_then(|report| report.unpaid);
        let mut tried: Vec<OtherLevel> = last.iter().map(OtherLevel::from).collect();
        let in_order = last.as_ref().map_or(0.0, |report| report.nanoseconds);
        for &level in others {
            let Some(before) = last else { break };
            let time = plans.first().map_or(0.0, |best| best.report.predicted());
            let is_enough = time * f64::from(before.processors) <= ENOUGH * before.nanoseconds;
            let per = |iterations: u32| before.nanoseconds / f64::from(iterations.max(1));
            if is_enough || per(before.iterations) < settings.costs.wait {
                break;
            }
            // What cannot be planned here is planned at the level before.
            let Ok(space) = self.space(level) else { break };
            let gains = time <= GAIN * before.nanoseconds;
            if gains && per(space.iterations()) < settings.costs.wait {
                break;
            }
            let Ok(more) = of(space) else { break };
            last = more.first().map(|plan| plan.report.clone());
            let also = last.as_ref().and_then(|report| report.unpaid);
            unpaid = unpaid.into_iter().chain(also).min();
            tried.extend(last.iter().map(OtherLevel::from));
            plans.extend(more);
            plans.sort_by(|a, b| a.report.predicted().total_cmp(&b.report.predicted()));
        }
        let of = |plan: &Program| {
            let report = &plan.report;
            (
                plan.threads > 1,
                [report.predicted(), report.predicted_loaded()],
            )
        };
        let mut plans = worth_timing(plans, in_order, settings.rivals(), of);
        for Program {
            report, threads, ..
        } in &mut plans
        {
            report.unpaid = unpaid.filter(|_| *threads == 1);
            let others = tried.iter().filter(|other| other.level != report.level);
            report.others = others.cloned().collect();
        }
        Ok(plans)
    }

    /// Returns the first of some programs whose levels are wide, as one that runs the iterations of
    /// each chunk by level, and its position. Neighbours of one space are tracked once.
    pub(super) fn by_level(&self, programs: &[&Program]) -> Option<(usize, Program)> {
        let mut position = 0;
        for programs in programs.chunk_by(|a, b| Arc::ptr_eq(&a.space, &b.space)) {
            let tracked = Tracked::new(self, &programs[0].space).ok()?;
            for program in programs {
                let plan = superstep_planner::by_level(&tracked, program.proved.plan()).ok()?;
                if let Some(plan) = plan {
                    let proved = superstep_planner::prove(&tracked, plan).ok()?;
                    return Some((position, program.with(proved)));
                }
                position += 1;
            }
        }
        None
    }

    /// Accounts for a program: how long its chunks take by prediction, and which words cross.
    /// Explains its plan, too, if that is asked for.
    #[cfg(feature = "report")]
    pub(super) fn account(
        &self,
        program: &Program,
        costs: &superstep_planner::Costs,
        explained: Option<(&superstep_report::Location, bool)>,
    ) -> Result<(superstep_planner::Account, Vec<superstep_report::Answer>), PlanningError> {
        let space = self.space(program.space.level())?;
        let tracked = Tracked::new(self, &space)?;
        let plan = program.proved.plan();
        let account = superstep_planner::account(&tracked, plan, costs).unwrap_or_default();
        let answers = explained.map(|(kernel, can_be_loaded)| {
            let subject = super::advice::Subject {
                kernel,
                track: &tracked,
                tell: &|accesses| {
                    let mut extents = Extents::new(0);
                    let all = 0..space.iterations();
                    self.tell(&space, all, accesses, &mut [], &mut extents);
                },
                arrays: self.shared,
                planned: &program.report,
                costs,
                cores: cores::count(),
                can_be_loaded,
            };
            subject.answers()
        });
        Ok((account, answers.unwrap_or_default()))
    }

    /// Finds the iterations of a level.
    pub(super) fn space(&self, level: usize) -> Result<Space, PlanningError> {
        let (kernel, levels) = (self.kernel, self.levels);
        if !levels.contains(&level) {
            return Err(PlanningError::Level {
                kernel,
                level,
                levels,
            });
        }
        let mut space = Space::of_level(level);
        match catch(|| (self.walk)(&mut space)) {
            Ok(()) => Ok(space),
            Err(payload) if payload.is::<TooMany>() => Err(PlanningError::Iterations { kernel }),
            Err(other) => other.resume(),
        }
    }

    /// Takes plans of iterations.
    pub(super) fn of_space(
        &self,
        space: Space,
        plan: impl FnOnce(&Tracked<'_>) -> Result<Vec<(Proved, PlanReport)>, PlanError>,
    ) -> Result<Vec<Program>, PlanningError> {
        let (kernel, level) = (self.kernel, space.level());
        let tracked = Tracked::new(self, &space)?;
        let plans = plan(&tracked).map_err(|source| PlanningError::Plan { kernel, source })?;
        let chain = plans.iter().any(|(_, report)| report.is_chain());
        let [could_be_scratch, outside] = match chain {
            true => tracked.could_be_apart(),
            false => [const { Vec::new() }; 2],
        };
        let needed = self.arrays.iter().zip(tracked.extents());
        let needed = needed.map(|(&array, words)| Needed {
            array,
            words,
            known: (self.known_words)(array.number),
        });
        let needed: Arc<[Needed]> = needed.collect();
        let space = Arc::new(space);
        let program = |(proved, report): (Proved, PlanReport)| {
            let report = PlanReport {
                level: level as u32,
                scratch: could_be_scratch.clone(),
                outside: outside.clone(),
                ..report
            };
            Program::new(Arc::clone(&space), proved, report, Arc::clone(&needed))
        };
        Ok(plans.into_iter().map(program).collect())
    }

    /// Returns the error of an array of known length that has no such word.
    #[cold]
    fn outside(&self, space: &Space, at: usize, word: usize) -> PlanningError {
        let words = (self.known_words)(self.arrays[at].number).unwrap_or(word);
        self.too_short(space, at, words, word).into()
    }

    /// Tells the accesses of iterations to shared arrays, and to others if these are given.
    fn tell(
        &self,
        space: &Space,
        iterations: Range<u32>,
        accesses: &mut Accesses<'_>,
        scratch: &mut [Scratch],
        extents: &mut Extents,
    ) {
        let mut tell = |accesses: &mut Accesses<'_>| {
            space.each(iterations.clone(), |site| {
                (self.track)(site, accesses, extents);
            });
        };
        if self.scratch.is_empty() {
            tell(accesses);
        } else {
            let mut apart = Apart::new(accesses, self.shared.len(), scratch);
            let mut all = Accesses::new(&mut apart);
            tell(&mut all);
            all.end();
        }
    }
}

/// Control of a kernel, iteration by iteration.
pub(super) struct Tracked<'c> {
    loops: &'c Loops<'c>,
    space: &'c Space,
    /// Accesses to the shared arrays, recorded when their extents were found.
    recording: Recording,
    /// Words of the shared arrays that are used, if they are few.
    used: Option<Used>,
    /// Words that are needed of each scratch array.
    scratch: Vec<usize>,
    /// Words that are needed of arrays that are only read.
    extents: Extents,
}

impl<'c> Tracked<'c> {
    pub(super) fn new(loops: &'c Loops<'c>, space: &'c Space) -> Result<Self, PlanningError> {
        let kernel = loops.kernel;
        let mut recording = Recording::new(loops.shared.len());
        let mut scratch = vec![Scratch::default(); loops.scratch.len()];
        let mut extents = Extents::new(loops.arrays.len());
        let mut accesses = Accesses::new(&mut recording);
        let told = catch(|| {
            let all = 0..space.iterations();
            loops.tell(space, all, &mut accesses, &mut scratch, &mut extents);
        });
        if let Err(payload) = told {
            let outside = payload.look(|payload| payload.downcast_ref::<Outside>().copied());
            let Some(Outside { array, word }) = outside else {
                payload.resume();
            };
            return Err(loops.outside(space, usize::from(array), word));
        }
        accesses.end();
        recording.end();
        let lengths: Vec<usize> = scratch.iter().map(Scratch::words).collect();
        if scratch.iter().any(Scratch::is_too_long) {
            let source = PlanError::Track(TrackError::Memory { lengths });
            return Err(PlanningError::Plan { kernel, source });
        }
        for (scratch, &(_, array)) in scratch.iter().zip(loops.scratch) {
            if let Some((iteration, word)) = scratch.unwritten() {
                return Err(PlanningError::Scratch {
                    kernel,
                    iteration,
                    array,
                    word,
                });
            }
        }
        let mut tracked = Self {
            loops,
            space,
            recording,
            used: None,
            scratch: lengths,
            extents,
        };
        let is_sparse = tracked.recording.is_sparse();
        tracked.used = is_sparse.then(|| Used::of(&tracked));
        // Ranges of words were not compared.
        for (at, words) in tracked.extents().into_iter().enumerate() {
            let known = (loops.known_words)(loops.arrays[at].number);
            if known.is_some_and(|known| known < words) {
                return Err(loops.outside(space, at, words - 1));
            }
        }
        Ok(tracked)
    }

    /// Returns how many words are needed of each array that is tracked.
    fn extents(&self) -> Vec<usize> {
        let written = [self.recording.lengths(), &self.scratch].concat();
        let inputs = self.extents.from(written.len());
        [&written, inputs].concat()
    }

    /// Returns the number of the first array that is only read, among those that are tracked.
    #[cfg(feature = "ranks")]
    fn first_input(&self) -> usize {
        self.loops.shared.len() + self.loops.scratch.len()
    }

    /// Returns the shared arrays that iterations write again, none reading what another has
    /// written: arguments, and the kernel's own.
    fn could_be_apart(&self) -> [Vec<&'static str>; 2] {
        let mut arrays = vec![Scratch::default(); self.loops.shared.len()];
        // All arrays are apart, and none is left.
        let mut left = Recording::default();
        let mut left = Accesses::new(&mut left);
        let mut apart = Apart::new(&mut left, 0, &mut arrays);
        let mut all = Accesses::new(&mut apart);
        if self.track(0..self.iterations(), &mut all).is_err() {
            return [const { Vec::new() }; 2];
        }
        all.end();
        let arguments = self.loops.shared.len() - self.loops.common;
        let shared: Vec<_> = self.loops.shared.iter().zip(&arrays).collect();
        let (arguments, own) = shared.split_at(arguments);
        [arguments, own].map(|arrays| {
            let found = arrays.iter().filter(|(_, array)| array.is_made_anew());
            found.map(|((_, name), _)| *name).collect()
        })
    }

    fn plans(&self, settings: &Settings) -> Result<Vec<(Proved, PlanReport)>, PlanError> {
        let processors = settings.processors.unwrap_or_else(cores::count);
        let processors = u32::try_from(processors).unwrap_or(u32::MAX);
        let (costs, calls) = (&settings.costs, settings.calls.unwrap_or(u64::MAX));
        let plan = match settings.schedule {
            Schedule::Fastest if settings.rivals() > 1 => {
                return superstep_planner::plans(self, processors, costs, calls);
            }
            Schedule::Fastest => superstep_planner::plan(self, processors, costs, calls)?,
            schedule => {
                let graph = Graph::new(self, costs)?;
                let algorithm = match schedule {
                    Schedule::Doacross(windows) => Algorithm::Doacross(Windows {
                        grains: windows.grains.max(1),
                        chunks: windows.chunks.max(1),
                        ..windows
                    }),
                    Schedule::Owners(parts) => Algorithm::Owners(parts.max(1)),
                    Schedule::Farm => Algorithm::Farm,
                    Schedule::Levels => Algorithm::Levels,
                    Schedule::Pipeline => Algorithm::Pipeline,
                    Schedule::Fastest | Schedule::GrowLocal => Algorithm::GrowLocal,
                };
                let (plan, report) = choose_as(&graph, processors, costs, algorithm)?;
                (superstep_planner::prove(self, plan)?, report)
            }
        };
        Ok(vec![plan])
    }
}

impl Track for Tracked<'_> {
    fn iterations(&self) -> u32 {
        self.space.iterations()
    }

    fn lengths(&self) -> &[usize] {
        self.recording.lengths()
    }

    fn used(&self) -> Option<&Used> {
        self.used.as_ref()
    }

    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        if self.recording.is_whole(self.iterations()) {
            accesses.replay(&self.recording, iterations);
        } else {
            let mut extents = Extents::new(0);
            self.loops
                .tell(self.space, iterations, accesses, &mut [], &mut extents);
        }
        Ok(())
    }

    #[cfg(feature = "ranks")]
    fn inputs(&self) -> usize {
        self.loops.arrays.len() - self.first_input()
    }

    #[cfg(feature = "ranks")]
    fn track_inputs(
        &self,
        iterations: Range<u32>,
        accesses: &mut Accesses<'_>,
    ) -> Result<(), Fault> {
        let first = self.first_input();
        if first == self.loops.arrays.len() {
            return Ok(());
        }
        let (mut written, mut listed) = (Extents::new(0), Extents::listing());
        let mut others = Accesses::new(&mut written);
        self.loops
            .tell(self.space, iterations, &mut others, &mut [], &mut listed);
        for (array, words) in listed.into_reached() {
            accesses.read(array - first as u16, words);
        }
        Ok(())
    }
}

/// Returns the plans of all levels that are worth timing, at most as many as calls may compare. The
/// fastest in place comes first, then the fastest loaded. `in_order` is the time of the function,
/// in nanoseconds; `of` says of a plan if it is parallel, and its times in place and loaded.
fn worth_timing<P>(
    mut plans: Vec<P>,
    in_order: f64,
    most: usize,
    of: impl Fn(&P) -> (bool, [f64; 2]),
) -> Vec<P> {
    if most > 1 {
        let is_likely = |plan: &P| {
            let (is_parallel, [in_place, loaded]) = of(plan);
            is_parallel && (in_place <= UNLIKELY * in_order || loaded <= in_order)
        };
        let (rivals, others): (Vec<_>, Vec<_>) = plans.into_iter().partition(is_likely);
        plans = if rivals.is_empty() { others } else { rivals };
        if let Some((_, others)) = plans.split_first_mut() {
            let loaded = |plan: &P| of(plan).1[1];
            others.sort_by(|a, b| loaded(a).total_cmp(&loaded(b)));
        }
    }
    let is_parallel = plans.first().is_some_and(|plan| of(plan).0);
    plans.truncate(if is_parallel { most } else { 1 });
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a plan for so many threads with these predictions, over the time in order.
    fn plan(threads: usize, ratio: f64, loaded: f64) -> (usize, [f64; 2]) {
        (threads, [ratio, loaded])
    }

    /// Returns the ratios of the plans that are kept, which come by their predictions in place.
    fn kept(plans: Vec<(usize, [f64; 2])>, most: usize) -> Vec<f64> {
        let kept = worth_timing(plans, 1.0, most, |&(threads, times)| (threads > 1, times));
        kept.iter().map(|(_, [ratio, _])| *ratio).collect()
    }

    #[test]
    fn of_all_levels_the_best_in_place_and_the_best_loaded_are_kept() {
        let plans = || vec![plan(2, 0.5, 0.5), plan(2, 0.6, 0.6), plan(2, 1.7, 0.4)];
        assert_eq!(kept(plans(), 2), [0.5, 1.7]);
        assert_eq!(kept(plans(), 1), [0.5]);
    }

    #[test]
    fn plans_that_gain_in_neither_way_give_way_to_the_function() {
        assert_eq!(kept(vec![plan(1, 1.0, 1.0), plan(2, 1.4, 1.1)], 2), [1.0]);
        // Predictions may be wrong by as much as this one.
        assert_eq!(kept(vec![plan(1, 1.0, 1.0), plan(2, 1.2, 1.1)], 2), [1.2]);
    }
}
