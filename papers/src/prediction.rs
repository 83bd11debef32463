//! The paper on predicting master/slave programs by executing a subset of tasks, with the
//! Mandelbrot set.

mod mandelbrot;
mod queue;

use std::error::Error;
use std::sync::OnceLock;
use std::time::Instant;

use superstep_farm::{Invalid, LogGp, MasterSlave};

use self::mandelbrot::{Set, TOTAL, WINDOWS, Window, sets};
use self::queue::simulate;
use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Choice that figures depend on, as the paper names none.
const WINDOW: &str = "the window of the set and the limit of iterations";

/// Note on the choices that were made.
const CHOICES: &str = "The window [-2, 1] x [-1.5, 1.5] and 1000 iterations are ours, and ranges are of other windows: the paper names none. The overhead on Ethernet grows with the processors so that all runs together take what table 5 has.";

/// Processors of the experiments, the master among them: 8 to 128 by 8.
const PROCESSORS: usize = 16;

/// Bytes of a point's message, and of its result's.
const BYTES: [f64; 2] = [16.0, 8.0];

/// All points of a window, and predictions from some.
struct Study {
    window: &'static Window,
    sets: Vec<Set>,
    networks: [Network; 2],
}

/// Makespans on one network.
struct Network {
    kind: NetworkKind,
    /// The makespan that each set predicts, for each number of processors.
    rows: Vec<(usize, Vec<f64>)>,
}

/// Kind of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NetworkKind {
    Ethernet,
    Myrinet,
}

impl NetworkKind {
    /// Returns the parameters between so many processors. The paper gives none: the bandwidths are
    /// those of the networks. On Ethernet the overhead grows by 0.343 us with each processor, so
    /// that all runs take 1485 s together. Then 56 processors are the fastest, as in the paper.
    fn parameters(self, processors: usize) -> LogGp {
        let processors = processors as f64;
        let (latency, overhead, byte_gap) = match self {
            Self::Ethernet => (60e-6, 0.15e-6 + 0.343e-6 * processors, 80e-9),
            Self::Myrinet => (10e-6, 1e-6 + 0.0005e-6 * processors, 4e-9),
        };
        LogGp {
            latency,
            overhead,
            byte_gap,
            ..LogGp::default()
        }
    }

    /// Largest errors by the makespan of all points, in the paper: of S1, S2 and S3.
    fn published(self) -> [f64; 3] {
        match self {
            Self::Ethernet => [0.5, 4.3, 27.0],
            Self::Myrinet => [0.2, 4.1, 29.0],
        }
    }
}

/// Returns the studies of all windows, which the items share: of the first with all numbers of
/// processors, of the others with some.
fn studies() -> Result<&'static [Study], Box<dyn Error>> {
    static STUDIES: OnceLock<Result<Vec<Study>, Invalid>> = OnceLock::new();
    let made = STUDIES.get_or_init(|| {
        let all: Vec<usize> = (1..=PROCESSORS).map(|step| 8 * step).collect();
        let windows = WINDOWS.iter().enumerate();
        let study = |(at, window)| Study::new(window, if at == 0 { &all } else { &[8, 32, 128] });
        windows.map(study).collect()
    });
    match made {
        Ok(studies) => Ok(studies),
        Err(error) => Err(error.to_string().into()),
    }
}

impl Study {
    fn new(window: &'static Window, processors: &[usize]) -> Result<Self, Invalid> {
        let sets = sets(window)?;
        let network = |kind: NetworkKind| -> Result<Network, Invalid> {
            let rows = processors.iter().map(|&processors| {
                let [input, output] = BYTES;
                let master = MasterSlave {
                    input,
                    output,
                    ..MasterSlave::new(kind.parameters(processors), processors - 1)
                };
                let makespan = |set: &Set| master.simulate(&set.costs).map(|dealt| dealt.makespan);
                Ok((
                    processors,
                    sets.iter().map(makespan).collect::<Result<_, _>>()?,
                ))
            });
            let rows = rows.collect::<Result<_, _>>()?;
            Ok(Network { kind, rows })
        };
        Ok(Self {
            window,
            networks: [
                network(NetworkKind::Ethernet)?,
                network(NetworkKind::Myrinet)?,
            ],
            sets,
        })
    }
}

impl Network {
    /// Returns the largest error of a set's makespans, in per cent.
    fn largest_error(&self, set: usize) -> f64 {
        let errors = self.rows.iter();
        let errors = errors.map(|(_, row)| 100.0 * (row[set] / row[0] - 1.0).abs());
        errors.fold(0.0, f64::max)
    }
}

fn findings(rows: Vec<Row>) -> Findings {
    Findings::of(rows).noted([CHOICES])
}

