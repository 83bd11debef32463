//! Quantiles of the slowest path from samples, beside those of the family that was drawn from and
//! of the recorded maxima.
//!
//! `cargo test --release -p superstep-network --test quantiles -- --nocapture nearly` prints the
//! table of docs/MEASURE_YOUR_MACHINE.md.

use std::path::Path;

use rand_pcg::{Pcg64, rand_core::Rng};
use superstep_network::{
    MachineFile,
    latency::{Distribution, Family, Fits, Maximum, Samples, fit},
};

const PATHS: usize = 8;
const PERIODS: usize = 1000;
const PROBABILITY: f64 = 0.99;
const SEEDS: u64 = 20;

/// Distribution that samples are drawn from.
struct Row {
    name: &'static str,
    /// Families of one path, each with its part of the samples.
    parts: Vec<(f64, Distribution)>,
    /// Family that an oracle tells; none of a mixture.
    told: Option<Family>,
}

fn rows() -> Vec<Row> {
    let pareto = |scale, shape| Distribution::Pareto {
        scale,
        shape,
        cap: None,
    };
    let weibull = |shape| Distribution::Weibull { scale: 40.0, shape };
    let lognormal = |median, deviation| Distribution::Lognormal { median, deviation };
    let gamma = |shape, scale| Distribution::Gamma { scale, shape };
    let normal = Distribution::Normal {
        mean: 40.0,
        deviation: 5.0,
    };
    let of = |name, told, path| Row {
        name,
        parts: vec![(1.0, path)],
        told: Some(told),
    };
    let mixed = |name, rare, body, tail| Row {
        name,
        parts: vec![(1.0 - rare, body), (rare, tail)],
        told: None,
    };
    vec![
        of("Pareto 1.6", Family::Pareto, pareto(40.0, 1.6)),
        of("Pareto 2.5", Family::Pareto, pareto(40.0, 2.5)),
        of("Pareto 4", Family::Pareto, pareto(40.0, 4.0)),
        of("lognormal 0.5", Family::Lognormal, lognormal(40.0, 0.5)),
        of("lognormal 1.5", Family::Lognormal, lognormal(40.0, 1.5)),
        of("Weibull 0.6", Family::Weibull, weibull(0.6)),
        of("Weibull 1.5", Family::Weibull, weibull(1.5)),
        of("gamma 2", Family::Gamma, gamma(2.0, 20.0)),
        of("exponential", Family::Exponential, weibull(1.0)),
        of("normal", Family::Normal, normal),
        mixed(
            "two routes",
            0.1,
            lognormal(40.0, 0.05),
            lognormal(80.0, 0.1),
        ),
        mixed(
            "gamma, lost pings",
            0.05,
            gamma(4.0, 10.0),
            pareto(60.0, 2.5),
        ),
    ]
}

/// Numbers above 0, below 1.
struct Random(Pcg64);

impl Random {
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Draws from a distribution without its quantiles, which are what is tested.
    fn of(&mut self, path: &Distribution) -> f64 {
        match *path {
            Distribution::Pareto { scale, shape, .. } => scale * self.uniform().powf(-1.0 / shape),
            Distribution::Weibull { scale, shape } => {
                scale * (-self.uniform().ln()).powf(1.0 / shape)
            }
            // The sum of so many exponential variables.
            Distribution::Gamma { scale, shape } => (0..shape as u32)
                .map(|_| -scale * self.uniform().ln())
                .sum(),
            Distribution::Lognormal { median, deviation } => {
                median * (deviation * self.normal()).exp()
            }
            Distribution::Normal { mean, deviation } => mean + deviation * self.normal(),
            _ => panic!("{path:?}"),
        }
    }

    /// Draws a standard normal number (Box and Muller 1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

impl Row {
    fn draw(&self, random: &mut Random) -> f64 {
        let mut at = random.uniform();
        let chosen = self.parts.iter().find(|(part, _)| {
            at -= part;
            at < 0.0
        });
        random.of(&chosen.unwrap_or(&self.parts[0]).1)
    }

    fn record(&self, paths: usize, periods: usize, seed: u64) -> Samples {
        let mut random = Random(Pcg64::new(seed.into(), 7));
        let path = |_| (0..periods).map(|_| self.draw(&mut random)).collect();
        Samples::new(&(0..paths).map(path).collect::<Vec<_>>()).unwrap()
    }

