//! The paper on predicting master/slave programs by executing a subset of tasks, with the
//! Mandelbrot set.

use std::error::Error;
use std::sync::OnceLock;

use superstep_farm::{Axis, Grid, Invalid, LogGp, MasterSlave, Prediction, Sampling};

use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Points along each axis, as in the paper.
const POINTS: usize = 1024;

/// Choice that figures depend on, as the paper names none.
const WINDOW: &str = "the window of the set and the limit of iterations";

/// Note on the choices that were made.
const CHOICES: &str = "The window [-2, 1] x [-1.5, 1.5], 1000 iterations and the parameters of the networks are ours: the paper names none.";

/// Seconds that all points take in the paper, and here.
const TOTAL: f64 = 1820.0;

/// Processors, the master among them.
const PROCESSORS: [u32; 8] = [8, 16, 24, 32, 48, 64, 96, 128];

/// Bytes of a point's message, and of its result's.
const BYTES: [f64; 2] = [16.0, 8.0];

/// Points that a prediction is made from.
struct Set {
    name: &'static str,
    /// Nodes along each axis.
    nodes: usize,
    /// Predicted seconds of all points, in the paper.
    published: f64,
    costs: Vec<f64>,
    /// From as many random points.
    strata: Option<Prediction>,
}

/// All points, and predictions from some.
struct Experiment {
    sets: Vec<Set>,
    networks: [Network; 2],
}

/// Makespans on one network.
struct Network {
    /// Its kind.
    name: &'static str,
    /// The makespan that each set predicts, for each number of processors.
    rows: Vec<(u32, Vec<f64>)>,
    /// Largest errors by the makespan of all points, in the paper.
    published: [f64; 3],
}

/// Counts iterations of a point before it leaves the circle of radius 2, at most 1000.
fn iterations(x: f64, y: f64) -> u32 {
    let (mut real, mut imaginary) = (0.0, 0.0);
    for count in 0..1000 {
        if real * real + imaginary * imaginary > 4.0 {
            return count;
        }
        (real, imaginary) = (
            real * real - imaginary * imaginary + x,
            2.0 * real * imaginary + y,
        );
    }
    1000
}

/// Returns the experiment, which all items share.
fn experiment() -> Result<&'static Experiment, Box<dyn Error>> {
    static EXPERIMENT: OnceLock<Result<Experiment, Invalid>> = OnceLock::new();
    let made = EXPERIMENT.get_or_init(|| Experiment::new(POINTS));
    made.as_ref().map_err(|error| error.to_string().into())
}

/// Repeats table 1: the total of all tasks, predicted from some.
pub(crate) fn table_1(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let mut rows = Vec::new();
    let mut notes = vec![CHOICES.to_owned()];
    for set in &experiment()?.sets[1..] {
        let Set { name, nodes, .. } = set;
        let of = format!("{name}, {nodes} x {nodes} points, seconds of all");
        rows.push(Row::number(&of, set.published, set.total(), 0, 0.05).open(WINDOW, []));
        if let Some(prediction) = &set.strata {
            let total = prediction.total;
            notes.push(format!(
                "{name} from as many random points: {:.1} s, in 90 of 100 cases {:.1} to {:.1} s.",
                total.value, total.low, total.high
            ));
        }
    }
    Ok(Findings {
        rows,
        notes,
        ..Findings::default()
    })
}

/// Repeats table 3: largest errors by the makespan of all points.
pub(crate) fn table_3(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let rows = experiment()?.networks.iter().flat_map(|network| {
        (1..).zip(network.published).map(|(set, published)| {
            let of = format!("{}, S{set}, largest error in per cent", network.name);
            Row::number(&of, published, network.largest_error(set), 1, 0.1).open(WINDOW, [])
        })
    });
    Ok(Findings {
        rows: rows.collect(),
        notes: vec![CHOICES.into()],
        ..Findings::default()
    })
}

/// Repeats table 4: makespans are off by what totals are, by the number of slaves.
pub(crate) fn table_4(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let Experiment { sets, networks } = experiment()?;
    let rows = networks.iter().map(|network| {
        let (processors, row) = &network.rows[0];
        let expected = (sets[3].total() - TOTAL) / f64::from(processors - 1);
        let found = row[3] - row[0];
        Row::statement(
            "agrees well: on 8 processors S3 is off by 75 s by its total, and by 76 s by its makespan",
            format!("{expected:.1} s, {}: {found:.1} s", network.name),
            (found / expected - 1.0).abs() < 0.05,
        )
    });
    Ok(Findings {
        rows: rows.collect(),
        notes: vec![CHOICES.into()],
        ..Findings::default()
    })
}

