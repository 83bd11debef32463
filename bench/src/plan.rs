//! Sparse kernels planned at run time beside the functions as they are written.
//!
//! Every bit is compared. Rows between whose beginning and end cores have moved are in no mean. The
//! matrices are those of the experiments `grains` and `ablation`, too.

#[cfg(feature = "faer")]
mod faer;
#[cfg(feature = "klu")]
mod klu;
mod meshes;
mod one_way;
#[cfg(feature = "osp")]
mod osp;
mod peers;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use superstep_matrix::Compressed;
use superstep_sparse::{Effort, Kernel, Problem, Standing, Unsuitable, contest, grids};

use self::meshes::Mesh;

/// Parallelism from which on the means count a matrix as parallel: twice the processors that plans
/// have by default. It does not follow `--processors`, and headings and docs say 4.
const PARALLEL: f64 = 4.0;

/// Number of measurements of a row, at most. Cores move in a tenth of them, so that one row in a
/// thousand is left out of the means.
const TRIES: usize = 3;

/// Matrices and processors of plans
#[derive(Args)]
pub(crate) struct Planned {
    /// A folder, of which each .mtx and .mtx.gz file is a matrix more
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Processors of the plans
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) processors: u16,
}

/// Plan sparse kernels at run time: what it costs, and what it gains
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    planned: Planned,
    /// For how long each form is run, in seconds
    #[arg(long, default_value_t = 0.3)]
    seconds: f64,
    /// Small matrices, each form for a tenth of that time
    #[arg(long)]
    quick: bool,
    /// Only this kernel: sptrsv, backward, ilu0, ic0, symgs or lu
    #[arg(long, value_name = "NAME")]
    kernel: Option<Kernel>,
    /// Only matrices whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    matrix: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Sizes of the generated matrices: points along a side for grids, rows for the others.
pub(crate) struct Sizes {
    /// Entries of the factors that are refactored, at most. Those of grids and meshes have more,
    /// and a run of them takes seconds.
    factors: usize,
    square: usize,
    cube: usize,
    dense_cube: usize,
    mesh: usize,
    band: usize,
    random: usize,
}

pub(crate) const FULL: Sizes = Sizes {
    factors: 1 << 22,
    square: 1000,
    cube: 100,
    dense_cube: 60,
    mesh: 200_000,
    band: 1_000_000,
    random: 100_000,
};

pub(crate) const QUICK: Sizes = Sizes {
    factors: 1 << 18,
    square: 200,
    cube: 24,
    dense_cube: 16,
    mesh: 10_000,
    band: 20_000,
    random: 5_000,
};

#[derive(Serialize)]
struct Row {
    matrix: String,
    /// One-way latency between two threads before and after, in nanoseconds.
    one_way_ns: Option<[f64; 2]>,
    #[serde(flatten)]
    standing: Standing,
}

impl Row {
    /// Measures a row, again if cores have moved meanwhile, `most` times at most.
    fn measured(
        matrix: &str,
        most: usize,
        mut measure: impl FnMut() -> Result<Standing, Failure>,
    ) -> Result<Self, Failure> {
        let mut tries = 0;
        loop {
            let before = one_way::one_way();
            let standing = measure()?;
            let row = Self {
                matrix: matrix.to_owned(),
                one_way_ns: before.zip(one_way::one_way()).map(Into::into),
                standing,
            };
            tries += 1;
            if tries >= most || !row.has_moved() || !row.standing.identical {
                return Ok(row);
            }
        }
    }

    fn has_moved(&self) -> bool {
        self.one_way_ns.is_some_and(one_way::has_moved)
    }
}

/// Means of a kernel over matrices.
#[derive(Serialize)]
struct Mean {
    kernel: Kernel,
    /// Set if only matrices of a parallelism of 4 or more count.
    parallel: bool,
    matrices: usize,
    /// Geometric mean of the times of plans for one processor over the function's.
    one: f64,
    /// Geometric mean of the times of the plans over the function's.
    ratio: f64,
    /// Largest time of a plan over the function's.
    worst: f64,
    /// Figures of loaded plans: the same two geometric means, the largest ratio, the break-even.
    loaded_one: f64,
    loaded: f64,
    loaded_worst: f64,
    loaded_break_even: Option<f64>,
    /// Arithmetic mean of planning, in calls of the function.
    planning_calls: f64,
    /// Longest planning, in calls of the function.
    worst_planning_calls: f64,
    /// Geometric mean of the calls after which planning has paid, over the plans that pay.
    break_even: Option<f64>,
}