    /// Returns the quantile of the maximum of so many paths.
    fn quantile(&self, paths: usize) -> f64 {
        let above = 1.0 - PROBABILITY.powf(1.0 / paths as f64);
        let survival = |x: f64| -> f64 {
            let parts = self.parts.iter();
            parts.map(|(part, path)| part * path.survival(x)).sum()
        };
        let (mut low, mut high) = (1.0, 1e9);
        for _ in 0..200 {
            let middle = f64::sqrt(low * high);
            if survival(middle) > above {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// Estimators of the quantile.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    /// That of the command: paths that were recorded together.
    Together,
    /// That of machine files: each path for itself.
    Apart,
    /// The family that was drawn from.
    Told,
    /// The quantile of the recorded maxima.
    Maxima,
    /// A guarded Pareto fit of each path: all quantiles were so before.
    Guarded,
}

fn estimate(by: By, row: &Row, samples: &Samples) -> f64 {
    let paths: Vec<&[f64]> = (0..samples.paths()).map(|at| samples.path(at)).collect();
    let each = |fit: &dyn Fn(&[f64]) -> Option<Distribution>| -> Maximum {
        let fits: Vec<Distribution> = paths.iter().filter_map(|path| fit(path)).collect();
        Maximum::of(&fits)
    };
    match by {
        By::Together => Fits::of(samples, &Family::ALL).slowest(paths.len()),
        By::Apart => Maximum::of(&Fits::apart(&paths, &Family::ALL).unwrap()),
        By::Told => each(&|path| row.told?.fit(path)),
        By::Guarded => each(&fit::guarded_pareto),
        By::Maxima => {
            let mut maxima: Vec<f64> = (0..samples.periods())
                .map(|at| samples.maximum(at))
                .collect();
            maxima.sort_unstable_by(f64::total_cmp);
            return maxima[(PROBABILITY * maxima.len() as f64) as usize - 1];
        }
    }
    .quantile(PROBABILITY)
}

const ALL: [By; 5] = [By::Guarded, By::Told, By::Maxima, By::Together, By::Apart];

/// Returns the mean relative error of each estimator over records.
fn errors(row: &Row) -> [f64; 5] {
    let wanted = row.quantile(PATHS);
    let mut sums = [0.0; 5];
    for seed in 1..=SEEDS {
        let samples = row.record(PATHS, PERIODS, seed);
        for (sum, by) in sums.iter_mut().zip(ALL) {
            *sum += (estimate(by, row, &samples) / wanted - 1.0).abs() / SEEDS as f64;
        }
    }
    sums
}

#[test]
fn quantiles_are_nearly_as_good_as_the_better_of_the_family_and_the_record() {
    println!("| samples of | all Pareto | family | recorded maxima | in rounds | apart |");
    println!("|---|---|---|---|---|---|");
    let rows = rows();
    // Sums of errors, and means of ratios, of the command and of machine files.
    let (mut least, mut sums, mut ratios) = (0.0, [0.0; 2], [0.0; 2]);
    for row in &rows {
        let [before, told, maxima, together, apart] = errors(row);
        let better = row.told.map_or(maxima, |_| maxima.min(told));
        let percent = |error: f64| format!("{:.1} %", 100.0 * error);
        let told = row.told.map_or("-".to_owned(), |_| percent(told));
        let (name, before, maxima) = (row.name, percent(before), percent(maxima));
        print!("| {name} | {before} | {told} | {maxima} |");
        for (at, found) in [together, apart].into_iter().enumerate() {
            print!(" {} ({:.2}) |", percent(found), found / better);
            assert!(found <= 1.5 * better, "{name}: {found} {better}");
            sums[at] += found;
            ratios[at] += found / better / rows.len() as f64;
        }
        println!();
        least += better;
    }
    assert!(
        sums.iter().all(|&sum| sum <= 1.2 * least),
        "{sums:?} {least}"
    );
    assert!(ratios.iter().all(|&ratio| ratio <= 1.2), "{ratios:?}");
}

#[test]
fn machine_files_have_quantiles_of_their_samples() {
    let rows = rows();
    for (row, most) in [(&rows[7], 0.05), (&rows[11], 0.4)] {
        let samples = row.record(1, PERIODS, 1);
        let file = format!(
            "processors = 2\ntask = 1000\n[[paths]]\nbetween = [0, 1]\nsamples = {:?}",
            samples.path(0)
        );
        let file = MachineFile::from_toml(&file, Path::new("machine.toml")).unwrap();
        let mut sorted = samples.path(0).to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        for (found, wanted, most) in [
            (file.machine(0.5), sorted[PERIODS / 2], 0.05),
            (file.machine(PROBABILITY), row.quantile(1), most),
        ] {
            let error = (found.latency / wanted - 1.0).abs();
            assert!(error < most, "{}: {} {wanted}", row.name, found.latency);
        }
    }
}

#[test]
fn paths_that_wait_for_the_same_are_as_recorded() {
    let alone = rows()[2].record(1, PERIODS, 3);
    let samples = Samples::new(&vec![alone.path(0).to_vec(); 4]).unwrap();
    let fits = Fits::of(&samples, &Family::ALL);
    assert_eq!(fits.family(), None);
    // Each path for itself is Pareto, and their maximum is no more than one.
    assert!(matches!(fits.paths()[0], Distribution::Pareto { .. }));
    let found = fits.slowest(4).quantile(PROBABILITY);
    let wanted = fits.paths()[0].quantile(PROBABILITY);
    assert!((found / wanted - 1.0).abs() < 0.15, "{found} {wanted}");
}

/// Eight paths over a switch that they share, whose queue all wait for in a round: Pareto, and a
/// little of their own.
#[test]
fn machine_files_have_the_quantiles_of_rounds() {
    let shared = rows()[1].record(1, PERIODS, 5);
    let own = rows()[9].record(8, PERIODS, 6);
    let path = |at: usize| -> Vec<f64> {
        let both = shared.path(0).iter().zip(own.path(at));
        both.map(|(shared, own)| shared + 1e-3 * own).collect()
    };
    let paths: Vec<Vec<f64>> = (0..8).map(path).collect();
    let text = |lengths: &dyn Fn(usize) -> usize| {
        let each = (0..8).map(|at| {
            let samples = &paths[at][..lengths(at)];
            format!(
                "[[paths]]\nbetween = [0, {}]\nsamples = {samples:?}\n",
                at + 1
            )
        });
        format!("processors = 9\ntask = 1000\n{}", each.collect::<String>())
    };
    let latency = |lengths: &dyn Fn(usize) -> usize| {
        let file = MachineFile::from_toml(&text(lengths), Path::new("machine.toml")).unwrap();
        file.machine(PROBABILITY).latency
    };
    let mut maxima: Vec<f64> = (0..PERIODS)
        .map(|at| paths.iter().map(|path| path[at]).fold(0.0, f64::max))
        .collect();
    maxima.sort_unstable_by(f64::total_cmp);
    let recorded = maxima[(PROBABILITY * PERIODS as f64) as usize];
    let in_rounds = latency(&|_| PERIODS);
    assert!(
        (in_rounds / recorded - 1.0).abs() < 0.1,
        "{in_rounds} {recorded}"
    );
    // Paths of several lengths are of no rounds: independent.
    let apart = latency(&|at| PERIODS - at);
    assert!(apart > 1.3 * recorded, "{apart} {recorded}");
}

#[test]
fn few_samples_and_equal_ones_have_quantiles() {
    for samples in [&[5.0][..], &[5.0; 9], &[5.0, 6.0], &[1e-300, 1e300, 4.0]] {
        let samples = Samples::new(&[samples.to_vec(), samples.to_vec()]).unwrap();
        let slowest = Fits::of(&samples, &Family::ALL).slowest(2);
        let (median, rare) = (slowest.quantile(0.5), slowest.quantile(0.99));
        assert!(median > 0.0 && median <= rare, "{median} {rare}");
    }
    assert!(Fits::apart(&[&[1.0, 2.0], &[]], &Family::ALL).is_none());
    assert!(Fits::apart(&[&[1.0, f64::NAN]], &Family::ALL).is_none());
}
