//! Cases by parts of ranks. Inputs are made where they are read, and results are left where they
//! are computed.

use superstep::ranks::{Communicator, Distributed};

use crate::{
    Bits, Case, CaseError, FFT, JACOBI, LCS, LU, MATMUL, SPTRSV, fft, inputs, jacobi, lcs, lu,
    matmul, pattern, sptrsv, words,
};

/// Observer of a run by parts.
pub trait Watch {
    /// Is told that the program is there and compared, and the part is not.
    fn begins(&mut self) {}

    /// Is told a result that this rank has computed, of the first or the second array.
    fn result(&mut self, array: usize, index: usize, bits: [u64; 2]);
}

/// Results of an array: each word's bits before and after the function.
type Expected = Vec<[[u64; 2]; 2]>;

/// Runs a part of a prepared program twice: it can be filled again.
macro_rules! run {
    (
        $prepared:expr, $ranks:ident, $watch:ident,
        [$($fill:ident: $word:expr),*], [$($results:ident),*]
    ) => {{
        let prepared = $prepared;
        // The first one compares the tables of ranks.
        prepared.part($ranks)?;
        $watch.begins();
        let mut part = prepared.part($ranks)?;
        for _ in 0..2 {
            $(part.$fill($word);)*
            part.run($ranks)?;
        }
        let mut arrays = 0..;
        $(
            let array = arrays.next().unwrap_or_default();
            part.$results().for_each(|(index, word)| $watch.result(array, index, word.bits()));
        )*
    }};
}

impl Case {
    /// Runs the program for as many processors as there are ranks, by a part on each (collective).
    ///
    /// # Errors
    /// If there is no such program, or the run fails.
    pub fn run_in_parts(
        self,
        ranks: &mut dyn Communicator,
        loses: bool,
        watch: &mut dyn Watch,
    ) -> Result<(), CaseError> {
        let size = ranks.size();
        match self {
            Self::Lu => run!(
                prepared!(lu::lu, size, loses, (LU)), ranks, watch,
                [fill_a: inputs::lu], [results_a]
            ),
            Self::Fft => run!(
                prepared!(fft::fft, size, loses, (FFT)), ranks, watch,
                [fill_twiddles: inputs::twiddle, fill_x: inputs::fft], [results_x]
            ),
            Self::Jacobi => {
                let (n, rounds) = JACOBI;
                run!(
                    prepared!(jacobi::jacobi, size, loses, (n, rounds)), ranks, watch,
                    [fill_u: inputs::number, fill_v: inputs::number], [results_u, results_v]
                );
            }
            Self::Lcs => run!(
                prepared!(lcs::lcs, size, loses, (LCS, LCS)), ranks, watch,
                [
                    fill_a: inputs::letter,
                    fill_b: |i| inputs::letter(LCS + i),
                    fill_length: |_| 0
                ],
                [results_length]
            ),
            Self::Matmul => run!(
                prepared!(matmul::matmul, size, loses, (MATMUL)), ranks, watch,
                [fill_a: inputs::number, fill_b: inputs::factor, fill_c: |_| 0.0], [results_c]
            ),
            Self::Sptrsv => {
                let (row, col) = pattern::lower_laplacian(SPTRSV);
                run!(
                    prepared!(sptrsv::sptrsv, size, loses, (row.len() - 1, &row, &col)),
                    ranks, watch,
                    [fill_values: inputs::value, fill_b: inputs::number, fill_x: |_| 0.0],
                    [results_x]
                );
            }
        }
        Ok(())
    }

    /// Runs by parts (collective); returns whether the results of all ranks have the bits of the
    /// function, and are all that it changes.
    ///
    /// # Errors
    /// If there is no such program, or the run fails.
    pub fn is_same_in_parts(
        self,
        ranks: &mut dyn Communicator,
        loses: bool,
    ) -> Result<bool, CaseError> {
        let mut compared = Compared {
            expected: self.expected(),
            changed: 0,
            others: 0,
        };
        self.run_in_parts(ranks, loses, &mut compared)?;
        let own = vec![[compared.changed, compared.others]];
        let sum = Distributed::new(ranks, own)?.reduce(
            ranks,
            |_, word| word,
            |[a, b], [c, d]| [a + c, b + d],
        )?;
        let is_changed = |[before, after]: &&[[u64; 2]; 2]| before != after;
        let words = compared.expected.iter().flatten();
        Ok(sum == Some([words.filter(is_changed).count() as u64, 0]))
    }

    /// Runs the function.
    fn expected(self) -> Vec<Expected> {
        match self {
            Self::Lu => {
                let before = words(LU * LU, inputs::lu);
                let mut a = before.clone();
                lu::lu(LU, &mut a);
                vec![expected(&before, &a)]
            }
            Self::Fft => {
                let before = words(FFT, inputs::fft);
                let mut x = before.clone();
                fft::fft(FFT, &words(FFT / 2, inputs::twiddle), &mut x);
                vec![expected(&before, &x)]
            }
            Self::Jacobi => {
                let (n, rounds) = JACOBI;
                let before = words(n * n, inputs::number);
                let (mut u, mut v) = (before.clone(), before.clone());
                jacobi::jacobi(n, rounds, &mut u, &mut v);
                vec![expected(&before, &u), expected(&before, &v)]
            }
            Self::Lcs => {
                let before = vec![0; (LCS + 1) * (LCS + 1)];
                let mut length = before.clone();
                let b = words(LCS, |i| inputs::letter(LCS + i));
                lcs::lcs(LCS, LCS, &words(LCS, inputs::letter), &b, &mut length);
                vec![expected(&before, &length)]
            }
            Self::Matmul => {
                let before = vec![0.0; MATMUL * MATMUL];
                let mut c = before.clone();
                let a = words(MATMUL * MATMUL, inputs::number);
                matmul::matmul(MATMUL, &a, &words(MATMUL * MATMUL, inputs::factor), &mut c);
                vec![expected(&before, &c)]
            }
            Self::Sptrsv => {
                let (row, col) = pattern::lower_laplacian(SPTRSV);
                let n = row.len() - 1;
                let before = vec![0.0; n];
                let mut x = before.clone();
                let values = words(col.len(), inputs::value);
                sptrsv::sptrsv(n, &row, &col, &values, &words(n, inputs::number), &mut x);
                vec![expected(&before, &x)]
            }
        }
    }
}

fn expected<T: Bits>(before: &[T], after: &[T]) -> Expected {
    let bits = |(before, after): (&T, &T)| [before.bits(), after.bits()];
    before.iter().zip(after).map(bits).collect()
}

/// Comparison of a rank's results with the function's.
struct Compared {
    expected: Vec<Expected>,
    /// Results that the function changes.
    changed: u64,
    /// Results with other bits.
    others: u64,
}

impl Watch for Compared {
    fn result(&mut self, array: usize, index: usize, bits: [u64; 2]) {
        let [before, after] = self.expected[array][index];
        self.changed += u64::from(before != after);
        self.others += u64::from(bits != after);
    }
}