#[derive(Serialize)]
struct Table {
    rows: Vec<Row>,
    means: Vec<Mean>,
}

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Prints the table.
///
/// # Errors
/// If a matrix cannot be read or planned for. If a result has other bits than the function's: that
/// is said behind the whole table.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let table = measure(
        options,
        if options.quick { &QUICK } else { &FULL },
        &mut out,
    )?;
    if options.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&table)?)?;
    } else {
        print_means(&table.means, &mut out)?;
    }
    match table.rows.iter().find(|row| !row.standing.identical) {
        Some(row) => {
            let kernel = row.standing.kernel.name();
            Err(format!("{}, {kernel}: the plan gave another result", row.matrix).into())
        }
        None => Ok(()),
    }
}

fn measure(options: &Options, sizes: &Sizes, out: &mut impl Write) -> Result<Table, Failure> {
    let kernels = options
        .kernel
        .map_or(Kernel::ALL.to_vec(), |kernel| vec![kernel]);
    let effort = Effort {
        seconds: options.seconds * if options.quick { 0.1 } else { 1.0 },
        rounds: 3,
    };
    // Where no time is given nothing is to be compared.
    let tries = if effort.seconds > 0.0 { TRIES } else { 1 };
    if !options.json {
        head(options.planned.processors, out)?;
    }
    let mut rows = Vec::new();
    for (name, matrix) in matrices(options.planned.folder.as_deref(), sizes)? {
        if !name.contains(&options.matrix) {
            continue;
        }
        let matrix = matrix()?;
        for &kernel in &kernels {
            let problem = match Problem::new(kernel, &matrix, sizes.factors) {
                Ok(problem) => problem,
                Err(Unsuitable::TooLarge(reason)) => {
                    if !options.json {
                        writeln!(out, "| {name} | {} | {reason} |", kernel.name())?;
                    }
                    continue;
                }
                Err(other) => return Err(format!("{name}: {other}").into()),
            };
            let processors = options.planned.processors.into();
            let mut peers = peers::of(&problem, &matrix, processors)?;
            let row = Row::measured(&name, tries, || {
                Ok(contest(&problem, processors, effort, &mut peers)?)
            })?;
            if !options.json {
                print(&row, out)?;
            }
            rows.push(row);
        }
    }
    let means = kernels
        .iter()
        .flat_map(|&kernel| [true, false].map(|parallel| mean(&rows, kernel, parallel)))
        .flatten()
        .collect();
    Ok(Table { rows, means })
}

/// A matrix that is made when its turn comes.
pub(crate) type Made<'s> = Box<dyn Fn() -> Result<Compressed<f64>, Failure> + 's>;

/// Returns the matrices of a folder, and those that are generated.
pub(crate) fn matrices<'s>(
    folder: Option<&Path>,
    sizes: &'s Sizes,
) -> Result<Vec<(String, Made<'s>)>, Failure> {
    let mut matrices = of_folder(folder)?;
    matrices.append(&mut generated(sizes));
    Ok(matrices)
}

/// Returns the matrices of a folder, if there is one.
pub(crate) fn of_folder<'s>(folder: Option<&Path>) -> Result<Vec<(String, Made<'s>)>, Failure> {
    let files = folder.map(files).transpose()?.unwrap_or_default();
    let matrices = files.into_iter().map(|path| -> (String, Made<'s>) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(".gz").trim_end_matches(".mtx");
        let name = name.to_owned();
        let read = move || {
            let matrix = superstep_matrix::read(&path)?;
            // Values are drawn: the pattern of a complex matrix will do.
            Ok(matrix.rows::<num_complex::Complex64>()?.valued(|_, _| 1.0))
        };
        (name, Box::new(read))
    });
    Ok(matrices.collect())
}

