//! Plans as bytes.
//!
//! All numbers are varints of 7 bits per byte, lowest first; signed ones are zigzag coded. Starts
//! of strided copies are written relative to the end of those before. A run of zeros among the
//! values of code is one number, as most steps of steps are zero. Loose runs stand between the
//! terms and their values.

use crate::synchronisation::contradiction;
use crate::{Body, Code, Component, DecodeError, Message, Plan, Precedence, Stride, Strided, Term};

/// First bytes of an encoded plan: a name and the version of the encoding.
const MAGIC: &[u8; 5] = b"BSPP\x06";

/// Processors and arrays beyond this are taken as garbage.
const MOST: u64 = 1 << 16;

/// Values of code beyond which a plan is taken as garbage, for each of its bytes and for all plans.
///
/// A loop doubles the values of its body, and zeros take no bytes. Of the 3000 plans of the
/// examples and the gallery none has more than 1.1 values a byte, and the largest has 131 000.
const VALUES_PER_BYTE: u64 = 4;
/// Values of code that any plan may have besides, see [`VALUES_PER_BYTE`]; so many values take 512
/// KiB.
const VALUES: u64 = 1 << 16;

impl Plan {
    /// Encodes the plan as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.unsigned(self.processors.into());
        out.unsigned(self.predicted);
        out.unsigned(self.supersteps.into());
        out.list(&self.extents, |out, &extent| out.unsigned(extent.into()));
        out.list(&self.shared, |out, &shared| out.unsigned(shared.into()));
        let mut superstep = 0;
        out.list(&self.precedences, |out, precedence| {
            out.unsigned((precedence.superstep - superstep).into());
            superstep = precedence.superstep;
            out.unsigned(precedence.processor.into());
            out.unsigned(precedence.peer.into());
            out.unsigned((superstep - 1 - precedence.ended).into());
        });
        let extents = self.extents.iter().cycle();
        for (&length, &extent) in self.lengths.iter().zip(extents) {
            out.signed(i64::from(length) - i64::from(extent));
        }
        out.list(&self.bodies, |out, body| {
            out.list(body.statements(), |out, &s| out.unsigned(s.into()));
            out.unsigned(body.is_block().into());
            let components: Vec<_> = body.components().iter().zip(body.offsets()).collect();
            out.list(&components, |out, (component, offset)| {
                out.unsigned(component.base.into());
                out.signed(**offset);
                match component.stride {
                    Stride::Given(value) => out.unsigned(1 + u64::from(value)),
                    Stride::Always(step) => {
                        out.unsigned(0);
                        out.signed(step);
                    }
                }
            });
        });
        for strided in self.scatter.iter().chain(&self.gather) {
            out.strided(strided);
        }
        let mut superstep = 0;
        out.list(&self.messages, |out, message| {
            out.unsigned((message.superstep - superstep).into());
            superstep = message.superstep;
            out.unsigned(message.from.into());
            out.unsigned(message.to.into());
            out.strided(&message.strided);
        });
        for code in &self.code {
            out.code(code);
        }
        out.0
    }

    /// Decodes the plan that [`encode`](Self::encode) wrote as `bytes`.
    ///
    /// # Errors
    /// When `bytes` are not an encoded plan. Whatever is returned keeps the invariants of [`Plan`].
    /// Memory stays in proportion to `bytes`, whatever they claim: at most 128 bytes for each, and
    /// 1 MiB.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Reader::new(bytes)?;
        let Head {
            processors,
            predicted,
        } = input.head()?;
        let supersteps = input.below(1 << 32, "supersteps")? as u32;
        let extents = input.list(|input| Ok(input.below(1 << 32, "extent")? as u32))?;
        if extents.len() as u64 > MOST {
            return Err(DecodeError::Inconsistent("arrays"));
        }
        let shared = input.list(|input| Ok(input.below(2, "whether an array is shared")? == 1))?;
        if !shared.is_empty() && shared.len() != extents.len() {
            return Err(DecodeError::Inconsistent("shared arrays"));
        }
        let size = [processors, supersteps];
        let precedences = input.precedences(size)?;
        let lengths = input.lengths(processors, &extents)?;
        let bodies = input.list(Reader::defined_body)?;
        let arrays = extents.len();
        let mut copies = || -> Result<Vec<_>, DecodeError> {
            (0..processors).map(|_| input.strided(arrays)).collect()
        };
        let (scatter, gather) = (copies()?, copies()?);
        let messages = input.messages(size, arrays)?;
        // Code takes at least one byte.
        let rows = u64::from(supersteps) * u64::from(processors);
        if rows > input.bytes.len() as u64 {
            return Err(DecodeError::Length);
        }
        let mut code = Vec::with_capacity(rows as usize);
        for _ in 0..rows {
            code.push(input.code(&bodies)?);
        }
        if !input.bytes.is_empty() {
            return Err(DecodeError::Length);
        }
        let plan = Self {
            processors,
            predicted,
            supersteps,
            extents,
            shared,
            precedences,
            lengths,
            scatter,
            gather,
            messages,
            bodies,
            code,
        };
        match contradiction(&plan) {
            Some(what) => Err(DecodeError::Inconsistent(what)),
            None => Ok(plan),
        }
    }
}

