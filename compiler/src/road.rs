//! The one road from a trace to checked programs.
//!
//! ```text
//! trace -> expand -> graph -> contract -> [ schedule -> moves -> check -> bound -> placement -> columns -> place -> fold ->
//!                                           chains -> jam -> fuse -> depths -> near -> pattern -> assemble -> loose -> predict ] -> replay
//!                                         `-- for each candidate; the one that is predicted to be fastest goes on --'
//! ```

use std::iter;
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use superstep_dag::Dag;
use superstep_dag_builder::{contract, from_trace, homes};
use superstep_machine::{Machine, Memory, Times};
use superstep_report::{Details, Report};
use superstep_schedule::CheckedSchedule;
use superstep_scheduler::{Algorithm, Machines, Setting, Wins, in_parallel};
use superstep_tracer::Trace;

use crate::bound::bound;
use crate::candidate::{Candidate, schedule};
use crate::checked::CheckedProgram;
use crate::choice::Choice;
use crate::error::CompileError;
use crate::fold::lists::Lists;
use crate::options::Options;
use crate::passes::{Pass, Passes};
use crate::pattern::specialise::specialise;
use crate::place::columns::{self, Sample};
use crate::place::layout::Layout;
use crate::place::moves::on_first;
use crate::place::placement::{Placement, PlacementError};
use crate::place::sharing::shareable;
use crate::place::tasks::Tasks;
use crate::predict::function::function;
use crate::program::Program;
use crate::reorder::estimate::Sorts;
use crate::report;
use crate::request::Request;

/// Tasks of a trace above which a build that chooses tries one machine for each algorithm, and none
/// that copies tasks. In LU 256 (5.6 million tasks) on four processors each candidate with copies
/// takes as long to lower as all others together, and loses.
pub const MANY_TASKS: usize = 5_000_000;

/// Tasks of a trace up to which its graph stays while programs are lowered: it takes less than 30
/// MB then. Above, making it again for each program takes 2 to 4 % of the time.
const FEW_TASKS: usize = 1 << 18;

/// Times as much as a superstep boundary costs a pipeline is told that it costs, with words at the
/// usual price of a task.
///
/// Its slices are wider then, and their loops longer, which only predictions know. With 4, two
/// processors are predicted to take 0.8 of the time for substitution on a grid and for a table of
/// dynamic programming. Predictions choose, so that nothing gets slower.
const WIDE: f64 = 4.0;

/// Part of the predicted time of a program that one of the expanded trace may take at most. These
/// are programs of the collection (`superstep-collection`, two builds), and their times over those
/// before:
///
/// * below .9 they took .48 in the geometric mean;
/// * from .9 to .99 they took as long, or up to 1.5 times.
const EXPANDED: f64 = 0.9;

/// A checked program, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: CheckedProgram,
    /// Its figures.
    pub report: Report,
    /// Details of who runs what, and when.
    pub details: Details,
}

/// The programs of a trace that are worth having.
#[derive(Clone, Debug, Default)]
pub struct Compilation {
    /// The programs in the order of the requests, after one for one processor.
    pub programs: Vec<Compiled>,
    /// Warnings of programs that are left out, or are likely to be slower than the function.
    pub warnings: Vec<String>,
}

/// Compiles the programs of a trace that are asked for and worth having.
///
/// For each number of processors it is the one that is predicted to be the fastest of those with at
/// most as many. For several processors there is none that is predicted to take more than three
/// times as long as the function as written.
///
/// ```
/// use superstep_compiler::{Options, Request, compile};
/// use superstep_graphs::generate;
///
/// let requests = [1, 2].map(Request::exactly);
/// let compilation = compile(&generate::lu_trace(32)?, &requests, &Options::default())?;
/// let used: Vec<usize> = compilation.programs.iter().map(|each| each.report.processors_used).collect();
/// assert_eq!(used, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no scheduler serves, for programs over private memory without algorithms that copy tasks,
/// and for defects of superstep that the checks find.
pub fn compile(
    trace: &Trace,
    requests: &[Request],
    options: &Options,
) -> Result<Compilation, CompileError> {
    let mut programs = of_trace(trace, requests, options)?;
    if let Some(expanded) = expanded(trace, options) {
        let others = of_trace(&expanded, requests, options)?;
        for (own, other) in programs.iter_mut().zip(others) {
            let [given, predicted] = [&*own, &other].map(|each| each.report.predicted());
            if predicted < EXPANDED * given {
                *own = other;
            }
        }
    }
    let function = function(trace, &options.times);
    for each in &mut programs {
        each.report.function = function.ceil() as u64;
    }
    let predicted: Vec<_> = programs.iter().map(|each| (&each.report).into()).collect();
    let choice = Choice::new(&predicted, requests, function);
    programs.retain(|each| choice.keeps((&each.report).into()));
    Ok(Compilation {
        programs,
        warnings: choice.warnings(),
    })
}

