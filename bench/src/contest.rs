//! Forms of one kernel, run side by side.
//!
//! Every round runs each form, one after the other, on fresh copies of the input.

use std::fmt::{Debug, Display};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use superstep::{Reason, RunError};
use superstep_side_by_side::SameBits;
use superstep_timing::Rounds;

use crate::quiet::{Measured, Quiet};

/// The forms of one kernel. `T` holds its `&mut` arguments.
pub(crate) struct Contest<'a, T> {
    kernel: &'static str,
    size: String,
    input: &'a T,
    entrants: Vec<Entrant<'a, T>>,
}

struct Entrant<'a, T> {
    form: Form,
    run: Box<dyn FnMut(&mut T) + Send + 'a>,
    /// Time that the build predicted, in seconds.
    predicted: Option<f64>,
    /// Counted calls that fell back to one processor.
    fallbacks: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    AsWritten,
    Slices,
    /// The program for this number of processors, in any case.
    Generated(usize),
    /// A call for at most this number, which may fall back.
    Called(usize),
    /// A plan for two processors, made at run time.
    Planned,
    Rayon(&'static str),
}

/// The outcome for one kernel. Ratios are of times: below 1 the first is faster.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Standing {
    /// Name of the kernel.
    pub(crate) kernel: String,
    /// Its size.
    pub(crate) size: String,
    /// The generated program for one processor to the sequential slice form.
    pub(crate) p1_vs_slice: f64,
    /// The generated program for two processors to the sequential slice form; beside busy threads,
    /// calls for at most two, which may fall back.
    pub(crate) p2_vs_slice: f64,
    /// The generated program for two processors to the better of the forms with rayon, on two
    /// threads.
    pub(crate) p2_vs_rayon: f64,
    /// The generated program for one processor to the kernel as its user wrote it.
    pub(crate) p1_vs_written: f64,
    /// A plan for two processors, made at run time, to the sequential slice form; none if the
    /// kernel cannot be planned.
    pub(crate) plan_vs_slice: Option<f64>,
    /// The kernel as its user wrote it to the sequential slice form.
    pub(crate) written_vs_slice: f64,
    /// Calls, if they took part.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) calls: Option<Calls>,
    /// Times that the builds predicted for one and for two processors, in seconds.
    pub(crate) predicted_seconds: [f64; 2],
    /// The median times of these programs, in seconds.
    pub(crate) measured_seconds: [f64; 2],
    /// The larger error of the two, as a share of what was measured.
    pub(crate) predicted_error: f64,
    /// Set if every result had the bits of the kernel's.
    pub(crate) identical: bool,
    /// The share of the measurements that others on the machine disturbed, each time that they were
    /// repeated.
    pub(crate) disturbed: f64,
    /// Median time of the sequential slice form, in seconds.
    pub(crate) slice_seconds: f64,
    /// Name of the better form with rayon.
    pub(crate) rayon_form: String,
}

/// Ratios that only calls show that may fall back.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Calls {
    /// The program for two processors, without falling back, to the sequential slice form.
    pub(crate) p2_exactly_vs_slice: f64,
    /// Calls for at most four processors to the sequential slice form.
    pub(crate) p4_vs_slice: f64,
    /// The share of the calls for at most two processors that fell back.
    pub(crate) p2_fell_back: f64,
}

impl<'a, T: Clone + SameBits> Contest<'a, T> {
    /// Begins a contest on `input`.
    pub(crate) fn new(kernel: &'static str, size: impl Display, input: &'a T) -> Self {
        Self {
            kernel,
            size: size.to_string(),
            input,
            entrants: Vec::new(),
        }
    }

    fn with(mut self, form: Form, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.entrants.push(Entrant {
            form,
            run: Box::new(run),
            predicted: None,
            fallbacks: 0,
        });
        self
    }

    /// Adds the kernel itself. It comes first: its result is what the others must give.
    pub(crate) fn written(self, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.with(Form::AsWritten, run)
    }

    /// Adds the kernel as an expert writes it for one thread, with slices that the compiler can
    /// vectorise over.
    pub(crate) fn slices(self, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.with(Form::Slices, run)
    }