/// Repeats table 1: the total of all tasks, predicted from some.
pub(crate) fn table_1(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let studies = studies()?;
    let mut found = findings(Vec::new());
    for (at, set) in studies[0].sets.iter().enumerate().skip(1) {
        let Set { name, nodes, .. } = set;
        let of = format!("{name}, {nodes} x {nodes} points, seconds of all");
        let row = Row::number(&of, set.published, set.total(), 0, 0.05);
        let others = studies.iter().map(|study| study.sets[at].total());
        found.rows.push(row.open(WINDOW, others));
        if let Some(prediction) = &set.strata {
            let total = prediction.total;
            found.notes.push(format!(
                "{name} from as many random points: {:.1} s, in 90 of 100 cases {:.1} to {:.1} s.",
                total.value, total.low, total.high
            ));
        }
    }
    Ok(found)
}

/// Repeats table 3: largest errors by the makespan of all points.
pub(crate) fn table_3(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let studies = studies()?;
    let mut rows = Vec::new();
    for (at, network) in studies[0].networks.iter().enumerate() {
        for (set, published) in (1..).zip(network.kind.published()) {
            let of = format!("{:?}, S{set}, largest error in per cent", network.kind);
            let row = Row::number(&of, published, network.largest_error(set), 1, 0.1);
            let others = studies.iter();
            let others = others.map(|study| study.networks[at].largest_error(set));
            rows.push(row.open(WINDOW, others));
        }
    }
    Ok(findings(rows))
}

/// Repeats table 4: makespans are off by what totals are, by the number of slaves.
pub(crate) fn table_4(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let Study { sets, networks, .. } = &studies()?[0];
    let rows = networks.iter().map(|network| {
        let (processors, row) = &network.rows[0];
        let expected = (sets[3].total() - TOTAL) / (processors - 1) as f64;
        let found = row[3] - row[0];
        Row::statement(
            "agrees well: on 8 processors S3 is off by 75 s by its total, and by 76 s by its makespan",
            format!("{expected:.1} s, {:?}: {found:.1} s", network.kind),
            (found / expected - 1.0).abs() < 0.05,
        )
    });
    Ok(findings(rows.collect()))
}

/// Names of the sets in drawings.
const NAMES: [&str; 4] = [
    "S0: all points",
    "S1: 256 x 256",
    "S2: 32 x 32",
    "S3: 4 x 4",
];

/// Draws figure 5: predicted makespans over processors. Of the measured ones the paper has their
/// sum alone (table 5), and where they are shortest.
pub(crate) fn figure_5(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let networks = &studies()?[0].networks;
    let drawing = |network: &Network| {
        let curve = |(set, name): (usize, &str)| {
            let rows = network.rows.iter();
            let points = rows.map(|(processors, row)| (*processors as f64, row[set]));
            Curve::new(name, points.collect())
        };
        let name = format!("{:?}", network.kind);
        Drawing {
            name: format!("figure-5-{}", name.to_lowercase()),
            title: format!("{name}: predicted makespan"),
            over: "processors",
            value: "s",
            scales: [Scale::Logarithmic; 2],
            curves: NAMES.into_iter().enumerate().map(curve).collect(),
        }
    };
    let near = |network: &Network| {
        let [s1, s2] = [1, 2].map(|set| network.largest_error(set));
        Row::statement(
            "S1 and S2 are off by 8.2 % at most",
            format!("{:?}: off by {s1:.1} and {s2:.1} % at most", network.kind),
            s1 <= 8.2 && s2 <= 8.2,
        )
    };
    let drawings: Vec<Drawing> = networks.iter().map(drawing).collect();
    let (fastest, _) = drawings[0].curves[0].least();
    let mut rows: Vec<Row> = networks.iter().map(near).collect();
    let of = "Ethernet: processors with which the run is the fastest";
    rows.push(Row::number(of, 56.0, fastest, 0, 0.15));
    let note = "The measured curves are not to be had: they are of a real cluster.";
    Ok(findings(rows).drawn(drawings).noted([note]))
}

