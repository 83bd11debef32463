//! Prediction of the time that a program will take, in nanoseconds.
//!
//! The model is BSP with two changes. The runs of the program stand in place of counted tasks, and
//! supersteps overlap as those of the program do. A processor begins one when all have ended theirs
//! for which it waits, a barrier's time later if there are any.
//!
//! * `supersteps`: a whole call.
//! * `loops`: one iteration of a run, from the `work` of its statements, what is known about its
//!   steps and what `waits`.
//! * `costs`: all runs of the loops of a list.
//! * `first`: what runs find in L1, of scattered words and of those that they pack.
//! * `crowds`: L1 sets that steps of a power of two crowd.
//! * `caches`: the cache lines that a processor finds neither in its own caches nor as it left
//!   them.
//! * `calls`: prices of the functions that statements call.
//! * `function`: the kernel's function as written, by the same prices.
//!
//! Left out are mispredicted branches, the operations of types other than numbers, and all that
//! other programs on the machine do. A prediction depends on nothing but its inputs.
//!
//! Tuned numbers of the model are judged by what the collection's programs take:
//! `superstep-bench ablation --predictions FILE`.

pub(crate) mod cache_lines;
mod caches;
mod calls;
pub(crate) mod costs;
pub(crate) mod crowds;
mod first;
pub(crate) mod function;
mod loops;
pub(crate) mod supersteps;
mod waits;
mod work;
