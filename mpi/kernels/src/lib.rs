//! Kernels of the examples, with programs for 1, 2, 3, 4 and 8 ranks.
//!
//! Each but `cg`, which is measured alone, is one of the [cases](Case::ALL). These compare every
//! bit of a run over ranks with the function as written. They run over any communicator: over
//! threads in this crate's tests, over MPI in those of `superstep-mpi`.

use num_complex::Complex;
use superstep::ranks::{Communicator, Inputs, Over, Results};

/// Prepares a kernel for as many processors as there are ranks, and spoils it if that is asked for.
macro_rules! prepared {
    ($kernel:ident::$name:ident, $size:expr, $loses:expr, ($($control:expr),*)) => {{
        use $kernel::$name;
        let with = $name::with().exactly($size).private_memory(true);
        let prepared = with.prepare($($control),*)?;
        if $loses {
            prepared.altered(|plan| {
                let last = plan.messages.last_mut();
                let last = last.expect("it is a program with messages");
                last.lose(last.words() as usize - 1);
            })?
        } else {
            prepared
        }
    }};
}

#[path = "../../../examples/cg/src/kernels.rs"]
pub mod cg;
#[path = "../../../examples/fft/src/kernels.rs"]
pub mod fft;
mod inputs;
#[path = "../../../examples/jacobi/src/kernels.rs"]
pub mod jacobi;
#[path = "../../../examples/lcs/src/kernels.rs"]
pub mod lcs;
#[path = "../../../examples/lu/src/kernels.rs"]
pub mod lu;
#[path = "../../../examples/matmul/src/kernels.rs"]
pub mod matmul;
mod parts;
#[path = "../../../examples/sptrsv/src/pattern.rs"]
pub mod pattern;
pub mod roots;
#[path = "../../../examples/sptrsv/src/kernels.rs"]
pub mod sptrsv;

pub use parts::Watch;

/// Numbers of ranks for which there are programs.
pub const RANKS: [usize; 5] = [1, 2, 3, 4, 8];

/// Error of a case: of preparing a program or of running it.
pub type CaseError = Box<dyn std::error::Error + Send + Sync>;

/// Sizes of the kernels.
const LU: usize = 40;
const FFT: usize = 512;
const JACOBI: (usize, usize) = (32, 2);
const LCS: usize = 60;
const MATMUL: usize = 16;
const SPTRSV: usize = 24;

/// Kernel that is run over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Factors a matrix.
    Lu,
    /// Transforms complex numbers.
    Fft,
    /// Sweeps over a grid.
    Jacobi,
    /// Fills a table of flags and counts.
    Lcs,
    /// Multiplies matrices.
    Matmul,
    /// Solves a triangular system.
    Sptrsv,
}

/// Run of a case: who has the inputs, who gets the results, and which word is spoiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// Ranks that have the inputs.
    pub inputs: Inputs,
    /// Ranks that get the results.
    pub results: Results,
    /// Set if the last message loses its last word. The comparison must notice.
    pub loses: bool,
}

impl Case {
    /// All cases.
    pub const ALL: [Self; 6] = [
        Self::Lu,
        Self::Fft,
        Self::Jacobi,
        Self::Lcs,
        Self::Matmul,
        Self::Sptrsv,
    ];

