//! First calls beside busy threads: times of `parallel`, or of a plan, over those of the function,
//! from the first call of fresh processes on.

mod kernels;
mod quota;

use std::error::Error;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use superstep_side_by_side::SameBits;
use superstep_sparse::{Kernel, Problem, grids};
use superstep_timing::median;

use quota::Quota;

/// Numbers of calls after which the time so far is compared.
const MARKS: [usize; 5] = [5, 12, 50, 1000, 10_000];

/// Time after which a process calls no more, and leaves the other marks out.
const LONGEST: Duration = Duration::from_secs(5);

/// Time in which busy threads begin, before the first call.
const BEGIN: Duration = Duration::from_millis(100);

/// Time after which the quota of a process falls from two cores to half a core. It is in the midst
/// of the 10,000 calls of the shortest kernel, which take 0.8 s with as many of the function.
const FALLS: Duration = Duration::from_millis(300);

/// Compare first calls with the function beside busy threads, on few cores, and beside each other
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Processes for each row
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    processes: u16,
    /// Numbers of busy threads
    #[arg(long, value_delimiter = ',', default_values_t = [0, 1, 2, 4, 8])]
    busy: Vec<usize>,
    /// Runs one process: calls of this kernel beside the first number of busy threads
    #[arg(long, hide = true)]
    one: Option<Called>,
}

/// A kernel that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Called {
    Givens,
    Grid,
    Jacobi,
}

impl Called {
    fn title(self) -> &'static str {
        match self {
            Self::Givens => "givens 64 x 48",
            Self::Grid => "7-point 40^3, forward, plan",
            Self::Jacobi => "jacobi n = 512, 100 sweeps",
        }
    }
}

/// The setting of a row's processes.
struct Setting {
    title: String,
    /// Number of busy threads in each process.
    busy: usize,
    /// Cores that they may use; all, if there is none.
    cores: Option<&'static str>,
    /// Processes at once.
    at_once: usize,
    /// Quota of their processor time, which falls.
    quota: Option<Quota>,
}

