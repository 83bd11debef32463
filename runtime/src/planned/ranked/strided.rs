//! Copies of a rank: between whole arrays, its memory and messages.

use superstep_order::Rows;
use superstep_plan::Strided;
use superstep_planner::exchange::{Messages, Pages, Part, Progression};

/// Words that come to a rank and go from it. Copies are from words of whole arrays to slots of its
/// memory.
pub(super) struct Comings {
    pub(super) inputs: Vec<Strided>,
    pub(super) results: Vec<Strided>,
    pub(super) sends: Messages<Strided>,
    pub(super) receives: Messages<Strided>,
    /// Messages that each step receives.
    pub(super) due: Rows<u32>,
}

impl Comings {
    /// Returns the copies of a part, whose arrays have these numbers among all. None if it has a
    /// word without a slot.
    pub(super) fn of(part: &Part, numbers: &[u16]) -> Option<Self> {
        let slotted = |runs: &[Progression]| {
            let mut strided = Vec::new();
            runs.iter()
                .try_for_each(|&run| append(run, &part.pages, numbers, &mut strided))?;
            Some(strided)
        };
        let packets = |messages: &Messages| {
            let mut runs = Rows::default();
            for words in messages.runs.iter() {
                runs.items.extend(slotted(words)?);
                runs.end_row();
            }
            let ends = messages.ends.clone();
            Some(Messages { ends, runs })
        };
        let ends = part.receives.ends.iter();
        let due = ends.map(|end| end.step as usize).zip(0..);
        Some(Self {
            inputs: slotted(&part.inputs)?,
            results: slotted(&part.results)?,
            sends: packets(&part.sends)?,
            receives: packets(&part.receives)?,
            due: Rows::sorted(part.iterations.len(), due),
        })
    }
}

/// Appends copies of a run of words to their slots; none if one has no slot.
fn append(
    run: Progression,
    pages: &[Pages],
    numbers: &[u16],
    strided: &mut Vec<Strided>,
) -> Option<()> {
    let at = usize::from(run.array);
    let (pages, &array) = (pages.get(at)?, numbers.get(at)?);
    let from_step = i32::try_from(run.step).ok()?;
    let begun = strided.len();
    for word in run.words() {
        let slot = i32::try_from(pages.slot(word)?).ok()?;
        if let Some(last) = strided[begun..].last_mut() {
            let before = last.to as i32 + (last.count as i32 - 1) * last.to_step;
            let step = slot - before;
            if last.count == 1 || step == last.to_step {
                last.to_step = step;
                last.count += 1;
                continue;
            }
        }
        strided.push(Strided {
            array,
            count: 1,
            from: word as u32,
            from_step,
            to: slot as u32,
            to_step: 1,
        });
    }
    Some(())
}

/// Returns copies of runs of words from whole arrays to memory that has the words one after the
/// other. Returns, too, how many words of each of so many arrays that memory has.
pub(super) fn in_a_row(
    runs: &[Progression],
    numbers: &[u16],
    arrays: usize,
) -> Option<(Vec<u32>, Vec<Strided>)> {
    let (mut lengths, mut strided) = (vec![0; arrays], Vec::with_capacity(runs.len()));
    for run in runs {
        let &array = numbers.get(usize::from(run.array))?;
        let length = lengths.get_mut(usize::from(array))?;
        strided.push(Strided {
            array,
            count: run.count,
            from: run.first,
            from_step: i32::try_from(run.step).ok()?,
            to: *length,
            to_step: 1,
        });
        *length += run.count;
    }
    Some((lengths, strided))
}

/// Returns copies the other way.
pub(super) fn back(strided: &Strided) -> Strided {
    Strided {
        from: strided.to,
        from_step: strided.to_step,
        to: strided.from,
        to_step: strided.from_step,
        ..*strided
    }
}
