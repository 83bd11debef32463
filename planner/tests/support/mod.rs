//! Kernels, patterns, and an executor that interleaves processors at random.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::ops::Range;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use superstep_planner::{
    Accesses, Costs, Fault, Graph, Plan, Recording, Track, Windows, Within, doacross, farm,
    grow_local, levels, owners, pipeline,
};

/// A square pattern in compressed rows; entries of a row have any order and may repeat.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) row: Vec<usize>,
    pub(crate) col: Vec<usize>,
}

impl Pattern {
    pub(crate) fn new(rows: impl IntoIterator<Item = Vec<usize>>) -> Self {
        let (mut row, mut col) = (vec![0], Vec::new());
        for each in rows {
            col.extend(each);
            row.push(col.len());
        }
        Self { row, col }
    }

    pub(crate) fn rows(&self) -> usize {
        self.row.len() - 1
    }

    pub(crate) fn columns(&self, row: usize) -> &[usize] {
        &self.col[self.row[row]..self.row[row + 1]]
    }

    /// Makes a pattern of each family, by number: about `n` rows.
    pub(crate) fn family(number: usize, n: usize, random: &mut Pcg64Mcg) -> Self {
        let side = (n as f64).sqrt() as usize;
        let rows: Vec<Vec<usize>> = match number % Self::FAMILIES {
            // Random, with empty rows and duplicates.
            0 | 1 => (0..n)
                .map(|_| {
                    let entries = random.random_range(0..5);
                    (0..entries).map(|_| random.random_range(0..n)).collect()
                })
                .collect(),
            // A chain.
            2 => (0..n)
                .map(|i| i.checked_sub(1).into_iter().collect())
                .collect(),
            // A star: all need the first.
            3 => (0..n).map(|_| vec![0]).collect(),
            // One dense row among empty ones.
            4 => {
                let dense = random.random_range(0..n);
                let full = |i| if i == dense { (0..n).collect() } else { vec![] };
                (0..n).map(full).collect()
            }
            // A 5-point grid.
            5 => (0..side * side)
                .map(|i| {
                    let mut near = vec![];
                    near.extend((i >= side).then(|| i - side));
                    near.extend((i % side > 0).then(|| i - 1));
                    near.extend((i % side + 1 < side).then(|| i + 1));
                    near.extend((i + side < side * side).then(|| i + side));
                    near
                })
                .collect(),
            // A band, half full.
            6 => {
                let half = 1 + random.random_range(0..8);
                (0..n)
                    .map(|i| {
                        let band = i.saturating_sub(half)..(i + half + 1).min(n);
                        band.filter(|_| random.random_range(0..2) == 0).collect()
                    })
                    .collect()
            }
            // Chains beside each other.
            _ => {
                let chains = 1 + random.random_range(0..12);
                (0..n)
                    .map(|i| i.checked_sub(chains).into_iter().collect())
                    .collect()
            }
        };
        let pattern = Self::new(rows);
        if random.random_range(0..3) == 0 {
            return pattern.permuted(random);
        }
        pattern
    }

    pub(crate) const FAMILIES: usize = 8;

    /// Rows and columns renumbered at random.
    fn permuted(&self, random: &mut Pcg64Mcg) -> Self {
        let n = self.rows();
        let mut new: Vec<usize> = (0..n).collect();
        new.shuffle(random);
        let mut rows = vec![vec![]; n];
        for i in 0..n {
            rows[new[i]] = self.columns(i).iter().map(|&j| new[j]).collect();
        }
        Self::new(rows)
    }

    /// Sorts rows, without duplicates and with the whole diagonal.
    pub(crate) fn with_diagonal(&self) -> Self {
        Self::new((0..self.rows()).map(|i| {
            let mut columns = self.columns(i).to_vec();
            columns.push(i);
            columns.sort_unstable();
            columns.dedup();
            columns
        }))
    }

    /// Returns the position of an entry.
    pub(crate) fn find(&self, row: usize, column: usize) -> Option<usize> {
        let found = self.columns(row).binary_search(&column).ok()?;
        Some(self.row[row] + found)
    }
}

/// Words that an iteration gets and sets.
pub(crate) trait Words {
    fn get(&mut self, array: u16, word: usize) -> f64;
    fn set(&mut self, array: u16, word: usize, value: f64);
}

impl Words for Vec<Vec<f64>> {
    fn get(&mut self, array: u16, word: usize) -> f64 {
        self[usize::from(array)][word]
    }