/// Returns the trace whose locals are expanded, if there is one.
fn expanded(trace: &Trace, options: &Options) -> Option<Trace> {
    let is_wanted = options.passes.has(Pass::Expand);
    let most = options.times.core.cache as usize;
    is_wanted.then(|| trace.expanded(most)).flatten()
}

/// Compiles a program for each request, after one for one processor.
fn of_trace(
    trace: &Trace,
    requests: &[Request],
    options: &Options,
) -> Result<Vec<Compiled>, CompileError> {
    let mut road = Road::new(trace, options);
    requests
        .iter()
        .try_for_each(|&request| road.allow(request))?;
    // The sequential program comes first: it says what a task takes, and what the others have to
    // beat.
    let one = requests.iter().position(|request| request.processors == 1);
    let alone = road.program(one.map_or(Request::new(1), |at| requests[at]))?;
    road.task = alone.report.predicted() / trace.tasks().max(1) as f64;
    let is_other = |&at: &usize| Some(at) != one;
    let others: Vec<Request> = (0..requests.len())
        .filter(is_other)
        .map(|at| requests[at])
        .collect();
    let threads = match trace.tasks() > MANY_TASKS {
        true => NonZero::<usize>::MIN,
        false => options.threads,
    };
    let others = in_parallel(threads, &others, |&request| road.program(request));
    iter::once(Ok(alone)).chain(others).collect()
}

/// The road of one trace, for any number of programs.
pub struct Road<'a> {
    trace: &'a Trace,
    /// Made again when it is needed after it was [let go](Self::let_go).
    graph: Mutex<Option<Arc<Dag>>>,
    options: &'a Options,
    /// Nanoseconds of a task of the sequential program; 0 while that is not known.
    task: f64,
}

impl<'a> Road<'a> {
    /// Makes the graph of the trace.
    pub fn new(trace: &'a Trace, options: &'a Options) -> Self {
        Self {
            trace,
            graph: Mutex::new(Some(Arc::new(graph(trace)))),
            options,
            task: 0.0,
        }
    }

    /// Returns the graph of the trace.
    fn graph(&self) -> Arc<Dag> {
        let mut kept = self.graph.lock().unwrap_or_else(|e| e.into_inner());
        Arc::clone(kept.get_or_insert_with(|| Arc::new(graph(self.trace))))
    }

    /// Frees the graph, unless the trace is [small](FEW_TASKS) or another thread needs it. Programs
    /// are lowered from the trace, and graph and lowering take as much memory.
    fn let_go(&self) {
        let is_alone = self.options.threads.get() == 1 || self.trace.tasks() > MANY_TASKS;
        if is_alone && self.trace.tasks() > FEW_TASKS {
            *self.graph.lock().unwrap_or_else(|e| e.into_inner()) = None;
        }
    }

    /// Tells the road what a task of the sequential program takes, in nanoseconds: schedulers count
    /// in such tasks.
    #[must_use]
    pub fn with_task(self, nanoseconds: f64) -> Self {
        Self {
            task: nanoseconds,
            ..self
        }
    }

