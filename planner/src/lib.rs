//! Planning when the program runs: which processor runs which parts of a loop, for a pattern that
//! has come with the data.
//!
//! Everything here is numbers in, numbers out: no thread, no clock, no syntax, and of ours the
//! [order](superstep_order) alone.
//! A kernel tells its control ([`Track`]); of that come grains, schedules, predictions and a proof;
//! an executor takes a [`Proved`] plan and nothing else.
//!
//! | module | what it has |
//! |---|---|
//! | `track`, `accesses` | [`Track`], [`Accesses`], [`Receiver`]: which words each iteration reads and writes |
//! | `used` | [`Used`]: the words that are used, where these are few |
//! | `costs` | [`Costs`]: the prices of words and waits |
//! | `graph` | [`Graph`]: grains, joined by work, and what each needs |
//! | `farm`, `doacross`, `levels`, `grow_local`, `pipeline`, `owners` | the schedules: [`farm`], [`doacross`], [`levels`], [`grow_local`], [`pipeline`], [`owners`] |
//! | `chunks` | from a schedule to a plan: who waits for whom; [`plan_of_chunks`] for those of others |
//! | `plan` | [`Plan`]: plain data, with an [`Order`] of [`Wait`]s |
//! | [`prediction`] | when each chunk ends |
//! | `measured` | [`measured`](measured()): prices from a recorded run |
//! | `contest`, `choice`, `report` | [`plan`](plan()), [`plans`], [`choose`], [`choose_as`], [`rivals`] (at most [`RIVALS`], none [`UNLIKELY`]), [`Report`] |
//! | [`exchange`] | over private memories: what crosses between processors, and what each holds |
//! | [`file`](mod@file) | plan files: [`encode`](file::encode), [`decode`](file::decode) |
//! | [`proof`] | [`prove`], [`Proved`]: its page says what the proof rests on |
//!
//! # Words
//!
//! * An **iteration** is the smallest part: one execution of a loop's body, a row mostly.
//!   Iterations are numbered in the order of the sequential run, through all loops of the kernel.
//! * A **grain** is a range of consecutive iterations that run as one: small ones are joined until
//!   they have the [least work](Costs::least_work).
//! * A **chunk** is a list of grains that one processor runs one after the other; it says when it
//!   has ended, and nothing before.
//! * A **part** is a processor of a plan in which nobody waits ([`farm`]): any thread may run it.
//! * A **wait** is what a processor does before a chunk: until another one has ended so many of its
//!   chunks.
//!
//! ```text
//!              chunk 0        chunk 1              chunk 2
//! processor 0  [ 0  1  2 ]    [ 6  7  8 ]          [ 12 13 14 ]
//!                        \         ^     \              ^
//!                   (0,1) \       / (1,1) \ (0,2)      / (1,2)
//!                          v     /         v          /
//! processor 1             [ 3  4  5 ]     [ 9 10 11 ]
//! ```
//!
//! The wait (0,1) is for 1 chunk of processor 0.
//!
//! # No deadlock
//!
//! Every schedule here puts chunks in an order in which each waits for earlier ones alone. Each
//! processor runs its chunks in that order. So of the chunks that have not ended the first one
//! waits for nothing. The proof does not rely on that: it runs the waits dry.
//!
//! # Cost
//!
//! Planning makes two to four passes over the accesses of the kernel. One is for the [`Graph`] and
//! one for the proof, each with a second one backwards if words are overwritten that others have
//! read. A second plan is proved by one or two more. A kernel that is told from a [`Recording`]
//! evaluates its control once for all of them. All else is linear in grains and edges. Kept are 8
//! bytes for each grain and 16 for each chunk and wait.

mod accesses;
mod account;
mod by_level;
mod choice;
mod chunks;
mod contest;
mod costs;
mod doacross;
pub mod exchange;
mod farm;
pub mod file;
mod graph;
mod grow_local;
mod levels;
mod measured;
mod owners;
mod pipeline;
mod plan;
pub mod prediction;
pub mod proof;
mod report;
mod track;
mod used;

pub use accesses::{Accesses, Block, Receiver, Recording};
pub use account::{Account, Crossing, account};
pub use by_level::by_level;
pub use choice::{PlanError, RIVALS, UNLIKELY, choose, choose_as, plan, plans, rivals};
pub use chunks::plan_of_chunks;
pub use costs::Costs;
pub use doacross::{Windows, Within, doacross};
pub use farm::farm;
pub use graph::Graph;
pub use grow_local::grow_local;
pub use levels::levels;
pub use measured::{Measured, measured};
pub use owners::owners;
pub use pipeline::pipeline;
pub use plan::Plan;
pub use prediction::predict;
pub use proof::{Dependence, Position, ProofError, Proved, prove};
pub use report::{Algorithm, Candidate, OtherLevel, Report};
pub use superstep_order::{Order, Rows, Wait};
pub use track::{Fault, MOST_ITERATIONS, Track, TrackError};
pub use used::Used;