    /// Adds the generated programs: those for `exactly` one and two processors, and calls for at
    /// most two and four, which may fall back.
    pub(crate) fn programs<P: Send + 'a>(
        self,
        exactly: [P; 2],
        at_most: [P; 2],
        run: impl Fn(&P, &mut T) -> Result<(), RunError> + Clone + Send + 'a,
    ) -> Self {
        let exactly = [1, 2].map(Form::Generated).into_iter().zip(exactly);
        let at_most = [2, 4].map(Form::Called).into_iter().zip(at_most);
        exactly
            .chain(at_most)
            .fold(self, |contest, (form, program)| {
                let run = run.clone();
                contest.with(form, move |data| {
                    run(&program, data).expect("a generated program runs")
                })
            })
    }

    /// Adds a plan for two processors, made at run time.
    pub(crate) fn planned(
        self,
        mut run: impl FnMut(&mut T) -> Result<(), RunError> + Send + 'a,
    ) -> Self {
        self.with(Form::Planned, move |data| run(data).expect("a plan runs"))
    }

    /// Adds one way to write it with rayon.
    pub(crate) fn rayon(self, name: &'static str, run: impl FnMut(&mut T) + Send + 'a) -> Self {
        self.with(Form::Rayon(name), run)
    }

    /// Runs all forms `rounds` times; those that may fall back only if the machine is `busy`.
    ///
    /// In each round every form runs twice, and the second time counts. So each finds its threads
    /// awake and its data in its own cores' caches, as in a loop of calls, whatever ran before it.
    /// Rounds that others on the machine disturb are measured again.
    ///
    /// # Panics
    /// If no program was generated.
    pub(crate) fn run(mut self, rounds: usize, busy: bool) -> Standing {
        self.entrants
            .retain(|entrant| busy || !matches!(entrant.form, Form::Called(_)));
        let mut expected = self.input.clone();
        (self.entrants[0].run)(&mut expected);
        let mut data = self.input.clone();
        let mut identical = true;
        let mut quiet = Quiet::new();
        let mut seconds = Rounds::new(self.entrants.len());
        for _ in 0..rounds {
            for (form, entrant) in self.entrants.iter_mut().enumerate() {
                let mut measure = || {
                    data.clone_from(self.input);
                    (entrant.run)(&mut data);
                    let start = Instant::now();
                    data.clone_from(self.input);
                    let copied = Instant::now();
                    (entrant.run)(&mut data);
                    Measured {
                        copy: (copied - start).as_secs_f64(),
                        run: copied.elapsed().as_secs_f64(),
                    }
                };
                let taken = match busy {
                    true => measure().run,
                    false => quiet.measure(measure),
                };
                seconds.push(form, taken);
                identical &= data.same_bits(&expected);
                entrant.look(self.kernel);
            }
        }
        self.standing(&seconds, identical, quiet.disturbed())
    }

    fn standing(self, seconds: &Rounds, identical: bool, disturbed: f64) -> Standing {
        let place = |form: Form| {
            self.entrants
                .iter()
                .position(|entrant| entrant.form == form)
        };
        let form = |form: Form| place(form).expect("every contest has this form");
        let slices = form(Form::Slices);
        let to_slices = |form| seconds.ratio(form, slices);
        let rayons = self.entrants.iter().enumerate();
        let rayons = rayons.filter_map(|(at, entrant)| match entrant.form {
            Form::Rayon(name) => Some((at, name)),
            _ => None,
        });
        let (rayon, rayon_form) = rayons
            .min_by(|a, b| to_slices(a.0).total_cmp(&to_slices(b.0)))
            .expect("every contest has a rayon form");
        let [one, two] = [1, 2].map(|processors| form(Form::Generated(processors)));
        let called = place(Form::Called(2));
        let two_called = called.unwrap_or(two);
        let predicted = |at: usize| self.entrants[at].predicted.expect("a build predicts");
        let predicted_seconds = [one, two].map(predicted);
        let measured_seconds = [one, two].map(|form| seconds.median(form));
        let error = |at: usize| (predicted_seconds[at] / measured_seconds[at] - 1.0).abs();
        Standing {
            p1_vs_slice: to_slices(one),
            p2_vs_slice: to_slices(two_called),
            p2_vs_rayon: seconds.ratio(two_called, rayon),
            p1_vs_written: seconds.ratio(one, form(Form::AsWritten)),
            plan_vs_slice: place(Form::Planned).map(to_slices),
            written_vs_slice: to_slices(form(Form::AsWritten)),
            calls: called.map(|called| Calls {
                p2_exactly_vs_slice: to_slices(two),
                p4_vs_slice: to_slices(form(Form::Called(4))),
                p2_fell_back: self.entrants[called].fallbacks as f64 / seconds.count() as f64,
            }),
            predicted_seconds,
            measured_seconds,
            predicted_error: error(0).max(error(1)),
            identical,
            disturbed,
            slice_seconds: seconds.median(slices),
            rayon_form: rayon_form.to_owned(),
            kernel: self.kernel.to_owned(),
            size: self.size,
        }
    }
}

impl<T> Entrant<'_, T> {
    /// Looks at what the last call ran, if that is to be a program.
    fn look(&mut self, kernel: &str) {
        if let Form::Generated(_) | Form::Called(_) = self.form {
            let Some(ran) = superstep::last_run() else {
                let reason = superstep::last_reason();
                assert_eq!(reason, Some(Reason::AsWritten), "{kernel}: no program ran");
                self.fallbacks += 1;
                return;
            };
            self.predicted = ran.predicted.map(|time| time.as_secs_f64());
            self.fallbacks += usize::from(ran.instead_of.is_some());
        }
    }
}

/// Returns a program or plan that there must be.
pub(crate) fn prepared<P, E: Debug>(plan: &Result<P, E>) -> &P {
    plan.as_ref().expect("there is one for these arguments")
}