/// Head of a plan: all that a call needs to know to choose it among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// [`Plan::processors`].
    pub processors: u32,
    /// [`Plan::predicted`].
    pub predicted: u64,
}

impl Plan {
    /// Returns what a call needs to know to choose the plan among others.
    pub fn head(&self) -> Head {
        Head {
            processors: self.processors,
            predicted: self.predicted,
        }
    }
}

/// Decodes the head of the plan that was encoded as `bytes`, of which nothing else is read.
///
/// # Errors
/// When `bytes` do not begin as an encoded plan does.
pub fn head(bytes: &[u8]) -> Result<Head, DecodeError> {
    Reader::new(bytes)?.head()
}

struct Writer(Vec<u8>);

impl Writer {
    fn unsigned(&mut self, value: u64) {
        self.wide(value.into());
    }

    fn signed(&mut self, value: i64) {
        self.unsigned(zigzag(value));
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.unsigned(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }

    fn strided(&mut self, strided: &[Strided]) {
        let (mut from, mut to) = (0, 0);
        self.list(strided, |out, c| {
            out.unsigned(c.array.into());
            out.unsigned(c.count.into());
            out.signed(i64::from(c.from) - from);
            out.signed(i64::from(c.to) - to);
            out.signed(c.from_step.into());
            out.signed(c.to_step.into());
            (from, to) = ends(c);
        });
    }

    fn code(&mut self, code: &Code) {
        self.list(&code.terms, |out, term| match *term {
            Term::Run { body } => out.unsigned(u64::from(body) << 2),
            Term::Loop { terms, .. } => out.unsigned(u64::from(terms) << 2 | 1),
            Term::Loose { body, runs } => {
                out.unsigned(u64::from(body) << 2 | 2);
                out.unsigned(runs.into());
            }
        });
        for &value in &code.loose {
            self.signed(value.into());
        }
        let mut rest = &code.values[..];
        while let Some(&value) = rest.first() {
            let zeros = rest.iter().take_while(|&&v| v == 0).count();
            if zeros > 0 {
                self.unsigned((zeros as u64) << 1 | 1);
                rest = &rest[zeros..];
            } else {
                self.wide(u128::from(zigzag(value)) << 1);
                rest = &rest[1..];
            }
        }
    }

    fn wide(&mut self, mut value: u128) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

/// Returns one step past the last word of `strided`, on both sides.
fn ends(strided: &Strided) -> (i64, i64) {
    let count = i64::from(strided.count);
    (
        i64::from(strided.from) + count * i64::from(strided.from_step),
        i64::from(strided.to) + count * i64::from(strided.to_step),
    )
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// Values of code that may still come.
    values: u64,
}

impl<'a> Reader<'a> {
    /// Reads the precedences of a plan of so many processors and supersteps.
    fn precedences(
        &mut self,
        [processors, supersteps]: [u32; 2],
    ) -> Result<Vec<Precedence>, DecodeError> {
        let mut superstep = 0;
        self.list(|input| {
            superstep += input.below(u64::from(supersteps.max(1)), "superstep of a precedence")?;
            let processor = input.below(processors.into(), "processor of a precedence")? as u32;
            let peer = input.below(processors.into(), "peer of a precedence")? as u32;
            let before = 1 + input.below(superstep, "superstep of a peer")?;
            Ok(Precedence {
                superstep: superstep as u32,
                processor,
                peer,
                ended: (superstep - before) as u32,
            })
        })
    }

    /// Reads the words of each array in each processor's memory.
    fn lengths(&mut self, processors: u32, extents: &[u32]) -> Result<Vec<u32>, DecodeError> {
        let mut lengths = Vec::new();
        for _ in 0..processors {
            for &extent in extents {
                let length = i64::from(extent)
                    .checked_add(self.signed()?)
                    .and_then(|l| u32::try_from(l).ok());
                lengths.push(length.ok_or(DecodeError::Inconsistent("words of an array"))?);
            }
        }
        Ok(lengths)
    }

    /// Reads the definition of a body.
    fn defined_body(&mut self) -> Result<Body, DecodeError> {
        let statements = self.list(|input| Ok(input.below(MOST, "statement")? as u16))?;
        let is_block = self.below(2, "whether a body takes blocks")? == 1;
        let (mut components, mut offsets) = (Vec::new(), Vec::new());
        for (component, offset) in self.list(Reader::component)? {
            components.push(component);
            offsets.push(offset);
        }
        let body = Body::new(statements, components, offsets);
        Ok(if is_block { body.in_blocks() } else { body })
    }

    /// Reads the messages of a plan of so many processors and supersteps.
    fn messages(
        &mut self,
        [processors, supersteps]: [u32; 2],
        arrays: usize,
    ) -> Result<Vec<Message>, DecodeError> {
        let mut superstep = 0;
        self.list(|input| {
            superstep += input.below(u64::from(supersteps.max(1)), "superstep of a message")?;
            let from = input.below(processors.into(), "sender")? as u32;
            let to = input.below(processors.into(), "receiver")? as u32;
            Ok(Message {
                superstep: superstep as u32,
                from,
                to,
                strided: input.strided(arrays)?,
            })
        })
    }

    fn new(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Ok(Self {
            bytes: bytes.strip_prefix(MAGIC).ok_or(DecodeError::Magic)?,
            values: VALUES + VALUES_PER_BYTE * bytes.len() as u64,
        })
    }

    fn head(&mut self) -> Result<Head, DecodeError> {
        Ok(Head {
            processors: self.below(MOST, "processors")? as u32,
            predicted: self.unsigned()?,
        })
    }

    fn wide(&mut self) -> Result<u128, DecodeError> {
        let mut value = 0;
        for at in 0.. {
            let (&byte, rest) = self.bytes.split_first().ok_or(DecodeError::Length)?;
            self.bytes = rest;
            value |= u128::from(byte & 0x7f) << (7 * at);
            if byte < 0x80 {
                break;
            }
            if at == 9 {
                return Err(DecodeError::Inconsistent("a number of more than 70 bits"));
            }
        }
        Ok(value)
    }

    fn unsigned(&mut self) -> Result<u64, DecodeError> {
        u64::try_from(self.wide()?)
            .map_err(|_| DecodeError::Inconsistent("a number of more than 64 bits"))
    }

    fn below(&mut self, bound: u64, what: &'static str) -> Result<u64, DecodeError> {
        let value = self.unsigned()?;
        if value < bound {
            Ok(value)
        } else {
            Err(DecodeError::Inconsistent(what))
        }
    }

    fn signed(&mut self) -> Result<i64, DecodeError> {
        self.unsigned().map(unzigzag)
    }

    /// Reads a list of items that take at least one byte each, so that a garbled length cannot ask
    /// for much memory.
    fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let length = self.unsigned()?;
        if length > self.bytes.len() as u64 {
            return Err(DecodeError::Length);
        }
        (0..length).map(|_| read(self)).collect()
    }

    fn strided(&mut self, arrays: usize) -> Result<Vec<Strided>, DecodeError> {
        const WHAT: &str = "a copy";
        let (mut from, mut to) = (0_i64, 0_i64);
        self.list(|input| {
            let array = input.below(arrays as u64, WHAT)? as u16;
            let count = input.below(1 << 32, WHAT)? as u32;
            let start = |base: i64, offset: i64| {
                base.checked_add(offset)
                    .and_then(|s| u32::try_from(s).ok())
                    .ok_or(DecodeError::Inconsistent(WHAT))
            };
            let step = |step: i64| i32::try_from(step).map_err(|_| DecodeError::Inconsistent(WHAT));
            let c = Strided {
                array,
                count,
                from: start(from, input.signed()?)?,
                to: start(to, input.signed()?)?,
                from_step: step(input.signed()?)?,
                to_step: step(input.signed()?)?,
            };
            (from, to) = ends(&c);
            Ok(c)
        })
    }

    fn component(&mut self) -> Result<(Component, i64), DecodeError> {
        let base = self.below(MOST, "a component")? as u16;
        let offset = self.signed()?;
        let stride = match self.below(MOST + 1, "a step")? {
            0 => Stride::Always(self.signed()?),
            value => Stride::Given((value - 1) as u16),
        };
        Ok((Component { base, stride }, offset))
    }

    fn body(&mut self, code: u64, bodies: &[Body]) -> Result<u16, DecodeError> {
        let body = u16::try_from(code >> 2).ok();
        body.filter(|&body| (body as usize) < bodies.len())
            .ok_or(DecodeError::Inconsistent("a body"))
    }

    fn code(&mut self, bodies: &[Body]) -> Result<Code, DecodeError> {
        let mut terms = self.list(|input| {
            let code = input.unsigned()?;
            match code & 3 {
                0 => Ok(Term::Run {
                    body: input.body(code, bodies)?,
                }),
                1 => {
                    let terms = u32::try_from(code >> 2)
                        .map_err(|_| DecodeError::Inconsistent("terms of a loop"))?;
                    Ok(Term::Loop { terms, width: 0 })
                }
                2 => Ok(Term::Loose {
                    body: input.body(code, bodies)?,
                    runs: input.below(1 << 32, "loose runs")? as u32,
                }),
                _ => Err(DecodeError::Inconsistent("a term")),
            }
        })?;
        let count = widths(&mut terms, bodies, self.values.min(u32::MAX.into()))?;
        self.values -= count;
        let mut loose = Vec::new();
        for term in &terms {
            if let Term::Loose { body, runs } = term {
                for _ in 0..u64::from(*runs) * bodies[usize::from(*body)].values() as u64 {
                    let value = i32::try_from(self.signed()?);
                    loose.push(value.map_err(|_| DecodeError::Inconsistent("a loose run"))?);
                }
            }
        }
        let mut values = Vec::with_capacity(count as usize);
        while (values.len() as u64) < count {
            let code = self.wide()?;
            let zeros = (code >> 1) as u64;
            if code & 1 == 0 {
                values.push(unzigzag(
                    u64::try_from(code >> 1).map_err(|_| DecodeError::Inconsistent("a value"))?,
                ));
            } else if zeros <= count - values.len() as u64 {
                values.resize(values.len() + zeros as usize, 0);
            } else {
                return Err(DecodeError::Inconsistent("zeros"));
            }
        }
        Ok(Code {
            terms,
            values,
            loose,
        })
    }
}

/// Fills in the width of every loop, from the last term to the first; returns the values of all in
/// all.
fn widths(terms: &mut [Term], bodies: &[Body], most: u64) -> Result<u64, DecodeError> {
    const ERROR: DecodeError = DecodeError::Inconsistent("terms of a loop");
    // (first term, term after the last, values) of the terms behind the current one that no loop
    // has taken yet, the next one last.
    let mut free: Vec<(usize, usize, u64)> = Vec::with_capacity(terms.len());
    let mut total = 0;
    for at in (0..terms.len()).rev() {
        let (end, values) = match &mut terms[at] {
            Term::Run { body } => (at + 1, bodies[*body as usize].width() as u64),
            Term::Loose { .. } => (at + 1, 0),
            Term::Loop {
                terms: inside,
                width,
            } => {
                let end = (at + 1).saturating_add(*inside as usize);
                let (mut sum, mut reached) = (0, at + 1);
                while let Some((_, to, values)) = free.pop_if(|(from, ..)| *from < end) {
                    // Only lists have none.
                    if values == 0 {
                        return Err(ERROR);
                    }
                    sum += values;
                    reached = to;
                }
                if reached != end || *inside == 0 || sum > most {
                    return Err(ERROR);
                }
                *width = sum as u32;
                total -= sum;
                (end, 1 + 2 * sum)
            }
        };
        free.push((at, end, values));
        total += values;
        if total > most {
            return Err(ERROR);
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests;