    fn set(&mut self, array: u16, word: usize, value: f64) {
        self[usize::from(array)][word] = value;
    }
}

/// Tells accesses in place of data.
struct Told<'a, 'r>(&'a mut Accesses<'r>);

impl Words for Told<'_, '_> {
    fn get(&mut self, array: u16, word: usize) -> f64 {
        self.0.read(array, word..word + 1);
        1.0
    }

    fn set(&mut self, array: u16, word: usize, _: f64) {
        self.0.write(array, word..word + 1);
    }
}

/// Collects words, and which of them are read and written.
#[derive(Default)]
struct Used(BTreeMap<(u16, usize), [bool; 2]>);

impl Words for Used {
    fn get(&mut self, array: u16, word: usize) -> f64 {
        self.0.entry((array, word)).or_default()[0] = true;
        1.0
    }

    fn set(&mut self, array: u16, word: usize, _: f64) {
        self.0.entry((array, word)).or_default()[1] = true;
    }
}

impl Used {
    /// Tells each word once: of one that is both read and written, that it is updated.
    fn tell(&self, accesses: &mut Accesses<'_>) {
        for (&(array, word), used) in &self.0 {
            let words = word..word + 1;
            match used {
                [true, false] => accesses.read(array, words),
                [false, _] => accesses.write(array, words),
                [true, true] => accesses.update(array, words),
            }
        }
    }
}

/// A kernel that is tracked once.
pub(crate) struct Recorded<'k> {
    kernel: &'k dyn Track,
    recording: Recording,
}

impl<'k> Recorded<'k> {
    pub(crate) fn new(kernel: &'k dyn Track) -> Self {
        let mut recording = Recording::new(kernel.lengths().len());
        let mut accesses = Accesses::new(&mut recording);
        let told = kernel.track(0..kernel.iterations(), &mut accesses);
        told.expect("no fault");
        accesses.end();
        recording.end();
        assert!(recording.is_whole(kernel.iterations()));
        Self { kernel, recording }
    }
}

impl Track for Recorded<'_> {
    fn iterations(&self) -> u32 {
        self.kernel.iterations()
    }

    fn lengths(&self) -> &[usize] {
        self.kernel.lengths()
    }

    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        accesses.replay(&self.recording, iterations);
        Ok(())
    }
}

/// Returns the constant coefficient of an entry.
fn coefficient(entry: usize) -> f64 {
    (1.0 + (entry * 7 % 11) as f64) / 53.0
}

/// The kernels, one body for tracking and for running.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// `x = L \ x`, unit diagonal scaled.
    Lower(Pattern),
    /// `x = U \ x`.
    Upper(Pattern),
    /// Incomplete LU without fill, by rows.
    Ilu(Pattern),
    /// Symmetric Gauss-Seidel: a sweep forward and one backward.
    Sweeps(Pattern),
    /// Incomplete LDL' by columns, left-looking; rows of the pattern are its columns.
    Columns(Pattern),
    /// Dense LU by rows, told in ranges.
    Dense(usize),
    /// Any reads and writes: each iteration changes some words by the mean of others.
    Any(Vec<(Vec<usize>, Vec<usize>)>),
}

/// A kernel with the lengths of its arrays.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) body: Body,
    lengths: Vec<usize>,
}

impl Kernel {
    pub(crate) const KINDS: usize = 7;

    pub(crate) fn new(body: Body) -> Self {
        let lengths = match &body {
            Body::Lower(p) | Body::Upper(p) | Body::Sweeps(p) => vec![p.rows()],
            Body::Ilu(p) => vec![p.col.len()],
            Body::Columns(p) => vec![p.col.len(), p.rows()],
            Body::Dense(n) => vec![n * n],
            Body::Any(_) => vec![5, 9],
        };
        Self { body, lengths }
    }

    pub(crate) fn family(kind: usize, pattern: Pattern, random: &mut Pcg64Mcg) -> Self {
        let n = pattern.rows();
        Self::new(match kind % Self::KINDS {
            0 => Body::Lower(pattern),
            1 => Body::Upper(pattern),
            2 => Body::Ilu(pattern.with_diagonal()),
            3 => Body::Sweeps(pattern),
            4 => Body::Columns(pattern.with_diagonal()),
            5 => Body::Dense(n.min(14)),
            _ => Body::any(n, random),
        })
    }

