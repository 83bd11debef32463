//! Workloads and platforms on which policies are compared.
//!
//! There are 16,384 items: tiles of 8 x 8 points of the Mandelbrot set, in rows or shuffled, or
//! items of equal cost. Their costs are predicted from those of 33 x 33 tiles by linear
//! interpolation, or are known up to independent errors of 50 %.

use std::sync::LazyLock;

use rand_pcg::{Pcg64, rand_core::Rng};
use superstep_farm::{Axis, Grid, Items, Platform};

/// Tiles in a row, and rows.
pub(crate) const SIDE: usize = 128;
/// Number of items.
pub(crate) const ITEMS: usize = SIDE * SIDE;

/// Iterations of z^2 + c until |z| > 2, at most 1000, for the points of each tile together. There
/// are 1024 x 1024 points of [-2, 1] x [-1.5, 1.5].
static TILES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let mut tiles = vec![0.0; ITEMS];
    let points = 8 * SIDE;
    for row in 0..points {
        for column in 0..points {
            let c = (
                -2.0 + 3.0 * column as f64 / (points - 1) as f64,
                -1.5 + 3.0 * row as f64 / (points - 1) as f64,
            );
            let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
            while steps < 1000 && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + c.0, 2.0 * x * y + c.1);
                steps += 1;
            }
            tiles[row / 8 * SIDE + column / 8] += f64::from(steps);
        }
    }
    tiles
});

/// Interpolates between the tiles of a grid of `nodes` x `nodes`.
fn interpolated(tiles: &[f64], nodes: usize) -> Vec<f64> {
    let axis = Axis::spread(SIDE, nodes).expect("fewer nodes than tiles");
    let at = |row: f64, column: f64| tiles[row as usize * SIDE + column as usize];
    let rows = axis.nodes().iter();
    let values = rows.flat_map(|&row| axis.nodes().iter().map(move |&column| at(row, column)));
    let values = values.collect();
    let grid = Grid::new(vec![axis.clone(), axis.clone()], values).expect("a value for each node");
    grid.everywhere(&[SIDE, SIDE]).expect("a square of tiles")
}

/// Workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    Uniform,
    Noise,
    Mandelbrot,
    Shuffled,
}

impl Load {
    pub(crate) const ALL: [Self; 4] =
        [Self::Uniform, Self::Noise, Self::Mandelbrot, Self::Shuffled];
}

/// Costs that are true, and those that are predicted.
pub(crate) struct Costs {
    pub(crate) real: Vec<f64>,
    pub(crate) predicted: Vec<f64>,
}

impl Costs {
    /// Makes the costs of a workload, with this sum of the true ones.
    pub(crate) fn new(load: Load, sum: f64) -> Self {
        let mut random = Pcg64::new(20, 1);
        let mut uniform = move || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let (mut real, mut predicted) = match load {
            Load::Uniform => (vec![1.0; ITEMS], vec![1.0; ITEMS]),
            Load::Noise => {
                // Uniform in a range of 50 % on both sides.
                let real = (0..ITEMS).map(|_| 0.5 + uniform()).collect();
                (real, vec![1.0; ITEMS])
            }
            Load::Mandelbrot | Load::Shuffled => (TILES.clone(), interpolated(&TILES, 33)),
        };
        if load == Load::Shuffled {
            for at in (1..ITEMS).rev() {
                let other = (uniform() * (at + 1) as f64) as usize;
                real.swap(at, other);
                predicted.swap(at, other);
            }
        }
        let scale = sum / real.iter().sum::<f64>();
        real.iter_mut().for_each(|cost| *cost *= scale);
        predicted.iter_mut().for_each(|cost| *cost *= scale);
        Self { real, predicted }
    }

    /// Returns the root of the mean square of the residuals, by the mean cost.
    pub(crate) fn error(&self) -> f64 {
        let squares = self.real.iter().zip(&self.predicted);
        let sum: f64 = squares
            .map(|(real, predicted)| (real - predicted).powi(2))
            .sum();
        (sum / ITEMS as f64).sqrt() / (self.predicted.iter().sum::<f64>() / ITEMS as f64)
    }
}

/// A platform with a name; items have one byte each.
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) platform: Platform,
    /// Seconds of work for each worker.
    pub(crate) each: f64,
}

impl Setting {
    pub(crate) fn items(&self, costs: &[f64]) -> Items {
        let items = Items::new(costs).unwrap();
        items.with_bytes(&vec![1.0; ITEMS]).unwrap()
    }

    pub(crate) fn work(&self) -> f64 {
        self.each * self.platform.workers as f64
    }
}

/// Returns platforms:
///
/// * threads;
/// * clusters whose network takes 10, 86 and 170 % of the work;
/// * a master with links to several workers at a time;
/// * the grid of table 1 of the PTUMR paper.
pub(crate) fn settings() -> Vec<Setting> {
    let cluster = |name, share: f64, setup, many: f64| {
        // All items sent to one worker after the other take this share of the time that they are
        // computed.
        let master_bandwidth = ITEMS as f64 / (share * 0.5);
        Setting {
            name,
            each: 0.5,
            platform: Platform {
                workers: 64,
                speed: 1.0,
                worker_bandwidth: master_bandwidth / many,
                master_bandwidth,
                setup,
                latency: 25e-6,
                overhead: 5e-6,
                weights: Vec::new(),
            },
        }
    };
    vec![
        Setting {
            name: "threads",
            each: 0.5,
            platform: Platform {
                latency: 2e-7,
                setup: 5e-7,
                overhead: 1e-7,
                ..Platform::threads(16)
            },
        },
        cluster("light", 0.1, 5e-6, 1.0),
        cluster("heavy", 0.86, 5e-6, 1.0),
        cluster("fat master", 0.107, 1e-3, 8.0),
        Setting {
            name: "grid",
            each: 10.0,
            platform: Platform {
                workers: 100,
                speed: 1.0,
                worker_bandwidth: 120.0 / 1000.0 * ITEMS as f64,
                master_bandwidth: 600.0 / 1000.0 * ITEMS as f64,
                setup: 0.1,
                latency: 0.0,
                overhead: 0.5,
                weights: Vec::new(),
            },
        },
        cluster("network-bound", 1.7, 5e-6, 1.0),
    ]
}