/// Draws figure 5: predicted makespans over processors; the measured ones cannot be had.
pub(crate) fn figure_5(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let names = [
        "S0: all points",
        "S1: 256 x 256",
        "S2: 32 x 32",
        "S3: 4 x 4",
    ];
    let networks = &experiment()?.networks;
    let drawing = |network: &Network| {
        let points = |set: usize| {
            let rows = network.rows.iter();
            rows.map(move |(processors, row)| (f64::from(*processors), row[set]))
        };
        let curve = |(set, name): (usize, &str)| Curve {
            name: name.into(),
            points: points(set).collect(),
        };
        Drawing {
            name: format!("figure-5-{}", network.name.to_lowercase()),
            title: format!("{}: predicted makespan", network.name),
            over: "processors",
            value: "s",
            scales: [Scale::Logarithmic; 2],
            curves: names.into_iter().enumerate().map(curve).collect(),
        }
    };
    let near = |network: &Network| {
        let [s1, s2] = [1, 2].map(|set| network.largest_error(set));
        Row::statement(
            "S1 and S2 are off by 8.2 % at most",
            format!("{}: off by {s1:.1} and {s2:.1} % at most", network.name),
            s1 <= 8.2 && s2 <= 8.2,
        )
    };
    Ok(Findings {
        rows: networks.iter().map(near).collect(),
        drawings: networks.iter().map(drawing).collect(),
        notes: vec![CHOICES.into()],
    })
}

impl Experiment {
    /// Computes the set at so many points along each axis, predicts it from some, and simulates
    /// masters and slaves on two networks.
    fn new(points: usize) -> Result<Self, Invalid> {
        // The paper names neither the window nor the limit of iterations.
        let at = |from: f64, index: usize| from + 3.0 * index as f64 / (points - 1) as f64;
        let row = |j| (0..points).map(move |i| f64::from(iterations(at(-2.0, i), at(-1.5, j))));
        let mut costs: Vec<f64> = (0..points).flat_map(row).collect();
        let scale = TOTAL / costs.iter().sum::<f64>();
        costs.iter_mut().for_each(|cost| *cost *= scale);
        let mut sets = vec![Set {
            nodes: points,
            name: "S0",
            published: TOTAL,
            costs,
            strata: None,
        }];
        for (name, nodes, published) in [("S1", 256, 1816.0), ("S2", 32, 1744.0), ("S3", 4, 1292.0)]
        {
            let nodes = nodes.min(points);
            sets.push(Set {
                name,
                nodes,
                published,
                costs: interpolated(&sets[0].costs, points, nodes)?,
                strata: Some(from_strata(&sets[0].costs, points, nodes)?),
            });
        }
        // The paper does not give them either.
        let ethernet = |processors| LogGp {
            latency: 60e-6,
            overhead: 0.15e-6 + 0.28e-6 * processors,
            byte_gap: 80e-9,
            ..LogGp::default()
        };
        let myrinet = |processors| LogGp {
            latency: 10e-6,
            overhead: 1e-6 + 0.0005e-6 * processors,
            byte_gap: 4e-9,
            ..LogGp::default()
        };
        let networks = [
            on(&sets, "Ethernet", [0.5, 4.3, 27.0], ethernet)?,
            on(&sets, "Myrinet", [0.2, 4.1, 29.0], myrinet)?,
        ];
        Ok(Self { sets, networks })
    }
}

/// Simulates masters and slaves on a network, for each number of processors.
fn on(
    sets: &[Set],
    name: &'static str,
    published: [f64; 3],
    network: impl Fn(f64) -> LogGp,
) -> Result<Network, Invalid> {
    let row = |processors: u32| {
        let [input, output] = BYTES;
        let network = network(f64::from(processors));
        let slaves = processors as usize - 1;
        let master = MasterSlave {
            input,
            output,
            ..MasterSlave::new(network, slaves)
        };
        let makespan = |set: &Set| master.simulate(&set.costs).map(|dealt| dealt.makespan);
        let makespans = sets.iter().map(makespan).collect::<Result<_, _>>()?;
        Ok((processors, makespans))
    };
    Ok(Network {
        name,
        rows: PROCESSORS.into_iter().map(row).collect::<Result<_, _>>()?,
        published,
    })
}

impl Set {
    fn total(&self) -> f64 {
        self.costs.iter().sum()
    }
}

impl Network {
    /// Returns the largest error of a set's makespans, in per cent.
    fn largest_error(&self, set: usize) -> f64 {
        let errors = self
            .rows
            .iter()
            .map(|(_, row)| 100.0 * (row[set] / row[0] - 1.0).abs());
        errors.fold(0.0, f64::max)
    }
}

fn interpolated(costs: &[f64], points: usize, nodes: usize) -> Result<Vec<f64>, Invalid> {
    let axis = Axis::spread(points, nodes)?;
    let at = |x: &f64, y: &f64| costs[*x as usize * points + *y as usize];
    let rows = axis.nodes().iter();
    let values = rows
        .flat_map(|x| axis.nodes().iter().map(move |y| at(x, y)))
        .collect();
    Grid::new(vec![axis.clone(); 2], values)?.everywhere(&[points; 2])
}

fn from_strata(costs: &[f64], points: usize, nodes: usize) -> Result<Prediction, Invalid> {
    let sampling = Sampling::new(&[points; 2], nodes * nodes, 1)?;
    let sampled: Vec<f64> = sampling.items().iter().map(|&item| costs[item]).collect();
    sampling.predict(&sampled)
}
