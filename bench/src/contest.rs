//! Forms of one kernel, run side by side.
//!
//! A machine's speed drifts by more than the differences that matter here, so times of separate runs are not compared. Every round
//! runs each form once, one after the other, on a fresh copy of the input; a form's figure is the median over the rounds of its time
//! divided by that of the sequential slice form in the same round.

use std::fmt::{Debug, Display};
use std::time::Instant;

use serde::Serialize;
use superstep::RunError;
use superstep_side_by_side::SameBits;

/// The forms of one kernel. `T` holds its `&mut` arguments.
pub(crate) struct Contest<'a, T> {
    kernel: String,
    input: &'a T,
    entrants: Vec<Entrant<'a, T>>,
}

struct Entrant<'a, T> {
    form: Form,
    run: Box<dyn FnMut(&mut T) + Send + 'a>,
    seconds: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    AsWritten,
    Slices,
    Generated(usize),
    Rayon(&'static str),
}

/// The outcome for one kernel. Ratios are to the time of the sequential slice form: below 1 is faster.
#[derive(Debug, Serialize)]
pub(crate) struct Standing {
    /// Kernel and size.
    pub(crate) kernel: String,
    /// Median time of the sequential slice form, in seconds.
    pub(crate) slices_seconds: f64,
    /// The kernel as its user wrote it.
    pub(crate) as_written: f64,
    /// The generated program for one processor.
    pub(crate) generated_1: f64,
    /// The generated program for two processors.
    pub(crate) generated_2: f64,
    /// The better of the forms with rayon, on two threads.
    pub(crate) rayon: f64,
    /// Which of them that is.
    pub(crate) rayon_form: &'static str,
}

impl<'a, T: Clone + SameBits> Contest<'a, T> {
    /// A contest on `input`.
    pub(crate) fn new(kernel: String, input: &'a T) -> Self {
        Self {
            kernel,
            input,
            entrants: Vec::new(),
        }
    }

    fn with(mut self, form: Form, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.entrants.push(Entrant {
            form,
            run: Box::new(run),
            seconds: Vec::new(),
        });
        self
    }

    /// The kernel itself. It comes first: its result is what the others must give.
    pub(crate) fn written(self, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.with(Form::AsWritten, run)
    }

    /// The kernel as an expert writes it for one thread, with slices that the compiler can vectorise over.
    pub(crate) fn slices(self, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.with(Form::Slices, run)
    }

    /// The generated program for `processors`.
    pub(crate) fn generated(
        self,
        processors: usize,
        mut run: impl FnMut(&mut T) -> Result<(), RunError> + Send + 'a,
    ) -> Self {
        self.with(Form::Generated(processors), move |data| {
            run(data).expect("a generated program runs")
        })
    }

    /// The generated program for `processors`, with its control arguments compared beforehand.
    pub(crate) fn prepared<P: Sync, E: Debug + Display + Sync>(
        self,
        processors: usize,
        plan: &'a Result<P, E>,
        run: impl Fn(&P, &mut T) -> Result<(), RunError> + Send + 'a,
    ) -> Self {
        let plan = plan
            .as_ref()
            .expect("a program was generated for these arguments");
        self.generated(processors, move |data| run(plan, data))
    }

    /// One way to write it with rayon.
    pub(crate) fn rayon(self, name: &'static str, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.with(Form::Rayon(name), run)
    }

    /// Runs all forms `rounds` times.
    ///
    /// In each round every form runs twice, and the second time counts: so each finds its threads awake and its data in its own cores'
    /// caches, as in a loop of calls, whatever ran before it.
    ///
    /// # Panics
    /// If a form's result differs from the kernel's in any bit, or no program was generated.
    pub(crate) fn run(mut self, rounds: usize) -> Standing {
        let mut expected = self.input.clone();
        (self.entrants[0].run)(&mut expected);
        let mut data = self.input.clone();
        for _ in 0..rounds {
            for entrant in &mut self.entrants {
                data.clone_from(self.input);
                (entrant.run)(&mut data);
                data.clone_from(self.input);
                let start = Instant::now();
                (entrant.run)(&mut data);
                entrant.seconds.push(start.elapsed().as_secs_f64());
                assert!(
                    data.same_bits(&expected),
                    "{}: {} gave another result",
                    self.kernel,
                    entrant.form.name()
                );
                if let Form::Generated(processors) = entrant.form {
                    let ran = superstep::last_run().map(|ran| ran.processors);
                    assert_eq!(
                        ran,
                        Some(processors),
                        "{}: no generated program ran",
                        self.kernel
                    );
                }
            }
        }
        self.standing()
    }

    fn standing(&self) -> Standing {
        let slices = self
            .entrants
            .iter()
            .find(|e| e.form == Form::Slices)
            .expect("every contest has the slice form");
        let ratio = |entrant: &Entrant<'_, T>| {
            median(
                entrant
                    .seconds
                    .iter()
                    .zip(&slices.seconds)
                    .map(|(t, s)| t / s),
            )
        };
        let of = |form: Form| {
            self.entrants
                .iter()
                .find(|e| e.form == form)
                .map_or(f64::NAN, ratio)
        };
        let rayon = self
            .entrants
            .iter()
            .filter_map(|entrant| match entrant.form {
                Form::Rayon(name) => Some((ratio(entrant), name)),
                _ => None,
            });
        let (rayon, rayon_form) = rayon
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .expect("every contest has a rayon form");
        Standing {
            kernel: self.kernel.clone(),
            slices_seconds: median(slices.seconds.iter().copied()),
            as_written: of(Form::AsWritten),
            generated_1: of(Form::Generated(1)),
            generated_2: of(Form::Generated(2)),
            rayon,
            rayon_form,
        }
    }
}

impl Form {
    fn name(self) -> String {
        match self {
            Self::AsWritten => "the kernel".into(),
            Self::Slices => "the slice form".into(),
            Self::Generated(processors) => format!("the program for {processors} processors"),
            Self::Rayon(name) => format!("rayon over {name}"),
        }
    }
}

pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
