//! Choice of the programs of an instance that are worth having.

use superstep_machine::Memory;
use superstep_report::{Nanoseconds, Report};

use crate::request::Request;

/// Times as long as the function that the fastest program is predicted to take above which a build
/// says so. Of the collection's 134 rows that was 36, and in 34 of these the program was slower
/// (`superstep-collection --json`, column `programs_vs_function`).
const DOUBTFUL: f64 = 1.5;

/// Times as long as the function that a program for several processors is predicted to take above
/// which it is not generated.
///
/// Five of the collection's 134 rows are above, and the fastest of their programs took 1.6 times as
/// long as the function. Of those that gained the largest prediction is 2.6 (same columns).
const HOPELESS: f64 = 3.0;

/// Prediction of a program, and its loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Predicted {
    pub processors: usize,
    pub memory: Memory,
    pub nanoseconds: f64,
    /// Task instances, and runs of inner loops that execute them.
    pub tasks: u64,
    pub runs: u64,
}

impl From<&Report> for Predicted {
    fn from(report: &Report) -> Self {
        let figures = report.program.as_ref();
        Self {
            tasks: figures.map_or(0, |figures| figures.task_instances),
            runs: figures.map_or(0, |figures| figures.runs),
            processors: report.processors,
            memory: if report.private_memory {
                Memory::Private
            } else {
                Memory::Shared
            },
            nanoseconds: report.predicted(),
        }
    }
}

/// Choice, for each number of processors asked for: of the programs with at most as many, the one
/// that is predicted to be the fastest.
pub(crate) struct Choice {
    kept: Vec<Predicted>,
    /// Programs that are left out, each with the one that is faster.
    slower: Vec<[Predicted; 2]>,
    /// The fastest program of those that nobody insists on, and the function's time, if that is
    /// much less.
    doubtful: Option<(Predicted, f64)>,
}

impl Choice {
    /// Chooses among `programs`, which begin with one for 1 processor. Those for
    /// [exact](Request::exact) requests are kept in any case. Beside others for several processors
    /// the one for 1 is kept: calls fall back to it, and try plans by it. Alone it is kept where
    /// the `function` is predicted to take a [fraction](HOPELESS) of all others.
    pub(crate) fn new(programs: &[Predicted], requests: &[Request], function: f64) -> Self {
        let mut choice = Self {
            kept: Vec::new(),
            slower: Vec::new(),
            doubtful: None,
        };
        let mut best: Option<Predicted> = None;
        for &program in programs {
            let fewer = programs.iter().copied();
            let fewer = fewer.filter(|other| other.processors <= program.processors);
            let fastest = fewer.min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
            let fastest = fastest.unwrap_or(program);
            let request = requests.iter().find(|request| {
                request.processors == program.processors && request.memory == program.memory
            });
            match request.map(|request| request.exact) {
                Some(true) => choice.kept.push(program),
                Some(false) => {
                    choice.kept.push(programs[0]);
                    if fastest.nanoseconds <= HOPELESS * function {
                        choice.kept.push(fastest);
                    }
                    if fastest != program {
                        choice.slower.push([program, fastest]);
                    }
                    let is_better = best.is_none_or(|best| fastest.nanoseconds < best.nanoseconds);
                    best = if is_better { Some(fastest) } else { best };
                }
                None => {}
            }
        }
        let best = best.filter(|best| best.nanoseconds > DOUBTFUL * function);
        choice.doubtful = best.map(|best| (best, function));
        choice
    }

    pub(crate) fn keeps(&self, program: Predicted) -> bool {
        self.kept.contains(&program)
    }

