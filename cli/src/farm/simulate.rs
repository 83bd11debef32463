//! `cargo superstep farm simulate`: how long policies take for items of given costs.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use superstep_farm::{Invalid, Items, Platform, Policy, candidates, choose, simulate};

use super::{costs, error::FarmError, platform::PlatformArguments};
use crate::{failure::Failure, output};

/// Simulate how long policies take for items of these costs, and choose one
#[derive(Args)]
pub(crate) struct Arguments {
    /// Comma-separated values, a row for each item: its cost in units of work, and if wanted bytes
    /// sent and bytes returned
    costs: PathBuf,
    #[command(flatten)]
    platform: PlatformArguments,
    /// Policy whose best form is shown; `auto` chooses one, `all` shows all and the choice
    #[arg(long, default_value = "auto", value_parser = ["auto", "all", "static", "ss", "gss", "fac2", "wf2", "umr", "ptumr", "umr+fac2", "ptumr+fac2"])]
    policy: String,
    /// Error of the costs for the choice: root of the mean square, by the mean cost
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    error: f64,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// Simulations of policies.
#[derive(Serialize)]
struct Simulations {
    items: usize,
    work: f64,
    bytes: f64,
    lower_bound: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Chosen>,
    policies: Vec<Simulated>,
}

/// The policy that was chosen, over what the costs may be.
#[derive(Serialize)]
struct Chosen {
    policy: String,
    makespan: f64,
    interval: [f64; 2],
}

/// One simulation, on the costs as they are given.
#[derive(Serialize)]
struct Simulated {
    policy: String,
    open: usize,
    makespan: f64,
    messages: usize,
    /// Time in which the workers compute, by all their time.
    utilisation: f64,
}

impl Simulated {
    fn new(platform: &Platform, items: &Items, policy: Policy) -> Result<Self, Invalid> {
        let deal = policy.deal(platform, items)?;
        let outcome = simulate(platform, items, &deal)?;
        let busy: f64 = outcome.busy.iter().sum();
        let all = outcome.makespan * platform.workers as f64;
        Ok(Self {
            policy: policy.name(),
            open: deal.open,
            makespan: outcome.makespan,
            messages: outcome.messages,
            utilisation: if all > 0.0 { busy / all } else { 1.0 },
        })
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let items = costs::read(&arguments.costs)?;
    let simulations = simulations(arguments, &items)?;
    output::print(&simulations, arguments.json, || text(&simulations))
}

fn simulations(arguments: &Arguments, items: &Items) -> Result<Simulations, Failure> {
    let platform = arguments.platform.platform()?;
    platform.validate()?;
    let wanted = arguments.policy.as_str();
    let mut policies = Vec::new();
    let mut choice = None;
    if matches!(wanted, "auto" | "all") {
        let chosen = choose(&platform, items, arguments.error)?;
        policies.push(Simulated::new(&platform, items, chosen.policy)?);
        choice = Some(Chosen {
            policy: chosen.policy.name(),
            makespan: chosen.makespan,
            interval: chosen.interval,
        });
    }
    if wanted != "auto" {
        policies = best_of_each(&platform, items, wanted)?;
        if policies.is_empty() {
            return Err(FarmError::NoWeights.into());
        }
    }
    Ok(Simulations {
        items: items.len(),
        work: items.total_cost(),
        bytes: items.total_bytes(),
        lower_bound: platform.lower_bound(items.total_cost(), items.total_bytes()),
        choice,
        policies,
    })
}

/// Returns the fastest form of each policy, or of the wanted one, the fastest policy first.
fn best_of_each(
    platform: &Platform,
    items: &Items,
    wanted: &str,
) -> Result<Vec<Simulated>, Invalid> {
    let mut best: Vec<(&str, Simulated)> = Vec::new();
    for policy in candidates(platform, items) {
        let family = policy.family();
        if wanted != "all" && wanted != family {
            continue;
        }
        let found = Simulated::new(platform, items, policy)?;
        match best.iter_mut().find(|(name, _)| *name == family) {
            Some((_, best)) if found.makespan < best.makespan => *best = found,
            Some(_) => {}
            None => best.push((family, found)),
        }
    }
    best.sort_by(|a, b| a.1.makespan.total_cmp(&b.1.makespan));
    Ok(best.into_iter().map(|(_, simulated)| simulated).collect())
}

fn text(simulations: &Simulations) -> String {
    let bound = simulations.lower_bound;
    let mut text = output::rows([
        ("items", simulations.items.to_string()),
        ("work", format!("{:.6}", simulations.work)),
        ("bytes", simulations.bytes.to_string()),
        ("lower bound", format!("{bound:.6}")),
    ]);
    if let Some(Chosen {
        policy,
        makespan,
        interval: [least, most],
    }) = &simulations.choice
    {
        let makespan = format!("{makespan:.6}  ({least:.6} to {most:.6})");
        text += &output::rows([("choice", policy), ("makespan", &makespan)]);
    }
    text += &format!(
        "\n{:<40}{:>6}{:>14}{:>10}{:>10}{:>8}\n",
        "policy", "open", "makespan", "by bound", "messages", "busy"
    );
    for policy in &simulations.policies {
        let Simulated {
            policy,
            open,
            makespan,
            messages,
            utilisation,
        } = policy;
        let ratio = if bound > 0.0 { makespan / bound } else { 1.0 };
        text += &format!(
            "{policy:<40}{open:>6}{makespan:>14.6}{ratio:>10.3}{messages:>10}{:>7.1}%\n",
            100.0 * utilisation
        );
    }
    text
}