/// Repeats table 5 without the times of its machine: what runs take, and the partial ones.
pub(crate) fn table_5(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let studies = studies()?;
    let Study { sets, networks, .. } = &studies[0];
    let mut rows = Vec::new();
    for (network, runs, ratios) in [
        (&networks[0], 1485.0, [0.81, 11.7]),
        (&networks[1], 831.0, [0.45, 6.06]),
    ] {
        let kind = network.kind;
        let sum: f64 = network.rows.iter().map(|(_, row)| row[0]).sum();
        let of = format!("{kind:?}, seconds of the runs on 8 to 128 processors by 8");
        rows.push(Row::number(&of, runs, sum, 0, 0.05));
        for (set, published) in sets.iter().zip(ratios) {
            let of = format!(
                "{kind:?}, {}, runs by the partial run of a prediction",
                set.name
            );
            rows.push(Row::number(&of, published, sum / set.partial, 2, 0.25));
        }
    }
    for (at, published, digits) in [(1, 114.0, 0), (2, 1.71, 2), (3, 0.02, 3)] {
        let of = format!("{}, seconds of the partial run", sets[at].name);
        let row = Row::number(&of, published, sets[at].partial, digits, 0.05);
        rows.push(row.open(WINDOW, studies.iter().map(|study| study.sets[at].partial)));
    }
    let note = "Seconds of interpolations and simulations are of the machine of the time; of S2 and S3 they are most of a prediction.";
    Ok(findings(rows).noted([note]))
}

/// Repeats figure 6: how long a prediction takes beside a run, with the paper's own queue.
pub(crate) fn figure_6(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let sets = &studies()?[0].sets;
    let (mut rows, mut drawings) = (Vec::new(), Vec::new());
    for kind in [NetworkKind::Ethernet, NetworkKind::Myrinet] {
        let mut curves = Vec::new();
        let mut most = 0.0_f64;
        for set in [0, 3] {
            let mut points = Vec::new();
            for processors in [8, 32, 56, 128, 256, 640, 1024] {
                let start = Instant::now();
                let network = kind.parameters(processors);
                let listed = simulate(&network, processors - 1, &sets[set].costs);
                let seconds = start.elapsed().as_secs_f64();
                points.push((processors as f64, seconds));
                if set == 0 && processors <= 128 {
                    most = most.max(seconds / listed.makespan);
                }
            }
            curves.push(Curve::new(NAMES[set], points));
        }
        let name = format!("{kind:?}");
        rows.push(Row::statement(
            "a prediction of up to 128 processors is at least 8 times as fast as the run",
            format!("{name}: it takes {most:.4} of the run at most"),
            most < 0.125,
        ));
        drawings.push(Drawing {
            name: format!("figure-6-{}", name.to_lowercase()),
            title: format!("{name}: time of a simulation"),
            over: "processors",
            value: "s",
            scales: [Scale::Logarithmic; 2],
            curves,
        });
    }
    Ok(findings(rows).drawn(drawings))
}

/// Counts the millions of events that the paper's queue moves on Myrinet.
fn moves(set: &Set, processors: usize) -> f64 {
    let network = NetworkKind::Myrinet.parameters(processors);
    simulate(&network, processors - 1, &set.costs).moves as f64 / 1e6
}

/// Windows of which moves are counted: the first, and those in which they are few.
fn counted(studies: &[Study]) -> impl Iterator<Item = &Study> {
    studies[..1].iter().chain(&studies[4..])
}

/// Repeats figure 7: inserting an event, by the events that are moved, to which its time is in
/// proportion.
pub(crate) fn figure_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let studies = studies()?;
    let curve = |(set, name): (&Set, &str)| {
        let points =
            [8, 64, 256, 640, 1024].map(|processors| (processors as f64, moves(set, processors)));
        Curve::new(name, points.into())
    };
    let curves = studies[0].sets.iter().zip(NAMES).map(curve).collect();
    let grown = Row::cases(
        "from 640 processors on the time hardly grows",
        WINDOW,
        counted(studies).map(|study| {
            let [near, far] = [640, 1024].map(|processors| moves(&study.sets[0], processors));
            let name = study.window.name;
            (
                format!("{name}: {near:.1} and {far:.1} million moves"),
                far < 1.1 * near,
            )
        }),
    );
    Ok(findings(vec![grown]).drawn([Drawing {
        name: "figure-7".into(),
        title: "Myrinet: events that are moved".into(),
        over: "processors",
        value: "millions",
        scales: [Scale::Logarithmic; 2],
        curves,
    }]))
}

/// Repeats table 6: events that are moved.
pub(crate) fn table_6(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let studies = studies()?;
    let mut rows = Vec::new();
    for (set, published) in [
        [6.0, 20.0, 70.0],
        [5.0, 18.0, 67.0],
        [2.0, 14.0, 63.0],
        [0.2, 6.0, 38.0],
    ]
    .into_iter()
    .enumerate()
    {
        for (processors, published) in [64, 256, 1024].into_iter().zip(published) {
            let of = format!("S{set}, {processors} processors, millions of moves");
            let digits = usize::from(published < 1.0);
            let found = moves(&studies[0].sets[set], processors);
            let row = Row::number(&of, published, found, digits, 0.1);
            let others = counted(studies).skip(1);
            rows.push(row.open(
                WINDOW,
                others.map(|study| moves(&study.sets[set], processors)),
            ));
        }
    }
    Ok(findings(rows))
}
