//! LU factorisation without pivoting, by superstep and by hand.
//!
//! By hand columns are block-cyclic. Each panel goes to all ranks while they update by the one
//! before.

use mpi::request::scope;
use mpi::traits::{Communicator as _, Destination as _, Source as _};
use superstep::ranks::{Inputs, Results};
use superstep_mpi_kernels::lu;

use super::{ALONE, BY_HAND, Done, Form, IN_PARTS, Ranks, THREADS, compare, contest};

/// Columns of a panel. A message is long enough, and a column stays in L1 while it is updated by a
/// whole panel. Not tuned further.
const PANEL: usize = 16;

/// Measures the factorisation of `n` rows.
pub(crate) fn measure(n: usize, rounds: usize, ranks: &Ranks) -> Done {
    let word = |e: usize| match e % (n + 1) {
        0 => 999.0,
        _ => (e % 10) as f64,
    };
    let a: Vec<f64> = (0..n * n).map(word).collect();
    let with = lu::lu::with().exactly(ranks.size()).private_memory(true);
    let prepared = with.prepare(n)?;
    let mut expected = a.clone();
    lu::lu(n, &mut expected);
    let (one, own) = (
        Columns::new(n, 0, 1),
        Columns::new(n, ranks.rank(), ranks.size()),
    );

    let mut alone = a.clone();
    ranks.alone(|| Ok(prepared.run(&mut alone)?))?;
    let predicted = superstep::last_run().and_then(|run| run.predicted);
    let mut over = a.clone();
    ranks.over(Inputs::First, Results::First, |to| {
        Ok(prepared.run_over(to, &mut over)?)
    })?;
    let mut by_hand = own.of(&a);
    own.factor(&mut by_hand, ranks);
    let whole = own.gather(&by_hand, ranks);
    let mut by_one = one.of(&a);
    one.factor(&mut by_one, ranks);
    if ranks.is_first() {
        compare("LU by threads", &alone, &expected)?;
        compare("LU over ranks", &over, &expected)?;
        compare("LU by hand", &whole, &expected)?;
        compare(
            "LU by hand in one process",
            &one.rows(&[&by_one]),
            &expected,
        )?;
    }

    let mut part = prepared.part(&mut *ranks.ranks.borrow_mut())?;
    let forms = vec![
        Form::new("the function as written", || {
            let mut a = a.clone();
            ranks.alone(|| {
                lu::lu(n, &mut a);
                Ok(())
            })
        }),
        Form::new(ALONE, || {
            let mut a = one.of(&a);
            ranks.alone(|| {
                one.factor(&mut a, ranks);
                Ok(())
            })
        }),
        Form::new(THREADS, || {
            let mut a = a.clone();
            ranks.alone(|| Ok(prepared.run(&mut a)?))
        }),
        Form::new(IN_PARTS, || {
            part.fill_a(|e| a[e]);
            ranks.together(|| Ok(part.run(&mut *ranks.ranks.borrow_mut())?))
        }),
        Form::new("ranks, superstep, data from and to rank 0", || {
            let mut a = a.clone();
            ranks.together(|| {
                ranks.over(Inputs::First, Results::First, |to| {
                    Ok(prepared.run_over(to, &mut a)?)
                })
            })
        }),
        Form::new(BY_HAND, || {
            let mut a = own.of(&a);
            ranks.together(|| {
                own.factor(&mut a, ranks);
                Ok(())
            })
        }),
    ];
    let operations = 2.0 / 3.0 * (n as f64).powi(3);
    contest(
        &format!("LU {n}"),
        operations,
        rounds,
        ranks,
        predicted,
        forms,
    )
}

/// Columns of a rank: of every so many panels one.
#[derive(Clone, Copy)]
struct Columns {
    n: usize,
    rank: usize,
    size: usize,
}

impl Columns {
    fn new(n: usize, rank: usize, size: usize) -> Self {
        Self { n, rank, size }
    }

    /// Returns the columns of this rank, in their order.
    fn numbers(self) -> impl Iterator<Item = usize> {
        let is_own = move |column: &usize| column / PANEL % self.size == self.rank;
        (0..self.n).filter(is_own)
    }

    /// Returns its columns of a matrix by rows, one after the other.
    fn of(self, a: &[f64]) -> Vec<f64> {
        let column = |j: usize| (0..self.n).map(move |i| a[i * self.n + j]);
        self.numbers().flat_map(column).collect()
    }