    /// Compiles a program: by each algorithm and for each machine that come into question, and of
    /// those the one with the fastest prediction. An [exact](Request::exact) one uses several
    /// processors, if any candidate does.
    ///
    /// Branch and bound: candidates are lowered in the order of their lower bounds, as long as
    /// these are less than the fastest prediction.
    ///
    /// # Errors
    /// As [`compile`].
    pub fn program(&self, request: Request) -> Result<Compiled, CompileError> {
        self.allow(request)?;
        let passes = &self.options.passes;
        let times = self.options.times_of(request.memory);
        let data = self.options.data_of(request.memory);
        let mut best: Option<(Program, u64, Candidate)> = None;
        let candidates = self.candidates(&self.graph(), request)?;
        self.let_go();
        for mut candidate in candidates {
            if best
                .as_ref()
                .is_some_and(|best| candidate.least >= best.1 as f64)
            {
                break;
            }
            let placement = Placement::of_packed(self.trace, &candidate.schedule)?;
            let sample = candidate.sample.take();
            let mut program = lower_placement(
                self.trace,
                placement,
                sample,
                request.memory,
                times,
                *passes,
            );
            let predicted = program.predict(self.trace.kernel(), times, data);
            if best.as_ref().is_none_or(|best| predicted < best.1) {
                best = Some((program, predicted, candidate));
            }
        }
        let (program, _, candidate) = best.expect("one of the algorithms serves all graphs");
        let program = program.check(self.trace)?;
        let Candidate {
            schedule,
            algorithm,
            machine,
            seconds,
            ..
        } = candidate;
        let graph = self.graph();
        let schedule = CheckedSchedule::new(&graph, schedule.unpack())
            .map_err(CompileError::of_check(request.processors))?;
        let mut report = report::of_schedule(&schedule, &machine, seconds).by(algorithm.name());
        let memory = request.memory;
        let details = report::add_program(
            &mut report,
            self.trace,
            &schedule,
            &program,
            memory,
            times,
            data,
        );
        Ok(Compiled {
            program,
            report,
            details,
        })
    }

    /// Refuses programs over private memory where no algorithm copies tasks: those that there are
    /// would make slower ones, and nobody would know why.
    fn allow(&self, request: Request) -> Result<(), CompileError> {
        let copies = |each: &Algorithm| each.row().wins == Wins::InPrivate;
        let processors = request.processors;
        match request.memory {
            Memory::Private if !self.options.algorithms.iter().any(copies) => {
                Err(CompileError::PrivateMemory { processors })
            }
            _ => Ok(()),
        }
    }

    /// Returns the checked schedules that come into question, each once, those that take least
    /// first.
    fn candidates(&self, graph: &Dag, request: Request) -> Result<Vec<Candidate>, CompileError> {
        let passes = &self.options.passes;
        let times = self.options.times_of(request.memory);
        let setting = Setting {
            memory: Some(request.memory),
            effort: self.options.effort,
        };
        let is_one_of_several = self.algorithm(request) == Algorithm::Auto;
        let groups = match passes.has(Pass::Contract) {
            true => contract(self.trace, graph, request.processors as u32),
            false => None,
        };
        let mut candidates: Vec<Candidate> = Vec::new();
        for algorithm in self.algorithms(request) {
            for machine in self.machines(algorithm, request) {
                let start = Instant::now();
                let groups = groups.as_ref();
                let found = schedule(
                    algorithm,
                    (graph, groups),
                    &machine,
                    setting,
                    is_one_of_several,
                )?;
                let Some(schedule) = found else {
                    continue;
                };
                let seconds = start.elapsed().as_secs_f64();
                // The first processor would hold all that is moved. Of a machine with costs of its
                // own it has not written the words just before.
                let has_words = request.memory == Memory::Shared || self.options.machine.is_none();
                let may_move = passes.has(Pass::Moves) && has_words;
                let moved = may_move.then(|| on_first(self.trace, &schedule));
                for schedule in iter::once(schedule).chain(moved.flatten()) {
                    // Two machines, or two algorithms, often lead to one schedule.
                    let is_same = |other: &Candidate| other.schedule.is(&schedule);
                    if candidates.iter().any(is_same) {
                        continue;
                    }
                    let schedule = CheckedSchedule::new(graph, schedule)
                        .map_err(CompileError::of_check(request.processors))?;
                    let bound = passes
                        .has(Pass::Bound)
                        .then(|| bound(self.trace, &schedule, times, sorts(*passes)));
                    candidates.push(Candidate::new(
                        &schedule, bound, algorithm, &machine, seconds,
                    ));
                }
            }
        }
        let is_parallel = |candidate: &Candidate| candidate.is_parallel;
        if request.exact && candidates.iter().any(is_parallel) {
            candidates.retain(is_parallel);
        }
        candidates.sort_by(|a, b| a.least.total_cmp(&b.least));
        Ok(candidates)
    }

    /// Returns the algorithms of whose programs the fastest is to be found.
    fn algorithms(&self, request: Request) -> Vec<Algorithm> {
        let memory = match self.trace.tasks() > MANY_TASKS {
            true => Memory::Shared,
            false => request.memory,
        };
        if request.processors == 1 {
            return vec![Algorithm::Serial];
        }
        let one = self.algorithm(request);
        if one != Algorithm::Auto {
            return vec![one];
        }
        let all = self.options.algorithms.iter().copied();
        all.filter(|each| each.can_win(memory)).collect()
    }

