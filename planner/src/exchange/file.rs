//! Parts as bytes.

use superstep_order::Rows;

use super::{End, Messages, PAGE, Page, Pages, Part, Progression};
use crate::file::{DecodeError, Reader, Writer};

impl Part {
    /// Encodes the part.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        rows(&mut out, &self.iterations);
        out.differences(self.iterations.items.iter().map(|&[first, _]| first));
        out.differences(self.iterations.items.iter().map(|&[_, end]| end));
        write_runs(&mut out, &self.inputs);
        write_runs(&mut out, &self.results);
        for messages in [&self.sends, &self.receives] {
            out.differences(messages.ends.iter().map(|end| end.peer));
            out.differences(messages.ends.iter().map(|end| end.step));
            rows(&mut out, &messages.runs);
            write_runs(&mut out, &messages.runs.items);
        }
        out.number(self.pages.len() as u64);
        for Pages { pages, slots } in &self.pages {
            out.number(u64::from(*slots));
            out.differences(pages.iter().map(|page| page.base));
            out.differences(pages.iter().map(|page| page.mask as u32));
            out.differences(pages.iter().map(|page| (page.mask >> 32) as u32));
        }
        out.0
    }

    /// Returns whether all numbers fit each other. Pages have their slots, and so have words that
    /// come and go. Messages are of steps and, among `processors`, of peers that there are.
    fn is_consistent(&self, processors: usize) -> bool {
        let fits = |pages: &Pages| {
            let mut pages_of = pages.pages.iter();
            let end = |page: &Page| u64::from(page.base) + u64::from(page.mask.count_ones());
            pages_of.all(|page| page.mask == 0 || end(page) <= u64::from(pages.slots))
        };
        let has = |run: &Progression| {
            let pages = self.pages.get(usize::from(run.array));
            let is_in = |pages: &Pages| {
                let is_short = run.last() / PAGE < pages.pages.len();
                is_short && run.words().all(|word| pages.slot(word).is_some())
            };
            run.count > 0 && run.step > 0 && pages.is_some_and(is_in)
        };
        let steps = self.iterations.len();
        let is_sent = |messages: &Messages| {
            let mut ends = messages.ends.iter();
            let fits = |end: &End| (end.peer as usize) < processors && (end.step as usize) < steps;
            messages.runs.are_consistent()
                && messages.runs.len() == messages.ends.len()
                && ends.all(fits)
                && messages.runs.items.iter().all(has)
        };
        let ascends = |[first, end]: &[u32; 2]| first <= end;
        self.iterations.are_consistent()
            && self.iterations.items.iter().all(ascends)
            && self.pages.iter().all(fits)
            && self.inputs.iter().chain(&self.results).all(has)
            && is_sent(&self.sends)
            && is_sent(&self.receives)
            && self.sends.ends.is_sorted_by_key(|end| end.step)
            && self.receives.ends.is_sorted_by_key(|end| end.peer)
    }
}

/// Encodes words of each of some ranks.
pub fn encode_runs(runs: &Rows<Progression>) -> Vec<u8> {
    let mut out = Writer::default();
    rows(&mut out, runs);
    write_runs(&mut out, &runs.items);
    out.0
}

/// Decodes words of each of some ranks. Memory stays in proportion to `bytes`.
///
/// # Errors
/// If the bytes are none.
pub fn decode_runs(bytes: &[u8]) -> Result<Rows<Progression>, DecodeError> {
    let input = &mut Reader(bytes);
    let offsets = input.differences("the words of ranks")?;
    let items = read_runs(input)?;
    let rows = Rows { offsets, items };
    match input.0.is_empty() && rows.are_consistent() {
        true => Ok(rows),
        false => Err(DecodeError::Damaged {
            what: "the words of ranks",
        }),
    }
}

/// Decodes a part of a plan for so many processors. Memory stays in proportion to `bytes`.
///
/// # Errors
/// If the bytes are no part whose numbers fit each other.
pub fn decode(bytes: &[u8], processors: usize) -> Result<Part, DecodeError> {
    let input = &mut Reader(bytes);
    let offsets = input.differences("the steps")?;
    let iterations = pairs(input, "the iterations", |first, end| [first, end])?;
    let (inputs, results) = (read_runs(input)?, read_runs(input)?);
    let mut messages = || {
        let ends = pairs(input, "the messages", |peer, step| End { peer, step })?;
        let offsets = input.differences("the words of messages")?;
        let items = read_runs(input)?;
        let runs = Rows { offsets, items };
        Ok(Messages { ends, runs })
    };
    let (sends, receives) = (messages()?, messages()?);
    let arrays = input.count(4, "the arrays")?;
    let part = Part {
        iterations: Rows {
            offsets,
            items: iterations,
        },
        inputs,
        results,
        sends,
        receives,
        pages: (0..arrays)
            .map(|_| read_pages(input))
            .collect::<Result<_, _>>()?,
    };
    match input.0.is_empty() && part.is_consistent(processors) {
        true => Ok(part),
        false => Err(DecodeError::Damaged { what: "the part" }),
    }
}

fn rows<T>(out: &mut Writer, rows: &Rows<T>) {
    out.differences(rows.offsets.iter().copied());
}

fn write_runs(out: &mut Writer, runs: &[Progression]) {
    out.differences(runs.iter().map(|run| run.array.into()));
    out.differences(runs.iter().map(|run| run.first));
    out.differences(runs.iter().map(|run| run.count));
    out.differences(runs.iter().map(|run| run.step));
}

fn read_runs(input: &mut Reader<'_>) -> Result<Vec<Progression>, DecodeError> {
    const WHAT: &str = "words";
    let wheres = pairs(input, WHAT, |array, first| (array, first))?;
    let steps = pairs(input, WHAT, |count, step| (count, step))?;
    if wheres.len() != steps.len() {
        return Err(DecodeError::Damaged { what: WHAT });
    }
    let both = wheres.into_iter().zip(steps);
    both.map(|((array, first), (count, step))| {
        Ok(Progression {
            array: u16::try_from(array).map_err(|_| DecodeError::Damaged { what: WHAT })?,
            first,
            count,
            step,
        })
    })
    .collect()
}

fn read_pages(input: &mut Reader<'_>) -> Result<Pages, DecodeError> {
    const WHAT: &str = "the pages";
    let slots = input.small(WHAT)?;
    let bases = input.differences(WHAT)?;
    let masks = pairs(input, WHAT, |low, high| {
        u64::from(low) | u64::from(high) << 32
    })?;
    if bases.len() != masks.len() {
        return Err(DecodeError::Damaged { what: WHAT });
    }
    let pages = bases.into_iter().zip(masks);
    Ok(Pages {
        pages: pages.map(|(base, mask)| Page { mask, base }).collect(),
        slots,
    })
}

/// Reads two arrays of one length.
fn pairs<T>(
    input: &mut Reader<'_>,
    what: &'static str,
    of: impl Fn(u32, u32) -> T,
) -> Result<Vec<T>, DecodeError> {
    let (first, second) = (input.differences(what)?, input.differences(what)?);
    if first.len() != second.len() {
        return Err(DecodeError::Damaged { what });
    }
    Ok(first
        .into_iter()
        .zip(second)
        .map(|(a, b)| of(a, b))
        .collect())
}
