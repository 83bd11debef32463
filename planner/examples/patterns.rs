//! Prints gains and costs of planning for triangular solves, sweeps and ILU:
//! `cargo run --release -p superstep-planner --example patterns [NAME]`.
//!
//! Candidates have their predicted time over that of the sequential solve. `order` is the time of
//! all processors' chunks, one after the other on one thread, over the sequential solve. `by it` is
//! the product of `order` and the time that work and waits alone predict. So it counts what order
//! does to caches and latencies, too. Planning is counted in sequential solves. Times are processor
//! times of this thread, which other programs disturb little.

use std::ops::Range;
use std::{env, hint::black_box};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustix::time::{ClockId, clock_gettime};

use superstep_planner::{
    Accesses, Algorithm, Candidate, Costs, Fault, Graph, Plan, Track, choose, doacross, farm,
    grow_local, levels, owners, pipeline, predict, prove,
};

/// A kernel over `f64` in place.
trait Kernel: Track {
    fn body(&self, iteration: usize, data: &mut [f64]);
    fn data(&self) -> Vec<f64>;
    /// Entries of the pattern.
    fn entries(&self) -> usize;
}

/// Triangular solve: the strict lower triangle in compressed rows, the diagonal apart. [`Sweeps`]
/// has both triangles in it.
struct Lower {
    row: Vec<usize>,
    col: Vec<usize>,
    values: Vec<f64>,
    diagonal: Vec<f64>,
    b: Vec<f64>,
    lengths: [usize; 1],
}

impl Lower {
    fn new(n: usize, mut columns: impl FnMut(usize, &mut Vec<usize>)) -> Self {
        let (mut row, mut col) = (vec![0], Vec::new());
        for i in 0..n {
            columns(i, &mut col);
            row.push(col.len());
        }
        let values = (0..col.len()).map(|k| 1.0 / (2 + k % 97) as f64 / 50.0);
        Self {
            values: values.collect(),
            diagonal: (0..n).map(|i| 1.0 + 1.0 / (1 + i % 31) as f64).collect(),
            b: (0..n).map(|i| 1.0 + (i % 13) as f64).collect(),
            row,
            col,
            lengths: [n],
        }
    }

    fn grid(sides: &[usize]) -> Self {
        let n = sides.iter().product();
        Self::new(n, |i, col| {
            let mut stride = n;
            for &side in sides {
                stride /= side;
                if i / stride % side > 0 {
                    col.push(i - stride);
                }
            }
        })
    }

    fn band(n: usize, half: usize) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        Self::new(n, |i, col| {
            col.extend((i.saturating_sub(half)..i).filter(|_| random.random()));
        })
    }

    fn random(n: usize, entries: usize) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(2);
        // Entries of a whole row, of which those below the diagonal count.
        Self::new(n, |i, col| {
            let mut row: Vec<usize> = (0..entries)
                .map(|_| random.random_range(0..n))
                .filter(|&j| j < i)
                .collect();
            row.sort_unstable();
            row.dedup();
            col.extend(row);
        })
    }
}

impl Kernel for Lower {
    #[inline]
    fn body(&self, i: usize, x: &mut [f64]) {
        let mut sum = self.b[i];
        for k in self.row[i]..self.row[i + 1] {
            sum -= self.values[k] * x[self.col[k]];
        }
        x[i] = sum / self.diagonal[i];
    }

    fn data(&self) -> Vec<f64> {
        vec![1.0; self.b.len()]
    }

    fn entries(&self) -> usize {
        self.col.len()
    }
}

/// Sweeps of Gauss-Seidel, one forward and one backward, over a lower triangle and its transpose.
struct Sweeps(Lower);

impl Sweeps {
    /// Makes the pattern symmetric.
    fn new(lower: Lower) -> Self {
        let n = lower.b.len();
        let mut rows = vec![vec![]; n];
        for i in 0..n {
            for &j in &lower.col[lower.row[i]..lower.row[i + 1]] {
                rows[i].push(j);
                rows[j].push(i);
            }
        }
        let mut rows = rows.into_iter();
        Self(Lower::new(n, |_, col| {
            let mut row = rows.next().expect("a row");
            row.sort_unstable();
            col.extend(row);
        }))
    }

    /// Returns the row of an iteration: all rows go forward, then backward.
    fn row(&self, iteration: usize) -> usize {
        let n = self.0.b.len();
        iteration.min((2 * n - 1).wrapping_sub(iteration))
    }
}

impl Track for Sweeps {
    fn iterations(&self) -> u32 {
        2 * self.0.iterations()
    }

    fn lengths(&self) -> &[usize] {
        &self.0.lengths
    }

    fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
        for iteration in iterations {
            let row = self.row(iteration as usize) as u32;
            self.0.track(row..row + 1, x)?;
        }
        Ok(())
    }
}

impl Kernel for Sweeps {
    #[inline]
    fn body(&self, iteration: usize, x: &mut [f64]) {
        self.0.body(self.row(iteration), x);
    }

    fn data(&self) -> Vec<f64> {
        self.0.data()
    }

    fn entries(&self) -> usize {
        2 * self.0.entries()
    }
}

/// Incomplete LU without fill, by rows.
struct Ilu {
    row: Vec<usize>,
    col: Vec<usize>,
    diagonal: Vec<usize>,
    lengths: [usize; 1],
}

impl Ilu {
    fn new(sweeps: Sweeps) -> Self {
        let Lower { row, col, .. } = sweeps.0;
        let (mut rows, mut all, mut diagonal) = (vec![0], Vec::new(), Vec::new());
        for i in 0..row.len() - 1 {
            let (start, columns) = (all.len(), &col[row[i]..row[i + 1]]);
            let below = columns.partition_point(|&j| j < i);
            all.extend_from_slice(&columns[..below]);
            diagonal.push(start + below);
            all.push(i);
            all.extend_from_slice(&columns[below..]);
            rows.push(all.len());
        }
        Self {
            row: rows,
            lengths: [all.len()],
            col: all,
            diagonal,
        }
    }
}