    fn algorithm(&self, request: Request) -> Algorithm {
        let algorithm = request.algorithm.unwrap_or(self.options.algorithm);
        algorithm.of(self.options.algorithms)
    }

    /// Returns the machines to schedule for. The one at hand is there, and one that knows of the
    /// loops of a superstep, where barriers take less than these. [Others](Machines) may stand in
    /// its place and beside it. For [many tasks](MANY_TASKS) there is one alone.
    fn machines(&self, algorithm: Algorithm, request: Request) -> Vec<Machine> {
        let processors = request.processors as u32;
        let times = self.options.times_of(request.memory);
        if let Some(given) = &self.options.machine {
            return vec![given.with_processors(processors)];
        }
        let machine = times.machine(processors, self.task);
        if processors == 1 {
            return vec![machine];
        }
        let usual = Machine::new(processors);
        if self.trace.tasks() > MANY_TASKS {
            let takes_usual = algorithm.machines() == Machines::Usual;
            return vec![if takes_usual { usual } else { machine }];
        }
        let of_loops = times.machine_of_loops(processors, self.task);
        let mut machines = match algorithm.machines() {
            Machines::Two => vec![of_loops, machine],
            Machines::Usual => vec![usual, machine],
            Machines::Wide => {
                let wide = Machine {
                    latency: WIDE * of_loops.latency,
                    ..usual
                };
                vec![of_loops, machine, wide]
            }
        };
        // Where barriers take longer than loops, these are one.
        machines.dedup();
        machines
    }
}

/// Returns the graph of a trace, with the word that each task writes.
fn graph(trace: &Trace) -> Dag {
    from_trace(trace)
        .with_homes(homes(trace))
        .expect("they are of the same trace")
}

/// Lowers a checked schedule to a program, pass by pass.
///
/// Each list of tasks runs in the order whose loops take least by these `times`: trace order, or
/// one that a pass of [`Passes`] makes. Cost: about 100 ns per task instance for each order that is
/// tried, up to some ten.
///
/// # Errors
/// When the schedule is not one of the trace.
pub fn lower(
    trace: &Trace,
    schedule: &CheckedSchedule<'_>,
    memory: Memory,
    times: &Times,
    passes: Passes,
) -> Result<Program, PlacementError> {
    let placement = Placement::new(trace, schedule)?;
    Ok(lower_placement(
        trace, placement, None, memory, times, passes,
    ))
}

/// Lowers the schedule behind a placement, which needs it no longer; its `sample` may be known.
fn lower_placement(
    trace: &Trace,
    mut placement: Placement,
    sample: Option<Sample>,
    memory: Memory,
    times: &Times,
    passes: Passes,
) -> Program {
    let given = Tasks::new(trace, Layout::given(trace));
    let shareable = match memory {
        Memory::Shared => shareable(&given, &placement),
        Memory::Private => vec![false; trace.extents().len()],
    };
    let (layout, shared) = match passes.has(Pass::Columns) {
        true => columns::choose(given, &placement, &shareable, sample, times, sorts(passes)),
        false => (Layout::given(trace), shareable),
    };
    placement.share(trace, &shared);
    let held = (shared, memory == Memory::Private);
    let mut lists = Lists::new(Tasks::new(trace, layout), placement, held, times);
    lists.fold_all();
    lists.reorder(|trial| {
        if passes.has(Pass::Chains) {
            trial.by_chain();
        }
        if passes.has(Pass::Jam) {
            trial.jam();
        }
        if passes.has(Pass::Fuse) {
            trial.fuse();
        }
        if passes.has(Pass::Depths) {
            trial.by_depth();
        }
        if passes.has(Pass::Near) {
            trial.near();
        }
    });
    let (bodies, signatures) = specialise(trace.kernel(), &lists.shapes, &mut lists.code);
    let mut program = Program::assemble(trace, lists, bodies, signatures);
    if passes.has(Pass::Loose) {
        program.tabulate();
    }
    program
}

/// Returns the orders that are tried on samples of lists: those of the passes that need no loops.
fn sorts(passes: Passes) -> Sorts {
    Sorts {
        by_depth: passes.has(Pass::Depths),
        by_chain: passes.has(Pass::Chains),
    }
}

#[cfg(test)]
mod tests;
