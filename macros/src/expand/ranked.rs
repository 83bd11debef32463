//! Crate side of plans over ranks, where superstep has its feature `ranks`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Expansion;
use super::arguments::Argument;

impl Expansion<'_> {
    /// Prints `build_over` and `open_over` of `Planner`, and the type `Ranked`. None for kernels
    /// with guards: one gives up on one processor, and no other rank would know.
    pub(super) fn ranked(&self, private: &TokenStream) -> Option<TokenStream> {
        if self.kernel.error.is_some() {
            return None;
        }
        let facade = &self.context.facade;
        let ranks = quote!(#facade::__private::ranks);
        let planner = planner_over(private, &ranks);
        let ranked = self.ranked_type(private, &ranks);
        Some(quote! {
            #facade::__private::if_ranked! {
                #planner
                #ranked
            }
        })
    }

    /// Prints the type `Ranked`.
    fn ranked_type(&self, private: &TokenStream, ranks: &TokenStream) -> TokenStream {
        let names = self.control_names();
        let data = self.parameters(Argument::is_data);
        let arguments = self.arguments_of_call();
        let [fills, results] = self.words_of_part();
        quote_spanned! {Span::mixed_site()=>
            /// A plan over ranks: the part of this one.
            pub struct Ranked<'s> {
                held: Held<'s>,
                ranked: #private::Ranked<Types>,
            }

            impl Ranked<'_> {
                /// Runs the plan over the ranks for which it was made, each of which calls this.
                ///
                /// # Errors
                /// If a rank has another plan or too short arguments, panics, or the engine
                /// fails.
                pub fn run_over(
                    &self,
                    over: #ranks::Over<'_>,
                    #(#data),*
                ) -> ::core::result::Result<(), #ranks::RankError> {
                    let control = self.held.control();
                    let Control { #(#names,)* .. } = control;
                    #private::run_over(&self.ranked, control, over, #arguments)
                }

                /// Makes this rank's memory, for the words that its grains use; each rank calls
                /// this. No rank has an array in whole.
                ///
                /// # Errors
                /// If a rank has another plan, or the engine fails.
                pub fn part(
                    &self,
                    ranks: &mut dyn #ranks::Communicator,
                ) -> ::core::result::Result<RankedPart<'_>, #ranks::RankError> {
                    ::core::result::Result::Ok(RankedPart {
                        part: #private::RankedPart::of(&self.ranked, ranks)?,
                        held: &self.held,
                    })
                }

                /// Returns how many words of the kernel's arrays this rank holds in a run, messages
                /// apart.
                pub fn words(&self) -> usize {
                    self.ranked.words()
                }
            }

            /// Memory of a rank in runs of a plan. Fill it, run it, and ask it for results; before
            /// it runs again, fill what was written.
            pub struct RankedPart<'p> {
                held: &'p Held<'p>,
                part: #private::RankedPart<'p, Types>,
            }

            impl RankedPart<'_> {
                #(#fills)*

                /// Runs the plan, with inputs and results where they are; each rank calls this.
                ///
                /// # Errors
                /// If a rank panics, or the engine fails.
                pub fn run(
                    &mut self,
                    ranks: &mut dyn #ranks::Communicator,
                ) -> ::core::result::Result<(), #ranks::RankError> {
                    self.part.run(self.held.control(), ranks)
                }

                #(#results)*
            }

            impl ::core::fmt::Debug for Ranked<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.ranked, f)
                }
            }
        }
    }
}

/// Prints `build_over` and `open_over` of `Planner`.
fn planner_over(private: &TokenStream, ranks: &TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        impl<'s> Planner<'s> {
            /// Plans on rank 0 for as many processors as there are ranks, and gives each rank its
            /// part. All ranks call this, with the same control arguments.
            /// Unless costs or a recorded run are set, it measures first how long messages take
            /// between these ranks, by 48 that each sends. Where they are dear the plan sends
            /// fewer, or rank 0 runs alone.
            ///
            /// # Errors
            /// On all ranks: if rank 0 cannot plan, another number of processors was set, or a rank
            /// has other control arguments. If a word is of a type that is not known as bytes. If
            /// the engine fails.
            pub fn build_over(
                &self,
                ranks: &mut dyn #ranks::Communicator,
            ) -> ::core::result::Result<Ranked<'s>, #ranks::RankError> {
                let control = self.held.control();
                let settings = #private::of_messages(self.settings.clone(), ranks)?;
                let plan = |settings| #private::Planned::new(control, settings);
                ::core::result::Result::Ok(Ranked {
                    ranked: #private::Ranked::share(control, settings, ranks, plan)?,
                    held: self.held.clone(),
                })
            }

            /// Opens a plan file on rank 0, as [`open`](Self::open) does, and gives each rank its
            /// part. All ranks call this, with the same control arguments.
            ///
            /// # Errors
            /// As of [`build_over`](Self::build_over).
            pub fn open_over(
                &self,
                ranks: &mut dyn #ranks::Communicator,
                path: impl ::core::convert::AsRef<::std::path::Path>,
            ) -> ::core::result::Result<Ranked<'s>, #ranks::RankError> {
                let control = self.held.control();
                let plan = |settings| #private::Planned::open(control, settings, path.as_ref());
                ::core::result::Result::Ok(Ranked {
                    ranked: #private::Ranked::share(control, self.settings.clone(), ranks, plan)?,
                    held: self.held.clone(),
                })
            }
        }
    }
}