/// Returns the matrices that are generated: grids, meshes, bands and random ones.
pub(crate) fn generated(sizes: &Sizes) -> Vec<(String, Made<'_>)> {
    let Sizes {
        square,
        cube,
        dense_cube,
        mesh,
        band,
        random,
        factors: _,
    } = *sizes;
    let mesh_of = move || Mesh::new(mesh);
    vec![
        made(format!("5-point {square}^2"), move || {
            grids::five_point(square)
        }),
        made(format!("7-point {cube}^3"), move || {
            grids::seven_point(cube)
        }),
        made(format!("27-point {dense_cube}^3"), move || {
            grids::twenty_seven_point(dense_cube)
        }),
        made(format!("Delaunay {mesh}, random"), move || {
            mesh_of().random()
        }),
        made(format!("Delaunay {mesh}, RCM"), move || {
            mesh_of().cuthill_mckee()
        }),
        made(format!("Delaunay {mesh}, dissected"), move || {
            mesh_of().dissected()
        }),
        made(format!("band {band}, 8"), move || grids::band(band, 8, 1)),
        made(format!("band {band}, 32"), move || grids::band(band, 32, 1)),
        made(format!("random {random}, 8 a row"), move || {
            grids::random(random, 8, 1)
        }),
    ]
}

/// Returns a generated matrix with its name.
fn made<'s>(name: String, matrix: impl Fn() -> Compressed<f64> + 's) -> (String, Made<'s>) {
    (name, Box::new(move || Ok(matrix())))
}

/// Returns the matrix files of a folder, sorted by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if name.ends_with(".mtx") || name.ends_with(".mtx.gz") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn mean(rows: &[Row], kernel: Kernel, parallel: bool) -> Option<Mean> {
    let counts = |standing: &&Standing| {
        standing.kernel == kernel && (!parallel || standing.parallelism >= PARALLEL)
    };
    let stayed = rows.iter().filter(|row| !row.has_moved());
    let of: Vec<&Standing> = stayed.map(|row| &row.standing).filter(counts).collect();
    let each = |figure: fn(&Standing) -> f64| of.iter().map(move |standing| figure(standing));
    let planning = || each(|standing| standing.planning_calls);
    let break_even = of.iter().filter_map(|standing| standing.break_even);
    let loaded = || of.iter().map(|standing| &standing.loaded);
    Some(Mean {
        loaded_one: geometric(loaded().map(|loaded| loaded.one))?,
        loaded: geometric(loaded().map(|loaded| loaded.ratio))?,
        loaded_worst: loaded().map(|loaded| loaded.ratio).fold(0.0, f64::max),
        loaded_break_even: geometric(loaded().filter_map(|loaded| loaded.break_even)),
        kernel,
        parallel,
        matrices: of.len(),
        one: geometric(each(|standing| standing.one))?,
        ratio: geometric(each(|standing| standing.ratio))?,
        worst: each(|standing| standing.ratio).fold(0.0, f64::max),
        planning_calls: planning().sum::<f64>() / of.len() as f64,
        worst_planning_calls: planning().fold(0.0, f64::max),
        break_even: geometric(break_even),
    })
}

fn geometric(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| {
        (count + 1, sum + value.ln())
    });
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

fn head(processors: u16, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "Ratios of times to the function as it is written: medians of interleaved rounds. Planning with its proof and the break-even are in calls of the function.\n"
    )?;
    let peers = peers::NAMES.join(" | ");
    writeln!(
        out,
        "| matrix | kernel | rows | entries | parallelism | schedule | function, ms | planning | P = 1 | P = {processors} | predicted | break-even | loading | update | loaded, P = 1 | P = {processors} | break-even | {peers} | identical | one-way, ns |"
    )?;
    writeln!(out, "|{}", "---|".repeat(19 + peers::NAMES.len()))?;
    Ok(())
}

