//! Experiments of published papers and theses, repeated: figures beside those that they state.
//!
//! Nothing here is needed to build or run a program. `cargo superstep` draws the curves, and
//! `superstep-bench` prints the tables.
//!
//! | module | source | command |
//! |---|---|---|
//! | [`thesis`] | the thesis on BCSH: comparison with DSH, speed-ups | `superstep-bench thesis` |
//! | [`trees`] | the thesis on BCSH: reductions under a delay | `cargo superstep tree-figures` |
//! | [`ptumr`] | divisible work in several rounds | `cargo superstep farm figure` |
//! | [`prediction`] | predicting master/slave programs | `cargo superstep farm table` |
//! | [`collectives`] | collectives with Pareto latencies | `superstep-bench latency` |
//! | [`topology`] | inference of topologies | `superstep-bench topology` |
//!
//! ```
//! use superstep_papers::prediction::Experiment;
//!
//! let experiment = Experiment::new(16)?;
//! let makespans = experiment.makespans()?;
//! assert!(experiment.text(&makespans).contains("published  1292 s"));
//! # Ok::<(), superstep_farm::Invalid>(())
//! ```

pub mod collectives;
pub mod prediction;
pub mod ptumr;
pub mod thesis;
pub mod topology;
pub mod trees;

/// Says what a source states of a figure, and what is found.
fn statements(number: &str, title: &str, statements: &[(&str, String)]) -> String {
    let mut text = format!("figure {number}: {title}\n");
    for (published, measured) in statements {
        text += &format!("  published  {published}\n  measured   {measured}\n");
    }
    text
}
