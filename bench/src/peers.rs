//! BSP costs of our schedules beside those of the schedulers of OneStopParallel, row by row and as
//! geometric means.
//!
//! The peer's figures and graphs: `bench/data`. Costs are the same on every run; times are not.

pub(crate) mod data;

use std::{collections::BTreeMap, time::Instant};

use clap::Args;
use superstep_schedule::{CheckedSchedule, Costs, bounds};
use superstep_scheduler::{Effort, Scheduler};
use superstep_search::Portfolio;

use self::data::{Class, Row};

/// Compare the costs of our schedules with those of other schedulers
#[derive(Args)]
pub(crate) struct Options {
    /// Only this class of graphs.
    #[arg(long, value_enum)]
    class: Option<Class>,
    /// Only this effort.
    #[arg(long)]
    effort: Option<Effort>,
    /// Only graphs whose name contains this.
    #[arg(long, default_value = "")]
    graph: String,
    /// Print the means alone.
    #[arg(long)]
    summary: bool,
}

/// Sums over the rows of one class and effort: logarithms of our cost divided by each column. There
/// are also counts of rows, and longest times.
#[derive(Default)]
struct Means {
    rows: usize,
    bound: f64,
    /// Rows whose cost is the lower bound: no schedule is better.
    proven: usize,
    greedy: f64,
    without_duplication: f64,
    best: f64,
    /// Logarithms of ratios to the textbook schedule, where there is one: in the class `Gen`.
    textbook: f64,
    /// Longest time of a schedule per edge, and the longest time.
    nanoseconds_per_edge: f64,
    seconds: f64,
}

/// Prints the tables.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let rows = data::rows()?;
    let wanted = |row: &&Row| {
        options.class.is_none_or(|class| class == row.class) && row.graph.contains(&options.graph)
    };
    let rows: Vec<&Row> = rows.iter().filter(wanted).collect();
    let efforts = match options.effort {
        Some(effort) => vec![effort],
        None => Effort::ALL.to_vec(),
    };
    if !options.summary {
        println!(
            "| effort | graph | P | g | L | cost | bound | greedy | without copies | best | textbook | s |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    }
    let mut means = BTreeMap::<(Class, Effort), Means>::new();
    let mut graph = None;
    for row in rows {
        let graph = match &graph {
            Some((name, graph)) if *name == row.graph => graph,
            _ => &graph.insert((row.graph.clone(), data::graph(row)?)).1,
        };
        for &effort in &efforts {
            let start = Instant::now();
            let schedule = Portfolio { effort }.schedule(graph, &row.machine)?;
            let seconds = start.elapsed().as_secs_f64();
            let checked = CheckedSchedule::new(graph, schedule)?;
            let cost = Costs::of(&checked, &row.machine).bsp_cost;
            let bound = bounds::bsp_bound(graph, &row.machine);
            if !options.summary {
                print_row(row, effort, cost, bound, seconds);
            }
            let means = means.entry((row.class, effort)).or_default();
            means.add(row, graph.edges(), cost, bound, seconds);
        }
    }
    print_means(&means);
    Ok(())
}

fn print_row(row: &Row, effort: Effort, cost: f64, bound: f64, seconds: f64) {
    let textbook = row.textbook.map_or(String::new(), |cost| cost.to_string());
    println!(
        "| {effort:?} | {} | {} | {} | {} | {cost} | {bound} | {} | {} | {} | {textbook} | {seconds:.3} |",
        row.graph,
        row.machine.processors,
        row.machine.gap,
        row.machine.latency,
        row.greedy,
        row.without_duplication,
        row.best,
    );
}

impl Means {
    fn add(&mut self, row: &Row, edges: usize, cost: f64, bound: f64, seconds: f64) {
        self.rows += 1;
        self.bound += (cost / bound).ln();
        self.proven += usize::from(cost <= bound);
        self.greedy += (cost / row.greedy).ln();
        self.without_duplication += (cost / row.without_duplication).ln();
        self.best += (cost / row.best).ln();
        self.textbook += row.textbook.map_or(0.0, |textbook| (cost / textbook).ln());
        let nanoseconds_per_edge = 1e9 * seconds / edges as f64;
        self.nanoseconds_per_edge = self.nanoseconds_per_edge.max(nanoseconds_per_edge);
        self.seconds = self.seconds.max(seconds);
    }

    fn mean(&self, logarithms: f64) -> f64 {
        (logarithms / self.rows as f64).exp()
    }
}

fn print_means(means: &BTreeMap<(Class, Effort), Means>) {
    println!("\nOur cost as a ratio to each column: geometric means.\n");
    println!(
        "| class | effort | rows | proven optimal | lower bound | best greedy | best without copies | best | textbook | longest, s | longest, ns per edge |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for ((class, effort), means) in means {
        let textbook = match class {
            Class::Gen => format!("{:.3}", means.mean(means.textbook)),
            _ => String::new(),
        };
        println!(
            "| {class:?} | {effort:?} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {textbook} | {:.3} | {:.0} |",
            means.rows,
            means.proven,
            means.mean(means.bound),
            means.mean(means.greedy),
            means.mean(means.without_duplication),
            means.mean(means.best),
            means.seconds,
            means.nanoseconds_per_edge,
        );
    }
}