    pub(crate) fn data(&self) -> Vec<Vec<f64>> {
        let array = |&length: &usize| (0..length).map(|word| 1.0 + 1.0 / (word + 3) as f64);
        self.lengths
            .iter()
            .map(|each| array(each).collect())
            .collect()
    }

    pub(crate) fn run(&self, iteration: u32, words: &mut impl Words) {
        let i = iteration as usize;
        match &self.body {
            Body::Lower(pattern) => solve(pattern, i, |j| j < i, words),
            Body::Upper(pattern) => {
                let i = pattern.rows() - 1 - i;
                solve(pattern, i, |j| j > i, words);
            }
            Body::Ilu(pattern) => eliminate(pattern, i, words),
            Body::Sweeps(pattern) => {
                let n = pattern.rows();
                let i = if i < n { i } else { 2 * n - 1 - i };
                solve(pattern, i, |j| j != i, words);
            }
            Body::Columns(pattern) => column(pattern, i, words),
            Body::Dense(n) => {
                for k in 0..i {
                    let factor = words.get(0, i * n + k) / (words.get(0, k * n + k) + 9.0);
                    words.set(0, i * n + k, factor);
                    for j in k + 1..*n {
                        let value = words.get(0, i * n + j) - factor * words.get(0, k * n + j);
                        words.set(0, i * n + j, value);
                    }
                }
            }
            Body::Any(accesses) => {
                let (reads, writes) = &accesses[i];
                let mut sum = coefficient(i);
                for &word in reads {
                    sum += words.get((word % 2) as u16, word / 2) / 4.0;
                }
                for &word in writes {
                    words.set((word % 2) as u16, word / 2, sum * coefficient(word));
                }
            }
        }
    }
}

impl Body {
    /// Draws up to two reads and two writes of ten words for each iteration.
    pub(crate) fn any(iterations: usize, random: &mut Pcg64Mcg) -> Self {
        let mut some = |most: usize| {
            let words = random.random_range(0..most + 1);
            (0..words)
                .map(|_| random.random_range(0..10))
                .collect::<Vec<_>>()
        };
        Self::Any((0..iterations).map(|_| (some(2), some(2))).collect())
    }
}

fn solve(pattern: &Pattern, i: usize, is_read: impl Fn(usize) -> bool, words: &mut impl Words) {
    let mut sum = words.get(0, i);
    for k in pattern.row[i]..pattern.row[i + 1] {
        if is_read(pattern.col[k]) {
            sum -= coefficient(k) * words.get(0, pattern.col[k]);
        }
    }
    words.set(0, i, sum / (1.0 + coefficient(i)));
}

fn eliminate(pattern: &Pattern, i: usize, words: &mut impl Words) {
    for ik in pattern.row[i]..pattern.row[i + 1] {
        let k = pattern.col[ik];
        if k >= i {
            break;
        }
        let kk = pattern.find(k, k).expect("a diagonal");
        let factor = words.get(0, ik) / (words.get(0, kk) + 9.0);
        words.set(0, ik, factor);
        for kj in kk + 1..pattern.row[k + 1] {
            if let Some(ij) = pattern.find(i, pattern.col[kj]) {
                let value = words.get(0, ij) - factor * words.get(0, kj);
                words.set(0, ij, value);
            }
        }
    }
}

fn column(pattern: &Pattern, j: usize, words: &mut impl Words) {
    let diagonal = pattern.find(j, j).expect("a diagonal");
    for k in 0..j {
        let Some(jk) = pattern.find(k, j) else {
            continue;
        };
        let factor = words.get(0, jk) * words.get(1, k);
        for ik in jk..pattern.row[k + 1] {
            if let Some(ij) = pattern.find(j, pattern.col[ik]) {
                let value = words.get(0, ij) - factor * words.get(0, ik);
                words.set(0, ij, value);
            }
        }
    }
    let pivot = words.get(0, diagonal) + 9.0;
    words.set(1, j, pivot);
    for ij in diagonal + 1..pattern.row[j + 1] {
        let value = words.get(0, ij) / pivot;
        words.set(0, ij, value);
    }
}