impl Track for Ilu {
    fn iterations(&self) -> u32 {
        self.diagonal.len() as u32
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, iterations: Range<u32>, a: &mut Accesses<'_>) -> Result<(), Fault> {
        for i in iterations.start as usize..iterations.end as usize {
            a.begin();
            for ik in self.row[i]..self.diagonal[i] {
                let k = self.col[ik];
                a.read(0, ik..ik + 1);
                a.read(0, self.diagonal[k]..self.diagonal[k] + 1);
                a.write(0, ik..ik + 1);
                let mut ij = ik + 1;
                for kj in self.diagonal[k] + 1..self.row[k + 1] {
                    while ij < self.row[i + 1] && self.col[ij] < self.col[kj] {
                        ij += 1;
                    }
                    if ij < self.row[i + 1] && self.col[ij] == self.col[kj] {
                        a.read(0, kj..kj + 1);
                        a.read(0, ij..ij + 1);
                        a.write(0, ij..ij + 1);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Kernel for Ilu {
    #[inline]
    fn body(&self, i: usize, a: &mut [f64]) {
        for ik in self.row[i]..self.diagonal[i] {
            let k = self.col[ik];
            let factor = a[ik] / a[self.diagonal[k]];
            a[ik] = factor;
            let mut ij = ik + 1;
            for kj in self.diagonal[k] + 1..self.row[k + 1] {
                while ij < self.row[i + 1] && self.col[ij] < self.col[kj] {
                    ij += 1;
                }
                if ij < self.row[i + 1] && self.col[ij] == self.col[kj] {
                    a[ij] -= factor * a[kj];
                }
            }
        }
    }

    fn data(&self) -> Vec<f64> {
        let mut data = vec![-1.0; self.col.len()];
        for &diagonal in &self.diagonal {
            data[diagonal] = 7.0;
        }
        data
    }

    fn entries(&self) -> usize {
        self.col.len()
    }
}

impl Track for Lower {
    fn iterations(&self) -> u32 {
        self.diagonal.len() as u32
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
        for i in iterations.start as usize..iterations.end as usize {
            x.begin();
            for &j in &self.col[self.row[i]..self.row[i + 1]] {
                x.read(0, j..j + 1);
            }
            x.write(0, i..i + 1);
        }
        Ok(())
    }
}

/// Returns the least processor time of some calls, in nanoseconds, and the result of that call.
fn time<T>(calls: usize, mut call: impl FnMut() -> T) -> (f64, T) {
    let now = || {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
    };
    let mut best: Option<(f64, T)> = None;
    for _ in 0..calls {
        let start = now();
        let result = black_box(call());
        let time = now() - start;
        if best.as_ref().is_none_or(|best| time < best.0) {
            best = Some((time, result));
        }
    }
    best.expect("some calls")
}

/// Returns the time of all rows in the orders of a plan's processors, one processor after the
/// other, in nanoseconds.
///
/// Rows see other values than they should, which take the same time.
fn in_order(kernel: &impl Kernel, plan: &Plan) -> f64 {
    let mut data = kernel.data();
    let list = |processor| {
        let (time, ()) = time(5, || {
            for chunk in plan.order.steps_of(processor) {
                for &grain in plan.grains_of(chunk) {
                    for iteration in plan.iterations_of(grain) {
                        kernel.body(iteration as usize, &mut data);
                    }
                }
            }
        });
        time
    };
    (0..plan.order.processors() as u32).map(list).sum()
}

/// Prints what planning a kernel costs and gains, on 2, 4 and 8 processors.
fn report(name: &str, kernel: &impl Kernel) {
    let n = kernel.iterations() as usize;
    let mut data = kernel.data();
    let (solve, ()) = time(9, || {
        for i in 0..n {
            kernel.body(i, &mut data);
        }
    });
    let mut costs = Costs::default();
    // In the first graph the work counts words.
    let words = Graph::new(kernel, &costs).expect("good structure");
    let words: f64 = words.work().iter().map(|&work| f64::from(work)).sum();
    costs.word = solve / words;
    let (graph_time, graph) = time(9, || Graph::new(kernel, &costs).expect("good structure"));
    println!(
        "\n{name}: {n} iterations, {} entries, {:.2} ms in order, {:.2} ns a word; {} grains, {} edges, graph {:.2} solves",
        kernel.entries(),
        solve / 1e6,
        costs.word,
        graph.grains(),
        graph.edges(),
        graph_time / solve
    );
    let single = Costs {
        least: 0.0,
        ..costs
    };
    let rows = Graph::new(kernel, &single).expect("good structure");
    let report = choose(&rows, 2, &single).expect("processors").1;
    println!("with single rows as grains, {report}");
    for processors in [2, 4, 8] {
        let (choice_time, (plan, report)) = time(3, || {
            choose(&graph, processors, &costs).expect("processors")
        });
        print!("{report}");
        let (proof_time, proved) = time(9, || prove(kernel, plan.clone()).expect("a right plan"));
        // Bytes of the plan's tables: grains of chunks, boundaries and waits.
        let kept = 4
            * (plan.grains.items.len() + plan.boundaries.len() + plan.grains.offsets.len() * 2)
            + 8 * plan.order.waits.items.len();
        println!(
            "  choice {:.2} + graph {:.2} + proof {:.2} = {:.2} solves; kept {:.1} bytes a row",
            choice_time / solve,
            graph_time / solve,
            proof_time / solve,
            (choice_time + graph_time + proof_time) / solve,
            kept as f64 / n as f64
        );
        // The order has the costs of chunks and jumps already.
        let pure = Costs {
            chunk: 0.0,
            jump: 0.0,
            crossing: 0.0,
            ..costs
        };
        let with_order = |plan: &Plan, chosen: &Candidate| {
            let order = in_order(kernel, plan) / solve;
            let time = match chosen.algorithm {
                Algorithm::Farm => chosen.ratio * report.nanoseconds,
                _ => predict(plan, &graph, &pure).expect("no deadlock"),
            };
            format!("order {order:.2}, by it {:.2}", order * time / solve)
        };
        println!("  chosen: {}", with_order(proved.plan(), report.chosen()));
        for each in &report.candidates {
            let (took, plan) = match each.algorithm {
                Algorithm::Doacross(windows) => time(2, || doacross(&graph, processors, windows)),
                Algorithm::Sequential => time(2, || Plan::sequential(graph.boundaries().clone())),
                Algorithm::Levels => time(2, || levels(&graph, processors)),
                Algorithm::GrowLocal => time(2, || grow_local(&graph, processors, &costs)),
                Algorithm::Pipeline => time(2, || pipeline(&graph, processors, &costs)),
                Algorithm::Farm => time(2, || farm(&graph, processors, &costs)),
                Algorithm::Owners(parts) => time(2, || owners(&graph, processors, parts)),
            };
            println!(
                "    {}: {}, scheduled in {:.2} solves",
                each.algorithm,
                with_order(&plan, each),
                took / solve
            );
        }
    }
}

fn main() {
    let wanted = env::args().nth(1).unwrap_or_default();
    let is_wanted = |name: &str| name.contains(&wanted);
    type Pattern = (&'static str, fn() -> Lower);
    let patterns: [Pattern; 5] = [
        ("5-point 1000^2", || Lower::grid(&[1000, 1000])),
        ("7-point 100^3", || Lower::grid(&[100, 100, 100])),
        ("band 8 of 10^6", || Lower::band(1_000_000, 8)),
        ("band 32 of 10^6", || Lower::band(1_000_000, 32)),
        ("random 8 of 10^5", || Lower::random(100_000, 8)),
    ];
    for (name, make) in patterns {
        if is_wanted(name) {
            report(name, &make());
        }
    }
    let cube = || Sweeps::new(Lower::grid(&[100, 100, 100]));
    if is_wanted("sweeps, 7-point 100^3") {
        report("sweeps, 7-point 100^3", &cube());
    }
    if is_wanted("ilu, 7-point 100^3") {
        report("ilu, 7-point 100^3", &Ilu::new(cube()));
    }
}