    /// Returns the matrix by rows, given the columns of each rank.
    fn rows(self, parts: &[&[f64]]) -> Vec<f64> {
        let n = self.n;
        let mut a = vec![0.0; n * n];
        for (rank, part) in parts.iter().enumerate() {
            let numbers = Self { rank, ..self }.numbers();
            for (j, column) in numbers.zip(part.chunks_exact(n)) {
                (0..n).for_each(|i| a[i * n + j] = column[i]);
            }
        }
        a
    }

    /// Returns the matrix by rows on rank 0 (collective).
    fn gather(self, own: &[f64], ranks: &Ranks) -> Vec<f64> {
        let first = ranks.world.process_at_rank(0);
        if self.rank > 0 {
            first.send(own);
            return Vec::new();
        }
        let receive = |rank| {
            ranks
                .world
                .process_at_rank(rank as i32)
                .receive_vec::<f64>()
                .0
        };
        let others: Vec<Vec<f64>> = (1..self.size).map(receive).collect();
        let mut parts = vec![own];
        parts.extend(others.iter().map(Vec::as_slice));
        self.rows(&parts)
    }

    /// Factors the matrix in place (collective, unless one rank has it).
    fn factor(self, own: &mut [f64], ranks: &Ranks) {
        let Self { n, rank, size } = self;
        let panels = n.div_ceil(PANEL);
        let mut current = vec![0.0; n * PANEL];
        let mut next = current.clone();
        // There is nothing before the first panel.
        for panel in 0..=panels {
            let first = panel * PANEL;
            let rows = n.saturating_sub(first);
            let words = rows * PANEL.min(rows);
            let is_owner = panel % size == rank;
            // Columns of this rank before the panel.
            let done = self.numbers().take_while(|&column| column < first).count();
            let rest = &mut own[done * n..];
            let before = panel
                .checked_sub(1)
                .map(|before| (before * PANEL, &current[..]));
            let mut split = 0;
            if is_owner && words > 0 {
                split = n * PANEL.min(rows);
                let panel = &mut rest[..split];
                if let Some((at, before)) = before {
                    panel
                        .chunks_exact_mut(n)
                        .for_each(|column| update(column, at, before));
                }
                factor_panel(panel, n, first);
                let columns = panel
                    .chunks_exact(n)
                    .zip(next.chunks_exact_mut(rows.max(1)));
                columns.for_each(|(column, packed)| packed.copy_from_slice(&column[first..]));
            }
            let rest = &mut rest[split..];
            let others = |rest: &mut [f64]| {
                if let Some((at, before)) = before {
                    rest.chunks_exact_mut(n)
                        .for_each(|column| update(column, at, before));
                }
            };
            if size == 1 || words == 0 {
                others(rest);
            } else if is_owner {
                let sent = &next[..words];
                scope(|scope| {
                    let targets = (0..size).filter(|&to| to != rank);
                    let send = |to| {
                        let to = ranks.world.process_at_rank(to as i32);
                        to.immediate_send(scope, sent)
                    };
                    let requests: Vec<_> = targets.map(send).collect();
                    others(rest);
                    for request in requests {
                        request.wait();
                    }
                });
            } else {
                let received = &mut next[..words];
                scope(|scope| {
                    let from = ranks.world.process_at_rank((panel % size) as i32);
                    let request = from.immediate_receive_into(scope, received);
                    others(rest);
                    request.wait();
                });
            }
            std::mem::swap(&mut current, &mut next);
        }
    }
}

/// Factors a panel whose first column is the `first` one of the matrix: column after column.
fn factor_panel(panel: &mut [f64], n: usize, first: usize) {
    for k in 0..panel.len() / n {
        let (before, own) = panel.split_at_mut(k * n);
        let column = &mut own[..n];
        for (pivot, multipliers) in (first..).zip(before.chunks_exact(n)) {
            subtract(column, pivot, &multipliers[pivot + 1..]);
        }
        let pivot = column[first + k];
        column[first + k + 1..]
            .iter_mut()
            .for_each(|word| *word /= pivot);
    }
}

/// Updates a column by a packed panel whose first column is the `first` one of the matrix.
fn update(column: &mut [f64], first: usize, panel: &[f64]) {
    let rows = column.len() - first;
    let multipliers = panel.chunks_exact(rows).take(PANEL);
    for (k, multipliers) in multipliers.enumerate() {
        subtract(column, first + k, &multipliers[k + 1..]);
    }
}

/// Subtracts multiples of the word of a pivot's row from the words below.
fn subtract(column: &mut [f64], pivot: usize, multipliers: &[f64]) {
    let (above, below) = column.split_at_mut(pivot + 1);
    let word = above[pivot];
    let pairs = below.iter_mut().zip(multipliers);
    pairs.for_each(|(below, multiplier)| *below -= multiplier * word);
}
