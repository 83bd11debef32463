//! Plan files: a plan and its report as bytes, with what they were made for.
//!
//! ```text
//! head       magic, version (4 bytes), length of the file (8 bytes)
//! identity   kernel, hash of its text, control arguments: scalars as text, slices as hashes
//! report     the structure of the kernel, and the candidates
//! plan       its arrays, each as its length and the differences of neighbours
//! checksum   of all that stands before (16 bytes)
//! ```
//!
//! Numbers of the head, the checksum and floats are little-endian. All others are varints of 7 bits
//! per byte, lowest first, and differences are zigzag coded. Grains that follow each other, and
//! small differences of all kinds, take one byte. A plan takes 2 to 4 bytes for each grain, where
//! its arrays have 8 and more.
//!
//! Nothing rests on a file. By the identity a refusal can say which argument is another one, and by
//! the checksum that a file is damaged. A plan that was decoded is proved like any other before it
//! runs.
//!
//! ```
//! use superstep_planner::file::{self, Digest, Identity};
//! use superstep_planner::{Accesses, Costs, Fault, Track, plan, prove};
//!
//! /// `x[i] = i`.
//! struct Count(u32, [usize; 1]);
//!
//! impl Track for Count {
//!     fn iterations(&self) -> u32 {
//!         self.0
//!     }
//!     fn lengths(&self) -> &[usize] {
//!         &self.1
//!     }
//!     fn track(&self, all: std::ops::Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
//!         for i in all.start as usize..all.end as usize {
//!             x.begin();
//!             x.write(0, i..i + 1);
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let identity = |n| {
//!     let mut identity = Identity::new("count", "the hash of its text");
//!     identity.scalar("n", &n);
//!     identity
//! };
//! let count = Count(3000, [3000]);
//! let (proved, report) = plan(&count, 2, &Costs::default(), u64::MAX)?;
//! let bytes = file::encode(proved.plan(), &report, &identity(3000));
//!
//! let (plan, _) = file::decode(&bytes, &identity(3000))?;
//! assert_eq!(prove(&count, plan)?, proved);
//! assert_eq!(
//!     file::decode(&bytes, &identity(3001)).unwrap_err().to_string(),
//!     "`n` was 3000 when the plan was saved, and is 3001"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod error;
mod identity;

use std::sync::Arc;

pub(crate) use bytes::{Reader, Writer};
pub use error::DecodeError;
pub use identity::{Digest, Identity};

use crate::proof;
use crate::{Algorithm, Candidate, Order, Plan, Report, Rows, Wait, Windows, Within};

/// First bytes of a plan file.
const MAGIC: &[u8; 8] = b"BSPGRAIN";
/// Version of the encoding. It goes up with each change of what the bytes mean.
const VERSION: u32 = 3;
/// Bytes of magic, version and length.
const HEAD: usize = MAGIC.len() + 4 + 8;
/// Bytes of the checksum.
const CHECKSUM: usize = 16;
/// Fewest bytes of a candidate: its two ratios, algorithm, chunks and waits.
const CANDIDATE: usize = 2 * 8 + 3;

/// Encodes a plan with its report, as made for a kernel and its control arguments.
pub fn encode(plan: &Plan, report: &Report, identity: &Identity) -> Vec<u8> {
    let mut out = Writer::default();
    out.bytes(MAGIC);
    out.bytes(&VERSION.to_le_bytes());
    out.bytes(&[0; 8]);
    identity.write(&mut out);
    write_report(&mut out, report);
    write_plan(&mut out, plan);
    let mut bytes = out.0;
    let length = (bytes.len() + CHECKSUM) as u64;
    bytes[HEAD - 8..HEAD].copy_from_slice(&length.to_le_bytes());
    let checksum = Digest::of(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Decodes a plan and its report, if they were made for this kernel and these arguments.
///
/// The plan may be any, for as many processors as its report says: [`prove`](crate::prove()) it.
/// Memory stays in proportion to `bytes`, whatever they claim: at most 8 bytes for each.
///
/// # Errors
/// The first reason for which the bytes are no plan for this kernel and these arguments.
pub fn decode(bytes: &[u8], identity: &Identity) -> Result<(Plan, Report), DecodeError> {
    let mut input = Reader(body(bytes)?);
    identity.compare(&mut input)?;
    read_both(&mut input)
}

/// A plan as it stands in a file, whose kernel is not at hand: nothing may run it.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// Name of the kernel.
    pub kernel: String,
    /// Control arguments in words: values of numbers and flags, lengths of structure.
    pub control: String,
    /// The plan. It is [consistent](proof::consistent), and more is not known of it.
    pub plan: Plan,
    /// Its report.
    pub report: Report,
}

/// Reads all that a plan file says by itself, of whichever kernel it is. Memory stays in proportion
/// to `bytes`: at most 24 bytes for each.
///
/// # Errors
/// If the bytes are no plan file, or its plan could not be that of any kernel.
pub fn read(bytes: &[u8]) -> Result<Saved, DecodeError> {
    let mut input = Reader(body(bytes)?);
    let (kernel, control) = Identity::tell(&mut input)?;
    let (plan, report) = read_both(&mut input)?;
    proof::consistent(report.iterations, &plan).map_err(DecodeError::Plan)?;
    Ok(Saved {
        kernel,
        control,
        plan,
        report,
    })
}

/// Reads the report and the plan, which end the bytes.
fn read_both(input: &mut Reader<'_>) -> Result<(Plan, Report), DecodeError> {
    let report = read_report(input)?;
    let plan = read_plan(input)?;
    if !input.0.is_empty() {
        return Err(DecodeError::Damaged { what: "its end" });
    }
    check_processors(&plan, &report)?;
    Ok((plan, report))
}

/// Checks that a plan runs on as many threads as its report says. A farm has as many parts as it
/// likes, of which each thread runs some.
fn check_processors(plan: &Plan, report: &Report) -> Result<(), DecodeError> {
    let said = report.processors as usize;
    let is_farm = plan.order.is_free();
    let fits = is_farm || plan.order.processors() == said;
    match fits && (1..=Plan::MOST_PROCESSORS).contains(&report.processors) {
        true => Ok(()),
        false => Err(DecodeError::Damaged {
            what: "the number of processors",
        }),
    }
}

/// Checks the head and the checksum; returns what stands between.
fn body(bytes: &[u8]) -> Result<&[u8], DecodeError> {
    let (magic, rest) = bytes.split_at(MAGIC.len().min(bytes.len()));
    if !MAGIC.starts_with(magic) {
        return Err(DecodeError::NotAPlan);
    }
    let cut = |length| DecodeError::Truncated {
        found: bytes.len(),
        length,
    };
    let Some((&version, rest)) = rest.split_first_chunk() else {
        return Err(cut(None));
    };
    let version = u32::from_le_bytes(version);
    if version != VERSION {
        return Err(DecodeError::Version {
            found: version,
            known: VERSION,
        });
    }
    let Some((&length, _)) = rest.split_first_chunk() else {
        return Err(cut(None));
    };
    let length = u64::from_le_bytes(length);
    if (bytes.len() as u64) < length {
        return Err(cut(Some(length)));
    }
    let sum = DecodeError::Damaged {
        what: "its checksum",
    };
    let (summed, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(sum.clone())?;
    if Digest::of(summed) != u128::from_le_bytes(*checksum) || bytes.len() as u64 != length {
        return Err(sum);
    }
    summed.get(HEAD..).ok_or(sum)
}

fn write_plan(out: &mut Writer, plan: &Plan) {
    let Plan {
        boundaries,
        order,
        grains,
    } = plan;
    let Order { processors, waits } = &**order;
    out.differences(boundaries.iter().copied());
    for array in [processors, &grains.offsets, &grains.items, &waits.offsets] {
        out.differences(array.iter().copied());
    }
    out.columns(waits.items.iter().map(|wait| [wait.processor, wait.steps]));
}

/// Reads a plan, whose rows may be any: a proof looks at them first.
fn read_plan(input: &mut Reader<'_>) -> Result<Plan, DecodeError> {
    let boundaries = input.differences("the boundaries of grains")?.into();
    let processors = input.differences("the processors")?;
    let grains = Rows {
        offsets: input.differences("the chunks")?,
        items: input.differences("the grains")?,
    };
    let offsets = input.differences("the first waits")?;
    let peers = input.differences("who is waited for")?;
    let ended = input.differences("the chunks that are waited for")?;
    if peers.len() != ended.len() {
        return Err(DecodeError::Damaged { what: "the waits" });
    }
    let wait = |(processor, steps)| Wait { processor, steps };
    let waits = Rows {
        offsets,
        items: peers.into_iter().zip(ended).map(wait).collect(),
    };
    Ok(Plan {
        boundaries,
        order: Arc::new(Order { processors, waits }),
        grains,
    })
}

fn write_report(out: &mut Writer, report: &Report) {
    let Report {
        level,
        iterations,
        grains,
        edges,
        levels,
        parallelism,
        processors,
        nanoseconds,
        candidates,
        chosen,
        scratch: _,
        outside: _,
        others: _,
        unpaid: _,
        measured: _,
    } = report;
    for number in [level, iterations, grains, levels, processors] {
        out.number(u64::from(*number));
    }
    out.number(*edges as u64);
    out.float(*parallelism);
    out.float(*nanoseconds);
    out.number(candidates.len() as u64);
    for candidate in candidates {
        write_candidate(out, candidate);
    }
    out.number(*chosen as u64);
}

fn read_report(input: &mut Reader<'_>) -> Result<Report, DecodeError> {
    let level = input.small("the level of the iterations")?;
    let iterations = input.small("the iterations")?;
    let grains = input.small("the number of grains")?;
    let levels = input.small("the levels")?;
    let processors = input.small("the number of processors")?;
    let edges = input.size("the edges")?;
    let parallelism = input.finite("the parallelism")?;
    let nanoseconds = input.finite("the time in order")?;
    let count = input.count(CANDIDATE, "the number of candidates")?;
    let candidates: Vec<Candidate> = (0..count)
        .map(|_| read_candidate(input))
        .collect::<Result<_, _>>()?;
    let chosen = input.size("the chosen candidate")?;
    if chosen >= candidates.len() {
        return Err(DecodeError::Damaged {
            what: "the chosen candidate",
        });
    }
    Ok(Report {
        level,
        iterations,
        grains,
        edges,
        levels,
        parallelism,
        processors,
        nanoseconds,
        candidates,
        chosen,
        scratch: Vec::new(),
        outside: Vec::new(),
        others: Vec::new(),
        unpaid: None,
        measured: None,
    })
}

fn write_candidate(out: &mut Writer, candidate: &Candidate) {
    let Candidate {
        algorithm,
        ratio,
        loaded,
        chunks,
        waits,
    } = candidate;
    match algorithm {
        Algorithm::Sequential => out.number(0),
        Algorithm::GrowLocal => out.number(1),
        Algorithm::Farm => out.number(5),
        Algorithm::Levels => out.number(6),
        Algorithm::Pipeline => out.number(7),
        Algorithm::Owners(parts) => {
            out.number(4);
            out.number(u64::from(*parts));
        }
        Algorithm::Doacross(windows) => {
            out.number(match windows.within {
                Within::Run => 2,
                Within::Levels => 3,
            });
            out.number(u64::from(windows.grains));
            out.number(u64::from(windows.chunks));
        }
    }
    out.float(*ratio);
    out.float(*loaded);
    out.number(*chunks as u64);
    out.number(*waits as u64);
}

fn read_candidate(input: &mut Reader<'_>) -> Result<Candidate, DecodeError> {
    const WHAT: &str = "a candidate";
    let windows = |input: &mut Reader<'_>, within| {
        Ok(Algorithm::Doacross(Windows {
            grains: input.small(WHAT)?,
            chunks: input.small(WHAT)?,
            within,
        }))
    };
    let algorithm = match input.small(WHAT)? {
        0 => Algorithm::Sequential,
        1 => Algorithm::GrowLocal,
        2 => windows(input, Within::Run)?,
        3 => windows(input, Within::Levels)?,
        4 => Algorithm::Owners(input.small(WHAT)?),
        5 => Algorithm::Farm,
        6 => Algorithm::Levels,
        7 => Algorithm::Pipeline,
        _ => return Err(DecodeError::Damaged { what: WHAT }),
    };
    Ok(Candidate {
        algorithm,
        ratio: input.float(WHAT)?,
        loaded: input.float(WHAT)?,
        chunks: input.size(WHAT)?,
        waits: input.size(WHAT)?,
    })
}
