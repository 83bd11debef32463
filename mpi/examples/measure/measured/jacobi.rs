//! Sweeps of the five-point stencil, by superstep and by hand.
//!
//! By hand each rank has a block of rows. Its outermost rows cross while the others are computed.

use mpi::request::scope;
use mpi::traits::{Communicator as _, Destination as _, Source as _};
use superstep::ranks::{Inputs, Results};
use superstep_mpi_kernels::jacobi;

use super::{ALONE, BY_HAND, Done, Form, IN_PARTS, Ranks, THREADS, compare, contest};

/// Measures `2 * sweeps` over a grid of `n` x `n` points.
pub(crate) fn measure(n: usize, sweeps: usize, rounds: usize, ranks: &Ranks) -> Done {
    let u: Vec<f64> = (0..n * n).map(|e| (e % 97) as f64).collect();
    let with = jacobi::jacobi::with();
    let with = with.exactly(ranks.size()).private_memory(true);
    let prepared = with.prepare(n, sweeps)?;
    let mut expected = u.clone();
    jacobi::jacobi(n, sweeps, &mut expected, &mut u.clone());
    let one = Rows::new(n, 0, 1);
    let own = Rows::new(n, ranks.rank(), ranks.size());

    let mut alone = u.clone();
    ranks.alone(|| Ok(prepared.run(&mut alone, &mut u.clone())?))?;
    let predicted = superstep::last_run().and_then(|run| run.predicted);
    let mut over = u.clone();
    ranks.over(Inputs::First, Results::First, |to| {
        Ok(prepared.run_over(to, &mut over, &mut u.clone())?)
    })?;
    let by_hand = |rows: Rows| {
        let mut grids = [rows.of(&u), rows.of(&u)];
        rows.sweep(sweeps, &mut grids, ranks);
        let [u, _] = grids;
        u
    };
    compare("Jacobi by hand", &by_hand(own), &own.of(&expected))?;
    compare(
        "Jacobi by hand in one process",
        &by_hand(one),
        &one.of(&expected),
    )?;
    if ranks.is_first() {
        compare("Jacobi by threads", &alone, &expected)?;
        compare("Jacobi over ranks", &over, &expected)?;
    }

    let grids = || (u.clone(), u.clone());
    let mut part = prepared.part(&mut *ranks.ranks.borrow_mut())?;
    let forms = vec![
        Form::new("the function as written", || {
            let (mut u, mut v) = grids();
            ranks.alone(|| {
                jacobi::jacobi(n, sweeps, &mut u, &mut v);
                Ok(())
            })
        }),
        Form::new(ALONE, || {
            let mut grids = [one.of(&u), one.of(&u)];
            ranks.alone(|| {
                one.sweep(sweeps, &mut grids, ranks);
                Ok(())
            })
        }),
        Form::new(THREADS, || {
            let (mut u, mut v) = grids();
            ranks.alone(|| Ok(prepared.run(&mut u, &mut v)?))
        }),
        Form::new(IN_PARTS, || {
            part.fill_u(|e| u[e]);
            part.fill_v(|e| u[e]);
            ranks.together(|| Ok(part.run(&mut *ranks.ranks.borrow_mut())?))
        }),
        Form::new("ranks, superstep, data from and to rank 0", || {
            let (mut u, mut v) = grids();
            ranks.together(|| {
                ranks.over(Inputs::First, Results::First, |to| {
                    Ok(prepared.run_over(to, &mut u, &mut v)?)
                })
            })
        }),
        Form::new(BY_HAND, || {
            let mut grids = [own.of(&u), own.of(&u)];
            ranks.together(|| {
                own.sweep(sweeps, &mut grids, ranks);
                Ok(())
            })
        }),
    ];
    let operations = 8.0 * sweeps as f64 * ((n - 2) * (n - 2)) as f64;
    let name = format!("Jacobi {n}, {} sweeps", 2 * sweeps);
    contest(&name, operations, rounds, ranks, predicted, forms)
}

/// Inner rows of a rank, from the first to before the last, with a row on either side.
#[derive(Clone, Copy)]
struct Rows {
    n: usize,
    rank: usize,
    size: usize,
    first: usize,
    last: usize,
}

impl Rows {
    fn new(n: usize, rank: usize, size: usize) -> Self {
        let end = |rank| 1 + (n - 2) * rank / size;
        Self {
            n,
            rank,
            size,
            first: end(rank),
            last: end(rank + 1),
        }
    }

    /// Returns its rows of a grid, and those on either side.
    fn of(self, grid: &[f64]) -> Vec<f64> {
        grid[(self.first - 1) * self.n..(self.last + 1) * self.n].to_vec()
    }

    /// Sweeps from the first grid to the second and back (collective, unless one rank has all). In
    /// the end the rows on either side are those of the neighbours.
    fn sweep(self, sweeps: usize, [u, v]: &mut [Vec<f64>; 2], ranks: &Ranks) {
        for _ in 0..sweeps {
            self.half(u, v, ranks);
            self.half(v, u, ranks);
        }
        self.exchange(u, ranks, |_| {});
    }

    /// Computes one grid of the other.
    fn half(self, from: &mut [f64], to: &mut [f64], ranks: &Ranks) {
        let (n, rows) = (self.n, self.last - self.first);
        if self.size == 1 {
            (1..=rows).for_each(|i| row(n, i, from, to));
            return;
        }
        // The rows that need no others are computed meanwhile: they count from the first own one.
        self.exchange(from, ranks, |own| {
            let to = &mut to[n..];
            (1..rows.saturating_sub(1)).for_each(|i| row(n, i, own, to));
        });
        row(n, 1, from, to);
        if rows > 1 {
            row(n, rows, from, to);
        }
    }

    /// Exchanges outermost rows with the neighbours, and computes with the own ones meanwhile.
    fn exchange(self, grid: &mut [f64], ranks: &Ranks, meanwhile: impl FnOnce(&[f64])) {
        let n = self.n;
        let (above, rest) = grid.split_at_mut(n);
        let (own, below) = rest.split_at_mut((self.last - self.first) * n);
        let own = &*own;
        let at = |rank: usize| ranks.world.process_at_rank(rank as i32);
        let has_above = self.rank > 0;
        let has_below = self.rank + 1 < self.size;
        scope(|scope| {
            let mut requests = Vec::new();
            if has_above {
                requests.push(at(self.rank - 1).immediate_receive_into(scope, above));
            }
            if has_below {
                requests.push(at(self.rank + 1).immediate_receive_into(scope, below));
            }
            if has_above {
                requests.push(at(self.rank - 1).immediate_send(scope, &own[..n]));
            }
            if has_below {
                let last = &own[own.len() - n..];
                requests.push(at(self.rank + 1).immediate_send(scope, last));
            }
            meanwhile(own);
            for request in requests {
                request.wait();
            }
        });
    }
}

/// Computes the inner points of a row, all of whose neighbours are in the grid.
fn row(n: usize, i: usize, from: &[f64], to: &mut [f64]) {
    let [above, here, below] = [i - 1, i, i + 1].map(|i| &from[i * n..(i + 1) * n]);
    let across = here.iter().zip(&here[2..]);
    let along = above[1..].iter().zip(&below[1..]);
    let to = &mut to[i * n + 1..(i + 1) * n - 1];
    for ((to, (left, right)), (up, down)) in to.iter_mut().zip(across).zip(along) {
        *to = 0.25 * (up + left + right + down);
    }
}