fn print(row: &Row, out: &mut impl Write) -> Result<(), Failure> {
    let Row {
        matrix, standing, ..
    } = row;
    let break_even = calls(standing.break_even);
    let peers = peers::NAMES.iter().map(|name| {
        let peer = standing.peers.iter().find(|peer| peer.name == *name);
        peer.map_or(String::new(), |peer| format!("{:.3}", peer.ratio))
    });
    let peers = peers.collect::<Vec<_>>().join(" | ");
    let loaded = &standing.loaded;
    let loaded = format!(
        "{:.1} | {:.1} | {:.3} | {:.3} | {}",
        loaded.loading_calls,
        loaded.update_calls,
        loaded.one,
        loaded.ratio,
        calls(loaded.break_even)
    );
    let moved = if row.has_moved() { ": moved" } else { "" };
    let one_way = row.one_way_ns;
    let one_way = one_way.map(|[before, after]| format!("{before:.0}, {after:.0}{moved}"));
    let one_way = one_way.unwrap_or_default();
    writeln!(
        out,
        "| {matrix} | {} | {} | {} | {:.1} | {} | {:.3} | {:.1} | {:.3} | {:.3} | {:.2} | {break_even} | {loaded} | {peers} | {} | {one_way} |",
        standing.kernel.name(),
        standing.rows,
        standing.entries,
        standing.parallelism,
        standing.schedule,
        1e3 * standing.written_seconds,
        standing.planning_calls,
        standing.one,
        standing.ratio,
        standing.predicted,
        if standing.identical { "yes" } else { "no" },
    )?;
    Ok(out.flush()?)
}

/// Writes the calls after which a plan pays.
fn calls(break_even: Option<f64>) -> String {
    break_even.map_or("never".into(), |calls| format!("{calls:.0}"))
}

fn print_means(means: &[Mean], out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "\n| kernel | over | matrices | P = 1 | P planned | largest | planning, mean | largest | break-even | loaded, P = 1 | P planned | largest | break-even |"
    )?;
    writeln!(out, "|{}", "---|".repeat(13))?;
    for mean in means {
        let over = if mean.parallel {
            "parallelism >= 4"
        } else {
            "all"
        };
        let [break_even, loaded_break_even] = [mean.break_even, mean.loaded_break_even].map(calls);
        writeln!(
            out,
            "| {} | {over} | {} | {:.3} | {:.3} | {:.3} | {:.1} | {:.1} | {break_even} | {:.3} | {:.3} | {:.3} | {loaded_break_even} |",
            mean.kernel.name(),
            mean.matrices,
            mean.one,
            mean.ratio,
            mean.worst,
            mean.planning_calls,
            mean.worst_planning_calls,
            mean.loaded_one,
            mean.loaded,
            mean.loaded_worst,
        )?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use super::*;

    pub(crate) const TINY: Sizes = Sizes {
        factors: usize::MAX,
        square: 20,
        cube: 6,
        dense_cube: 5,
        mesh: 200,
        band: 400,
        random: 200,
    };

    /// Tiny ones, but for meshes.
    #[cfg(feature = "ablation")]
    pub(crate) const MESHES: Sizes = Sizes {
        mesh: 10_000,
        ..TINY
    };

    #[test]
    fn every_kernel_has_a_row_for_every_matrix_with_the_same_bits() {
        let options = Options {
            planned: Planned {
                folder: None,
                processors: 2,
            },
            seconds: 0.0,
            quick: true,
            kernel: None,
            matrix: String::new(),
            json: false,
        };
        let mut out = Vec::new();
        let table = measure(&options, &TINY, &mut out).unwrap();
        assert_eq!(table.rows.len(), 9 * Kernel::ALL.len());
        assert!(table.rows.iter().all(|row| row.standing.identical));
        let lines = String::from_utf8(out).unwrap().lines().count();
        assert_eq!(lines, table.rows.len() + 4);
        let stayed = table.rows.iter().filter(|row| !row.has_moved());
        let stayed: BTreeSet<&str> = stayed.map(|row| row.standing.kernel.name()).collect();
        let means = table.means.iter().filter(|mean| !mean.parallel);
        let means: BTreeSet<&str> = means.map(|mean| mean.kernel.name()).collect();
        assert_eq!(means, stayed);
    }
}
