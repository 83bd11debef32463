//! Kernels without a program by hand: a transform, a step of conjugate gradients, a sparse solve.

use num_complex::Complex;
use superstep::ranks::{Inputs, Results};
use superstep_mpi_kernels::{cg, fft, pattern, sptrsv};

use super::{Done, Form, IN_PARTS, Ranks, THREADS, compare, contest};

/// Measures a kernel. The arguments are its title, operations, rounds and ranks, then the function
/// with its control arguments, its inputs and what it writes. Each of these has the method that
/// fills it in a rank's part. Last are the words that are compared.
macro_rules! measure {
    ($title:expr, $operations:expr, $rounds:expr, $ranks:expr,
     $kernel:ident::$name:ident($($control:expr),*; $($input:ident.$fill_input:ident),*; $($own:ident.$fill:ident),+),
     $words:expr) => {{
        let (ranks, words) = ($ranks, $words);
        let with = $kernel::$name::with().exactly(ranks.size());
        let prepared = with.private_memory(true).prepare($($control),*)?;
        let expected = {
            $(let mut $own = $own.clone();)+
            $kernel::$name($($control,)* $(&$input,)* $(&mut $own),+);
            words($(&$own),+)
        };
        let predicted = {
            $(let mut $own = $own.clone();)+
            ranks.alone(|| Ok(prepared.run($(&$input,)* $(&mut $own),+)?))?;
            superstep::last_run().and_then(|run| run.predicted)
        };
        $(let mut $own = $own;)+
        let before = ($($own.clone(),)+);
        ranks.over(Inputs::First, Results::First, |to| {
            Ok(prepared.run_over(to, $(&$input,)* $(&mut $own),+)?)
        })?;
        if ranks.is_first() {
            compare($title, &words($(&$own),+), &expected)?;
        }
        let ($($own,)+) = before;
        let mut part = prepared.part(&mut *ranks.ranks.borrow_mut())?;
        let forms = vec![
            Form::new("the function as written", || {
                $(let mut $own = $own.clone();)+
                ranks.alone(|| {
                    $kernel::$name($($control,)* $(&$input,)* $(&mut $own),+);
                    Ok(())
                })
            }),
            Form::new(THREADS, || {
                $(let mut $own = $own.clone();)+
                ranks.alone(|| Ok(prepared.run($(&$input,)* $(&mut $own),+)?))
            }),
            Form::new(IN_PARTS, || {
                $(part.$fill_input(|e| $input.word(e));)*
                $(part.$fill(|e| $own.word(e));)+
                ranks.together(|| Ok(part.run(&mut *ranks.ranks.borrow_mut())?))
            }),
            Form::new("ranks, superstep, data from and to rank 0", || {
                $(let mut $own = $own.clone();)+
                ranks.together(|| {
                    ranks.over(Inputs::First, Results::First, |to| {
                        Ok(prepared.run_over(to, $(&$input,)* $(&mut $own),+)?)
                    })
                })
            }),
        ];
        contest($title, $operations, $rounds, ranks, predicted, forms)
    }};
}

/// Argument whose words a part is filled with.
trait Words<T> {
    fn word(&self, index: usize) -> T;
}

impl<T: Copy> Words<T> for Vec<T> {
    fn word(&self, index: usize) -> T {
        self[index]
    }
}

impl Words<Self> for f64 {
    fn word(&self, _: usize) -> Self {
        *self
    }
}

/// Measures the three, of these sizes: numbers that are transformed, sides of the grids.
pub(crate) fn measure(
    (numbers, poisson, solve): (usize, usize, usize),
    rounds: usize,
    ranks: &Ranks,
) -> Done {
    let turn = |k: usize| Complex::cis(-2.0 * std::f64::consts::PI * k as f64 / numbers as f64);
    let twiddles: Vec<_> = (0..numbers / 2).map(turn).collect();
    let x: Vec<_> = (0..numbers)
        .map(|e| Complex::new((e % 97) as f64, (e % 89) as f64))
        .collect();
    measure!(
        &format!("FFT {numbers}"),
        5.0 * numbers as f64 * f64::from(numbers.ilog2()),
        rounds,
        ranks,
        fft::fft(numbers; twiddles.fill_twiddles; x.fill_x),
        |x: &Vec<Complex<f64>>| x.iter().flat_map(|x| [x.re, x.im]).collect::<Vec<_>>()
    )?;

    let n = poisson;
    let is_inner = |e: usize| (1..n - 1).contains(&(e / n)) && (1..n - 1).contains(&(e % n));
    let value = |e: usize| if is_inner(e) { (e % 97) as f64 } else { 0.0 };
    let r: Vec<f64> = (0..n * n).map(value).collect();
    let (x, p, q) = (vec![0.0; n * n], r.clone(), vec![0.0; n * n]);
    let rr: f64 = r.iter().map(|r| r * r).sum();
    measure!(
        &format!("step of CG, {n} x {n}"),
        16.0 * (n * n) as f64,
        rounds,
        ranks,
        cg::cg_step(n; ; x.fill_x, r.fill_r, p.fill_p, q.fill_q, rr.fill_rr),
        |x: &Vec<f64>, r: &Vec<f64>, p: &Vec<f64>, _: &Vec<f64>, rr: &f64| {
            [x.as_slice(), r, p, &[*rr]].concat()
        }
    )?;

    let (row, col) = pattern::lower_laplacian(solve);
    let rows = row.len() - 1;
    let values: Vec<f64> = (0..col.len()).map(|e| 1.0 + (e % 7) as f64).collect();
    let b: Vec<f64> = (0..rows).map(|i| (i % 97) as f64).collect();
    let x = vec![0.0; rows];
    measure!(
        &format!("solve, {solve} x {solve}"),
        2.0 * col.len() as f64,
        rounds,
        ranks,
        sptrsv::sptrsv(rows, &row, &col; values.fill_values, b.fill_b; x.fill_x),
        |x: &Vec<f64>| x.clone()
    )
}
