//! Cases: a kernel with its sizes and its data.

use num_complex::Complex;
use superstep::{RunError, Transport};
use superstep_side_by_side::SameBits;

use crate::data::{self, bodies, dominant, draw, letters, points, roots};
use crate::kernels::{
    self,
    geometry::{Aabb, Point, Ray},
};
use crate::pattern::{self, Factor};

/// The size at which a kernel is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Some dozens of tasks, for tests.
    Tiny,
    /// Some thousands of tasks.
    Small,
    /// 10^5 tasks and more.
    Real,
}

/// The form in which a kernel is called.
#[derive(Clone, Copy, Debug)]
pub enum By {
    /// The function as written.
    Function,
    /// `parallel`.
    Parallel,
    /// As `parallel`, on one processor at most.
    Alone,
    /// The program for that many processors.
    Exactly(usize, Transport),
    /// Runs the program over the caller's arrays, recorded.
    Recorded(usize),
}

/// A kernel with its sizes and its data.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The module of its kernel.
    pub field: &'static str,
    /// The kernel.
    pub kernel: &'static str,
    /// Names of what its sizes consist of.
    names: &'static str,
    /// Values of these, as `Debug` prints them.
    values: fn(Size) -> String,
    trial: fn(Size) -> Box<dyn Trial>,
}

impl Case {
    /// Writes a size for people: `n = 64, sweeps = 10`.
    pub fn size(&self, size: Size) -> String {
        let parts = |text: &str| -> Vec<String> {
            let text = text.trim_matches(['(', ')']);
            text.split(", ").map(str::to_owned).collect()
        };
        let named = parts(self.names)
            .into_iter()
            .zip(parts(&(self.values)(size)));
        let named: Vec<String> = named
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        named.join(", ")
    }

    /// Draws the data of a size.
    pub fn trial(&self, size: Size) -> Box<dyn Trial> {
        (self.trial)(size)
    }

    /// Draws the data of a size so many times, for calls that take turns: of one input again and
    /// again a processor foresees the branches.
    pub fn in_turn(&self, size: Size, inputs: usize) -> Box<dyn Trial> {
        let draw = |input| data::as_input(input, || self.trial(size));
        Box::new(InTurn {
            trials: (0..inputs as u64).map(draw).collect(),
            at: 0,
        })
    }
}

/// A kernel and its data: one can be called on the other, again and again.
pub trait Trial {
    /// Gives what the kernel writes its first values again.
    fn reset(&mut self);

    /// Calls the kernel.
    ///
    /// # Errors
    /// As `try_parallel`.
    fn call(&mut self, by: By) -> Result<(), RunError>;

    /// Keeps what the kernel has written.
    fn keep(&mut self);

    /// Returns whether the kernel has written what was kept, in every bit.
    fn is_kept(&self) -> bool;
}

/// A kernel and what it writes; the call knows the rest.
struct On<T, C> {
    first: T,
    data: T,
    kept: Option<T>,
    call: C,
}

impl<T, C> On<T, C>
where
    T: Clone + SameBits + 'static,
    C: FnMut(By, &mut T) -> Result<(), RunError> + 'static,
{
    fn boxed(first: T, call: C) -> Box<dyn Trial> {
        let data = first.clone();
        Box::new(Self {
            first,
            data,
            kept: None,
            call,
        })
    }
}

impl<T, C> Trial for On<T, C>
where
    T: Clone + SameBits,
    C: FnMut(By, &mut T) -> Result<(), RunError>,
{
    fn reset(&mut self) {
        self.data.clone_from(&self.first);
    }

    fn call(&mut self, by: By) -> Result<(), RunError> {
        (self.call)(by, &mut self.data)
    }

    fn keep(&mut self) {
        self.kept = Some(self.data.clone());
    }

    fn is_kept(&self) -> bool {
        let kept = self.kept.as_ref();
        kept.is_some_and(|kept| self.data.same_bits(kept))
    }
}

/// A kernel on several inputs, of which the next one is taken at each reset.
struct InTurn {
    trials: Vec<Box<dyn Trial>>,
    at: usize,
}

impl Trial for InTurn {
    fn reset(&mut self) {
        self.at = (self.at + 1) % self.trials.len();
        self.trials[self.at].reset();
    }

    fn call(&mut self, by: By) -> Result<(), RunError> {
        self.trials[self.at].call(by)
    }

    fn keep(&mut self) {
        self.trials[self.at].keep();
    }

    fn is_kept(&self) -> bool {
        self.trials[self.at].is_kept()
    }
}

macro_rules! cases {
    ($($field:ident::$kernel:ident {
        sizes: $size:pat in $sizes:expr,
        $(pattern: { $($pattern:tt)* },)?
        instance: $control:tt,
        $(given: { $($given:tt)* },)?
        data: ($($data:ident = $value:expr),* $(,)?),
        call: $call:tt,
    })*) => {
        /// All cases.
        pub const CASES: &[Case] = &[$(Case {
            field: stringify!($field),
            kernel: stringify!($kernel),
            names: stringify!($size),
            values: |size| format!("{:?}", $sizes[size as usize]),
            trial: |size| {
                let $size = $sizes[size as usize];
                $($($pattern)*)?
                $($($given)*)?
                On::boxed(($($value,)*), move |by, ($($data,)*)| {
                    match by {
                        By::Function => kernels::$field::$kernel $call,
                        By::Parallel => kernels::$field::$kernel::try_parallel $call?,
                        By::Alone => {
                            let with = kernels::$field::$kernel::with();
                            with.processors(1).run $call?;
                        }
                        By::Exactly(processors, transport) => {
                            let with = kernels::$field::$kernel::with();
                            with.exactly(processors).transport(transport).run $call?;
                        }
                        By::Recorded(processors) => {
                            let with = kernels::$field::$kernel::with();
                            with.exactly(processors).record(true).run $call?;
                        }
                    }
                    Ok(())
                })
            },
        }),*];
    };
}

include!("cases.rs");
