//! Parts as bytes.

use superstep_order::Rows;

use super::{End, Messages, PAGE, Page, Pages, Part, Progression};
use crate::file::{DecodeError, Reader, Writer};

impl Part {
    /// Encodes the part.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        rows(&mut out, &self.iterations);
        out.columns(self.iterations.items.iter().copied());
        write_runs(&mut out, &self.inputs);
        write_runs(&mut out, &self.results);
        for messages in [&self.sends, &self.receives] {
            out.columns(messages.ends.iter().map(|end| [end.peer, end.step]));
            rows(&mut out, &messages.runs);
            write_runs(&mut out, &messages.runs.items);
        }
        out.number(self.pages.len() as u64);
        for Pages { pages, slots } in &self.pages {
            out.number(u64::from(*slots));
            let row = |page: &Page| [page.base, page.mask as u32, (page.mask >> 32) as u32];
            out.columns(pages.iter().map(row));
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
    let iterations = input.columns("the iterations")?;
    let (inputs, results) = (read_runs(input)?, read_runs(input)?);
    let mut messages = || {
        let ends = input.columns("the messages")?.into_iter();
        let offsets = input.differences("the words of messages")?;
        let items = read_runs(input)?;
        Ok(Messages {
            ends: ends.map(|[peer, step]| End { peer, step }).collect(),
            runs: Rows { offsets, items },
        })
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
    let row = |run: &Progression| [run.array.into(), run.first, run.count, run.step];
    out.columns(runs.iter().map(row));
}

fn read_runs(input: &mut Reader<'_>) -> Result<Vec<Progression>, DecodeError> {
    const WHAT: &str = "words";
    let runs = input.columns(WHAT)?.into_iter();
    runs.map(|[array, first, count, step]| {
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
    let pages = input.columns(WHAT)?.into_iter();
    let pages = pages.map(|[base, low, high]| Page {
        mask: u64::from(low) | u64::from(high) << 32,
        base,
    });
    Ok(Pages {
        pages: pages.collect(),
        slots,
    })
}