    /// Tells that calls are likely to run the function, and which programs are left out as others
    /// are faster.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.doubts().into_iter().chain(self.left_out()).collect()
    }

    /// Tells why programs are likely to be slower than the function, and what would gain.
    fn doubts(&self) -> Option<String> {
        let (best, function) = self.doubtful?;
        let others = match best.nanoseconds > HOPELESS * function {
            true => "; none is generated for several processors but by `exactly`",
            false => "",
        };
        Some(format!(
            "calls are likely to run the function as written: it is predicted to take {}, and the fastest program {}, as it starts {} loops of {:.1} tasks \
             each{others}. Longer inner loops would gain, or a plan of the iterations, which keeps loops as they are written: calls try one where the kernel can be planned",
            Nanoseconds(function),
            Nanoseconds(best.nanoseconds),
            best.runs,
            best.tasks as f64 / best.runs.max(1) as f64,
        ))
    }

    /// Tells which programs are left out as others are faster.
    fn left_out(&self) -> Option<String> {
        let slower = |&[program, fastest]: &[Predicted; 2]| {
            let who = match fastest.processors {
                same if same == program.processors => match fastest.memory {
                    Memory::Shared => "the caller's arrays take",
                    Memory::Private => "private memory takes",
                },
                1 => "1 takes",
                _ => "fewer take",
            };
            format!(
                "{} would take {}, {who} {}",
                program.processors,
                Nanoseconds(program.nanoseconds),
                Nanoseconds(fastest.nanoseconds),
            )
        };
        let all: Vec<String> = self.slower.iter().map(slower).collect();
        (!all.is_empty()).then(|| {
            format!(
                "no programs for numbers of processors that are predicted to be slower than fewer: {}; `exactly` has them generated all the same, and calls \
                 try a plan of the iterations, too, where the kernel can be planned",
                all.join("; ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of a function that all programs gain on, in nanoseconds.
    const SLOW: f64 = 1e9;

    fn programs(nanoseconds: &[(usize, f64)]) -> Vec<Predicted> {
        let program = |&(processors, nanoseconds)| Predicted {
            processors,
            memory: Memory::Shared,
            nanoseconds,
            tasks: 4000,
            runs: 1000,
        };
        nanoseconds.iter().map(program).collect()
    }

    #[test]
    fn the_fastest_of_at_most_as_many_processors_is_kept() {
        let programs = programs(&[(1, 2e6), (2, 3e6), (4, 1e6), (8, 1.5e6)]);
        let choice = Choice::new(&programs, &[2, 4, 8].map(Request::new), SLOW);
        let kept = programs.iter().map(|&program| choice.keeps(program));
        assert!(kept.eq([true, false, true, false]));
        assert_eq!(
            choice.warnings(),
            [
                "no programs for numbers of processors that are predicted to be slower than fewer: 2 would take 3.000 ms, 1 takes 2.000 ms; \
             8 would take 1.500 ms, fewer take 1.000 ms; `exactly` has them generated all the same, and calls \
             try a plan of the iterations, too, where the kernel can be planned"
            ]
        );
    }

    #[test]
    fn who_insists_gets_every_program_and_no_warning() {
        let programs = programs(&[(1, 2e6), (2, 3e6)]);
        let choice = Choice::new(&programs, &[2].map(Request::exactly), SLOW);
        assert!(choice.keeps(programs[1]) && !choice.keeps(programs[0]));
        assert!(choice.warnings().is_empty());
    }

    #[test]
    fn more_processors_that_are_faster_are_kept_without_a_warning() {
        let programs = programs(&[(1, 2e6), (2, 1e6)]);
        let choice = Choice::new(&programs, &[1, 2].map(Request::new), SLOW);
        assert!(programs.iter().all(|&program| choice.keeps(program)));
        assert!(choice.warnings().is_empty());
    }

    #[test]
    fn there_is_one_processor_to_fall_back_to_unless_who_asks_insists() {
        let programs = programs(&[(1, 2e6), (2, 1e6)]);
        assert!(Choice::new(&programs, &[2].map(Request::new), SLOW).keeps(programs[0]));
        assert!(!Choice::new(&programs, &[2].map(Request::exactly), SLOW).keeps(programs[0]));
    }

    #[test]
    fn of_two_programs_for_one_number_of_processors_the_faster_is_kept_or_both() {
        let mut programs = programs(&[(1, 3e6), (2, 2e6), (2, 1e6)]);
        programs[2].memory = Memory::Private;
        let private = |request| Request {
            memory: Memory::Private,
            ..request
        };
        let kept = |requests: &[Request]| {
            let choice = Choice::new(&programs, requests, SLOW);
            (
                [0, 1, 2].map(|at| choice.keeps(programs[at])),
                choice.warnings(),
            )
        };
        let (one, warning) = kept(&[Request::new(2), private(Request::new(2))]);
        assert_eq!(one, [true, false, true]);
        assert!(warning[0].contains("2 would take 2.000 ms, private memory takes 1.000 ms"));
        let both = kept(&[Request::exactly(2), private(Request::exactly(2))]);
        assert_eq!(both, ([false, true, true], vec![]));
    }

    #[test]
    fn where_the_function_is_likely_to_be_faster_the_build_says_why_and_what_would_gain() {
        let three = programs(&[(3, 2.5e6)])[0];
        let programs = programs(&[(1, 2e6), (2, 1.8e6)]);
        let choice = |function, request: fn(usize) -> Request| {
            let choice = Choice::new(&programs, &[2].map(request), function);
            let kept = [0, 1].map(|at| choice.keeps(programs[at]));
            (kept, choice.warnings())
        };
        assert_eq!(choice(1.3e6, Request::new), ([true, true], vec![]));
        let (kept, warnings) = choice(1e6, Request::new);
        assert_eq!(kept, [true, true]);
        assert_eq!(
            warnings,
            [
                "calls are likely to run the function as written: it is predicted to take 1.000 ms, and the fastest program 1.800 ms, as it starts 1000 loops \
             of 4.0 tasks each. Longer inner loops would gain, or a plan of the iterations, which keeps loops as they are written: calls try one where the kernel can be planned"
            ]
        );
        let (kept, warnings) = choice(5e5, Request::new);
        assert_eq!(kept, [true, false]);
        assert!(
            warnings[0]
                .contains("each; none is generated for several processors but by `exactly`. ")
        );
        assert_eq!(choice(5e5, Request::exactly), ([false, true], vec![]));
        // Who asks for more learns of both.
        let choice = Choice::new(
            &[programs[0], programs[1], three],
            &[3].map(Request::new),
            1e6,
        );
        assert!(choice.warnings()[1].starts_with("no programs"));
    }
}