impl Track for Kernel {
    fn iterations(&self) -> u32 {
        let iterations = match &self.body {
            Body::Sweeps(pattern) => 2 * pattern.rows(),
            Body::Lower(p) | Body::Upper(p) | Body::Ilu(p) | Body::Columns(p) => p.rows(),
            Body::Dense(n) => *n,
            Body::Any(accesses) => accesses.len(),
        };
        iterations as u32
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault> {
        for iteration in iterations {
            accesses.begin();
            if let Body::Dense(n) = self.body {
                let i = iteration as usize;
                for k in 0..i {
                    accesses.read(0, k * n + k..(k + 1) * n);
                }
                accesses.update(0, i * n..(i + 1) * n);
            } else {
                // Half of the iterations tell all as it comes, the others words that they update.
                match iteration % 2 {
                    0 => self.run(iteration, &mut Told(accesses)),
                    _ => {
                        let mut used = Used::default();
                        self.run(iteration, &mut used);
                        used.tell(accesses);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Bits of the data after the sequential run.
pub(crate) fn sequential(kernel: &Kernel) -> Vec<Vec<u64>> {
    let mut data = kernel.data();
    for iteration in 0..kernel.iterations() {
        kernel.run(iteration, &mut data);
    }
    bits(&data)
}

pub(crate) fn bits(data: &[Vec<f64>]) -> Vec<Vec<u64>> {
    let array = |array: &Vec<f64>| array.iter().map(|word| word.to_bits()).collect();
    data.iter().map(array).collect()
}

/// One processor on its way through a plan.
#[derive(Clone)]
struct Processor {
    chunk: u32,
    iterations: Vec<Range<u32>>,
    has_begun: bool,
}

/// Bits of the data after a run in which at each step a random processor does what its waits allow.
pub(crate) fn interleaved(kernel: &Kernel, plan: &Plan, random: &mut Pcg64Mcg) -> Vec<Vec<u64>> {
    let mut data = kernel.data();
    let processors = plan.order.processors();
    let mut states: Vec<Processor> = (0..processors)
        .map(|processor| Processor {
            chunk: plan.order.processors[processor],
            iterations: vec![],
            has_begun: false,
        })
        .collect();
    // Processors have a pace: some stay far behind.
    let paces: Vec<usize> = (0..processors)
        .map(|_| 1 + random.random_range(0..30))
        .collect();
    loop {
        let can = |&processor: &usize| {
            let state = &states[processor];
            state.chunk < plan.order.processors[processor + 1]
                && (state.has_begun
                    || plan.order.waits_of(state.chunk).iter().all(|wait| {
                        let peer = wait.processor as usize;
                        states[peer].chunk - plan.order.processors[peer] >= wait.steps
                    }))
        };
        let able: Vec<usize> = (0..processors).filter(can).collect();
        if able.is_empty() {
            break;
        }
        let mut step = random.random_range(0..able.iter().map(|&each| paces[each]).sum());
        let chosen = able.into_iter().find(|&each| {
            let is_it = step < paces[each];
            step = step.saturating_sub(paces[each]);
            is_it
        });
        let state = &mut states[chosen.expect("paces add up")];
        if !state.has_begun {
            let grains = plan.grains_of(state.chunk).iter().rev();
            state.iterations = grains.map(|&grain| plan.iterations_of(grain)).collect();
            state.has_begun = true;
        }
        match state.iterations.last_mut() {
            Some(iterations) => {
                kernel.run(iterations.start, &mut data);
                iterations.start += 1;
                if iterations.start == iterations.end {
                    state.iterations.pop();
                }
            }
            None => {
                state.chunk += 1;
                state.has_begun = false;
            }
        }
    }
    for (state, end) in states.iter().zip(&plan.order.processors[1..]) {
        assert_eq!(state.chunk, *end, "a processor waits forever");
    }
    bits(&data)
}

/// Returns the plans of a kernel, one for each schedule.
pub(crate) fn plans(kernel: &Kernel, processors: u32, costs: &Costs, window: u32) -> Vec<Plan> {
    let graph = Graph::new(kernel, costs).expect("a good kernel");
    let windows = |within| Windows {
        grains: window,
        chunks: 1 + window / 9,
        within,
    };
    vec![
        Plan::sequential(graph.boundaries().clone()),
        doacross(&graph, processors, windows(Within::Run)),
        doacross(&graph, processors, windows(Within::Levels)),
        levels(&graph, processors),
        grow_local(&graph, processors, costs),
        pipeline(&graph, processors, costs),
        farm(&graph, processors, costs),
        owners(&graph, processors, 1),
        owners(&graph, processors, 3),
    ]
}
