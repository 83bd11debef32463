//! Crate side of a kernel that is planned at run time: the interface, and how its runs end.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Expansion;
use super::arguments::Argument;

impl Expansion<'_> {
    /// Prints `plan`, `plan_owned`, and the types `Planner` and `Planned`.
    pub(super) fn planner(&self, private: &TokenStream) -> TokenStream {
        let functions = self.plan_functions(private);
        let control = self.control_of_held();
        let planner = self.planner_type(private);
        let planned = self.planned_type(private);
        let ranked = self.ranked(private);
        quote! {
            #functions
            #control
            #planner
            #planned
            #ranked
        }
    }

    /// Prints `plan` and `plan_owned`.
    fn plan_functions(&self, private: &TokenStream) -> TokenStream {
        let name = &self.kernel.name;
        let (borrow, borrowed_for) = self.lifetimes_of_structure();
        let borrowed = self.borrowed_control_parameters();
        let plan = format!(
            "Plans [`{name}`](fn@super::{name}) for these control arguments while the program runs. The plan borrows the `#[structure]` arguments."
        );
        let hold = self.hold();
        let plan_owned = self.owned_parameters(private).map(|parameters| {
            quote_spanned! {Span::mixed_site()=>
                /// Plans as [`plan`] does. The plan owns the `#[structure]` arguments, and can be
                /// kept beside them: `Arc`s of slices, or of vectors, or vectors. Nothing is
                /// copied.
                pub fn plan_owned(#(#parameters),*) -> Planner<'static> {
                    Planner::of(#hold)
                }
            }
        });
        quote_spanned! {Span::mixed_site()=>
            #[doc = #plan]
            pub fn plan #borrow(#(#borrowed),*) -> Planner<#borrowed_for> {
                Planner::of(#hold)
            }

            #plan_owned
        }
    }

    /// Prints the function of `Held` that lends the control arguments.
    fn control_of_held(&self) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let lend = self.lend_held(&quote_spanned!(Span::mixed_site()=> self));
        quote_spanned! {Span::mixed_site()=>
            impl Held<'_> {
                fn control(&self) -> Control<'_> {
                    #lend
                    Control {
                        #(#names,)*
                        #lifetime: ::core::marker::PhantomData,
                    }
                }
            }
        }
    }

    /// Prints the type `Planner`.
    fn planner_type(&self, private: &TokenStream) -> TokenStream {
        let names = self.control_names();
        let (run_settings, plan_settings) = (run_settings(private), plan_settings(private));
        let build_and_open = build_and_open(private, &self.type_of_plans(private, "Planned"));
        quote_spanned! {Span::mixed_site()=>
            /// Choices of a plan to be. Each function returns a planner of its own.
            #[derive(Clone)]
            #[must_use = "`build` it"]
            pub struct Planner<'s> {
                held: Held<'s>,
                settings: #private::Settings,
            }

            impl<'s> Planner<'s> {
                fn of(held: Held<'s>) -> Self {
                    let Control { #(#names,)* .. } = held.control();
                    #(#private::is_control(&#names);)*
                    Self {
                        held,
                        settings: #private::Settings::default(),
                    }
                }

                fn with(&self, settings: #private::Settings) -> Self {
                    Self {
                        held: self.held.clone(),
                        settings,
                    }
                }

                #run_settings

                #plan_settings

                #build_and_open
            }
        }
    }

    /// Prints the type `Planned`.
    fn planned_type(&self, private: &TokenStream) -> TokenStream {
        let names = self.control_names();
        let data = self.parameters(Argument::is_data);
        let arguments = self.arguments_of_call();
        let (result, verdict) = (self.result_of_run(private), self.verdict());
        let finish = self.finish_run(private);
        let plan = self.type_of_plans(private, "Planned");
        quote_spanned! {Span::mixed_site()=>
            /// A plan that is proved. Runs allocate nothing; several can run at once.
            pub struct Planned<'s> {
                held: Held<'s>,
                plan: #plan<Types>,
            }

            impl Planned<'_> {
                /// Runs the plan, or the original function where that is measured to be faster.
                ///
                #verdict
                /// # Errors
                /// If an argument is not as long as the plan needs: nothing has run then. If a
                /// grain panics, or the original function does.
                #[inline]
                pub fn run(&self, #(#data),*) -> #result {
                    let control = self.held.control();
                    let Control { #(#names,)* .. } = control;
                    let outcome = self.plan.run(control, #arguments);
                    #finish
                }

                /// Writes the plan to a file, which is replaced as a whole: `open` of a planner
                /// reads it.
                ///
                /// # Errors
                /// If the file can't be written.
                #[inline]
                pub fn save(
                    &self,
                    path: impl ::core::convert::AsRef<::std::path::Path>,
                ) -> ::core::result::Result<(), #private::FileError> {
                    self.plan.save(self.held.control(), path.as_ref())
                }

                /// Tells what was planned, and why.
                pub fn report(&self) -> #private::Report<'_> {
                    self.plan.whole_report(self.held.control())
                }
            }

            impl ::core::fmt::Debug for Planned<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.plan, f)
                }
            }
        }
    }

    /// Prints the type that runs of a plan return: in it the kernel's own result, where it has one.
    pub(super) fn result_of_run(&self, private: &TokenStream) -> TokenStream {
        let own = self.own_result();
        quote!(::core::result::Result<#own, #private::RunError>)
    }

    /// Prints the type of the kernel's own result.
    pub(super) fn own_result(&self) -> TokenStream {
        match &self.kernel.error {
            None => quote!(()),
            Some(_) => {
                let error = self.error(1);
                quote!(::core::result::Result<(), #error>)
            }
        }
    }

    /// Describes the kernel's own result in that of a run.
    pub(super) fn verdict(&self) -> Option<TokenStream> {
        let verdict = quote! {
            /// The inner result is the function's: the error of the guard by which the sequential
            /// run gives up. The contents of `&mut` arguments are unspecified then.
            ///
        };
        self.kernel.error.is_some().then_some(verdict)
    }

    /// Prints how a run ends whose `outcome` is known.
    pub(super) fn finish_run(&self, private: &TokenStream) -> TokenStream {
        let original = self.original();
        if self.kernel.error.is_none() {
            return quote_spanned! {Span::mixed_site()=>
                match outcome? {
                    #private::Outcome::Original(_, turn) => turn.run(|| #original),
                    #private::Outcome::Ran => ::core::result::Result::Ok(()),
                }
            };
        }
        quote_spanned! {Span::mixed_site()=>
            match outcome {
                ::core::result::Result::Ok(#private::Outcome::Original(_, turn)) => {
                    turn.run_guarded(|| #original)
                }
                ::core::result::Result::Ok(#private::Outcome::Ran) => {
                    ::core::result::Result::Ok(::core::result::Result::Ok(()))
                }
                ::core::result::Result::Err(error) => {
                    #private::given_up(error).map(::core::result::Result::Err)
                }
            }
        }
    }
}

/// Prints the choices of a `Planner` that say how its plans run.
fn run_settings(private: &TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        /// Sets the number of processors; without it there is one for each core.
        pub fn processors(&self, processors: usize) -> Self {
            self.with(self.settings.clone().processors(processors))
        }

        /// Sets the number of processors, on which runs insist: they never run the original
        /// function because that is faster. To measure, and to test.
        pub fn exactly(&self, processors: usize) -> Self {
            self.with(self.settings.clone().exactly(processors))
        }

        /// Sets how processors wait.
        pub fn wait(&self, wait: #private::WaitPolicy) -> Self {
            self.with(self.settings.clone().wait(wait))
        }

        /// Has runs recorded: after each, `superstep::last_timeline()` says when its steps
        /// began and ended.
        pub fn record(&self, record: bool) -> Self {
            self.with(self.settings.clone().record(record))
        }
    }
}

/// Prints the choices of a `Planner` that say which plan is made, and how much memory its proof may
/// take.
fn plan_settings(private: &TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        /// Sets what words and waits are taken to cost.
        pub fn costs(&self, costs: #private::Costs) -> Self {
            self.with(self.settings.clone().costs(costs))
        }

        /// Takes the costs of words and waits from a recorded run of the plan that this planner
        /// builds. Work that takes ten times as long as predicted is then worth waits that it was
        /// not worth before.
        ///
        /// The timeline is that of `superstep::last_timeline()` or of `superstep::Timeline::read`,
        /// of a run in place, on any values. A plan by measured costs can be recorded in turn: the
        /// next call of `measured` takes that. Plans that are [opened](Self::open) stay as they
        /// are.
        pub fn measured(&self, timeline: &#private::Timeline) -> Self {
            self.with(self.settings.clone().measured(timeline))
        }

        /// Sets the level of the loops whose iterations are scheduled: 0 are the outermost, 1 those
        /// in them, and so on. Without it, it is the level whose plan is predicted to be fastest.
        pub fn level(&self, level: usize) -> Self {
            self.with(self.settings.clone().level(level))
        }

        /// Sets which schedule is made. Without it, it is the one that is predicted to be fastest.
        pub fn schedule(&self, schedule: #private::Schedule) -> Self {
            self.with(self.settings.clone().schedule(schedule))
        }

        /// Sets how many calls are expected. Without it they are enough for any plan to pay.
        ///
        /// Scheduling and its proof take some tens of calls. Where so few calls cannot gain as
        /// much, they are left out. The plan has one processor then, and its report says how many
        /// calls it takes at least. A [schedule](Self::schedule) that is named is made in any case,
        /// and a plan that is [opened](Self::open) stays as it is.
        pub fn expected_calls(&self, calls: u64) -> Self {
            self.with(self.settings.clone().expected_calls(calls))
        }

        /// Sets how many bytes the proof of a plan that is [opened](Self::open) may take, beside
        /// those in proportion to plan and kernel. Without it they are 64 for each byte of the
        /// file, and 16 MiB. Plans for up to 64 processors never take more.
        pub fn proof_memory(self, bytes: usize) -> Self {
            Self {
                settings: self.settings.proof_memory(bytes),
                ..self
            }
        }
    }
}

