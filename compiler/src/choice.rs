//! Which programs of an instance are worth having.

use crate::Request;
use crate::report::{Nanoseconds, Report};

/// What a program is predicted to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Predicted {
    pub processors: usize,
    pub nanoseconds: f64,
}

impl From<&Report> for Predicted {
    fn from(report: &Report) -> Self {
        Self {
            processors: report.processors,
            nanoseconds: report.predicted(),
        }
    }
}

/// For each number of processors asked for, the program that is predicted to be the fastest of those with at most as many.
pub(crate) struct Choice {
    kept: Vec<usize>,
    /// Programs that are left out, each with the one that is faster.
    slower: Vec<[Predicted; 2]>,
}

impl Choice {
    /// `programs` ascend by their number of processors, from 1 on. Those for [exact](Request::exact) requests are kept in any case. Beside others for
    /// several processors the one for 1 is kept, which calls fall back to.
    pub(crate) fn new(programs: &[Predicted], requests: &[Request]) -> Self {
        let mut choice = Self {
            kept: Vec::new(),
            slower: Vec::new(),
        };
        let mut fastest = programs[0];
        for &program in programs {
            if program.nanoseconds < fastest.nanoseconds {
                fastest = program;
            }
            let request = requests.iter().find(|r| r.processors == program.processors);
            match request.map(|request| request.exact) {
                Some(true) => choice.kept.push(program.processors),
                Some(false) => {
                    choice.kept.extend([1, fastest.processors]);
                    if fastest != program {
                        choice.slower.push([program, fastest]);
                    }
                }
                None => {}
            }
        }
        choice
    }

    pub(crate) fn keeps(&self, processors: usize) -> bool {
        self.kept.contains(&processors)
    }

    /// What to tell about the programs that are left out.
    pub(crate) fn warning(&self) -> Option<String> {
        let slower = |&[program, fastest]: &[Predicted; 2]| {
            format!(
                "{} would take {}, {} {}",
                program.processors,
                Nanoseconds(program.nanoseconds),
                if fastest.processors == 1 {
                    "1 takes"
                } else {
                    "fewer take"
                },
                Nanoseconds(fastest.nanoseconds),
            )
        };
        let all: Vec<String> = self.slower.iter().map(slower).collect();
        (!all.is_empty()).then(|| {
            format!(
                "no programs for numbers of processors that are predicted to be slower than fewer: {}; `exactly` has them generated all the same",
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
            nanoseconds,
        };
        nanoseconds.iter().map(program).collect()
    }

    #[test]
    fn the_fastest_of_at_most_as_many_processors_is_kept() {
        let programs = programs(&[(1, 2e6), (2, 3e6), (4, 1e6), (8, 1.5e6)]);
        let choice = Choice::new(&programs, &[2, 4, 8].map(Request::new));
        let kept: Vec<usize> = (1..=8).filter(|&p| choice.keeps(p)).collect();
        assert_eq!(kept, [1, 4]);
        assert_eq!(
            choice.warning().unwrap(),
            "no programs for numbers of processors that are predicted to be slower than fewer: 2 would take 3.000 ms, 1 takes 2.000 ms; \
             8 would take 1.500 ms, fewer take 1.000 ms; `exactly` has them generated all the same"
        );
    }

    #[test]
    fn who_insists_gets_every_program_and_no_warning() {
        let programs = programs(&[(1, 2e6), (2, 3e6)]);
        let choice = Choice::new(&programs, &[2].map(Request::exactly));
        assert!(choice.keeps(2) && !choice.keeps(1));
        assert_eq!(choice.warning(), None);
    }

    #[test]
    fn more_processors_that_are_faster_are_kept_without_a_warning() {
        let programs = programs(&[(1, 2e6), (2, 1e6)]);
        let choice = Choice::new(&programs, &[1, 2].map(Request::new));
        assert!(choice.keeps(1) && choice.keeps(2));
        assert_eq!(choice.warning(), None);
    }

    #[test]
    fn there_is_one_processor_to_fall_back_to_unless_who_asks_insists() {
        let programs = programs(&[(1, 2e6), (2, 1e6)]);
        assert!(Choice::new(&programs, &[2].map(Request::new)).keeps(1));
        assert!(!Choice::new(&programs, &[2].map(Request::exactly)).keeps(1));
    }
}