    /// Returns the case of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the name of the kernel.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lu => "lu",
            Self::Fft => "fft",
            Self::Jacobi => "jacobi",
            Self::Lcs => "lcs",
            Self::Matmul => "matmul",
            Self::Sptrsv => "sptrsv",
        }
    }

    /// Runs the program for as many processors as there are ranks (collective). Returns whether
    /// the results of this rank have the bits of the function; true if it gets none.
    ///
    /// # Errors
    /// If there is no such program, or the run fails.
    pub fn run(self, ranks: &mut dyn Communicator, way: Way) -> Result<bool, CaseError> {
        let part = Part::new(ranks, way);
        let over = Over::new(ranks).inputs(way.inputs).results(way.results);
        match self {
            Self::Lu => {
                let mut a = words(LU * LU, inputs::lu);
                let mut own = part.held(&a, 0);
                prepared!(lu::lu, part.size, way.loses, (LU)).run_over(over, &mut own)?;
                let before = a.clone();
                lu::lu(LU, &mut a);
                Ok(part.same(&own, &before, &a))
            }
            Self::Fft => {
                let twiddles = words(FFT / 2, inputs::twiddle);
                let mut x = words(FFT, inputs::fft);
                let (own_twiddles, mut own) = (part.held(&twiddles, 1), part.held(&x, 1));
                let prepared = prepared!(fft::fft, part.size, way.loses, (FFT));
                prepared.run_over(over, &own_twiddles, &mut own)?;
                let before = x.clone();
                fft::fft(FFT, &twiddles, &mut x);
                Ok(part.same(&own, &before, &x))
            }
            Self::Jacobi => {
                let (n, rounds) = JACOBI;
                let mut u = words(n * n, inputs::number);
                let mut v = u.clone();
                let (mut own_u, mut own_v) = (part.held(&u, 0), part.held(&v, 0));
                let prepared = prepared!(jacobi::jacobi, part.size, way.loses, (n, rounds));
                prepared.run_over(over, &mut own_u, &mut own_v)?;
                let before = u.clone();
                jacobi::jacobi(n, rounds, &mut u, &mut v);
                Ok(part.same(&own_u, &before, &u) && part.same(&own_v, &before, &v))
            }
            Self::Lcs => {
                let a = words(LCS, inputs::letter);
                let b = words(LCS, |i| inputs::letter(LCS + i));
                let mut length = vec![0; (LCS + 1) * (LCS + 1)];
                let mut own = part.held(&length, 0);
                let (own_a, own_b) = (part.held(&a, 0), part.held(&b, 0));
                let prepared = prepared!(lcs::lcs, part.size, way.loses, (LCS, LCS));
                prepared.run_over(over, &own_a, &own_b, &mut own)?;
                let before = length.clone();
                lcs::lcs(LCS, LCS, &a, &b, &mut length);
                Ok(part.same(&own, &before, &length))
            }
            Self::Matmul => {
                let a = words(MATMUL * MATMUL, inputs::number);
                let b = words(MATMUL * MATMUL, inputs::factor);
                let mut c = vec![0.0; MATMUL * MATMUL];
                let (own_a, own_b) = (part.held(&a, 0), part.held(&b, 0));
                let mut own = part.held(&c, 0);
                let prepared = prepared!(matmul::matmul, part.size, way.loses, (MATMUL));
                prepared.run_over(over, &own_a, &own_b, &mut own)?;
                let before = c.clone();
                matmul::matmul(MATMUL, &a, &b, &mut c);
                Ok(part.same(&own, &before, &c))
            }
            Self::Sptrsv => {
                let (row, col) = pattern::lower_laplacian(SPTRSV);
                let n = row.len() - 1;
                let values = words(col.len(), inputs::value);
                let (b, mut x) = (words(n, inputs::number), vec![0.0; n]);
                let (own_values, own_b) = (part.held(&values, 0), part.held(&b, 0));
                let mut own = part.held(&x, 0);
                let prepared = prepared!(sptrsv::sptrsv, part.size, way.loses, (n, &row, &col));
                prepared.run_over(over, &own_values, &own_b, &mut own)?;
                let before = x.clone();
                sptrsv::sptrsv(n, &row, &col, &values, &b, &mut x);
                Ok(part.same(&own, &before, &x))
            }
        }
    }
}

/// Part of a rank in a case.
struct Part {
    size: usize,
    /// Set if it has the inputs.
    has: bool,
    /// Set if it gets the results.
    gets: bool,
}

impl Part {
    fn new(ranks: &dyn Communicator, way: Way) -> Self {
        let is_first = ranks.rank() == 0;
        Self {
            size: ranks.size(),
            has: is_first || way.inputs == Inputs::Each,
            gets: way.results == Results::Each || is_first && way.results == Results::First,
        }
    }

    /// Returns the words as this rank has them before the run. Without inputs they are default
    /// values: as many as there are results, or `least` if it gets none.
    fn held<T: Copy + Default>(&self, words: &[T], least: usize) -> Vec<T> {
        match (self.has, self.gets) {
            (true, _) => words.to_vec(),
            (false, true) => vec![T::default(); words.len()],
            (false, false) => vec![T::default(); least],
        }
    }

    /// Returns whether the words of this rank are the expected ones. Where it had no inputs, only
    /// those are compared that the kernel has changed: others do not come back.
    fn same<T: Bits>(&self, own: &[T], before: &[T], expected: &[T]) -> bool {
        let same = |((own, before), expected): ((&T, &T), &T)| {
            own.bits() == expected.bits() || !self.has && before.bits() == expected.bits()
        };
        let mut words = own.iter().zip(before).zip(expected);
        !self.gets || own.len() == expected.len() && words.all(same)
    }
}

/// Word with its bits.
trait Bits {
    fn bits(&self) -> [u64; 2];
}

impl Bits for f64 {
    fn bits(&self) -> [u64; 2] {
        [self.to_bits(), 0]
    }
}

impl Bits for u32 {
    fn bits(&self) -> [u64; 2] {
        [u64::from(*self), 0]
    }
}

impl Bits for Complex<f64> {
    fn bits(&self) -> [u64; 2] {
        [self.re.to_bits(), self.im.to_bits()]
    }
}

/// Makes an array of the words at each index.
fn words<T>(count: usize, word: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(word).collect()
}