/// Prints `build` and `open` of a `Planner`.
fn build_and_open(private: &TokenStream, plan: &TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        /// Tracks what each grain reads and writes, schedules the grains, and proves the
        /// schedule.
        ///
        /// # Errors
        /// If the control arguments lead out of an array or a range, there are no
        /// processors, or a timeline is [of another plan](Self::measured).
        #[inline]
        pub fn build(&self) -> ::core::result::Result<Planned<'s>, #private::PlanningError> {
            ::core::result::Result::Ok(Planned {
                plan: #plan::new(self.held.control(), self.settings.clone())?,
                held: self.held.clone(),
            })
        }

        /// Reads a plan that [`save`](Planned::save) has written for the same control
        /// arguments, and proves it.
        ///
        /// It has the number of processors and the level of loops for which it was built.
        ///
        /// # Errors
        /// If the file can't be read, is damaged, or has a plan of another kernel or for other
        /// control arguments. If it is for another number of processors than was set, or if its
        /// proof would take [too much memory](Self::proof_memory).
        #[inline]
        pub fn open(
            &self,
            path: impl ::core::convert::AsRef<::std::path::Path>,
        ) -> ::core::result::Result<Planned<'s>, #private::FileError> {
            let plan = #plan::open(self.held.control(), self.settings.clone(), path.as_ref())?;
            ::core::result::Result::Ok(Planned {
                plan,
                held: self.held.clone(),
            })
        }
    }
}
