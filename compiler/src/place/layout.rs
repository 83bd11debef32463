//! Layout: how the words of each array are arranged in the memories of processors.
//!
//! A kernel's arrays are rows one after the other (row-major), but a schedule may have given a
//! processor columns. Then every run steps by the length of a row, and each of its words is in a
//! cache line of its own.
//!
//! So a program may keep an array *by columns*: as rows, of the length by which the runs step, that
//! are transposed. They are transposed when the inputs are scattered, and back when the results are
//! gathered. All processors have the same layout.

use superstep_plan::{Body, Code};
use superstep_tracer::{Kernel, Trace};

use crate::pattern::signature::{Use, uses};

/// The arrangement of each array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    arrays: Vec<Arrangement>,
}

/// The arrangement of one array: rows of `width` words, of which there are `rows`, transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arrangement {
    width: u32,
    rows: u32,
}

impl Arrangement {
    /// Arranges words in the caller's own order: one column.
    fn given(extent: u32) -> Self {
        Self {
            width: 1,
            rows: extent,
        }
    }

    /// Arranges words in rows of `width`, transposed; as given where that makes no matrix.
    fn columns(extent: u32, width: u32) -> Self {
        let rows = extent.div_ceil(width.max(1));
        match rows.checked_mul(width) {
            Some(words) if width > 1 && rows > 1 && words < superstep_tracer::INPUT => {
                Self { width, rows }
            }
            _ => Self::given(extent),
        }
    }
}

impl Layout {
    /// Keeps every array in the caller's order.
    pub fn given(trace: &Trace) -> Self {
        Self {
            arrays: trace
                .extents()
                .iter()
                .map(|&extent| Arrangement::given(extent))
                .collect(),
        }
    }

    /// Finds a layout in which runs of `code` step by 1 that step by the length of a row now. None
    /// if they are few.
    pub(crate) fn for_columns(trace: &Trace, bodies: &[Body], code: &[Code]) -> Option<Self> {
        let steps = Steps::count(trace.kernel(), bodies, code);
        let arrange = |(array, &extent): (usize, &u32)| match steps.row(array) {
            Some(width) => Arrangement::columns(extent, width),
            None => Arrangement::given(extent),
        };
        let layout = Self {
            arrays: trace.extents().iter().enumerate().map(arrange).collect(),
        };
        (!layout.is_given()).then_some(layout)
    }

    /// Returns whether all arrays are in the caller's order.
    pub fn is_given(&self) -> bool {
        self.arrays.iter().all(|array| array.width == 1)
    }

    /// Returns the home slot of a word.
    #[inline]
    pub fn home(&self, array: u16, index: u32) -> u32 {
        let Arrangement { width, rows } = self.arrays[usize::from(array)];
        if width == 1 {
            index
        } else {
            index % width * rows + index / width
        }
    }

    /// Returns the words of a row of an array as given, and the number of rows.
    pub(crate) fn shape(&self, array: u16) -> [u32; 2] {
        let Arrangement { width, rows } = self.arrays[usize::from(array)];
        [width, rows]
    }

    /// Returns whether an array is transposed.
    pub(crate) fn is_transposed(&self, array: u16) -> bool {
        self.arrays[usize::from(array)].width > 1
    }

    /// Iterates over the arrays' numbers of home slots.
    pub fn extents(&self) -> impl Iterator<Item = u32> {
        self.arrays.iter().map(|array| array.width * array.rows)
    }
}

/// Different steps that are counted for an array, at most: a matrix has few, and late ones are
/// rare.
const MOST: usize = 64;

/// Steps by which runs go through the arrays.
struct Steps {
    /// (step, iterations) per array, for steps of 2 and more.
    far: Vec<Vec<(u32, u64)>>,
    /// Iterations with a step of 1, per array.
    near: Vec<u64>,
}

impl Steps {
    fn count(kernel: &Kernel, bodies: &[Body], code: &[Code]) -> Self {
        let arrays = kernel.arrays.len();
        let mut steps = Self {
            far: vec![Vec::new(); arrays],
            near: vec![0; arrays],
        };
        let uses: Vec<Vec<Use>> = bodies
            .iter()
            .map(|body| uses(kernel, body.statements()))
            .collect();
        for code in code {
            code.walk(bodies, &mut |body, run| {
                for (each, step) in uses[body].iter().zip(bodies[body].steps(run)) {
                    if let Some(array) = each.array() {
                        steps.note(usize::from(array), step.unsigned_abs(), run.count() as u64);
                    }
                }
            });
        }
        steps
    }

    fn note(&mut self, array: usize, step: u64, iterations: u64) {
        match step {
            0 => (),
            1 => self.near[array] += iterations,
            _ => {
                let far = &mut self.far[array];
                let step = u32::try_from(step).unwrap_or(u32::MAX);
                match far.iter().position(|&(other, _)| other == step) {
                    Some(at) => far[at].1 += iterations,
                    // A matrix has few: what comes late is rare.
                    None if far.len() < MOST => far.push((step, iterations)),
                    None => (),
                }
            }
        }
    }

    /// Returns the step of most iterations, if those with a step of 1 are not many more.
    fn row(&self, array: usize) -> Option<u32> {
        let most = self.far[array]
            .iter()
            .max_by_key(|&&(step, iterations)| (iterations, std::cmp::Reverse(step)))?;
        (4 * most.1 > self.near[array]).then_some(most.0)
    }
}
