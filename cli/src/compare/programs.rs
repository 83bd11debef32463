//! Programs of a crate side by side: two in detail, or tables of all that fit.
//!
//! Comparisons of two plans, and of two recorded runs, are written here as well.

use std::path::Path;

use superstep_report::page::{ComparedPage, Page, Source};
use superstep_report::{Compared, Comparison, Details, KernelReport, Made, Report};

use super::arguments::Arguments;
use super::error::CompareError;
use crate::failure::{Failure, InFile, unwritten};
use crate::output;
use crate::programs::build::Kernel;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kernels = arguments.build.kernels()?;
    let groups = arguments.groups(&kernels);
    if let [(kernel, programs)] = &groups[..]
        && let [before, after] = programs[..]
    {
        return of_two(arguments, kernel, [before, after]);
    }
    let programs = groups.iter().map(|(_, programs)| programs.len()).sum();
    match (programs, &arguments.html) {
        (0, _) => return Err(CompareError::NoMatch.into()),
        (_, Some(_)) => return Err(CompareError::NotTwo(programs).into()),
        _ => {}
    }
    let compared = groups.iter().map(|(kernel, programs)| {
        let all = &kernel.report.programs;
        let programs: Vec<&Report> = programs.iter().map(|&program| &all[program]).collect();
        Comparison::of_programs(&kernel.report, &programs)
    });
    let compared: Vec<Comparison> = compared.collect();
    output::write(&match (arguments.json, &compared[..]) {
        (true, [one]) => output::json(one),
        (true, _) => output::json(&compared),
        (false, _) => {
            let texts: Vec<String> = compared.iter().map(Comparison::text).collect();
            texts.join("\n")
        }
    })
}

/// Compares two programs in detail.
fn of_two(arguments: &Arguments, kernel: &Kernel, programs: [usize; 2]) -> Result<(), Failure> {
    let side = |program: usize| {
        let report = kernel.report.programs[program].clone();
        let details = kernel.details(program)?;
        let name = format!("P = {}, {}", report.processors, report.algorithm);
        Ok::<_, Failure>(Side {
            name,
            report,
            details,
            identity: None,
            notices: Vec::new(),
        })
    };
    let sides = [side(programs[0])?, side(programs[1])?];
    let sources = kernel.sources(&sides[0].report);
    write(arguments, &kernel.report, &sources, sides)
}

/// Side of a comparison of two: a program, a plan, or a recorded run.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) report: Report,
    pub(super) details: Details,
    /// Hash of the plan of a recorded run that is compared without it; none for all else.
    pub(super) identity: Option<u64>,
    /// Lines behind the comparison: what was unusual.
    pub(super) notices: Vec<String>,
}

/// Prints the comparison of two programs, plans or runs, or writes the page.
pub(super) fn write(
    arguments: &Arguments,
    kernel: &KernelReport,
    sources: &[Source],
    mut sides: [Side; 2],
) -> Result<(), Failure> {
    let memo = arguments.memo.as_deref().unwrap_or_default();
    for Side { report, .. } in &mut sides {
        report.made = Some(Made::now("cargo superstep", memo));
        report.name_files();
    }
    let compared = sides.each_ref().map(|side| Compared {
        name: &side.name,
        report: &side.report,
        details: &side.details,
        identity: side.identity,
    });
    let reports = sides.each_ref().map(|side| &side.report);
    let comparison = Comparison::of_programs(kernel, &reports);
    let comparison = comparison.with_pair(compared[0], compared[1]);
    let mut said = comparison.text();
    for notice in sides.iter().flat_map(|side| &side.notices) {
        said += &format!("\n{notice}\n");
    }
    if let Some(path) = &arguments.html {
        said = write_page(path, &sides, sources, &comparison)?;
    }
    output::print(&comparison, arguments.json, || said)
}

/// Writes the page; returns what to say of it.
fn write_page(
    path: &Path,
    sides: &[Side; 2],
    sources: &[Source],
    comparison: &Comparison,
) -> Result<String, InFile> {
    let pages = sides.each_ref().map(|side| Page {
        report: &side.report,
        details: Some(&side.details),
        sources,
        notices: &side.notices,
    });
    let page = ComparedPage { pages, comparison };
    output::replace(path, page.html().map_err(unwritten(path))?)?;
    Ok(format!("{}: {}\n", path.display(), page.title()))
}

impl Arguments {
    /// Returns the programs that fit, by kernel and control arguments; in each group in the order
    /// in which numbers of processors are asked for.
    fn groups<'k>(&self, kernels: &'k [Kernel]) -> Vec<(&'k Kernel, Vec<usize>)> {
        let mut groups = Vec::new();
        let fits = |kernel: &&Kernel| {
            self.what
                .first()
                .is_none_or(|name| *name == kernel.report.kernel)
        };
        for kernel in kernels.iter().filter(fits) {
            let programs = &kernel.report.programs;
            let mut left: Vec<usize> = (0..programs.len())
                .filter(|&at| self.wants(&programs[at]))
                .collect();
            while let Some(&first) = left.first() {
                let is_other = |&at: &usize| programs[at].control != programs[first].control;
                let (others, mut own): (Vec<usize>, Vec<usize>) =
                    left.into_iter().partition(is_other);
                own.sort_by_key(|&at| self.rank(&programs[at]));
                groups.push((kernel, own));
                left = others;
            }
        }
        groups
    }

    /// Returns whether a program has a number of processors and control arguments that are asked
    /// for.
    pub(super) fn wants(&self, report: &Report) -> bool {
        let control = self.control.as_ref();
        (self.processors.is_empty() || self.rank(report).is_some())
            && control.is_none_or(|text| report.control.contains(text))
    }

    /// Returns the position of a program's number of processors among those that are asked for.
    fn rank(&self, report: &Report) -> Option<usize> {
        let mut asked = self.processors.iter();
        asked.position(|&processors| processors as usize == report.processors)
    }
}
