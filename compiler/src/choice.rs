//! Which programs of an instance are worth having.

use superstep_machine::Memory;

use crate::Request;
use crate::report::{Nanoseconds, Report};

/// What a program is predicted to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Predicted {
    pub processors: usize,
    pub memory: Memory,
    pub nanoseconds: f64,
}

impl From<&Report> for Predicted {
    fn from(report: &Report) -> Self {
        Self {
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

/// For each number of processors asked for, the program that is predicted to be the fastest of those with at most as many.
pub(crate) struct Choice {
    kept: Vec<Predicted>,
    /// Programs that are left out, each with the one that is faster.
    slower: Vec<[Predicted; 2]>,
}

impl Choice {
    /// `programs` begin with one for 1 processor. Those for [exact](Request::exact) requests are
    /// kept in any case. Beside others for several processors the one for 1 is kept, which calls
    /// fall back to.
    pub(crate) fn new(programs: &[Predicted], requests: &[Request]) -> Self {
        let mut choice = Self {
            kept: Vec::new(),
            slower: Vec::new(),
        };
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
                    choice.kept.extend([programs[0], fastest]);
                    if fastest != program {
                        choice.slower.push([program, fastest]);
                    }
                }
                None => {}
            }
        }
        choice
    }

    pub(crate) fn keeps(&self, program: Predicted) -> bool {
        self.kept.contains(&program)
    }

    /// What to tell about the programs that are left out.
    pub(crate) fn warning(&self) -> Option<String> {
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
                "no programs for numbers of processors that are predicted to be slower than fewer: {}; `exactly` has them generated all the same, and calls of a \
                 `#[kernel(plan)]` try a plan of its iterations, too",
                all.join("; ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(nanoseconds: &[(usize, f64)]) -> Vec<Predicted> {
        let program = |&(processors, nanoseconds)| Predicted {
            processors,
            memory: Memory::Shared,
            nanoseconds,
        };
        nanoseconds.iter().map(program).collect()
    }

    #[test]
    fn the_fastest_of_at_most_as_many_processors_is_kept() {
        let programs = programs(&[(1, 2e6), (2, 3e6), (4, 1e6), (8, 1.5e6)]);
        let choice = Choice::new(&programs, &[2, 4, 8].map(Request::new));
        let kept = programs.iter().map(|&program| choice.keeps(program));
        assert!(kept.eq([true, false, true, false]));
        assert_eq!(
            choice.warning().unwrap(),
            "no programs for numbers of processors that are predicted to be slower than fewer: 2 would take 3.000 ms, 1 takes 2.000 ms; \
             8 would take 1.500 ms, fewer take 1.000 ms; `exactly` has them generated all the same, and calls of a \
             `#[kernel(plan)]` try a plan of its iterations, too"
        );
    }

    #[test]
    fn who_insists_gets_every_program_and_no_warning() {
        let programs = programs(&[(1, 2e6), (2, 3e6)]);
        let choice = Choice::new(&programs, &[2].map(Request::exactly));
        assert!(choice.keeps(programs[1]) && !choice.keeps(programs[0]));
        assert_eq!(choice.warning(), None);
    }

    #[test]
    fn more_processors_that_are_faster_are_kept_without_a_warning() {
        let programs = programs(&[(1, 2e6), (2, 1e6)]);
        let choice = Choice::new(&programs, &[1, 2].map(Request::new));
        assert!(programs.iter().all(|&program| choice.keeps(program)));
        assert_eq!(choice.warning(), None);
    }

    #[test]
    fn there_is_one_processor_to_fall_back_to_unless_who_asks_insists() {
        let programs = programs(&[(1, 2e6), (2, 1e6)]);
        assert!(Choice::new(&programs, &[2].map(Request::new)).keeps(programs[0]));
        assert!(!Choice::new(&programs, &[2].map(Request::exactly)).keeps(programs[0]));
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
            let choice = Choice::new(&programs, requests);
            (
                [0, 1, 2].map(|at| choice.keeps(programs[at])),
                choice.warning(),
            )
        };
        let (one, warning) = kept(&[Request::new(2), private(Request::new(2))]);
        assert_eq!(one, [true, false, true]);
        let warning = warning.expect("one is left out");
        assert!(warning.contains("2 would take 2.000 ms, private memory takes 1.000 ms"));
        let both = kept(&[Request::exactly(2), private(Request::exactly(2))]);
        assert_eq!(both, ([false, true, true], None));
    }
}
