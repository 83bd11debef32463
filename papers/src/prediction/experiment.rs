//! The experiment that the tables show.

use std::fmt::{self, Write};

use superstep_farm::{Axis, Grid, Invalid, LogGp, MasterSlave, Prediction, Sampling};

/// Seconds that all points take in the paper, of 2003, and here.
const TOTAL: f64 = 1820.0;

/// Processors, the master among them.
const PROCESSORS: [u32; 8] = [8, 16, 24, 32, 48, 64, 96, 128];

/// Bytes of a point's message, and of its result's.
const BYTES: [f64; 2] = [16.0, 8.0];

/// The points that a prediction is made from.
struct Set {
    name: &'static str,
    /// Nodes along each axis.
    nodes: usize,
    /// Predicted seconds of all points, in the paper.
    published: f64,
    costs: Vec<f64>,
    /// Prediction from as many random points.
    strata: Option<Prediction>,
}

/// All points, and predictions from some.
pub struct Experiment {
    points: usize,
    sets: Vec<Set>,
}

/// Makespans on one network.
pub struct Network {
    /// Its kind.
    pub name: &'static str,
    /// Makespan that each set predicts, for each number of processors.
    pub rows: Vec<(u32, Vec<f64>)>,
    /// Largest errors by the makespan of all points, in the paper.
    published: [f64; 3],
}

/// Iterations of a point before it leaves the circle of radius 2, at most 1000.
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

impl Experiment {
    /// Computes the set at so many points along each axis, at least 4, and predicts it from some.
    ///
    /// # Errors
    /// When there are too few points.
    pub fn new(points: usize) -> Result<Self, Invalid> {
        // The paper names neither the window nor the limit of iterations.
        let at = |from: f64, index: usize| from + 3.0 * index as f64 / (points - 1) as f64;
        let row = |j| (0..points).map(move |i| f64::from(iterations(at(-2.0, i), at(-1.5, j))));
        let mut costs: Vec<f64> = (0..points).flat_map(row).collect();
        let scale = TOTAL / costs.iter().sum::<f64>();
        costs.iter_mut().for_each(|cost| *cost *= scale);
        let mut sets = vec![Set {
            name: "S0",
            nodes: points,
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
        Ok(Self { points, sets })
    }

    /// Simulates masters and slaves on two networks, for each number of processors.
    ///
    /// # Errors
    /// When a quantity is out of its range: never, with the costs of points.
    pub fn makespans(&self) -> Result<[Network; 2], Invalid> {
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
        Ok([
            self.on("Ethernet", [0.5, 4.3, 27.0], ethernet)?,
            self.on("Myrinet", [0.2, 4.1, 29.0], myrinet)?,
        ])
    }

    fn on(
        &self,
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
            let makespans = self.sets.iter().map(makespan).collect::<Result<_, _>>()?;
            Ok((processors, makespans))
        };
        Ok(Network {
            name,
            rows: PROCESSORS.into_iter().map(row).collect::<Result<_, _>>()?,
            published,
        })
    }

    /// Lists the totals: one line for each set.
    pub fn totals_csv(&self) -> String {
        let mut text =
            "set,samples,published,interpolated,strata,strata low,strata high\n".to_owned();
        for set in &self.sets {
            let (samples, total) = (set.nodes * set.nodes, set.total());
            // Writing to a string does not fail.
            let _ = write!(text, "{},{samples},{},{total:.6}", set.name, set.published);
            let _ = match &set.strata {
                Some(prediction) => {
                    let total = prediction.total;
                    writeln!(
                        text,
                        ",{:.6},{:.6},{:.6}",
                        total.value, total.low, total.high
                    )
                }
                None => writeln!(text, ",,,"),
            };
        }
        text
    }

    /// Says what the paper states, and what is found.
    pub fn text(&self, makespans: &[Network]) -> String {
        let mut text = String::new();
        self.write(makespans, &mut text)
            .expect("a string can be written to");
        text
    }

    fn write(&self, makespans: &[Network], text: &mut String) -> fmt::Result {
        let points = self.points;
        writeln!(
            text,
            "table 1: seconds of all {points} x {points} points, predicted from some"
        )?;
        for set in &self.sets[1..] {
            let Set { name, nodes, .. } = set;
            let (total, error) = (set.total(), set.error());
            writeln!(text, "  {name}: {nodes} x {nodes} points")?;
            let published = 100.0 * (set.published / TOTAL - 1.0).abs();
            writeln!(
                text,
                "    published  {} s, off by {published:.1} %",
                set.published
            )?;
            writeln!(text, "    measured   {total:.1} s, off by {error:.2} %")?;
            if let Some(prediction) = &set.strata {
                let total = prediction.total;
                let error = 100.0 * (total.value / TOTAL - 1.0).abs();
                writeln!(
                    text,
                    "    strata     {:.1} s, off by {error:.2} %, in 90 of 100 cases {:.1} to {:.1} s",
                    total.value, total.low, total.high
                )?;
            }
        }
        writeln!(
            text,
            "table 3: largest error by the makespan of all points, 8 to 128 processors"
        )?;
        for network in makespans {
            let [s1, s2, s3] = network.published;
            let [e1, e2, e3] = [1, 2, 3].map(|set| network.largest_error(set));
            writeln!(text, "  {}: S1, S2, S3", network.name)?;
            writeln!(text, "    published  {s1}, {s2}, {s3} %")?;
            writeln!(text, "    measured   {e1:.1}, {e2:.1}, {e3:.1} %")?;
        }
        writeln!(
            text,
            "table 4: the makespan is off by that of the total, by the number of slaves"
        )?;
        writeln!(
            text,
            "    published  \"agrees well\": S3 on 8 processors by 75 s, Ethernet and Myrinet by 76 s"
        )?;
        for network in makespans {
            let (processors, row) = &network.rows[0];
            let expected = (self.sets[3].total() - TOTAL) / f64::from(processors - 1);
            writeln!(
                text,
                "    measured   S3 on {processors} processors by {expected:.1} s, {} by {:.1} s",
                network.name,
                row[3] - row[0]
            )?;
        }
        writeln!(
            text,
            "The window [-2, 1] x [-1.5, 1.5], 1000 iterations and the parameters of the networks are ours: the paper names none."
        )
    }
}

impl Set {
    fn total(&self) -> f64 {
        self.costs.iter().sum()
    }

    /// Returns the per cent by which the total is off.
    fn error(&self) -> f64 {
        100.0 * (self.total() / TOTAL - 1.0).abs()
    }
}

impl Network {
    /// Returns the per cent by which a set's makespan is off, at most.
    fn largest_error(&self, set: usize) -> f64 {
        let errors = self
            .rows
            .iter()
            .map(|(_, row)| 100.0 * (row[set] / row[0] - 1.0).abs());
        errors.fold(0.0, f64::max)
    }
}

/// Lists makespans: one line for each network and number of processors, one column for each set.
pub fn makespans_csv(networks: &[Network]) -> String {
    let mut text = "network,processors,S0,S1,S2,S3\n".to_owned();
    for network in networks {
        for (processors, row) in &network.rows {
            let row: Vec<String> = row
                .iter()
                .map(|makespan| format!("{makespan:.6}"))
                .collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{},{processors},{}", network.name, row.join(","));
        }
    }
    text
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