impl Setting {
    /// Makes the setting of one process at a time, on all cores, beside nobody.
    fn alone(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            busy: 0,
            cores: None,
            at_once: 1,
            quota: None,
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    if let Some(called) = options.one {
        return one(called, options.busy.first().copied().unwrap_or(0));
    }
    let beside = |&busy: &usize| Setting {
        busy,
        ..Setting::alone(format!("{busy} busy"))
    };
    let mut settings: Vec<Setting> = options.busy.iter().map(beside).collect();
    settings.push(Setting {
        cores: Some("0"),
        ..Setting::alone("one core")
    });
    settings.push(Setting {
        at_once: 2,
        ..Setting::alone("two at once")
    });
    match Quota::new() {
        Ok(quota) => settings.push(Setting {
            quota: Some(quota),
            ..Setting::alone("quota falls")
        }),
        Err(error) => eprintln!("no rows of a quota that falls: {error}"),
    }
    println!(
        "Time of all calls so far over that of as many of the function, which alternate with them;\n\
         medians over {} fresh processes, and the most; then the longest call, and the function's.\n",
        options.processes
    );
    println!(
        "| kernel | beside | function | 1 to 5 | to 12 | to 50 | to 1,000 | to 10,000 | longest call | function's |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for &called in Called::value_variants() {
        for setting in &settings {
            row(called, setting, options.processes.into())?;
        }
    }
    Ok(())
}

/// Times that one process reports, in seconds.
#[derive(Debug, serde::Deserialize, serde::Serialize)]
struct Times {
    /// Median of the function's calls.
    function: f64,
    /// Sums at each of the [`MARKS`] that was reached: of all calls so far, and of as many of the
    /// function.
    marks: Vec<[f64; 2]>,
    /// Longest call, and the function's longest.
    longest: [f64; 2],
}

/// Prints a row: of all processes of a kernel in a setting.
fn row(called: Called, setting: &Setting, processes: usize) -> Result<(), Box<dyn Error>> {
    let mut all: Vec<Times> = Vec::new();
    while all.len() < processes {
        let children = (0..setting.at_once).map(|_| start(called, setting));
        let children = children.collect::<Result<Vec<_>, _>>()?;
        if let Some(quota) = &setting.quota {
            quota.grant(4)?;
            for child in &children {
                quota.take(child.id())?;
            }
            std::thread::sleep(FALLS);
            quota.grant(1)?;
        }
        for child in children {
            let output = child.wait_with_output()?;
            if !output.status.success() {
                let (kernel, beside) = (called.title(), &setting.title);
                return Err(
                    format!("{kernel}, {beside}: a process failed: {}", output.status).into(),
                );
            }
            all.push(serde_json::from_slice(&output.stdout)?);
        }
    }
    let marks = (0..MARKS.len()).map(|mark| {
        let reached = all.iter().filter_map(|times| times.marks.get(mark));
        let ratios: Vec<f64> = reached.map(|[calls, function]| calls / function).collect();
        match ratios.is_empty() {
            true => "-".into(),
            false => {
                let most = ratios.iter().copied().fold(0.0, f64::max);
                format!("{:.2} ({most:.2})", median(ratios))
            }
        }
    });
    let marks: Vec<String> = marks.collect();
    let function = median(all.iter().map(|times| times.function));
    let longest = [0, 1].map(|form| {
        let times = all.iter().map(|times| times.longest[form]);
        1e3 * times.fold(0.0, f64::max)
    });
    println!(
        "| {} | {} | {:.3} ms | {} | {:.1} ms | {:.1} ms |",
        called.title(),
        setting.title,
        1e3 * function,
        marks.join(" | "),
        longest[0],
        longest[1],
    );
    Ok(())
}

fn start(called: Called, setting: &Setting) -> std::io::Result<std::process::Child> {
    let this = std::env::current_exe()?;
    let mut command = match setting.cores {
        Some(cores) => {
            let mut taskset = Command::new("taskset");
            taskset.args(["-c", cores]).arg(this);
            taskset
        }
        None => Command::new(this),
    };
    let (kernel, busy) = (called.to_possible_value(), setting.busy.to_string());
    let kernel = kernel.as_ref().map_or("", PossibleValue::get_name);
    command.args(["contended", "--one", kernel, "--busy", &busy]);
    command.stdout(Stdio::piped()).spawn()
}

/// Calls a kernel and its function in turn beside busy threads, and prints the times.
fn one(called: Called, busy: usize) -> Result<(), Box<dyn Error>> {
    for _ in 0..busy {
        std::thread::spawn(|| {
            let mut x = 1.0_f64;
            loop {
                x = black_box(x.sin());
            }
        });
    }
    let times = match called {
        Called::Givens => {
            let (m, n) = black_box((64, 48));
            let a: Vec<f64> = (0..m * n)
                .map(|i| ((i * 7919 + 13) % 1009) as f64 / 1009.0 - 0.5)
                .collect();
            alternate(
                &a,
                |a| kernels::givens(m, n, a),
                |a| {
                    kernels::givens::parallel(m, n, a);
                    Ok(())
                },
            )
        }
        Called::Grid => {
            let problem = Problem::new(Kernel::Sptrsv, &grids::seven_point(40), 0)?;
            let plan = problem.plan(std::thread::available_parallelism()?.get())?;
            alternate(
                problem.start(),
                |x| problem.written(x),
                |x| Ok(plan.run(x)?),
            )
        }
        Called::Jacobi => {
            let (n, rounds) = black_box((512, kernels::ROUNDS));
            let u: Vec<f64> = (0..n * n).map(|i| (i % 17) as f64).collect();
            let mut v = u.clone();
            let mut w = u.clone();
            alternate(
                &u,
                |u| kernels::sweeps::jacobi(n, rounds, u, &mut v),
                |u| {
                    kernels::sweeps::jacobi::parallel(n, rounds, u, &mut w);
                    Ok(())
                },
            )
        }
    }?;
    println!("{}", serde_json::to_string(&times)?);
    Ok(())
}

/// Calls the function and the other form in turn, on fresh copies of the input, and compares every
/// bit.
fn alternate(
    input: &[f64],
    mut function: impl FnMut(&mut [f64]),
    mut call: impl FnMut(&mut [f64]) -> Result<(), Box<dyn Error>>,
) -> Result<Times, Box<dyn Error>> {
    std::thread::sleep(BEGIN);
    let (mut expected, mut data) = (input.to_vec(), input.to_vec());
    // Computes the expected result. It also leaves in the cache what both forms find there.
    function(&mut expected);
    let begin = Instant::now();
    let (mut sums, mut functions) = ([0.0; 2], Vec::new());
    let (mut marks, mut longest) = (Vec::new(), [0.0; 2]);
    for number in 1..=MARKS[MARKS.len() - 1] {
        data.copy_from_slice(input);
        let start = Instant::now();
        function(&mut data);
        let written = start.elapsed().as_secs_f64();
        data.copy_from_slice(input);
        let start = Instant::now();
        call(&mut data)?;
        let called = start.elapsed().as_secs_f64();
        functions.push(written);
        if !data.same_bits(&expected) {
            return Err(format!("call {number} has another result than the function").into());
        }
        longest = [f64::max(longest[0], called), f64::max(longest[1], written)];
        sums = [sums[0] + called, sums[1] + written];
        if MARKS.contains(&number) {
            marks.push(sums);
        }
        if begin.elapsed() > LONGEST {
            break;
        }
    }
    Ok(Times {
        function: median(functions),
        marks,
        longest,
    })
}
