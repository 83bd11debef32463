//! Choice of a program for a call, by its control arguments and options.

use superstep_plan::{Head, PlanError};

use super::chosen::{Chosen, Source};
use crate::control::ControlMatcher;
use crate::cores;
use crate::kernel::Kernel;
use crate::keyed_program::KeyedProgram;
use crate::options::{Options, Processors, TransportKind};

/// Returns the programs whose key equals the control arguments, as far as the matcher compares,
/// and whether that was all. There are none where [control reads other values](Kernel::differs)
/// than it did in the build.
pub(super) fn fitting<'i, K: Kernel>(
    programs: &'i [KeyedProgram<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    matcher: fn(&'i [u8]) -> ControlMatcher<'i>,
) -> impl Iterator<Item = (&'i KeyedProgram<K>, bool)> {
    let mut last: Option<(&[u8], Option<bool>)> = None;
    let programs = match K::differs() {
        None => programs,
        Some(_) => &[],
    };
    programs.iter().filter_map(move |keyed| {
        let key = keyed.control();
        // Programs that differ in the number of processors stand together: compare each key once.
        if let Some((seen, fits)) = last
            && (std::ptr::eq(seen, key) || seen == key)
        {
            return fits.map(|is_compared| (keyed, is_compared));
        }
        let mut matcher = matcher(key);
        control(&mut matcher);
        let fits = matcher.matched().then(|| matcher.is_whole());
        last = Some((key, fits));
        fits.map(|is_compared| (keyed, is_compared))
    })
}

/// Returns the best of the fitting programs that the options allow, on the cores of this thread.
pub(super) fn choose<'i, K: Kernel>(
    programs: &'i [KeyedProgram<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    matcher: fn(&'i [u8]) -> ControlMatcher<'i>,
    options: &Options,
) -> Result<Option<Chosen<'i, K>>, PlanError> {
    let cores = cores::count_by_now();
    let mut best: Option<(&KeyedProgram<K>, Head)> = None;
    let mut alone = None;
    let mut is_compared = true;
    for (keyed, all) in fitting(programs, control, matcher) {
        is_compared &= all;
        let head = keyed.head()?;
        if head.processors == 1 {
            alone = Some(Source::Keyed(keyed, head));
        }
        let is_better = |other| options.processors.is_better(head, other, cores);
        let is_wanted = options
            .private_memory
            .is_none_or(|private| head.processors == 1 || private == keyed.has_private_memory());
        if is_wanted
            && options.processors.allow(head)
            && best.is_none_or(|(_, other)| is_better(other))
        {
            best = Some((keyed, head));
        }
    }
    let Some((keyed, head)) = best else {
        return Ok(None);
    };
    let may_fall_back =
        !options.processors.insists() && options.transport == TransportKind::Threads;
    let alone = alone.filter(|_| may_fall_back && head.processors > 1);
    Ok(Some(Chosen {
        program: Source::Keyed(keyed, head),
        alone,
        may_fall_back,
        is_compared,
        cores,
    }))
}

impl Processors {
    fn allow(self, head: Head) -> bool {
        match self {
            Self::Any => true,
            Self::AtMost(most) => head.processors as usize <= most,
            Self::Exactly(processors) => head.processors as usize == processors,
        }
    }

    /// Returns whether one program is the better choice on that many cores: all processors should
    /// have one. Then, if no number is given, and of two with one number, the faster prediction
    /// wins. Without predictions, or up to a given number, more processors are better up to the
    /// number of cores, and fewer beyond it.
    fn is_better(self, one: Head, other: Head, cores: usize) -> bool {
        let fits = |head: Head| head.processors as usize <= cores;
        let is_open = self == Self::Any || one.processors == other.processors;
        let predicted = is_open && one.predicted > 0 && other.predicted > 0;
        match (fits(one), fits(other)) {
            (true, true) if predicted => one.predicted < other.predicted,
            (true, true) => one.processors > other.processors,
            (false, false) => one.processors < other.processors,
            (fits, _) => fits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(processors: u32, predicted: u64) -> Head {
        Head {
            processors,
            predicted,
        }
    }

    #[test]
    fn the_faster_prediction_wins_among_programs_whose_processors_have_cores() {
        let heads = [(1, 300), (2, 200), (4, 250), (8, 100)].map(|(p, time)| head(p, time));
        let best = |cores| {
            let mut best = heads[0];
            for one in heads {
                if Processors::Any.is_better(one, best, cores) {
                    best = one;
                }
            }
            best.processors
        };
        assert_eq!([1, 2, 4, 8].map(best), [1, 2, 2, 8]);
    }

    #[test]
    fn up_to_a_number_the_largest_program_whose_processors_have_cores_wins() {
        let heads = [(1, 300), (2, 200), (4, 250), (8, 100)].map(|(p, time)| head(p, time));
        let best = |most: usize, cores| {
            let wish = Processors::AtMost(most);
            let allowed = heads.into_iter().filter(|&head| wish.allow(head));
            let better = |best, one| match wish.is_better(one, best, cores) {
                true => one,
                false => best,
            };
            allowed.reduce(better).map(|head| head.processors)
        };
        assert_eq!(
            [1, 3, 4, 64].map(|most| best(most, 4)),
            [1, 2, 4, 4].map(Some)
        );
        assert_eq!(best(8, 1), Some(1));
        assert_eq!(best(0, 4), None);
        let exactly = Processors::Exactly(8);
        assert!(exactly.allow(heads[3]) && !exactly.allow(heads[2]));
    }

    #[test]
    fn without_predictions_the_number_of_processors_decides() {
        let is_better = |one, other, cores| Processors::Any.is_better(one, other, cores);
        assert!(is_better(head(4, 0), head(2, 0), 4));
        assert!(!is_better(head(8, 0), head(4, 0), 4));
        assert!(is_better(head(8, 0), head(16, 0), 4));
        assert!(
            is_better(head(4, 0), head(2, 9), 4),
            "a prediction alone compares with nothing"
        );
    }
}
